#!/usr/bin/env python3
"""One line a plan of what bench/device/gemm_skeleton.sh measured.

    gemm_table.py ROWS...

Region, time, TFLOP/s (2 M N K and the rest of the region over the plan's time),
speedup over the stock the plan was judged against, over our own lowering and
over the library stock where both were timed, and the plan.
"""
import json
import sys


def ratio(stock, own):
    return f"{stock / own:7.2f}" if stock and own else "      -"


def main():
    rows = [json.loads(line) for name in sys.argv[1:] for line in open(name)]
    rows.sort(key=lambda row: (row["region"], row["microseconds"] or float("inf")))
    print(f"{'region':42} {'us':>9} {'TFLOP/s':>8} {'speedup':>7} {'own':>7} {'library':>7}  plan")
    for row in rows:
        own = row["microseconds"]
        if row["outcome"] != "ok":
            print(f"{row['region']:42} {row['outcome']}: {row['rule']}  {row['title']}")
            continue
        stock = row["stock"]
        print(f"{row['region']:42} {own:9.1f} {row['flops'] / own / 1e6:8.1f} "
              f"{row['speedup']:7.2f} {ratio(stock.get('ownMicroseconds'), own)} "
              f"{ratio(stock.get('libraryMicroseconds'), own)}  {row['title']}")


if __name__ == "__main__":
    main()

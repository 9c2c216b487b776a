#!/usr/bin/env python3
"""Takes a picture of a report of kernelclaw-report. Needs the Python of
.prefix/venv and chromium (utils/setup.sh)."""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))
import chromium


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--screenshot", metavar="FILE.png", required=True)
    parser.add_argument("--width", type=int, default=1280, help="in CSS pixels; %(default)s")
    parser.add_argument("--height", type=int, default=0,
                        help="only so many from the top; default: the whole page")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--region", type=int, default=0,
                        help="the region to open, counted from 0; %(default)s")
    options = parser.parse_args()
    try:
        with chromium.browser() as browser:
            page = browser.new_page(
                viewport={"width": options.width, "height": options.height or 900},
                color_scheme="dark" if options.dark else "light")
            page.goto(options.report.resolve().as_uri())
            page.evaluate("""(open) => document.querySelectorAll('details.region').forEach(
                (section, place) => { section.open = place === open; })""", options.region)
            page.wait_for_timeout(100)
            chromium.wait_until_drawn(page)
            page.screenshot(path=options.screenshot, full_page=not options.height)
    except chromium.Missing as reason:
        print(f"no screenshot: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

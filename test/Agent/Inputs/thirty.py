"""Prints a module of N functions relu(x + y): N regions, told apart by size.

usage: thirty.py N
"""
import sys


def elements(region):
    return 5003 + 17 * region  # numbers that no prompt has by itself


def function(region):
    tensor = f"!torch.vtensor<[{elements(region)}],f32>"
    return f"""func.func @f{region}(%x: {tensor}, %y: {tensor}) -> {tensor} {{
  %one = torch.constant.int 1
  %sum = torch.aten.add.Tensor %x, %y, %one : {tensor}, {tensor}, !torch.int -> {tensor}
  %z = torch.aten.relu %sum : {tensor} -> {tensor}
  return %z : {tensor}
}}"""


if __name__ == "__main__":
    print("\n".join(function(region) for region in range(int(sys.argv[1]))))

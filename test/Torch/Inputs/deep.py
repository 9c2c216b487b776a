"""Writes deeply nested MLIR: deep.py KIND LEVELS."""
import sys

kind, levels = sys.argv[1], int(sys.argv[2])


def attribute(opening, middle, closing):
    return ("module attributes {a.b = " + opening + middle + closing + "} {}")


def ifs():
    end = "torch.prim.If.yield\n} else {\ntorch.prim.If.yield\n}\n"
    return ("func.func @main(%c: !torch.bool) {\n" +
            "torch.prim.If %c -> () {\n" * levels + end * levels +
            "return\n}\n")


def affine(text):
    return attribute("affine_map<(d0) -> (", text, ")>")


def flat():
    """Many brackets that are none, or are closed again."""
    lines = ["func.func private @f%d(i32) -> i32" % i for i in range(levels)]
    bounds = ["d0 - s0 >= 0", "s0 <= 5"] * levels
    return ('module attributes {a.s = "' + "(" * levels + '"} {\n// ' +
            "{" * levels + "\n" + "\n".join(lines) + "\n}\n" +
            "#s = affine_set<(d0)[s0] : (" + ", ".join(bounds) + ")>")


KINDS = {
    "flat": flat,
    "if": ifs,
    "module": lambda: "module {\n" * levels + "}\n" * levels,
    "list": lambda: attribute("[" * levels, "", "]" * levels),
    "type": lambda: "func.func private @f(!torch.list<" + "list<" * levels +
                    "int" + ">" * levels + ">)",
    "location": lambda: "module {} loc(" + "fused[" * levels + '"a"' +
                        "]" * levels + ")",
    "parentheses": lambda: affine("(" * levels + "d0" + ")" * levels),
    "minus": lambda: affine("-" * levels + "d0"),
    "plus": lambda: affine("d0" + " + d0" * levels),
    "floordiv": lambda: affine("d0" + " floordiv 2" * levels),
}
print(KINDS[kind]())

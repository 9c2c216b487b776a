"""Rounded float arithmetic in rational numbers: what the corpus should give.

Independent of the simulator's code. Bits of a format in, bits out; `nan` where
the result is one.
"""
from fractions import Fraction
import re

FORMATS = {"f32": (23, 8), "f64": (52, 11), "f16": (10, 5), "bf16": (7, 8)}
OPERANDS = {"add": 2, "sub": 2, "mul": 2, "fma": 3, "mad": 3, "div": 2, "rcp": 1}
nan, inf = "nan", "inf"


class Format:
    def __init__(self, name):
        self.mantissa, self.exponent = FORMATS[name]
        self.name = name
        self.bias = (1 << (self.exponent - 1)) - 1
        self.sign = 1 << (self.mantissa + self.exponent)
        self.infinity = ((1 << self.exponent) - 1) << self.mantissa
        self.one = self.bias << self.mantissa
        self.width = self.mantissa + self.exponent + 1
        self.mask = (1 << self.width) - 1

    def decode(self, word):
        """(a Fraction, nan or inf; is the sign set)"""
        negative = bool(word & self.sign)
        exponent = word >> self.mantissa & ((1 << self.exponent) - 1)
        m = word & ((1 << self.mantissa) - 1)
        if exponent == (1 << self.exponent) - 1:
            return (nan if m else inf), negative
        if exponent:
            m |= 1 << self.mantissa
        value = m * Fraction(2) ** (max(exponent, 1) - self.bias - self.mantissa)
        return (-value if negative else value), negative

    def infinite(self, negative):
        return self.infinity | (self.sign if negative else 0)

    def encode(self, value, mode, negative_zero=False):
        if value == 0:
            return self.sign if negative_zero else 0
        negative, size = value < 0, abs(value)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= Fraction(2) ** exponent > size
        scale = max(exponent, 1 - self.bias)
        scaled = size / Fraction(2) ** (scale - self.mantissa)
        kept = scaled.numerator // scaled.denominator
        rest, half = scaled - kept, Fraction(1, 2)
        kept += {"rn": rest > half or (rest == half and kept & 1), "rz": False,
                 "rp": rest > 0 and not negative, "rm": rest > 0 and negative}[mode]
        bits = ((scale - 1 + self.bias) << self.mantissa) + kept
        if bits >= self.infinity:
            away = mode == "rn" or mode == ("rm" if negative else "rp")
            bits = self.infinity if away else self.infinity - 1
        return bits | (self.sign if negative else 0)

    def below_normal(self, value, mode):
        """Would it be subnormal too if rounded with an unbounded exponent?"""
        scale = Fraction(2) ** self.mantissa
        least = 1 << self.mantissa
        return abs(value) < Fraction(2) ** (1 - self.bias) and \
            self.encode(value * scale, mode) & ~self.sign < least * (self.mantissa + 1)

    def flush(self, word):
        return word & self.sign if word & self.infinity == 0 else word


def multiply(a, b):
    negative = a[1] != b[1]
    if nan in (a[0], b[0]) or (inf in (a[0], b[0]) and 0 in (a[0], b[0])):
        return nan, negative
    return (inf if inf in (a[0], b[0]) else a[0] * b[0]), negative


def add(a, b, mode):
    if nan in (a[0], b[0]) or (a[0] == b[0] == inf and a[1] != b[1]):
        return nan, False
    if inf in (a[0], b[0]):
        return inf, a[1] if a[0] == inf else b[1]
    total = a[0] + b[0]
    both = a[1] and b[1] and a[0] == 0  # -0 + -0
    return total, total < 0 or (total == 0 and (both or (mode == "rm" and a[1] != b[1])))


def divide(a, b):
    negative = a[1] != b[1]
    if nan in (a[0], b[0]) or a[0] == b[0] == inf or a[0] == b[0] == 0:
        return nan, negative
    if a[0] == inf or b[0] == 0:
        return inf, negative
    return (Fraction(0) if b[0] == inf else a[0] / b[0]), negative


def compute(op, x, mode):
    if op == "sub":
        return add(x[0], (x[1][0] if x[1][0] in (nan, inf) else -x[1][0], not x[1][1]), mode)
    if op == "add":
        return add(*x, mode)
    if op == "mul":
        return multiply(*x)
    if op == "rcp":
        return divide((Fraction(1), False), x[0])
    if op == "div":
        return divide(*x)
    return add(multiply(x[0], x[1]), x[2], mode)


def finish(format, value, mode, parts, flushes):
    """Bits, or nan: rounded, flushed, clamped."""
    if value[0] == nan:
        return 0 if "sat" in parts else nan
    bits = format.infinite(value[1]) if value[0] == inf else \
        format.encode(value[0], mode, value[1])
    if flushes and value[0] != inf:
        bits = bits & format.sign if format.below_normal(value[0], mode) else format.flush(bits)
    if "sat" in parts:
        bits = 0 if bits & format.sign else min(bits, format.one)
    if "satfinite" in parts and bits & ~format.sign == format.infinity:
        bits -= 1
    if "relu" in parts and bits & format.sign:
        bits = 0
    return bits


def mode_of(parts):
    return next((p for p in parts if p in ("rn", "rz", "rm", "rp")), "rn")


def arithmetic(parts, words):
    """The result word of one thread, as a list of (format, bits or nan)."""
    name = parts[-1].removesuffix("x2") if parts[-1] != "f32x2" else "f32"
    format, mode, ftz = Format(name), mode_of(parts), "ftz" in parts
    out = []
    for half in range(2 if parts[-1].endswith("x2") else 1):
        x = [w >> (half * format.width) & format.mask for w in words[:OPERANDS[parts[0]]]]
        if ftz:
            x = [format.flush(w) for w in x]
        value = compute(parts[0], [format.decode(w) for w in x], mode)
        out.append((format, finish(format, value, mode, parts, ftz)))
    return out


def to_integer(value, rounding):
    down = value.numerator // value.denominator
    up = -(-value.numerator // value.denominator)
    return {"rni": round(value), "rmi": down, "rpi": up,
            "rzi": down if value >= 0 else up}[rounding]


def conversion(parts, word):
    """(width of the result, bits or nan)"""
    to, source = parts[-2:]
    if source in FORMATS:
        format = Format(source)
        word &= format.mask
        if "ftz" in parts and source == "f32" and to != "f16":
            word = format.flush(word)
        value = format.decode(word)
    else:
        width = int(source[1:])
        word &= (1 << width) - 1
        if source[0] == "s" and word >> (width - 1):
            word -= 1 << width
        value = Fraction(word), word < 0
    rounding = next((p for p in parts if re.fullmatch("r[nzmp]i", p)), None)
    if rounding and value[0] not in (nan, inf):
        value = Fraction(to_integer(value[0], rounding)), value[1]
    if to in FORMATS:
        format = Format(to)
        return format.width, finish(format, value, mode_of(parts), parts,
                                    "ftz" in parts and to == "f32")
    width = int(to[1:])
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if to[0] == "s" \
        else (0, (1 << width) - 1)
    if value[0] == nan:
        result = 1 << (width - 1) if source == "f64" or width == 64 else 0
    elif value[0] == inf:
        result = low if value[1] else high
    else:
        result = int(value[0])
        if source in FORMATS or "sat" in parts:
            result = min(max(result, low), high)
    return width, result & ((1 << width) - 1)

"""Integer instructions in Python's unbounded integers: what the corpus should
give. `result(kernel, words)` is the word of one thread, or None where the form
is not one of these; the caller cuts it to the result's width."""


def signed(x, width):
    x &= (1 << width) - 1
    return x - (1 << width) if x >> (width - 1) else x


def unsigned(x, width):
    return x & ((1 << width) - 1)


def reader(type_name):
    """The number that a type reads from a word."""
    width = int(type_name[1:])
    return (lambda x: signed(x, width)) if type_name[0] == "s" else \
        (lambda x: unsigned(x, width))


def clamp(x, type_name):
    width = int(type_name[1:])
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) \
        if type_name[0] == "s" else (0, (1 << width) - 1)
    return max(low, min(high, x))


def divide(a, b):
    """(quotient, remainder) towards zero; by zero all ones, as ptxas has it."""
    if b == 0:
        return -1, -1
    quotient = abs(a) // abs(b)
    quotient = quotient if (a < 0) == (b < 0) else -quotient
    return quotient, a - quotient * b


def amount(x, width):
    """A position or length: the 64-bit forms take all of it."""
    return unsigned(x, 32 if width == 64 else 8)


def extract(parts, w):
    width, is_signed = int(parts[1][1:]), parts[1][0] == "s"
    a, position, length = unsigned(w[0], width), amount(w[1], width), amount(w[2], width)
    fill = a >> min(position + length - 1, width - 1) & 1 if is_signed and length else 0
    return sum((a >> (position + k) & 1 if k < length and position + k < width else fill) << k
               for k in range(width))


def insert(parts, w):
    width = int(parts[1][1:])
    a, b, position, length = w[0], unsigned(w[1], width), amount(w[2], width), amount(w[3], width)
    for k in range(min(length, max(width - position, 0))):
        b = b & ~(1 << (position + k)) | (a >> k & 1) << (position + k)
    return b


def permute(parts, w):
    data = [w[0] >> 8 * k & 255 for k in range(4)] + [w[1] >> 8 * k & 255 for k in range(4)]
    i = w[2] & 3
    modes = {"f4e": [i, i + 1, i + 2, i + 3], "b4e": [i, i - 1 & 7, i - 2 & 7, i - 3 & 7],
             "rc8": [i] * 4, "ecl": [max(i, k) for k in range(4)],
             "ecr": [min(i, k) for k in range(4)], "rc16": [2 * (i & 1), 2 * (i & 1) + 1] * 2}
    selectors = modes[parts[2]] if len(parts) > 2 else [w[2] >> 4 * k & 15 for k in range(4)]
    out = 0
    for k, selector in enumerate(selectors):
        byte = data[selector & 7]
        out |= (255 if byte & 128 else 0) << 8 * k if selector & 8 else byte << 8 * k
    return out


def dot(parts, w):
    step = 8 if parts[0] == "dp4a" else 16
    types = parts[-2:]
    shift = 16 if "hi" in parts else 0
    a, b = (signed if t[0] == "s" else unsigned for t in types)
    return w[2] + sum(a(w[0] >> step * k, step) * b(w[1] >> (shift + 8 * k), 8)
                      for k in range(32 // step))


def video(parts, w):
    width = 16 if parts[0][-1] == "2" else 8
    read = signed if parts[2][0] == "s" else unsigned
    out, total = 0, w[2]
    for at in range(0, 32, width):
        a, b = read(w[0] >> at, width), read(w[1] >> at, width)
        x = {"add": a + b, "sub": a - b, "avrg": (a + b + (a + b >= 0)) >> 1, "absdiff": abs(a - b),
             "min": min(a, b), "max": max(a, b)}[parts[0][1:-1]]
        if "sat" in parts:
            x = clamp(x, parts[1][0] + str(width))
        out |= unsigned(x, width) << at
        total += x
    return total if "add" in parts else out


def halves(parts, w):
    read = signed if parts[-1][0] == "s" else unsigned
    out = 0
    for at in (0, 16):
        a, b = read(w[0] >> at, 16), read(w[1] >> at, 16)
        x = {"add": a + b, "min": min(a, b), "max": max(a, b)}[parts[0]]
        out |= unsigned(max(x, 0) if "relu" in parts else x, 16) << at
    return out


def funnel(parts, w):
    n = w[2] & 31 if "wrap" in parts else min(unsigned(w[2], 32), 32)
    both = unsigned(w[1], 32) << 32 | unsigned(w[0], 32)
    return both << n >> 32 if parts[1] == "l" else both >> n


def find(parts, w):
    width = int(parts[-1][1:])
    a = reader(parts[-1])(w[0])
    bits = unsigned(~a if a < 0 else a, width)
    top = bits.bit_length() - 1
    return -1 if not bits else width - 1 - top if "shiftamt" in parts else top


def multiply(parts, w):
    read = reader(parts[-1])
    width = int(parts[-1][1:])
    a, b = read(w[0]), read(w[1])
    if "24" in parts[0]:
        cut = signed if parts[-1][0] == "s" else unsigned
        product = cut(a, 24) * cut(b, 24) >> (16 if "hi" in parts else 0)
        product = cut(product, 32)
    else:
        product = a * b >> (width if "hi" in parts else 0)
        product = reader(parts[-1])(product) if "hi" in parts else product
    if parts[0].startswith("mad"):
        product += w[2] if "wide" in parts else read(w[2])
    return clamp(product, "s32") if "sat" in parts else product


def chain(name, w):
    """The form of alu_forms.chain: low + 3 * high + carry."""
    first, second = (part.split(".") for part in name.split("+"))
    width = int(first[-1][1:])
    a, b, c, d = (unsigned(x, width) for x in w)
    read = reader(first[-1])

    def half(x, y, parts):
        return unsigned(read(x) * read(y) >> (width if "hi" in parts else 0), width)
    if first[0] == "add":
        low, high = a + b, a + d
    elif first[0] == "sub":
        low, high = a + unsigned(~b, width) + 1, a + unsigned(~d, width)
    else:
        low, high = half(a, b, first) + c, half(a, d, second) + c
    high += low >> width
    return unsigned(low, width) + 3 * unsigned(high, width) + (high >> width)


def mask(parts, w):
    first, count = (x & 31 if "wrap" in parts else unsigned(x, 32) for x in w[:2])
    return 0 if first > 31 else ((1 << min(count, 32)) - 1) << first


def extend(parts, w):
    n = w[1] & 31 if "wrap" in parts else min(unsigned(w[1], 32), 32)
    return (signed if parts[-1][0] == "s" else unsigned)(w[0], n) if n else 0


SPECIAL = {"bfe": extract, "bfi": insert, "prmt": permute, "dp4a": dot, "dp2a": dot,
           "shf": funnel, "bfind": find, "mul": multiply, "mad": multiply,
           "mul24": multiply, "mad24": multiply, "bmsk": mask, "szext": extend}
COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
           "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
           "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b,
           "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b}
# f(a, b, c, width) on numbers of the type
PLAIN = {"add": lambda a, b, c, n: a + b, "sub": lambda a, b, c, n: a - b,
         "sad": lambda a, b, c, n: c + abs(a - b),
         "div": lambda a, b, c, n: divide(a, b)[0], "rem": lambda a, b, c, n: divide(a, b)[1],
         "neg": lambda a, b, c, n: -a, "abs": lambda a, b, c, n: abs(a),
         "min": lambda a, b, c, n: min(a, b), "max": lambda a, b, c, n: max(a, b),
         "and": lambda a, b, c, n: a & b, "or": lambda a, b, c, n: a | b,
         "xor": lambda a, b, c, n: a ^ b, "not": lambda a, b, c, n: ~a,
         "cnot": lambda a, b, c, n: int(a == 0),
         "popc": lambda a, b, c, n: bin(a).count("1"),
         "clz": lambda a, b, c, n: n - a.bit_length(),
         "brev": lambda a, b, c, n: int(format(a, f"0{n}b")[::-1], 2)}


def result(kernel, w):
    name = kernel["name"].rstrip("'")
    parts = name.split(".")
    type_name = parts[-1]
    if "+" in name:
        return chain(name, w)
    if type_name in ("u16x2", "s16x2"):
        return halves(parts, w)
    if parts[0][0] == "v":
        return video(parts, w)
    if type_name[0] not in "usb" or not type_name[1:].isdigit():
        return None
    if parts[0] in SPECIAL or parts[0] == "prmt":
        return SPECIAL[parts[0]](parts, w)
    a, b, c = (reader(type_name)(x) for x in w[:3])
    width = int(type_name[1:])
    if parts[0] in ("shl", "shr"):
        n = min(unsigned(w[1], 32), width)
        return a << n if parts[0] == "shl" else a >> n
    if parts[0] == "setp" and len(parts) == 3:
        return int(COMPARE[parts[1]](a, b))
    if parts[0] not in PLAIN:
        return None
    value = PLAIN[parts[0]](a, b, c, width)
    if "relu" in parts:
        value = max(value, 0)
    return clamp(value, type_name) if "sat" in parts else value

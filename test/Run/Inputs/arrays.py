"""Small NumPy files without NumPy: write KEY=DTYPE:SHAPE[:V,V,...]..., or read
and print.

Elements are 0, 1, 2, ... unless given; SHAPE is 3x4, empty for rank 0.
"""
import ast
import struct
import sys
import zipfile

CODES = {"f4": "f", "f8": "d", "i8": "q", "i4": "i", "i1": "b", "u1": "B",
         "b1": "?", "u2": "H"}
NAMES = {"f4": "float32", "f8": "float64", "i8": "int64", "i4": "int32",
         "i1": "int8", "u1": "uint8", "b1": "bool", "u2": "uint16"}


def render(dtype, shape, values):
    count = 1
    for size in shape:
        count *= size
    header = str({"descr": ("|" if dtype[1] == "1" else "<") + dtype,
                  "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    number = float if dtype[0] == "f" else int
    elements = map(number, values.split(",")) if values else range(count)
    data = struct.pack("<%d%s" % (count, CODES[dtype]), *elements)
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
            header.encode() + data)


def write(path, specs, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as file:
        for spec in specs:
            key, rest = spec.split("=")
            dtype, shape, values = (rest + ":").split(":")[:3]
            sizes = [int(s) for s in shape.split("x")] if shape else []
            file.writestr(key + ".npy", render(dtype, sizes, values))


def read(path):
    with zipfile.ZipFile(path) as file:
        for name in sorted(file.namelist()):
            raw = file.read(name)
            (length,) = struct.unpack("<H", raw[8:10])
            header = ast.literal_eval(raw[10:10 + length].decode())
            dtype = header["descr"][1:]
            count = (len(raw) - 10 - length) // struct.calcsize(CODES[dtype])
            values = struct.unpack("<%d%s" % (count, CODES[dtype]),
                                   raw[10 + length:])
            text = " ".join("%g." % v if dtype[0] == "f" and v == int(v)
                            else str(v) for v in values)
            print(name[:-4], NAMES[dtype],
                  "[%s]" % text if header["shape"] else text)


if sys.argv[1] == "write":
    write(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "deflate":
    write(sys.argv[2], sys.argv[3:], zipfile.ZIP_DEFLATED)
else:
    read(sys.argv[2])

"""Writes archives that are no arrays for kernelclaw-run into a folder."""
import sys
import zipfile

import numpy

folder = sys.argv[1]


def member(name, content, file="arg0.npy"):
    with zipfile.ZipFile(f"{folder}/{name}.npz", "w") as archive:
        archive.writestr(file, content)


def npy(shape, data=b""):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + bytes([len(header), 0]) + header + data


def array(name, value):
    numpy.savez(f"{folder}/{name}.npz", arg0=value)


array("object", numpy.array([{"a": 1}, None], dtype=object))
array("complex", numpy.zeros((17, 257), numpy.complex64))
array("big-endian", numpy.zeros((17, 257), ">f4"))
array("fortran", numpy.asfortranarray(
    numpy.arange(17 * 257, dtype="f4").reshape(17, 257)))
member("magic", b"\x93NUMPX\x01\x00 and then something else")
member("short", b"\x93NUM")
member("header", b"\x93NUMPY\x01\x00\xff\xff{}")
member("text", b"hello", "readme.txt")
member("negative", npy("(-17, 257)"))
member("endless", npy(f"({2**63 - 1}, {2**63 - 1})"))
member("cut-data", npy("(17, 257)", b"\0" * 100))

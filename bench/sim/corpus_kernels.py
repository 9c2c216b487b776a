"""The corpus as PTX modules and inputs; the same on every device.

A thread's input is four 64-bit words. The first threads pair special values,
the rest take random bits. Kernels that other people write lie in corpus/*.ptx:
an entry `kernel` with parameters .u64 out, .u64 in, and comment lines

    //! threads 256     threads of the one block (default 256)
    //! words 256       64-bit result words (default: threads)
    //! shared 0        bytes of dynamic shared memory
    //! cluster 0       blocks of the one cluster, each of `threads`; 0: launched without
    //! tolerance exact as in alu_forms.py; `kind f` names the result's type

that say how to launch it.
"""
import pathlib
import struct

import alu_forms
import block_forms
import cluster_forms
import fault_forms
import matrix_forms
import tensor_forms
import tma_forms

THREADS = 1024
BLOCK = 256
HEADER = ".version 8.7\n.target sm_90a\n.address_size 64\n"
TYPES = {"h": "b16", "r": "b32", "f": "f32", "l": "b64", "g": "f64"}

SPECIAL32 = [0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000,
             0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x40490fdb,
             0x3fc00000, 0xc0200000, 0x4b000001, 0x4f000000, 0xcf000000,
             0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
             0xff812345, 0x7fffffff, 0xffffffff, 0x0000001f]
SPECIAL64 = [0, 1 << 63, 1, 0x800fffffffffffff, 0x0010000000000000,
             0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000,
             0x3ff0000000000001, 0x400921fb54442d18, 0x3ff8000000000000,
             0xc004000000000000, 0x4330000000000001, 0x43e0000000000000,
             0xc3e0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
             0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
             0xfff0000012345678, 0x7fffffffffffffff, 0xffffffffffffffff,
             0x000000000000003f]
SPECIAL16 = [0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3bff, 0x3c00, 0xbc00,
             0x3c01, 0x4248, 0x3e00, 0xc100, 0x6401, 0x7800, 0xf800, 0x7bff,
             0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfc12, 0x7fff, 0x7f80, 0x3f80]


class Lcg:
    """Knuth's MMIX constants; the upper bits."""

    def __init__(self, seed):
        self.state = seed

    def word(self):
        high = self.step()
        return high << 32 | self.step()

    def step(self):
        self.state = (self.state * 6364136223846793005 +
                      1442695040888963407) & (2**64 - 1)
        return self.state >> 32


def inputs(kind):
    """The words of all threads for sources of one width."""
    special = {"h": SPECIAL16, "l": SPECIAL64, "g": SPECIAL64}.get(kind, SPECIAL32)
    if kind == "h":  # the upper half matters to packed readers
        special = [x << 16 | x for x in special]
    random = Lcg(2024)
    words = []
    for thread in range(THREADS):
        row = [random.word() for _ in range(4)]
        n = len(special)
        if thread < n * n:
            row[0], row[1] = special[thread % n], special[thread // n]
            row[2] = special[(thread * 7 + thread // n) % n]
        elif thread < n * n + 256 and kind in "fg":
            # Values near each other: sums cancel, quotients stay in range.
            for k in range(3):
                row[k] = struct.unpack("<Q", struct.pack("<d", (row[k] % 2**40 - 2**39) / 2**36))[0] \
                    if kind == "g" else struct.unpack("<I", struct.pack("<f", (row[k] % 2**40 - 2**39) / 2**36))[0]
        elif thread % 2:
            row[1] &= 63  # shift amounts, field positions
            row[2] &= 63
        words += row
    return words


def kernel(entry, kind, text):
    loads = ""
    for k in range(1, 5):
        for letter, type_name in TYPES.items():
            if f"%{letter}{k}" in text:
                loads += f"ld.global.{type_name} %{letter}{k}, [%a1+{8 * (k - 1)}];\n"
    zero = "mov.b64 %a2, 0;\nst.global.b64 [%a0], %a2;\n"
    return (f".visible .entry {entry}(.param .u64 out, .param .u64 in) {{\n"
            ".reg .b16 %h<6>;\n.reg .b32 %r<6>;\n.reg .f32 %f<6>;\n"
            ".reg .b64 %l<6>;\n.reg .f64 %g<6>;\n.reg .pred %p<4>;\n"
            ".reg .b64 %a<3>;\n.reg .b32 %t<4>;\n"
            "mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nmov.u32 %t2, %ntid.x;\n"
            "mad.lo.u32 %t0, %t1, %t2, %t0;\n"
            "ld.param.u64 %a0, [out];\nmul.wide.u32 %a1, %t0, 8;\nadd.s64 %a0, %a0, %a1;\n"
            "ld.param.u64 %a2, [in];\nmul.wide.u32 %a1, %t0, 32;\nadd.s64 %a1, %a1, %a2;\n"
            + zero + loads + text + f"\nst.global.{TYPES[kind]} [%a0], %{kind}0;\nret;\n}}\n")


def source_kind(text):
    """Which table of special values suits the first source."""
    for letter in "gflrh":
        if f"%{letter}1" in text:
            return letter
    return "r"


def form_kernels(forms, prefix):
    """dicts: name, entry, kind, tolerance, ptx (without header), inputs."""
    for index, (name, kind, text, tolerance) in enumerate(forms):
        entry = f"{prefix}_{index:04d}"
        yield {"name": name, "entry": entry, "kind": kind,
               "tolerance": tolerance, "text": text,
               "ptx": kernel(entry, kind, text), "header": HEADER,
               "inputs": source_kind(text), "threads": BLOCK,
               "blocks": THREADS // BLOCK, "words": THREADS, "shared": 0,
               "cluster": 0}


def alu_kernels():
    return form_kernels(alu_forms.forms(), "form")


def block_kernels():
    return form_kernels(block_forms.forms(), "block")


def cluster_kernels():
    """The launch asks for a cluster (`cluster`), or the kernel's text does."""
    forms = list(cluster_forms.forms())
    for made, facts in zip(form_kernels([(*f[:3], "exact") for f in forms], "cluster"), forms):
        *_, made["cluster"], required = facts
        if required:
            made["ptx"] = made["ptx"].replace(") {\n", f")\n.reqnctapercluster {required} {{\n", 1)
        yield made


def fault_kernels():
    return form_kernels(((*f, "exact") for f in fault_forms.forms()), "fault")


def matrix_kernels():
    """Modules of their own: one warp, or a warpgroup."""
    for name, text, words, kind, tolerance in matrix_forms.kernels():
        yield {"name": name, "entry": "kernel", "kind": kind,
               "tolerance": tolerance, "text": "", "ptx": HEADER + text,
               "header": "", "inputs": "r", "threads": 32, "blocks": 1,
               "words": words, "shared": 0, "cluster": 0}
    for name, text, threads, words, *facts in tensor_forms.kernels():
        yield {"name": name, "entry": "kernel", "kind": "r",
               "tolerance": "exact", "text": "", "ptx": HEADER + text,
               "header": "", "inputs": "r", "threads": threads, "blocks": 1,
               "words": words, "shared": 0, "cluster": 0, **dict(*facts)}


def file_kernels(folder):
    for path in sorted(pathlib.Path(folder).glob("*.ptx")):
        text = path.read_text()
        facts = dict(line[3:].strip().split(None, 1)
                     for line in text.splitlines() if line.startswith("//!"))
        threads = int(facts.get("threads", 256))
        cluster = int(facts.get("cluster", 0))
        yield {"name": path.stem, "entry": "kernel", "kind": facts.get("kind", "l"),
               "tolerance": facts.get("tolerance", "exact"), "text": "",
               "ptx": text, "header": "", "inputs": facts.get("inputs", "r"),
               "threads": threads, "blocks": max(cluster, 1), "cluster": cluster,
               "words": int(facts.get("words", threads)),
               "shared": int(facts.get("shared", 0))}


def all_kernels():
    folder = pathlib.Path(__file__).parent / "corpus"
    return [*alu_kernels(), *block_kernels(), *cluster_kernels(), *matrix_kernels(),
            *tma_forms.kernels(), *file_kernels(folder), *fault_kernels()]

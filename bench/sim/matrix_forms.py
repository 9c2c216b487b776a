"""Matrix instructions as corpus kernels: one warp, registers from the inputs.

Operands are small integers in the instruction's own format, so that results
are exact whatever the order of additions; entries named `... real` take
fractions, where hardware and simulator may round differently.
"""
import re

SMALL = {
    # how an input word becomes a register of small integers
    "f16": "and.b32 {d}, {s}, 0x00070007;\nmov.b32 {{%h0, %h1}}, {d};\n"
           "cvt.rn.f16.u16 %h0, %h0;\ncvt.rn.f16.u16 %h1, %h1;\n"
           "mov.b32 {d}, {{%h0, %h1}};\n",
    "bf16": "and.b32 {d}, {s}, 7;\ncvt.rn.f32.u32 %f0, {d};\n"
            "shr.u32 {d}, {s}, 16;\nand.b32 {d}, {d}, 7;\n"
            "cvt.rn.f32.u32 %f1, {d};\ncvt.rn.bf16x2.f32 {d}, %f1, %f0;\n",
    "tf32": "and.b32 {d}, {s}, 15;\ncvt.rn.f32.u32 %f0, {d};\nmov.b32 {d}, %f0;\n",
    "f32": "and.b32 {d}, {s}, 15;\ncvt.rn.f32.u32 {d}, {d};\n",
    "f64": "and.b32 %r0, {s}, 15;\ncvt.rn.f64.u32 {d}, %r0;\n",
    "e4m3": "and.b32 {d}, {s}, 0xb8b8b8b8;\n",
    "e5m2": "and.b32 {d}, {s}, 0xbcbcbcbc;\n",
    "s32": "mov.b32 {d}, {s};\n",
}
for _name in ("s8", "u8", "s4", "u4"):
    SMALL[_name] = SMALL["s32"]
REAL = {
    # 1 <= |x| < 2 in halves and tf32; any sign
    "f16": "and.b32 {d}, {s}, 0x83ff83ff;\nor.b32 {d}, {d}, 0x3c003c00;\n",
    "bf16": "and.b32 {d}, {s}, 0x807f807f;\nor.b32 {d}, {d}, 0x3f803f80;\n",
    "tf32": "and.b32 {d}, {s}, 0x807fe000;\nor.b32 {d}, {d}, 0x3f800000;\n",
}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "e4m3": 8, "e5m2": 8,
        "s8": 8, "u8": 8, "s4": 4, "u4": 4}

FORMS = (
    [(s, t, "f16", "f16", t) for s in ("m16n8k8", "m16n8k16") for t in ("f32", "f16")]
    + [(s, "f32", "bf16", "bf16", "f32") for s in ("m16n8k8", "m16n8k16")]
    + [(s, "f32", "tf32", "tf32", "f32") for s in ("m16n8k4", "m16n8k8")]
    + [(s, "f32", a, b, "f32") for s in ("m16n8k32", "m16n8k16")
       for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    + [(s, "s32", a, b, "s32") for s in ("m8n8k16", "m16n8k16", "m16n8k32")
       for a in ("s8", "u8") for b in ("s8", "u8")]
    + [(s, "s32", a, a, "s32") for s in ("m8n8k32", "m16n8k32", "m16n8k64") for a in ("s4", "u4")]
    + [(s, "f64", "f64", "f64", "f64") for s in ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16")])


def mma(shape, d, a, b, c, real=False, saturates=False):
    m, n, k = map(int, re.fullmatch(r"m(\d+)n(\d+)k(\d+)", shape).groups())
    wide = d == "f64"
    bits = 64 if wide else 32
    counts = {"a": m * k * BITS[a] // (32 * bits), "b": n * k * BITS[b] // (32 * bits),
              "c": m * n // 32 // (2 if c == "f16" else 1)}
    recipes = REAL if real else SMALL
    kinds = {"a": a, "b": b, "c": c}
    register = "f64" if wide else "b32"
    text = (f".reg .{register} %a<8>, %b<4>;\n"
            f".reg .{'f32' if d == 'f32' else register} %c<4>, %d<4>;\n"
            ".reg .b32 %r<4>;\n.reg .f32 %f<2>;\n.reg .b16 %h<2>;\n"
            ".reg .b64 %l<4>;\nmov.u32 %r1, %tid.x;\n"
            "ld.param.u64 %l0, [out];\nld.param.u64 %l1, [in];\n"
            "mul.wide.u32 %l2, %r1, 32;\nadd.u64 %l1, %l1, %l2;\n")
    place = 0
    for name, count in counts.items():
        for i in range(count):
            # 8 words a thread; rows of 32 threads follow each other
            offset = (place % 8) * 4 + (place // 8) * 1024
            place += 1
            target = f"%{name}{i}"
            recipe = (recipes if name != "c" else SMALL).get(kinds[name])
            loaded = f"ld.global.b32 %r2, [%l1+{offset}];\n"
            if name == "c" and d == "f32":
                recipe = SMALL["f32"].replace("and.b32 {d}", "and.b32 %r3").replace(
                    "{d}, {d}", "{d}, %r3")
            text += loaded + recipe.format(d=target, s="%r2")
    lists = {x: "{" + ", ".join(f"%{x}{i}" for i in range(counts["c" if x == "d" else x])) + "}"
             for x in "dabc"}
    text += (f"mma.sync.aligned.{shape}.row.col.{'satfinite.' if saturates else ''}{d}.{a}.{b}.{c} "
             f"{lists['d']}, {lists['a']}, {lists['b']}, {lists['c']};\n"
             f"mul.wide.u32 %l2, %r1, {8 * counts['c']};\nadd.u64 %l0, %l0, %l2;\n")
    for i in range(counts["c"]):
        if wide:
            text += f"st.global.f64 [%l0+{8 * i}], %d{i};\n"
        else:
            text += f"mov.b32 %r2, %d{i};\nst.global.v2.b32 [%l0+{8 * i}], {{%r2, 0}};\n".replace(
                ", 0}", ", %r0}")
    text = text.replace("mov.u32 %r1", "mov.b32 %r0, 0;\nmov.u32 %r1", 1)
    body = (".visible .entry kernel(.param .u64 out, .param .u64 in) {\n" + text + "ret;\n}\n")
    name = f"mma.{shape}.{d}.{a}.{b}.{c}" + (".satfinite" if saturates else "") + (" real" if real else "")
    return name, body, 32 * counts["c"], {"f64": "g", "f32": "f"}.get(d, "r")


def kernels():
    """(name, PTX body, result words, kind, tolerance)"""
    for form in FORMS:
        yield (*mma(*form), "exact")
    yield (*mma("m16n8k32", "s32", "s8", "s8", "s32", saturates=True), "exact")
    for shape, element in (("m16n8k16", "f16"), ("m16n8k16", "bf16"), ("m16n8k8", "tf32")):
        yield (*mma(shape, "f32", element, element, "f32", real=True), "abs 2^-18")


if __name__ == "__main__":
    for entry in kernels():
        print(entry[0])

"""wmma and wgmma as corpus kernels: small integers, exact in any order, and
entries named `... wide`: all mantissas, several exponents.
"""
from matrix_forms import SMALL

WIDE = {"e4m3": "and.b32 {d}, {s}, 0xbfbfbfbf;\n", "e5m2": "and.b32 {d}, {s}, 0xbfbfbfbf;\n",
        "f16": "and.b32 {d}, {s}, 0x9fff9fff;\nor.b32 {d}, {d}, 0x20002000;\n",
        "bf16": "and.b32 {d}, {s}, 0x83ff83ff;\nor.b32 {d}, {d}, 0x3c003c00;\n",
        "tf32": "and.b32 {d}, {s}, 0x83ffffff;\nor.b32 {d}, {d}, 0x3c000000;\n"}

FRAME = (".visible .entry kernel(.param .u64 out, .param .u64 in) {{\n"
         ".shared .align 1024 .b8 buf[16384];\n"
         ".reg .b32 %r<6>;\n.reg .f32 %f<2>;\n.reg .b16 %h<2>;\n.reg .b64 %l<8>;\n.reg .pred %p<2>;\n"
         ".reg .{wide} %a<16>, %b<16>, %c<16>, %d<16>;\n"
         "mov.u32 %r1, %tid.x;\nmov.u32 %r4, buf;\n"
         "ld.param.u64 %l0, [out];\nld.param.u64 %l1, [in];\n")
ZERO = "mov.b32 %r0, 0;\n"


def fill(element, words, threads, recipes=SMALL):
    """`words` 32-bit words of elements in shared memory."""
    text = ""
    for k in range(words // threads):
        text += (f"mad.lo.u32 %r5, %r1, 4, {4 * k * threads};\ncvt.u64.u32 %l2, %r5;\n"
                 "add.u64 %l3, %l1, %l2;\nadd.u32 %r5, %r5, %r4;\nld.global.b32 %r2, [%l3];\n"
                 + recipes[element].format(d="%r3", s="%r2") + "st.shared.b32 [%r5], %r3;\n")
    return text + "fence.proxy.async;\nbar.sync 0;\n"


def store(registers, count, wide):
    """8 bytes a register, one thread after the other."""
    text = f"mul.wide.u32 %l2, %r1, {8 * count};\nadd.u64 %l0, %l0, %l2;\n"
    for i in range(count):
        if wide == "f64":
            text += f"st.global.f64 [%l0+{8 * i}], %{registers}{i};\n"
        else:
            text += f"mov.b32 %r2, %{registers}{i};\nst.global.v2.b32 [%l0+{8 * i}], {{%r2, %r0}};\n"
    return text + "ret;\n}\n"


def group(name, count):
    return "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}"


def wgmma(depth, types, element, options, wide_values=False):
    """m64n8: A and B in shared memory without swizzle, K-major."""
    result = types.split(".")[0]
    count = 2 if result == "f16" else 4
    wide = "b32" if result == "f16" else result if result != "s32" else "b32"

    def descriptor(at, target):
        # 8 rows of 16 bytes are 128 bytes; the two of k lie side by side.
        return (f"mov.u32 %r5, buf;\nadd.u32 %r5, %r5, {at};\nshr.u32 %r5, %r5, 4;\n"
                f"cvt.u64.u32 {target}, %r5;\nor.b64 {target}, {target}, {(128 >> 4) << 16 | (256 >> 4) << 32};\n")
    text = FRAME.format(wide=wide) + ZERO + fill(element, 1024, 128, WIDE if wide_values else SMALL)
    text += descriptor(0, "%l4") + descriptor(2048, "%l5")
    text += "".join(f"mov.b32 %d{i}, 0;\n" for i in range(count))
    shape = f"m64n8k{depth}"
    one = f"wgmma.mma_async.sync.aligned.{shape}.{types} {group('d', count)}, %l4, %l5, %p0{options};\n"
    text += ("wgmma.fence.sync.aligned;\nsetp.ne.u32 %p0, %r4, %r4;\n" + one +
             "setp.eq.u32 %p0, %r4, %r4;\n" + one +
             "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n")
    return f"wgmma.{shape}.{types}" + (" wide" if wide_values else ""), text + store("d", count, wide), 128, 128 * count


COUNTS = {"f16": 8, "bf16": 4, "tf32": 4, "s8": 2, "u8": 2, "f64": 1}


def wmma(shape, types, element, layouts=("row", "col")):
    """Fragments from shared memory; the result back through it."""
    result = types.split(".")[0]
    wide = "f64" if result == "f64" else "f32" if result == "f32" else "b32"
    ab = "f64" if element == "f64" else "b32"
    results = {"f64": 2, "f16": 4}.get(result, 8)
    of_c = {"f64": 2, "f16": 4}.get(types.split(".")[-1].replace("satfinite", "s32"), 8)
    m, n, k = {"m16n16k16": (16, 16, 16), "m8n32k16": (8, 32, 16), "m32n8k16": (32, 8, 16),
               "m16n16k8": (16, 16, 8), "m8n8k4": (8, 8, 4)}[shape]
    a_count = COUNTS[element] * {8: 1, 32: 1}.get(m, 1)
    b_count = COUNTS[element]
    if element in ("bf16", "s8", "u8"):  # registers follow the elements
        per = 2 if element == "bf16" else 4
        a_count, b_count = m * k // 32 // per, n * k // 32 // per
        a_count, b_count = max(a_count, 1), max(b_count, 1)
    stride_a, stride_b = k if layouts[0] == "row" else m, k if layouts[1] == "col" else n
    text = FRAME.format(wide=wide).replace(f".reg .{wide} %a<16>, %b<16>", f".reg .{ab} %a<16>, %b<16>") + ZERO
    if element == "f64":
        for j in range(8):
            text += (f"mad.lo.u32 %r5, %r1, 8, {256 * j};\ncvt.u64.u32 %l2, %r5;\nadd.u64 %l3, %l1, %l2;\n"
                     "add.u32 %r5, %r5, %r4;\nld.global.b32 %r2, [%l3];\nand.b32 %r2, %r2, 15;\n"
                     "cvt.rn.f64.u32 %c0, %r2;\nst.shared.f64 [%r5], %c0;\n")
        text += "bar.sync 0;\n"
    else:
        text += fill(element, 512, 32)
    tail = "satfinite" if types.endswith("satfinite") else ""
    text += "".join(f"mov.{'f64' if wide == 'f64' else 'b32'} %c{i}, {'0d0000000000000000' if wide == 'f64' else '0'};\n"
                    for i in range(of_c))
    size = {"f64": 8, "tf32": 4, "s8": 1, "u8": 1}.get(element, 2)
    text += (f"wmma.load.a.sync.aligned.{layouts[0]}.{shape}.shared.{element} {group('a', a_count)}, [%r4], {stride_a};\n"
             f"add.u32 %r5, %r4, 1024;\n"
             f"wmma.load.b.sync.aligned.{layouts[1]}.{shape}.shared.{element} {group('b', b_count)}, [%r5], {stride_b};\n")
    del size
    text += (f"wmma.mma.sync.aligned.{layouts[0]}.{layouts[1]}.{shape}.{types} {group('d', results)}, "
             f"{group('a', a_count)}, {group('b', b_count)}, {group('c', of_c)};\n"
             f"add.u32 %r5, %r4, 4096;\n"
             f"wmma.store.d.sync.aligned.row.{shape}.shared.{result} [%r5], {group('d', results)}, {n};\n"
             "bar.sync 0;\n")
    del tail
    words = m * n * {"f64": 8, "f16": 2}.get(result, 4) // 32
    text += "mad.lo.u32 %r5, %r1, " + str(words) + ", %r5;\n"
    for i in range(words // 4):
        text += f"ld.shared.b32 %r2, [%r5+{4 * i}];\nst.global.v2.b32 [%l4+{8 * i}], {{%r2, %r0}};\n"
    text = text.replace("mad.lo.u32 %r5, %r1, " + str(words),
                        f"mul.wide.u32 %l2, %r1, {2 * words};\nadd.u64 %l4, %l0, %l2;\nmad.lo.u32 %r5, %r1, " + str(words))
    return f"wmma.{shape}.{types}", text + "ret;\n}\n", 32, 32 * (words // 4)


def call():
    """A function and its result."""
    body = (".func (.param .b32 r) twice(.param .b32 x) {\n.reg .b32 %r<2>;\nld.param.b32 %r0, [x];\n"
            "add.u32 %r0, %r0, %r0;\nst.param.b32 [r], %r0;\nret;\n}\n" + FRAME.format(wide="b32") +
            "mul.wide.u32 %l2, %r1, 8;\nadd.u64 %l1, %l1, %l2;\nadd.u64 %l0, %l0, %l2;\nld.global.b32 %r2, [%l1];\n"
            "{ .param .b32 x;\n.param .b32 r;\nst.param.b32 [x], %r2;\ncall.uni (r), twice, (x);\n"
            "ld.param.b32 %r3, [r]; }\nst.global.v2.b32 [%l0], {%r3, %r3};\nret;\n}\n")
    return "call.uni", body, 256, 256


def kernels():
    """(name, PTX body, threads, result words{, facts})"""
    for depth, types, element, options in (
            (16, "f32.f16.f16", "f16", ", 1, 1, 0, 0"), (16, "f16.f16.f16", "f16", ", 1, 1, 0, 0"),
            (16, "f32.bf16.bf16", "bf16", ", 1, 1, 0, 0"), (8, "f32.tf32.tf32", "tf32", ", 1, 1"),
            (32, "f32.e4m3.e4m3", "e4m3", ", 1, 1"), (32, "f32.e5m2.e5m2", "e5m2", ", -1, 1"),
            (32, "s32.s8.s8", "s8", ""), (32, "s32.u8.s8", "s8", ""), (32, "s32.s8.u8.satfinite", "s8", "")):
        yield wgmma(depth, types, element, options)
    for depth, types, tolerance in (
            (32, "f32.e4m3.e4m3", "exact"), (32, "f32.e5m2.e5m2", "exact"), (32, "f16.e4m3.e4m3", "exact"),
            (16, "f32.f16.f16", "abs 2^-18"), (16, "f32.bf16.bf16", "abs 2^-18"), (8, "f32.tf32.tf32", "abs 2^-18")):
        options = ", 1, 1" + (", 0, 0" if depth == 16 else "")
        yield (*wgmma(depth, types, types.split(".")[1], options, True),
               {"kind": "f" if types.startswith("f32") else "r", "tolerance": tolerance, "keep": True})
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        yield wmma(shape, "f32.f32", "f16")
        yield wmma(shape, "f16.f16", "f16", ("col", "row"))
        yield wmma(shape, "f32.bf16.bf16.f32", "bf16")
        yield wmma(shape, "s32.s8.s8.s32", "s8")
        yield wmma(shape, "s32.u8.u8.s32.satfinite", "u8")
    yield wmma("m16n16k8", "f32.tf32.tf32.f32", "tf32")
    yield wmma("m8n8k4", "f64.f64.f64.f64", "f64")
    yield call()

"""Tensor copies as corpus kernels: one block of 128 threads, 2 KiB of a box.

`map` says how the runner makes the tensor map, the kernel's third parameter:
its base ("in" or "out"), type, sizes in elements and bytes as the driver API
has them, and the mode.
"""
TYPES = {"UINT32": 2, "FLOAT16": 6, "FLOAT32": 7, "BFLOAT16": 9, "FLOAT32_FTZ": 10,
         "TFLOAT32": 11, "TFLOAT32_FTZ": 12}
BYTES = {"UINT8": 1, "FLOAT16": 2, "BFLOAT16": 2, "UINT64": 8}  # the others: 4
OTHER_TYPES = {"UINT8": 0, "UINT64": 4}
# Where the box begins, in bytes and rows: whole chunks of 16 bytes, and not.
WHOLE = ((-16, -2), (16, 2), (-32, 1), (96, 90), (-512, 3), (1024, -40))
BROKEN = ((-8, -2), (8, 2), (-24, 1), (8, 200))

HEAD = (".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".visible .entry kernel(.param .u64 out, .param .u64 in, .param .align 64 .b8 map[128]) {\n"
        ".shared .align 1024 .b8 buf[2048];\n.shared .align 8 .b8 bar[8];\n"
        ".reg .b32 %r<8>;\n.reg .b64 %l<8>;\n.reg .b16 %h<3>;\n.reg .pred %p<3>;\n"
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, buf;\nmov.u32 %r3, bar;\nmad.lo.u32 %r4, %r1, 16, %r2;\n"
        "ld.param.u64 %l0, [out];\nld.param.u64 %l1, [in];\nmul.wide.u32 %l2, %r1, 16;\n"
        "add.u64 %l0, %l0, %l2;\nadd.u64 %l1, %l1, %l2;\nmov.b64 %l3, map;\ncvta.param.u64 %l4, %l3;\n"
        "setp.ne.u32 %p0, %r1, 0;\n")
LOAD = ("mov.b64 %l5, 0;\nst.shared.v2.b64 [%r4], {{%l5, %l5}};\n@!%p0 mbarrier.init.shared.b64 [%r3], 1;\nfence.proxy.async;\nbar.sync 0;\n@%p0 bra WAIT;\n"
        "cp.async.bulk.prefetch.tensor.{rank}d.L2.global.{mode} [%l4, {at}]{offsets};\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r3], {bytes};\n"
        "cp.async.bulk.tensor.{rank}d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes "
        "[{target}], [%l4, {at}], [%r3]{offsets};\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;\n@!%p1 bra WAIT;\n"
        "ld.shared.v2.b64 {{%l5, %l6}}, [%r4];\nst.global.v2.b64 [%l0], {{%l5, %l6}};\nret;\n}}\n")
PREFETCH = ("@%p0 bra DONE;\ncp.async.bulk.prefetch.tensor.2d.L2.global.tile [%l4, {at}];\n"
            "DONE: mov.b64 %l7, 5;\nst.global.v2.b64 [%l0], {{%l7, %l7}};\nret;\n}}\n")
STORE = ("ld.global.v2.b64 {{%l5, %l6}}, [%l1];\nst.shared.v2.b64 [%r4], {{%l5, %l6}};\n"
         "mov.b64 %l7, 5;\nst.global.v2.b64 [%l0], {{%l7, %l7}};\n"
         "fence.proxy.async;\nbar.sync 0;\n@%p0 bra DONE;\n{copy} [%l4, {at}], [%r2];\n"
         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nDONE: ret;\n}}\n")


def tensor(name, text, **facts):
    return {"name": name, "entry": "kernel", "kind": "l", "tolerance": "exact", "text": "",
            "ptx": text, "header": "", "inputs": "f", "threads": 128, "blocks": 1, "words": 256,
            "shared": 0, "cluster": 0, "keep": True, "map": facts}


def tiled(type_name, swizzle, fill, at, base="in"):
    """Rows of 128 bytes (32, 64 where the swizzle is narrower), 16 of them or more;
    `at`: bytes and rows."""
    size = BYTES.get(type_name, 4)
    row = {0: 128, 1: 32, 2: 64, 3: 128}[swizzle]
    width = 128 if base == "out" else 256
    return {"base": base, "type": (TYPES | OTHER_TYPES)[type_name], "mode": "tiled",
            "dims": [width // size, 16 if base == "out" else 100], "strides": [width],
            "box": [row // size, 2048 // row], "steps": [1, 1], "swizzle": swizzle, "fill": fill}, \
        f"{{{at[0] // size}, {at[1]}}}"


def load(name, at, offsets="", target="%r2", **facts):
    rank = len(facts["dims"])
    text = LOAD.format(rank=rank, mode=facts["mode"].replace("tiled", "tile"), at=at, offsets=offsets, target=target,
                       bytes=1024 if rank == 1 else 2048)
    return tensor(name, HEAD + text, **facts)


def tiles():
    for type_name in TYPES:
        for fill in (0, 1):
            if fill and type_name == "UINT32":
                continue
            facts, at = tiled(type_name, 0, fill, (-16, -2))
            yield load(f"cp.async.bulk.tensor.2d {type_name}" + (" NaN" if fill else ""), at, **facts)
    for swizzle in (1, 2, 3):
        facts, at = tiled("FLOAT32", swizzle, 0, (32, 90))
        yield load(f"cp.async.bulk.tensor.2d swizzle {16 << swizzle}", at, **facts)
    for type_name in ("UINT8", "FLOAT16", "UINT32", "UINT64"):
        for place in (WHOLE[1:] if type_name == "UINT32" else WHOLE) + BROKEN:
            facts, at = tiled(type_name, 0, 0, place)
            yield load(f"cp.async.bulk.tensor.2d {type_name} at {at}", at, **facts)
    for swizzle, place in ((1, (8, 90)), (3, (-8, 90)), (3, (-16, -2))):
        facts, at = tiled("FLOAT32", swizzle, 0, place)
        yield load(f"cp.async.bulk.tensor.2d swizzle {16 << swizzle} at {at}", at, **facts)
    for rank, text, target in ((1, "{1}", "%r2"), (3, "{1, 2, 3}", "%r2"), (1, "{-4}", "%r2"),
                               (3, "{-4, 2, -1}", "%r2"), (1, "{4}", "%r2+16"), (1, "{4}", "%r2+64")):
        yield load(f"cp.async.bulk.tensor.{rank}d at {text}" + target.removeprefix("%r2"), text, target=target,
                   base="in", type=TYPES["UINT32"], mode="tiled", dims=[100, 16, 4][:rank],
                   strides=[400, 6400][:rank - 1], box=[256] if rank == 1 else [16, 8, 4],
                   steps=[1] * rank, swizzle=0, fill=0)


def im2col():
    for name, at, step in (("step 1", 0, 1), ("step 2", 0, 2), ("at channel 1", 1, 1),
                           ("at channel 4", 4, 1), ("at channel -4", -4, 1)):
        yield load(f"cp.async.bulk.tensor.4d im2col {name}", f"{{{at}, -1, -1, 0}}", ", {1, 2}",
                   base="in", type=TYPES["FLOAT32"], mode="im2col", dims=[8, 10, 9, 8],
                   strides=[32, 320, 2880], lower=[-1, -1], upper=[-1, -1], channels=8, pixels=64,
                   steps=[1, step, 1, 1], swizzle=0, fill=0)


def kernels():
    yield from tiles()
    yield from im2col()
    for name, copy in (("cp.async.bulk.tensor.2d store", "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"),
                       ("cp.reduce.async.bulk.tensor.2d add", "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group")):
        for place in ((16, 2), (-16, -2), (8, 2), (-8, -2), (-16, 2), (16, -2), (112, 2), (16, 12), (16, 20), (128, 2)):
            facts, at = tiled("UINT32", 0, 0, place, base="out")
            yield tensor(f"{name} at {at}",
                         HEAD + STORE.format(copy=copy, at=at), **facts)
    for place in ((16, 2), (8, 2)):
        facts, at = tiled("UINT32", 0, 0, place)
        yield tensor(f"cp.async.bulk.prefetch.tensor.2d at {at}", HEAD + PREFETCH.format(at=at), **facts)

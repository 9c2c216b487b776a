"""Forms that need memory, other lanes or barriers, one kernel each.

Text as in alu_forms.py, with registers x (32), y (64), h, q (predicates) of its own and
8 KiB of shared memory `buf`, of which 32 bytes at x0 (shared) are the
thread's. Results do not depend on the order of threads.
"""
import re

E = "exact"
OWN = (".shared .align 128 .b8 buf[8192];\n.reg .b32 %x<20>;\n.reg .b64 %y<12>;\n"
       ".reg .b128 %w<3>;\n.reg .b16 %k<4>;\n.reg .f32 %z<4>;\n.reg .f64 %v<4>;\n.reg .pred %q<3>;\n"
       "mov.u32 %x1, %tid.x;\nmov.u32 %x0, buf;\nmad.lo.u32 %x0, %x1, 32, %x0;\n")
# A word for each thread of the block, read by others.
SHARE = "shl.b32 %x2, %x1, 2;\nmov.u32 %x3, buf;\nadd.u32 %x2, %x2, %x3;\n"
ELEMENTS = {"u32": ("r", "b32", "x"), "s32": ("r", "b32", "x"), "b32": ("r", "b32", "x"),
            "u64": ("l", "b64", "y"), "s64": ("l", "b64", "y"), "b64": ("l", "b64", "y"),
            "f64": ("g", "f64", "v"), "f32": ("f", "f32", "z"), "b16": ("h", "b16", "k"),
            "f16": ("h", "b16", "k"), "bf16": ("h", "b16", "k"), "f16x2": ("r", "b32", "x"),
            "bf16x2": ("r", "b32", "x")}


def mixed(kind, move, a, b):
    """Two words as one result."""
    width = {"b16": 16, "b32": 32, "f32": 32, "b64": 64, "f64": 64}[move]
    text = {16: f"cvt.u32.u16 %x18, {a};\ncvt.u32.u16 %x19, {b};\nmad.lo.u32 %r0, %x18, 65536, %x19;",
            32: f"mov.b32 %x18, {a};\nmov.b32 %x19, {b};\nmov.b64 %l0, {{%x18, %x19}};",
            64: f"mov.b64 %y8, {a};\nmov.b64 %y9, {b};\nmad.lo.u64 %l0, %y8, 3, %y9;"}[width]
    return ("r" if width == 16 else "l"), text


def atomic(name, operation, element, sources, space="shared"):
    """The old value and what is there afterwards, in the thread's own place."""
    kind, move, own = ELEMENTS[element]
    place = "%x0" if space == "shared" else "%a0"
    a, b = f"%{own}4" if own in "xy" else f"%{own}1", f"%{own}5" if own in "xy" else f"%{own}2"
    operands = ", ".join(f"%{kind}{k + 2}" for k in range(sources))
    text = f"st.{space}.{move} [{place}], %{kind}1;\n"
    if name == "atom":
        text += f"atom.{space}.{operation}.{element} {a}, [{place}], {operands};\n"
    else:
        text += f"red.{space}.{operation}.{element} [{place}], {operands};\nmov.{move} {a}, %{kind}2;\n"
    text += f"ld.{space}.{move} {b}, [{place}];\n"
    result, tail = mixed(kind, move, a, b)
    return f"{name}.{space}.{operation}.{element}", result, text + tail


def atomics():
    for name in ("atom", "red"):
        for element in ("u32", "s32", "u64", "f64", "f32"):
            yield atomic(name, "add", element, 1)
        for operation in ("min", "max"):
            for element in ("u32", "s32", "u64", "s64"):
                yield atomic(name, operation, element, 1)
        for operation in ("and", "or", "xor"):
            for element in ("b32", "b64"):
                yield atomic(name, operation, element, 1)
        for operation in ("inc", "dec"):
            yield atomic(name, operation, "u32", 1)
        for element in ("f16", "f16x2", "bf16", "bf16x2"):
            yield atomic(name, "add.noftz", element, 1)
    for element in ("b32", "b64"):
        yield atomic("atom", "exch", element, 1)
    for element in ("b16", "b32", "b64"):
        yield atomic("atom", "cas", element, 2)
        kind, move, own = ELEMENTS[element]
        name, result, text = atomic("atom", "cas", element, 2)
        yield name + " equal", result, text.replace(f", %{kind}2, %{kind}3", f", %{kind}1, %{kind}3")
    for operation, operands in (("exch", "%w1"), ("cas", "%w0, %w1")):
        yield (f"atom.shared.{operation}.b128", "l",
               "mov.b128 %w0, {%l1, %l2};\nmov.b128 %w1, {%l3, %l4};\n"
               "st.shared.v2.b64 [%x0], {%l1, %l2};\n"
               f"atom.shared.{operation}.b128 %w2, [%x0], {operands};\n"
               "mov.b128 {%y4, %y5}, %w2;\nld.shared.v2.b64 {%y6, %y7}, [%x0];\n"
               "xor.b64 %y4, %y4, %y5;\nmad.lo.u64 %y4, %y4, 3, %y6;\nadd.u64 %l0, %y4, %y7;")
    for name in ("atom", "red"):
        for operation, elements in (("add", ("u32", "u64", "f32", "f64")), ("min", ("s32", "u64")),
                                    ("max", ("u32", "s64")), ("xor", ("b32", "b64")), ("inc", ("u32",)),
                                    ("add.noftz", ("f16", "f16x2", "bf16", "bf16x2"))):
            for element in elements:
                yield atomic(name, operation, element, 1, "global")
    # Vectors, in the thread's word of global memory
    for name in ("atom", "red"):
        for operation, element, one in (("add", "f32", "f32"), ("add.noftz", "f16x2", "b32"),
                                        ("min.noftz", "bf16x2", "b32")):
            pair = {"f32": ("%f1, %f2", "%f3, %f4", "%z1, %z2", "%z3, %z0"),
                    "b32": ("%r1, %r2", "%r3, %r4", "%x4, %x5", "%x6, %x7")}[one]
            text = f"st.global.v2.{one} [%a0], {{{pair[0]}}};\n"
            order = f"{operation}.v2.{element}" if one == "f32" else \
                f"{operation.split('.')[0]}.noftz.v2.{element}"
            if name == "atom":
                text += f"atom.global.{order} {{{pair[2]}}}, [%a0], {{{pair[1]}}};\n"
            else:
                text += f"red.global.{order} [%a0], {{{pair[1]}}};\n" + "".join(
                    f"mov.b32 {r}, 0;\n" for r in pair[2].split(", "))
            text += f"ld.global.v2.{one} {{{pair[3]}}}, [%a0];\n"
            four = [r for p in (pair[2], pair[3]) for r in p.split(", ")]
            text += (f"mov.b64 %y4, {{{four[0]}, {four[1]}}};\nmov.b64 %y5, {{{four[2]}, {four[3]}}};\n"
                     "mad.lo.u64 %l0, %y4, 3, %y5;")
            yield f"{name}.global.{order}", "l", text
            late = order.split(".")  # the operation last: LLVM's order
            late = ".".join(late[-2:] + late[:-2])
            yield f"{name}.global.{late}", "l", text.replace(order, late)


def warps():
    for mode in ("up", "down", "bfly", "idx"):
        yield (f"shfl.sync.{mode}.b32", "r",
               f"and.b32 %x4, %r2, 31;\nshfl.sync.{mode}.b32 %x5|%q0, %r1, %x4, "
               + ("0" if mode == "up" else "0x1f") + ", -1;\n"
               "selp.b32 %x6, 1, 0, %q0;\nadd.u32 %r0, %x5, %x6;")
    low = "and.b32 %x4, %r1, 3;\nsetp.eq.u32 %q0, %x4, 0;\n"
    yield "vote.sync.ballot.b32", "r", low + "vote.sync.ballot.b32 %r0, %q0, -1;"
    for mode in ("all", "any", "uni"):
        yield (f"vote.sync.{mode}.pred", "r", low + f"vote.sync.{mode}.pred %q1, %q0, -1;\n"
               "selp.b32 %r0, 1, 0, %q1;")
    for width, kind, cut in (("b32", "x", "and.b32 %x4, %r1, 3;\n"),
                             ("b64", "y", "and.b64 %y4, %l1, 3;\n")):
        yield f"match.any.sync.{width}", "r", cut + f"match.any.sync.{width} %r0, %{kind}4, -1;"
        yield (f"match.all.sync.{width}", "r", cut +
               f"match.all.sync.{width} %x5|%q0, %{kind}4, -1;\nselp.b32 %x6, 1, 0, %q0;\n"
               "add.u32 %r0, %x5, %x6;")
    for operation in ("add", "min", "max"):
        for element in ("u32", "s32"):
            yield (f"redux.sync.{operation}.{element}", "r",
                   f"redux.sync.{operation}.{element} %r0, %r1, -1;")
    for operation in ("and", "or", "xor"):
        yield f"redux.sync.{operation}.b32", "r", f"redux.sync.{operation}.b32 %r0, %r1, -1;"
    yield "activemask.b32", "r", "bar.warp.sync -1;\nactivemask.b32 %r0;"
    yield ("elect.sync", "r", "elect.sync %x4|%q0, -1;\nselp.b32 %x5, 32, 0, %q0;\n"
           "add.u32 %r0, %x4, %x5;")


def barriers():
    give = SHARE + "st.shared.b32 [%x2], %r1;\n"
    take = "xor.b32 %x4, %x1, 255;\nshl.b32 %x4, %x4, 2;\nadd.u32 %x4, %x4, %x3;\nld.shared.b32 %r0, [%x4];"
    for name, text in (
            ("bar.sync", "bar.sync 0;\n"), ("barrier.sync", "barrier.sync 1;\n"),
            ("bar.arrive", "bar.arrive 2, 512;\nbar.sync 2, 512;\n"),
            ("barrier.arrive", "barrier.arrive 3, 512;\nbarrier.sync 3, 512;\n"),
            ("barrier.cluster", "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"),
            ("membar", "membar.cta;\nmembar.gl;\nmembar.sys;\nbar.sync 0;\n"),
            ("fence of the cluster", "fence.acquire.sync_restrict::shared::cluster.cluster;\n"
             "fence.release.sync_restrict::shared::cta.cluster;\n"
             "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n"
             "fence.proxy.tensormap::generic.release.gpu;\nbar.sync 0;\n"),
            ("fence", "fence.acq_rel.cta;\nfence.sc.gpu;\nfence.cta.sc;\nfence.proxy.async;\nfence.proxy.alias;\n"
             "fence.mbarrier_init.release.cluster;\nbar.sync 0;\n")):
        yield name, "r", give + text + take
    test = "setp.lt.s32 %q0, %r1, 0;\n"
    for prefix in ("bar", "barrier"):
        yield f"{prefix}.red.popc.u32", "r", test + f"{prefix}.red.popc.u32 %r0, 0, %q0;"
        for mode in ("and", "or"):
            yield (f"{prefix}.red.{mode}.pred", "r", test +
                   f"{prefix}.red.{mode}.pred %q1, 0, %q0;\nselp.b32 %r0, 1, 0, %q1;")
    one = "mov.u32 %x5, buf;\nsetp.ne.u32 %q0, %x1, 0;\n"
    init = one + "@!%q0 mbarrier.init.shared.b64 [%x5], 256;\nbar.sync 0;\n"
    wait = "WAIT: mbarrier.{} %q1, [%x5], {};\n@!%q1 bra WAIT;\n"
    yield ("mbarrier.arrive", "r", SHARE + "st.shared.b32 [%x2+1024], %r1;\n" + init +
           "mbarrier.arrive.shared.b64 %y4, [%x5];\n" + wait.format("test_wait.shared.b64", "%y4") +
           "xor.b32 %x4, %x1, 255;\nshl.b32 %x4, %x4, 2;\nadd.u32 %x4, %x4, %x3;\nld.shared.b32 %r0, [%x4+1024];")
    yield ("mbarrier.arrive.noComplete", "r", one + "@!%q0 mbarrier.init.shared.b64 [%x5], 7;\nbar.sync 0;\n"
           "mov.b32 %r0, 0;\n@%q0 bra DONE;\n"
           "mbarrier.arrive.noComplete.release.cta.shared.b64 %y4, [%x5], 2;\n"
           "mbarrier.pending_count.b64 %x6, %y4;\n"
           "mbarrier.arrive_drop.shared.b64 %y4, [%x5];\nmbarrier.pending_count.b64 %x7, %y4;\n"
           "mbarrier.arrive.noComplete.shared.b64 %y4, [%x5], 1;\nmbarrier.pending_count.b64 %x8, %y4;\n"
           "mad.lo.u32 %x6, %x6, 16, %x7;\nmad.lo.u32 %r0, %x6, 16, %x8;\n"
           "mbarrier.inval.shared.b64 [%x5];\nDONE: bar.sync 0;")
    yield ("mbarrier.tx", "r", init + "mov.b32 %r0, 0;\n"
           "@!%q0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%x5], 64;\n"
           "@!%q0 mbarrier.arrive.expect_tx.shared.b64 _, [%x5], 64;\n"
           "@%q0 mbarrier.arrive.shared.b64 _, [%x5];\nbar.sync 0;\n"
           "mbarrier.test_wait.parity.shared.b64 %q1, [%x5], 0;\nselp.b32 %x6, 1, 0, %q1;\nbar.sync 0;\n"
           "@!%q0 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%x5], 128;\n" +
           wait.format("try_wait.parity.shared.b64", "0") + "add.u32 %r0, %x6, 2;")


def copies():
    mine = "cvta.to.global.u64 %y4, %a1;\n"
    sum4 = ("ld.shared.v4.b32 {%x4, %x5, %x6, %x7}, [%x0];\nxor.b32 %x4, %x4, %x5;\n"
            "mad.lo.u32 %x4, %x4, 3, %x6;\nadd.u32 %r0, %x4, %x7;")
    for cache, bytes in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        yield (f"cp.async.{cache} {bytes}", "r", "st.shared.v4.b32 [%x0], {%x1, %x1, %x1, %x1};\n" + mine +
               f"cp.async.{cache}.shared.global [%x0], [%y4], {bytes};\ncp.async.commit_group;\n"
               "cp.async.wait_group 0;\n" + sum4)
    yield ("cp.async 9 of 16", "r", mine + "mov.b32 %x9, 9;\n"
           "cp.async.cg.shared.global [%x0], [%y4], 16, %x9;\ncp.async.wait_all;\n" + sum4)
    one = "mov.u32 %x15, buf;\nsetp.ne.u32 %q0, %x1, 0;\n@!%q0 mbarrier.init.shared.b64 [%x15+7168], {};\nbar.sync 0;\n"
    wait = "WAIT: mbarrier.test_wait.parity.shared.b64 %q1, [%x15+7168], 0;\n@!%q1 bra WAIT;\n"
    place = "mad.lo.u32 %x0, %x1, 16, %x15;\n"
    yield ("cp.async.mbarrier.arrive", "r", one.format(256) + place + mine +
           "cp.async.ca.shared.global [%x0], [%y4], 16;\n"
           "cp.async.mbarrier.arrive.noinc.shared.b64 [%x15+7168];\n" + wait + sum4)
    source = "ld.param.u64 %y4, [in];\ncvta.to.global.u64 %y4, %y4;\n"
    yield ("cp.async.bulk.shared", "r", one.format(1) + source +
           "@%q0 bra COPIED;\nmbarrier.arrive.expect_tx.shared.b64 _, [%x15+7168], 4096;\n"
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%x15], [%y4], 4096, [%x15+7168];\n"
           "cp.async.bulk.prefetch.L2.global [%y4], 4096;\nCOPIED:\n" + wait + place + sum4)
    fill = "mov.u32 %x15, buf;\nmad.lo.u32 %x0, %x1, 8, %x15;\n"
    out = ("setp.ne.u32 %q0, %x1, 0;\nfence.proxy.async;\nbar.sync 0;\n@%q0 bra COPIED;\n{}"
           "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nfence.proxy.async;\nCOPIED: bar.sync 0;\n")
    yield ("cp.async.bulk.global", "l", fill + "st.shared.b64 [%x0], %l1;\n" +
           out.format("cp.async.bulk.global.shared::cta.bulk_group [%a0], [%x15], 2048;\n") +
           "ld.global.b64 %l0, [%a0];")
    for operation, element, kind in (("add", "u32", "r"), ("min", "s32", "r"), ("xor", "b64", "l"),
                                     ("add", "f64", "g"), ("max", "u64", "l"), ("add", "f32", "f"),
                                     ("add.noftz", "f16", "h"), ("add.noftz", "bf16", "h"),
                                     ("min", "f16", "h"), ("max", "bf16", "h")):
        yield (f"cp.reduce.async.bulk.global.{operation}.{element}", "l", fill +
               f"st.shared.b64 [%x0], %l1;\nst.global.b64 [%a0], %l2;\nmembar.gl;\n" +
               out.format(f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation}.{element} [%a0], [%x15], 2048;\n") +
               "ld.global.b64 %l0, [%a0];")


def memory():
    yield ("ld.global.nc", "l", "ld.global.nc.v2.b64 {%y4, %y5}, [%a1];\nmad.lo.u64 %l0, %y4, 3, %y5;")
    yield ("ldu.global", "r", "ldu.global.v2.u32 {%x4, %x5}, [%a1];\nmad.lo.u32 %r0, %x4, 3, %x5;")
    yield ("prefetch", "r", "prefetch.global.L1 [%a1];\nprefetchu.L1 [%a1];\n"
           "applypriority.global.L2::evict_normal [%a1], 128;\nld.global.b32 %r0, [%a1];".replace("[%a1], 128", "[%y4], 128")
           .replace("applypriority", "and.b64 %y4, %a1, -128;\napplypriority"))
    for space, symbol in (("shared", "buf"), ("global", "%a1")):
        made = "cvt.u64.u32 %y4, %x0;\ncvta.shared.u64 %y5, %y4;\n" if space == "shared" else \
            "mov.b64 %y4, %a1;\ncvta.global.u64 %y5, %y4;\n"
        tests = "".join(f"isspacep.{s} %q0, %y5;\nselp.b32 %x4, 1, 0, %q0;\nmad.lo.u32 %r0, %r0, 2, %x4;\n"
                        for s in ("global", "shared", "local", "const", "param"))
        yield (f"cvta.{space}", "r", made + f"mov.b32 %r0, 0;\n{tests}cvta.to.{space}.u64 %y6, %y5;\n"
               "setp.eq.u64 %q0, %y6, %y4;\nselp.b32 %x4, 1, 0, %q0;\nmad.lo.u32 %r0, %r0, 2, %x4;")
    yield ("mapa", "r", "st.shared.b32 [%x0], %r1;\nmapa.shared::cluster.u32 %x4, %x0, 0;\n"
           "getctarank.shared::cluster.u32 %x5, %x4;\nld.shared::cluster.b32 %x6, [%x4];\nadd.u32 %r0, %x5, %x6;")
    fill = SHARE + "st.shared.b32 [%x2], %r1;\nbar.sync 0;\nand.b32 %x4, %x1, 31;\nmad.lo.u32 %x4, %x4, 16, %x3;\n"
    four = "{%x5, %x6, %x7, %x8}"
    fold = "xor.b32 %x5, %x5, %x6;\nmad.lo.u32 %x5, %x5, 3, %x7;\nadd.u32 %r0, %x5, %x8;"
    for trans in ("", ".trans"):
        yield (f"ldmatrix.m8n8.x4{trans}", "r", fill +
               f"ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {four}, [%x4];\n" + fold)
        yield (f"stmatrix.m8n8.x4{trans}", "r", SHARE + "shr.u32 %x9, %x1, 5;\nmad.lo.u32 %x9, %x9, 512, %x3;\n"
               "and.b32 %x4, %x1, 31;\nmad.lo.u32 %x4, %x4, 16, %x9;\n"
               f"stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%x4], {{%r1, %r2, %r3, %r4}};\n"
               f"bar.sync 0;\nld.shared.v4.b32 {four}, [%x4];\n" + fold)
    yield ("stmatrix.x2.m8n8", "r", SHARE + "shr.u32 %x9, %x1, 5;\nmad.lo.u32 %x9, %x9, 256, %x3;\n"
           "and.b32 %x10, %x1, 31;\nand.b32 %x4, %x1, 15;\nmad.lo.u32 %x4, %x4, 16, %x9;\n"
           "stmatrix.sync.aligned.x2.m8n8.shared.b16 [%x4], {%r1, %r2};\nbar.sync 0;\n"
           "mad.lo.u32 %x4, %x10, 8, %x9;\nld.shared.v2.b32 {%x5, %x6}, [%x4];\nmad.lo.u32 %r0, %x5, 3, %x6;")
    yield ("ldmatrix.x2.m8n8", "r", fill + "ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%x5, %x6}, [%x4];\n"
           "mad.lo.u32 %r0, %x5, 3, %x6;")
    yield ("movmatrix", "r", "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;")


def control():
    yield ("brx.idx", "r", "and.b32 %x4, %r1, 3;\nTABLE: .branchtargets L0, L1, L2, L3;\nbrx.idx %x4, TABLE;\n"
           + "".join(f"L{k}: mov.b32 %r0, {k * k + 1};\nbra.uni DONE;\n" for k in range(4)) + "DONE: nanosleep.u32 20;\npmevent 3;\n"
           "griddepcontrol.launch_dependents;\ngriddepcontrol.wait;")
    yield ("exit", "r", "setp.lt.s32 %q0, %r1, 0;\n@%q0 exit;\nmov.b32 %r0, %r2;")
    for operation, text in (("and", "%p1, %p2"), ("or", "%p1, !%p2"), ("xor", "%p1, %p2"), ("not", "%p1")):
        yield (f"{operation}.pred", "r", "setp.lt.s32 %p1, %r1, 0;\nsetp.lt.s32 %p2, %r2, 0;\n"
               f"{operation}.pred %p3, {text};\nselp.b32 %r0, 1, 0, %p3;")


def arithmetic():
    for element in ("u32", "s32", "u64", "s64"):
        kind = "r" if element.endswith("32") else "l"
        a, b, c, d = (f"%{kind}{k}" for k in range(1, 5))
        low = f"%{'x' if kind == 'r' else 'y'}4"
        yield (f"subc.{element}", kind, f"sub.cc.{element} {low}, {a}, {b};\nsubc.{element} %{kind}0, {c}, {d};")
        for half in ("lo", "hi"):
            yield (f"madc.{half}.{element}", kind,
                   f"add.cc.{element} {low}, {a}, {b};\nmadc.{half}.{element} %{kind}0, {c}, {d}, {a};")
    for mode in ("rn", "rz", "rm", "rp"):
        yield f"mad.{mode}.f64", "g", f"mad.{mode}.f64 %g0, %g1, %g2, %g3;"
    # Just below the smallest normal number: what rounding, .ftz and their order make of it.
    near = ("and.b32 %x4, %r1, 2047;\nsub.u32 %x5, 0x3f800000, %x4;\nmov.b32 %z1, %x5;\n"
            "shr.u32 %x4, %x4, 1;\nadd.u32 %x5, 0x00800000, %x4;\nmov.b32 %z2, %x5;\n")
    for mode in ("rn", "rz", "rm", "rp"):
        yield f"mul.{mode}.ftz.f32 near", "f", near + f"mul.{mode}.ftz.f32 %f0, %z1, %z2;"
        yield (f"fma.{mode}.ftz.f32 near", "f", near +
               f"mov.f32 %z3, 0f80000000;\nfma.{mode}.ftz.f32 %f0, %z1, %z2, %z3;")
    half = ("and.b16 %k0, %h1, 63;\nsub.u16 %k1, 0x3c00, %k0;\nshr.u16 %k0, %k0, 1;\nadd.u16 %k2, 0x0400, %k0;\n")
    yield "mul.ftz.f16 near", "h", half + "mul.ftz.f16 %h0, %k1, %k2;"
    yield "fma.rn.ftz.f16 near", "h", half + "mov.b16 %k3, 0x8000;\nfma.rn.ftz.f16 %h0, %k1, %k2, %k3;"


def forms():
    """(name, result kind, PTX text, tolerance)"""
    for family in (arithmetic, control, memory, copies, barriers, warps, atomics):
        for name, kind, text in family():
            yield name, kind, OWN + text, E

"""What a device refuses: each of these ends with an error, whose number is the record.

Text as in alu_forms.py, with registers x (32), y (64), q (predicates) and 8 KiB
of shared memory `buf`. Thread 0 alone issues what counts once a block. Not here:
what a device lets pass though PTX forbids it and the simulator reports it (bulk
copies of sizes that are no multiple of 16, beyond the shared window, local
memory that the compiler keeps in registers).
"""
OWN = (".shared .align 128 .b8 buf[8192];\n.reg .b32 %x<12>;\n"
       ".reg .b64 %y<8>;\n.reg .b16 %k<2>;\n.reg .pred %q<4>;\nmov.u32 %x1, %tid.x;\nmov.u32 %x0, buf;\n"
       "setp.ne.u32 %q0, %x1, 0;\nmov.b32 %r0, 7;\nld.param.u64 %y0, [in];\ncvta.to.global.u64 %y0, %y0;\n"
       "ld.param.u64 %y1, [out];\ncvta.to.global.u64 %y1, %y1;\n")
MB = "mbarrier::complete_tx::bytes"
BARRIER = "@!%q0 mbarrier.init.shared.b64 [%x0+7168], 1;\nfence.proxy.async;\nbar.sync 0;\n"
WAIT = ("DONE: mov.b32 %x9, 0;\nWAIT: mbarrier.test_wait.parity.shared.b64 %q1, [%x0+7168], 0;\n@%q1 bra HERE;\n"
        "add.u32 %x9, %x9, 1;\nsetp.lt.u32 %q2, %x9, 100000;\n@%q2 bra WAIT;\nHERE:\n")


def accesses():
    """(name, one instruction or more)"""
    yield "trap", "trap;"
    yield "misaligned ld.global.b32", "ld.global.b32 %r0, [%a1+2];"
    yield "misaligned ld.global.v4.b32", "ld.global.v4.b32 {%r0, %x2, %x3, %x4}, [%a1+8];\nadd.u32 %x2, %x2, %x3;\nadd.u32 %r0, %r0, %x4;\nadd.u32 %r0, %r0, %x2;"
    yield "misaligned st.global.b64", "mov.b64 %y4, 1;\nst.global.b64 [%a0+4], %y4;"
    yield "misaligned atom.global.add.u32", "atom.global.add.u32 %r0, [%a0+2], 1;"
    yield "misaligned ld.shared.b32", "ld.shared.b32 %r0, [%x0+2];"
    yield "misaligned st.shared.b64", "mov.b64 %y4, 1;\nst.shared.b64 [%x0+4], %y4;"
    yield "misaligned atom.shared.add.u32", "atom.shared.add.u32 %r0, [%x0+2], 1;"
    yield "misaligned ld of shared", "cvt.u64.u32 %y3, %x0;\ncvta.shared.u64 %y3, %y3;\nld.b32 %r0, [%y3+2];"
    yield "misaligned ldmatrix", ("mad.lo.u32 %x2, %x1, 16, %x0;\nand.b32 %x2, %x2, 0xfff;\nadd.u32 %x2, %x2, 1032;\n"
                                  "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%x2];")
    yield "misaligned cp.async", ("cp.async.cg.shared.global [%x0], [%y0+8], 16;\ncp.async.wait_all;\n"
                                  "bar.sync 0;\nld.shared.b32 %r0, [%x0];")
    yield "misaligned mbarrier.init", "@!%q0 mbarrier.init.shared.b64 [%x0+4], 1;"
    yield "ld.global of address 16", "mov.b64 %y3, 16;\nld.global.b32 %r0, [%y3];"
    yield "ld.global of address 2^46", "mov.b64 %y3, 0x400000000000;\nld.global.b32 %r0, [%y3];"
    yield "st.global to address 2^46", "mov.b64 %y3, 0x400000000000;\nst.global.b32 [%y3], %x1;"
    yield "atom.global of address 2^46", "mov.b64 %y3, 0x400000000000;\natom.global.add.u32 %r0, [%y3], 1;"
    yield "ld.shared beyond the window", "add.u32 %x2, %x0, 0x80000;\nld.shared.b32 %r0, [%x2];"
    yield "st.shared beyond the window", "add.u32 %x2, %x0, 0x80000;\nst.shared.b32 [%x2], %x1;"
    yield "atom.shared beyond the window", "add.u32 %x2, %x0, 0x80000;\natom.shared.add.u32 %r0, [%x2], 1;"
    yield "ld of shared beyond the window", "add.u32 %x2, %x0, 0x80000;\ncvt.u64.u32 %y3, %x2;\ncvta.shared.u64 %y3, %y3;\nld.b32 %r0, [%y3];"
    yield ("ld.shared::cluster of a block that is not",
           "mov.b32 %x2, 3;\nmapa.shared::cluster.u32 %x3, %x0, %x2;\nld.shared::cluster.b32 %r0, [%x3];")


def copies():
    """(name, what thread 0 issues), with a barrier that waits for 64 bytes"""
    copy = f"cp.async.bulk.shared::cluster.global.{MB} "
    for name, operands in (("of a misaligned source", "[%x0], [%y0+8], 64, [%x0+7168]"),
                           ("to a misaligned target", "[%x0+8], [%y0], 64, [%x0+7168]"),
                           ("from address 2^46", "[%x0], [%y3], 64, [%x0+7168]"),
                           ("with a misaligned mbarrier", "[%x0], [%y0], 64, [%x0+7172]")):
        yield f"cp.async.bulk {name}", copy + operands + ";\n"
    group = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
    for name, operands in (("to a misaligned target", "[%y1+8], [%x0], 64"),
                           ("from a misaligned source", "[%y1], [%x0+8], 64"),
                           ("to address 2^46", "[%y3], [%x0], 64")):
        yield (f"cp.async.bulk.global {name}",
               f"cp.async.bulk.global.shared::cta.bulk_group {operands};\n" + group)
    yield ("cp.async.bulk multicast to a block that is not",
           "mov.b16 %k0, 9;\n" + copy.replace(MB, MB + ".multicast::cluster") + "[%x0], [%y0], 64, [%x0+7168], %k0;\n")


def forms():
    """(name, result kind, PTX text)"""
    for name, text in accesses():
        yield name, "r", OWN + text
    for name, text in copies():
        yield (name, "r", OWN + "mad.lo.u32 %x2, %x1, 16, %x0;\nst.shared.v4.b32 [%x2], {%x1, %x1, %x1, %x1};\n" + BARRIER +
               "mov.b64 %y3, 0x400000000000;\nadd.u32 %x2, %x0, 0x80000;\n@%q0 bra DONE;\n"
               "mbarrier.arrive.expect_tx.shared.b64 _, [%x0+7168], 64;\n" + text + WAIT +
               "ld.shared.b32 %r0, [%x0];")

"""Forms that reach another block's shared memory, each launched in several ways.

A launch is (its words in the name, blocks of the cluster that the launch asks
for or 0, blocks that the kernel's text asks for or 0). The 1024 bytes at 2048
of the shared memory of the block that `target` names are written; each block
waits for what comes to its own. Waits give up after a while, so that a form
that the device does not have ends.
"""
OWN = (".shared .align 128 .b8 buf[8192];\n.reg .b32 %x<20>;\n.reg .b64 %y<8>;\n.reg .b16 %k<2>;\n"
       ".reg .pred %q<4>;\nmov.u32 %x1, %tid.x;\nmov.u32 %x15, buf;\nmad.lo.u32 %x0, %x1, 4, %x15;\n"
       "setp.ne.u32 %q0, %x1, 0;\nmov.u32 %x12, %cluster_ctarank;\n"
       "@!%q0 mbarrier.init.shared.b64 [%x15+7168], {arrivals};\n"
       "st.shared.b32 [%x0], %r1;\nst.shared.b32 [%x0+2048], %r2;\n{expect}"
       "fence.mbarrier_init.release.cluster;\nfence.proxy.async;\n")
EXPECT = "@!%q0 mbarrier.arrive.expect_tx.shared.b64 _, [%x15+7168], 1024;\n"
TOGETHER = "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"
WAIT = ("mov.b32 %x16, 0;\nWAIT: mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 %q1, [%x15+7168], 0;\n"
        "@%q1 bra HERE;\nadd.u32 %x16, %x16, 1;\nsetp.lt.u32 %q2, %x16, 100000;\n@%q2 bra WAIT;\nHERE:\n")
END = TOGETHER + "ld.shared.b32 %r0, [%x0+2048];\n" + TOGETHER
TARGETS = {"local": "mov.b32 %x10, %x0;\nmov.b32 %x11, %x15;\n",
           "own": "mapa.shared::cluster.u32 %x10, %x0, %x12;\nmapa.shared::cluster.u32 %x11, %x15, %x12;\n",
           "other": "xor.b32 %x13, %x12, 1;\nmapa.shared::cluster.u32 %x10, %x0, %x13;\n"
                    "mapa.shared::cluster.u32 %x11, %x15, %x13;\n"}
LAUNCHES = (("", 0, 0, ("own", "local")), (" in a cluster of 1", 1, 0, ("own",)),
            (" in a cluster of 2", 2, 0, ("own", "other", "local")),
            (" with reqnctapercluster 1", 0, 1, ("own",)), (" with reqnctapercluster 2", 0, 2, ("other",)))
MB = "mbarrier::complete_tx::bytes"


def one_thread(text):
    return f"@%q0 bra COPIED;\n{text}COPIED:\n"


def operations():
    """(name, text, arrivals, bytes are expected)"""
    st = f"st.async.weak.shared::cluster.{MB}"
    yield "st.async", f"{st}.b32 [%x10+2048], %r3, [%x11+7168];\n", 1, True
    for operation, element in (("add", "u32"), ("min", "s32"), ("xor", "b32"), ("inc", "u32")):
        yield (f"red.async.{operation}.{element}",
               f"red.async.relaxed.cluster.shared::cluster.{MB}.{operation}.{element} "
               "[%x10+2048], %r3, [%x11+7168];\n", 1, True)
    copy = "[%x10+2048], [%x15], 1024, [%x11+7168];\n"
    yield ("cp.async.bulk.shared::cluster",
           one_thread(f"cp.async.bulk.shared::cluster.shared::cta.{MB} " + copy), 1, True)
    yield ("cp.reduce.async.bulk.shared::cluster",
           one_thread(f"cp.reduce.async.bulk.shared::cluster.shared::cta.{MB}.add.u32 " + copy), 1, True)
    yield ("mbarrier.arrive.shared::cluster",
           "st.shared::cluster.b32 [%x10+2048], %r3;\n"
           "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%x11+7168];\n", 256, False)
    yield ("atom.shared::cluster.add.u32",
           "atom.shared::cluster.add.u32 %x14, [%x10+2048], %r3;\nst.shared.b32 [%x0+1024], %x14;\n"
           "mbarrier.arrive.shared.b64 _, [%x15+7168];\n", 256, False)


def multicast(mask):
    return ("ld.param.u64 %y4, [in];\ncvta.to.global.u64 %y4, %y4;\nsetp.ne.u32 %q3, %x12, 0;\n"
            "or.pred %q3, %q3, %q0;\n@%q3 bra COPIED;\n" f"mov.b16 %k0, {mask};\n"
            f"cp.async.bulk.shared::cluster.global.{MB}.multicast::cluster "
            "[%x15+2048], [%y4], 1024, [%x15+7168], %k0;\nCOPIED:\n")


def form(name, text, arrivals, expects, cluster, required):
    head = OWN.replace("{arrivals}", str(arrivals)).replace("{expect}", EXPECT if expects else "")
    return name, "r", head + TOGETHER + text + WAIT + END, cluster, required


def forms():
    """(name, result kind, PTX text, cluster of the launch, cluster of the text)"""
    for name, text, arrivals, expects in operations():
        several = name not in ("red.async.min.s32", "red.async.xor.b32", "red.async.inc.u32")
        for words, cluster, required, targets in LAUNCHES:
            if not several and words not in ("", " in a cluster of 2"):
                continue
            for target in targets:
                if several or target != "local":
                    yield form(f"{name} to {target}{words}", TARGETS[target] + text,
                               arrivals, expects, cluster, required)
    for words, cluster, required, _ in LAUNCHES:
        yield form(f"cp.async.bulk multicast{words}", multicast((1 << (cluster or required or 1)) - 1),
                   1, True, cluster, required)

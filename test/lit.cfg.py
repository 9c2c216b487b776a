# lit configuration: FileCheck tests of tools and passes, one suite per folder.
import os
import lit.formats

config.name = "KernelClaw"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["samples", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kclaw_build, "test")

path = [os.path.join(config.kclaw_build, "bin"), config.llvm_tools]
config.environment["PATH"] = os.pathsep.join(path + [os.environ["PATH"]])
config.environment["KERNELCLAW_CACHE"] = os.path.join(config.test_exec_root, "cache")
config.substitutions += [
    ("%samples", os.path.join(config.test_source_root, "samples")),
    ("%source", config.kclaw_source),
    ("%build", config.kclaw_build),
    ("%cxx", config.kclaw_cxx),
    ("%cuda", config.kclaw_cuda_root),
    ("%python", config.kclaw_python),
]
if os.path.exists(os.path.join(config.kclaw_cuda_root, "bin", "nvcc")):
    config.available_features.add("nvcc")

#!/usr/bin/env python3
"""Checks the layer table of lib/README.md against the includes.

Each row: a library, the libraries of ours that it may include, and the foreign
families (llvm, mlir, cuda, curl, sqlite, json) that it may include. Exit 1 with
one line per violation.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

FOREIGN = {
    "llvm": r"(llvm|llvm-c|clang)/",
    "mlir": r"(mlir|mlir-c)/",
    "cuda": r"(cuda\.h|cuda_.*\.h|nvrtc\.h|nvml\.h|cupti.*\.h|nvFatbin\.h|"
            r"cublasLt\.h|cudnn\.h|cudnn_frontend\.h)",
    "curl": r"curl/",
    "sqlite": r"sqlite3\.h",
    "json": r"nlohmann/",
}

COMPILER = {"llvm", "mlir"}
TABLE = {
    # library: (own libraries it may include, foreign families)
    "Support": (set(), {"json"}),
    "Cuda": ({"Support"}, {"cuda"}),
    "CudaLibs": ({"Cuda", "Support"}, {"cuda"}),
    "Steps": ({"Cuda", "CudaLibs", "Support", "Runtime"}, {"cuda"}),
    "SimCuda": ({"Steps", "Runtime"}, {"cuda"}),
    "Spec": ({"Support"}, {"json"}),
    "Plan": ({"Spec", "Support"}, {"json"}),
    "Memory": ({"Spec", "Plan", "Support"}, {"json"}),
    "Store": ({"Spec", "Plan", "Support"}, {"json", "sqlite"}),
    "Provider": ({"Spec", "Support"}, {"json", "curl"}),
    "Device": ({"Steps", "Cuda", "Plan", "Spec", "Support", "Runtime"},
               {"json", "cuda"}),
    "Expert": ({"Spec", "Plan", "Memory", "Provider", "Support"}, {"json"}),
    "Agent": ({"Spec", "Plan", "Memory", "Store", "Provider", "Device",
               "Expert", "Support"},
              {"json"}),
    "Torch": (set(), COMPILER),
    "Claw": (set(), COMPILER),
    "Outline": ({"Torch", "Claw"}, COMPILER),
    "TorchToLinalg": ({"Torch", "Claw", "Support"}, COMPILER),
    "Lower": ({"Torch", "Claw", "Outline", "TorchToLinalg", "Steps",
               "Runtime", "Support"}, COMPILER),
    "PlanExport": ({"Torch", "Claw", "Outline", "TorchToLinalg", "Lower",
                    "Plan", "Spec", "Support"}, COMPILER),
    "Embed": ({"Torch", "Claw", "Outline", "TorchToLinalg", "Lower",
               "PlanExport", "Plan", "Spec", "Support"}, COMPILER),
    "Synthesize": ({"Torch", "Claw", "Outline", "TorchToLinalg", "Lower",
                    "PlanExport", "Embed", "Agent", "Expert", "Spec", "Plan",
                    "Store", "Provider", "Device", "Support"}, COMPILER),
    "Register": ({"Torch", "Claw", "Outline", "TorchToLinalg", "Lower",
                  "PlanExport", "Embed", "Synthesize"}, COMPILER),
    "Runtime": ({"Steps", "Cuda", "Support"}, set()),
}
# Borders inside the table: these may be seen as their interface header only.
INTERFACE_ONLY = {
    ("Agent", "Device"): {"Evaluator.h"},
    ("Agent", "Expert"): {"ExpertProvider.h"},
    ("Synthesize", "Device"): {"Evaluator.h", "ModuleVerifier.h"},
    ("Synthesize", "Provider"): {"Provider.h"},
    ("Expert", "Provider"): {"Provider.h"},
    ("Lower", "Steps"): {"kcl_steps.h"},
    ("Lower", "Runtime"): {"kernelclaw.h", "kcl_entry.h"},
    ("SimCuda", "Steps"): {"kcl_steps.h"},
    ("SimCuda", "Runtime"): {"kernelclaw.h"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')


def library_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[2] if parts[0] == "include" else parts[1]


def violations(path, library):
    own, foreign = TABLE[library]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        if name.startswith("kernelclaw/"):
            other, _, header = name.removeprefix("kernelclaw/").partition("/")
            allowed = INTERFACE_ONLY.get((library, other))
            if other != library and other not in own:
                yield f"{path}:{number}: {library} may not include {other}"
            elif allowed is not None and header not in allowed:
                yield (f"{path}:{number}: {library} sees only "
                       f"{', '.join(sorted(allowed))} of {other}")
            continue
        for family, pattern in FOREIGN.items():
            if re.match(pattern, name) and family not in foreign:
                yield f"{path}:{number}: {library} may not include {name}"


def main():
    problems = []
    for base in ("include/kernelclaw", "lib"):
        for path in sorted((ROOT / base).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".c"):
                continue
            library = library_of(path)
            if library not in TABLE:
                problems.append(f"{path}: no row for {library} in the table")
                continue
            problems += violations(path, library)
    curl_files = [p for p in (ROOT / "lib").rglob("*.cpp")
                  if "#include <curl/" in p.read_text()]
    if len(curl_files) > 1:
        problems.append(f"curl in more than one file: {curl_files}")
    print("\n".join(problems) if problems else "[layers] ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

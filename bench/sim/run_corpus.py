#!/usr/bin/env python3
"""Runs the corpus on a CUDA driver and writes what it gave, a line a kernel.

    run_corpus.py OUT.json [--only SUBSTRING] [--missing] [--full] [--ptx]

The driver is libcuda.so.1, or the library that KERNELCLAW_CUDA_DRIVER names
(libkernelclaw_simcuda.so: the simulator). Needs nothing but Python.
--missing keeps the records that OUT.json has and adds those that it lacks;
--full keeps all result words of the exact kernels too; --ptx only writes the
modules' text into the folder OUT. Exit code 1 when the driver could not load or run a kernel.
"""
import argparse
import ctypes
import hashlib
import json
import multiprocessing
import os
import pathlib
import sys

import corpus_kernels

FIRST_WORDS = 24
PATIENCE = 120  # seconds that a kernel may take
CLUSTER_DIMENSION = 4  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
CHUNKS = 16
MODULE_KERNELS = 50


class Fault(RuntimeError):
    """The kernel `name` ended with an error; `code` is a CUresult."""

    def __init__(self, name, code):
        super().__init__(f"{name}: CUDA error {code}")
        self.name, self.code = name, code


class Attribute(ctypes.Structure):
    """CUlaunchAttribute"""
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]


class Config(ctypes.Structure):
    """CUlaunchConfig"""
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(Attribute)),
                ("count", ctypes.c_uint)]


class Driver:
    """The few entry points that are needed."""

    def __init__(self):
        path = os.environ.get("KERNELCLAW_CUDA_DRIVER", "libcuda.so.1")
        self.library = ctypes.CDLL(path)
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    @staticmethod
    def ask():
        """The device's name, asked in a process of its own, so that this one may
        still fork."""
        with multiprocessing.Pool(1) as pool:
            return pool.apply(driver_name)

    def prepare(self, words):
        """Inputs of every kind on the device, and room for results."""
        self.columns = {kind: self.upload(corpus_kernels.inputs(kind)) for kind in "hrlfg"}
        self.out = self.allocate(8 * words)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise RuntimeError(f"{name}: CUDA error {code}")

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self.device)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return f"{text.value.decode()}, driver {version.value}"

    def load(self, ptx):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx.encode()))
        return module

    def unload(self, module):
        self.call("cuModuleUnload", module)

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def free(self, address):
        self.call("cuMemFree_v2", address)

    def upload(self, words):
        data = (ctypes.c_uint64 * len(words))(*words)
        address = self.allocate(ctypes.sizeof(data))
        self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(ctypes.sizeof(data)))
        return address

    def tensor_map(self, facts, out, source):
        """A CUtensorMap, at a multiple of 64 bytes, as tma_forms.py says."""
        def array(kind, values):
            return (kind * len(values))(*values)
        room = (ctypes.c_byte * 256)()
        skip = -ctypes.addressof(room) % 64
        made = (ctypes.c_byte * 128).from_buffer(room, skip)
        rank = len(facts["dims"])
        head = [ctypes.byref(made), facts["type"], rank,
                ctypes.c_void_p((out if facts["base"] == "out" else source).value),
                array(ctypes.c_uint64, facts["dims"]), array(ctypes.c_uint64, facts["strides"])]
        tail = [array(ctypes.c_uint32, facts["steps"]), 0, facts["swizzle"], 0, facts["fill"]]
        if facts["mode"] == "tiled":
            self.call("cuTensorMapEncodeTiled", *head, array(ctypes.c_uint32, facts["box"]), *tail)
        else:
            self.call("cuTensorMapEncodeIm2col", *head, array(ctypes.c_int, facts["lower"]),
                      array(ctypes.c_int, facts["upper"]), facts["channels"], facts["pixels"], *tail)
        return made

    def launch(self, function, kernel, parameters):
        """Asks for a cluster only where the kernel says so."""
        if not kernel["cluster"]:
            return self.call("cuLaunchKernel", function, kernel["blocks"], 1, 1, kernel["threads"], 1, 1,
                             kernel["shared"], None, parameters, None)
        cluster = Attribute(CLUSTER_DIMENSION, 0, (ctypes.c_uint32 * 16)(kernel["cluster"], 1, 1))
        config = Config((kernel["blocks"], 1, 1), (kernel["threads"], 1, 1), kernel["shared"], None,
                        ctypes.pointer(cluster), 1)
        return self.call("cuLaunchKernelEx", ctypes.byref(config), function, parameters, None)

    def run(self, module, kernel, out, source):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module,
                  kernel["entry"].encode())
        arguments = [out, source]
        if "map" in kernel:
            arguments.append(self.tensor_map(kernel["map"], out, source))
        parameters = (ctypes.c_void_p * len(arguments))(
            *(ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in arguments))
        words = kernel["words"]
        zeros = (ctypes.c_uint64 * words)()
        self.call("cuMemcpyHtoD_v2", out, zeros, ctypes.c_size_t(8 * words))
        if kernel["shared"] > 48 * 1024:
            self.call("cuFuncSetAttribute", function, 8, kernel["shared"])
        self.launch(function, kernel, parameters)
        if code := self.library.cuCtxSynchronize():
            raise Fault(kernel["name"], code)
        result = (ctypes.c_uint64 * words)()
        self.call("cuMemcpyDtoH_v2", result, out, ctypes.c_size_t(8 * words))
        return list(result)


def driver_name():
    return Driver().name()


def digest(words):
    return hashlib.sha256(b"".join(w.to_bytes(8, "little") for w in words)).hexdigest()


def record(words, kernel, full):
    size = -(-len(words) // CHUNKS)
    whole = full or kernel["tolerance"] != "exact" or "keep" in kernel
    keep = words if whole else words[:FIRST_WORDS]
    return {"hash": digest(words)[:16],
            "chunks": " ".join(digest(words[k:k + size])[:4]
                               for k in range(0, len(words), size)),
            "words": " ".join(f"{w:x}" for w in keep)}


def batches(kernels):
    """Kernels whose text joins into one module, and the others alone."""
    batch = []
    for kernel in kernels:
        if not kernel["header"]:
            yield [kernel]
            continue
        batch.append(kernel)
        if len(batch) == MODULE_KERNELS:
            yield batch
            batch = []
    if batch:
        yield batch


def module_text(batch):
    return batch[0]["header"] + "".join(k["ptx"] for k in batch)


def run_batch(driver, batch, full):
    """Yields (name, record); a module that does not load is tried kernel by
    kernel. After a kernel that faulted the process can use the device no more."""
    try:
        module = driver.load(module_text(batch))
    except RuntimeError as error:
        if len(batch) == 1:
            yield batch[0]["name"], {"absent": str(error)}
            return
        for kernel in batch:
            yield from run_batch(driver, [kernel], full)
        return
    for kernel in batch:
        words = driver.run(module, kernel, driver.out, driver.columns[kernel["inputs"]])
        yield kernel["name"], record(words, kernel, full)
    driver.unload(module)


def work(kernels, full, pipe):
    """In a process of its own: sends (name, record) of kernel after kernel, and
    ends after an error."""
    driver = Driver()
    driver.prepare(max(k["words"] for k in kernels))
    try:
        for batch in batches(kernels):
            for result in run_batch(driver, batch, full):
                pipe.send(result)
    except Fault as fault:
        pipe.send((fault.name, {"error": fault.code}))
    pipe.close()


def run_all(kernels, full):
    """name -> record of all; a new process after each error."""
    results = {}
    while left := [k for k in kernels if k["name"] not in results]:
        receive, send = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.Process(target=work, args=(left, full, send))
        child.start()
        send.close()
        silent = "the process ended"
        try:
            while receive.poll(PATIENCE):
                name, result = receive.recv()
                results[name] = result
            child.kill()
            silent = f"no result within {PATIENCE} s"
        except EOFError:
            pass
        child.join()
        if not any("error" in results.get(k["name"], {}) for k in left):
            missing = next((k["name"] for batch in batches(left) for k in batch
                            if k["name"] not in results), None)
            if missing:
                results[missing] = {"absent": silent}
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--only", default="")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--ptx", action="store_true")
    options = parser.parse_args()
    kernels = [k for k in corpus_kernels.all_kernels()
               if options.only in k["name"]]
    if options.ptx:
        folder = pathlib.Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        for number, batch in enumerate(batches(kernels)):
            (folder / f"module_{number:03d}.ptx").write_text(module_text(batch))
        return
    known = json.load(open(options.out, encoding="ascii")) if options.missing else None
    device = Driver.ask()
    if known:
        if known["device"] != device:
            sys.exit(f"{options.out} is of {known['device']}, this is {device}")
        kept = {n: r for n, r in known["kernels"].items() if "absent" not in r}
        kernels = [k for k in kernels if k["name"] not in kept]
    results = (dict(kept) if known else {}) | run_all(kernels, options.full)
    with open(options.out, "w", encoding="ascii") as file:
        file.write('{"device": ' + json.dumps(device) + ',\n"kernels": {\n')
        file.write(",\n".join(f"{json.dumps(n)}: {json.dumps(r)}" for n, r in results.items()))
        file.write("\n}}\n")
    absent = [n for n, r in results.items() if "absent" in r]
    print(f"{len(results) - len(absent)} of {len(results)} kernels ran on {device}")
    for name in absent:
        print(f"  absent: {name}: {results[name]['absent']}", file=sys.stderr)
    sys.exit(1 if absent else 0)


if __name__ == "__main__":
    main()

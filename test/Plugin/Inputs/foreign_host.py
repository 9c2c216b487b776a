# foreign_host.py PLUGIN: loads the plugin as a program without MLIR would, and
# prints the API versions that it announces.
import ctypes, sys


class Info(ctypes.Structure):
    _fields_ = [
        ("api", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("version", ctypes.c_char_p),
        ("register", ctypes.c_void_p),
    ]


plugin = ctypes.CDLL(sys.argv[1])
for kind, entry in ("pass", plugin.mlirGetPassPluginInfo), ("dialect", plugin.mlirGetDialectPluginInfo):
    entry.restype = Info
    print(kind, "API version", entry().api, flush=True)

"""Runs a command that may write no file beyond N KiB: limited.py N COMMAND...

Writing on fails with EFBIG instead of killing the command, as a full disk would.
"""
import os
import resource
import signal
import sys

limit = int(sys.argv[1]) * 1024
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
os.execvp(sys.argv[2], sys.argv[2:])

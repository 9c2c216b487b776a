"""Two workers under a real Slurm, one of which is lost in the middle of a job.

usage: slurm_workers.py SOURCE BUILD. Runs munged, slurmctld and slurmd on
loopback, in a folder of their own, as root; exit code 77 (skipped, with the
reason) without root or Slurm. kernelclaw-worker and simulator are copied to a
path with a space.
"""
import contextlib
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
DAEMONS = ["munged", "slurmctld", "slurmd"]
sys.path.insert(0, str(SOURCE / "test/Worker/Inputs"))
import relu_jobs  # noqa: E402

LAUNCHER = "srun -N1 -n1 -c1 --mpi=none --quiet --job-name='kernel claw'"
CONF = """ClusterName=kclaw
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port0}
SlurmdPort={port1}
AuthType=auth/munge
AuthInfo=socket={root}/munge/socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmUser=root
SlurmdUser=root
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/slurmctld.pid
SlurmdPidFile={root}/slurmd.pid
SlurmctldLogFile={root}/slurmctld.log
SlurmdLogFile={root}/slurmd.log
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=2
SchedulerParameters=sched_min_interval=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=10:00 State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def wait_for(what, condition, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit(f"FAILED: no {what} within {seconds} s")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


class Slurm:
    """The three daemons, in a folder without spaces (their own limit)."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.host = socket.gethostname().split(".")[0]
        self.munge = pwd.getpwnam("munge")

    def __enter__(self):
        root = self.root
        root.chmod(0o755)
        for name in ("state", "spool", "munge"):
            (root / name).mkdir()
        key = root / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        for path in (root / "munge", key):
            os.chown(path, self.munge.pw_uid, self.munge.pw_gid)
        (root / "munge").chmod(0o711)
        ports = free_ports(2)
        conf = root / "slurm.conf"
        conf.write_text(CONF.format(host=self.host, root=root, port0=ports[0],
                                    port1=ports[1]))
        os.environ["SLURM_CONF"] = str(conf)
        try:
            self.start("munged", f"--key-file={key}",
                       f"--socket={root}/munge/socket",
                       f"--pid-file={root}/munge/munged.pid",
                       f"--log-file={root}/munge/log",
                       f"--seed-file={root}/munge/seed",
                       user=self.munge.pw_uid, group=self.munge.pw_gid,
                       extra_groups=[])
            self.start("slurmctld")
            self.start("slurmd", "-N", self.host)
            wait_for("idle node", lambda: "idle" in
                     output("sinfo", "-h", "-o", "%T"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, *command, **how):
        if subprocess.run(command, **how).returncode:
            raise SystemExit(f"FAILED: {command[0]} does not start")

    def __exit__(self, *_):
        output("scancel", "--user=root")
        for file in (self.root / "slurmd.pid", self.root / "slurmctld.pid",
                     self.root / "munge/munged.pid"):
            if not file.exists():
                continue
            pid = int(file.read_text())
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
                for _ in range(100):
                    os.kill(pid, 0)
                    time.sleep(0.05)
                os.kill(pid, signal.SIGKILL)


def process_of(device):
    """The process that judges on this simulated device, not its srun."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if (words[0].endswith(b"kernelclaw-worker") and b"--child" in words
                    and f"--device={device}".encode() in words):
                return int(folder.name)
    return None


def slurm_job(pid):
    for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        if entry.startswith(b"SLURM_JOB_ID="):
            return entry.split(b"=")[1].decode()
    raise SystemExit(f"FAILED: process {pid} is not Slurm's")


def jobs():
    """Three right kernels, and one that is wrong."""
    return [relu_jobs.named(name, 16)
            for name in ("relu-1", "relu-2", "wrong", "relu-3")]


def judge(worker, kill):
    """Answers by job; `kill`(process) is called once a worker checks a job."""
    child = subprocess.Popen(
        [worker, "--device=sim", "--workers=2", "--verbose",
         "--launcher=" + LAUNCHER], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = []

    def listen():
        killed = False
        for line in child.stderr:
            said.append(line.rstrip())
            if not killed and line.startswith("worker 1: checking"):
                killed = True
                kill(process_of("sim:1"))

    listener = threading.Thread(target=listen)
    listener.start()
    asked = jobs()
    out = []
    reader = threading.Thread(target=lambda: out.extend(child.stdout))
    reader.start()
    child.stdin.write("".join(json.dumps(job) + "\n" for job in asked))
    child.stdin.close()
    try:
        code = child.wait(timeout=60)
    except subprocess.TimeoutExpired:
        child.terminate()
        print("\n".join(said))
        raise SystemExit("FAILED: the worker does not end")
    listener.join()
    reader.join()
    print("  " + "\n  ".join(line for line in said if "warning" in line))
    answers = [json.loads(line) for line in out]
    ids = [answer["jobId"] for answer in answers]
    check(code == 0, f"exit code {code}")
    check(ids == [job["id"] for job in asked], f"answers in order: {ids}")
    return {answer["jobId"]: answer for answer in answers}, said


def check(good, what):
    if not good:
        raise SystemExit("FAILED: " + what)


def check_answers(answers, how):
    for name, answer in answers.items():
        want = "mismatch" if name == "wrong" else "ok"
        check(answer["outcome"] == want,
              f"{name}: {answer['outcome']} {answer['message']}")
        check(answer["device"]["host"] == socket.gethostname(),
              f"{name}: {answer['device']}")
    lost = {name: answer["lostWorkers"] for name, answer in answers.items()
            if answer["lostWorkers"]}
    check(len(lost) == 1, f"jobs with a lost worker: {lost}")
    (name, words), = lost.items()
    check(len(words) == 1 and
          words[0].startswith("worker 1 ended while checking correctness"),
          f"last words: {words}")
    uuids = {answer["device"]["uuid"] for answer in answers.values()}
    check(len(uuids) == 2, f"devices: {uuids}")
    check(answers[name]["device"]["uuid"].endswith("00"),
          "the job was judged again by the other worker")
    print(f"{how}: {words[0]}; {name} was judged again by worker 0; "
          f"{len(answers)} answers from {len(uuids)} devices")


def skip_reason():
    if os.getuid() != 0:
        return "needs root, which starts Slurm's daemons"
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in DAEMONS + ["srun"] if not shutil.which(name)]
    if missing:
        return (", ".join(missing) + " not installed; utils/setup.sh installs "
                "slurm-wlm and munge")
    return None


def main():
    if reason := skip_reason():
        print("skipped: " + reason)
        return 77
    start = time.time()
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="kclaw-slurm-"))
        spaced = pathlib.Path(root) / "with space"
        for name in ("bin/kernelclaw-worker", "lib/libkernelclaw_simcuda.so"):
            (spaced / name).parent.mkdir(parents=True)
            shutil.copy2(BUILD / name, spaced / name)
        stack.enter_context(Slurm(root))
        print(f"Slurm is up after {time.time() - start:.1f} s")
        worker = spaced / "bin/kernelclaw-worker"
        answers, _ = judge(worker, lambda pid: output("scancel",
                                                      slurm_job(pid)))
        check_answers(answers, "scancel")
        answers, _ = judge(worker, lambda pid: os.kill(pid, signal.SIGKILL))
        check_answers(answers, "kill -9")
    print(f"{time.time() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

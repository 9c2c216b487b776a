"""Interrupts a run while its model thinks, then runs it again.

usage: interrupt.py FOLDER MODULE MODEL
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

folder, module, model = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
output = folder / "out.mlir"
run = folder / "run"


def start(command):
    options = (f"provider=command command=\"{command}\" strategy=greedy "
               f"device=sim accept=simulated verify=none store={folder}/store "
               f"run-dir={run} max-attempts=1 max-tokens=1000000")
    return subprocess.Popen(
        ["kernelclaw-opt", module, "-o", str(output), f"--llm-optimize={options}"],
        stderr=subprocess.PIPE, text=True)


def wait_for_call():
    for _ in range(1200):
        log = run / "events.jsonl"
        if log.exists() and '"call_started"' in log.read_text():
            return
        time.sleep(0.1)
    sys.exit("no call was started")


def report(name, process, errors):
    print(f"{name}: exit {process.returncode}, output {output.exists()}")
    for line in errors.splitlines():
        if "interrupted" in line:
            print(line)
    summary = json.loads((run / "summary.json").read_text())
    print(f"status {summary['status']}, "
          f"lost {summary['total'].get('lost', {'calls': 0})['calls']}")


first = start("sleep 600")
wait_for_call()
first.send_signal(signal.SIGINT)
errors = first.communicate(timeout=60)[1]
report("first", first, errors)

answer = folder / "answer.py"
answer.write_text(f"""import sys
sys.argv = ['model']
source = open({model!r}).read().replace('\\nmain()', '')
exec(source)
json.load(sys.stdin)
json.dump(generator(''), sys.stdout)
""")
second = start(f"{sys.executable} {answer}")
errors = second.communicate(timeout=300)[1]
report("second", second, errors)

"""Run directories for the tests of reports: real runs of kernelclaw-opt on the
simulated driver, and copies of them with damage or hostile texts."""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(__file__).resolve().parents[3]
HOSTILE = ("</script><script>window.pwned=1</script>\u2028<img src=x onerror=window.pwned=1>"
           "<!--<script>\u2029{{}}%%DATA%%")


def optimise(build, run, options, module="Agent/Inputs/add_relu.mlir", code=0):
    command = [build / "bin/kernelclaw-opt", SOURCE / "test" / module, "-o",
               run.parent / f"{run.name}.mlir", "--llm-optimize=" + (
                   "device=sim accept=simulated verify=none cpu-fallback=false "
                   f"max-tokens=1000000 run-dir={run} {options}")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == code, f"exit code {result.returncode}: {result.stderr}"


def make_runs(build, folder):
    """Name -> run directory, one of each strategy, and of other ends."""
    model = SOURCE / "test/Agent/Inputs/model.py"
    command = f"provider=command command='{shlex.quote(sys.executable)} {model}'"
    located = "Synthesize/Inputs/located.mlir"
    store = folder / "store"

    def twice():
        optimise(build, folder / "first", f"provider=expert store={store} max-attempts=1")
        optimise(build, folder / "store-run", f"provider=expert store={store} max-attempts=1")

    work = [
        lambda: optimise(build, folder / "roles",
                         f"{command} strategy=roles store=none max-attempts=4"),
        lambda: optimise(build, folder / "agent",
                         f"{command} strategy=agent store=none max-attempts=6"),
        lambda: optimise(build, folder / "greedy",
                         "provider=expert strategy=greedy store=none max-attempts=2", located),
        twice,
        lambda: optimise(build, folder / "parked", "provider=exchange strategy=roles "
                         "store=none max-attempts=3", code=75),
    ]
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(job) for job in work]:
            done.result()
    shutil.copytree(SOURCE / "examples/exchange/recorded", folder / "recorded")
    killed(folder / "roles", folder / "killed")
    hostile(folder / "roles", folder / "hostile")
    many(folder / "roles", folder / "many", 40)
    return {name: folder / name for name in (
        "roles", "agent", "greedy", "store-run", "parked", "recorded", "killed", "hostile",
        "many")}


def region_of(run):
    return next((run / "regions").iterdir())


def rewrite(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def killed(run, copy):
    """As a kill leaves it: no summary, half a record, an attempt without verdict."""
    shutil.copytree(run, copy)
    (copy / "summary.json").unlink()
    log = (copy / "events.jsonl").read_text().splitlines()
    (copy / "events.jsonl").write_text("\n".join(log[:16]) + "\n" + log[16][:40])
    rewrite(copy / "run.json", lambda value: value.update(regions=[
        {key: row[key] for key in ("symbol", "specHash", "lines")}
        for row in value["regions"]]))
    region = region_of(copy)
    for name in ("attempt.json", "evaluation.json"):
        (region / "attempt-4" / name).unlink()


def hostile(run, copy):
    """Whatever a model, a tool or an export can say is HTML and script."""
    shutil.copytree(run, copy)
    region = region_of(copy)
    second, third = region / "attempt-2", region / "attempt-3"
    rewrite(second / "reply.json", lambda value: value.update(text=HOSTILE + "x" * 10_000_000))
    (third / "reply-2.json").write_bytes(b'{"text": "\xff\xfe bytes ' + HOSTILE.encode() + b'"}')
    (third / "tool-1.json").write_text(json.dumps({"tool": HOSTILE, "output": HOSTILE}))
    with open(third / "main.cu", "a", encoding="utf-8") as file:
        file.write(HOSTILE + "\n")
    rewrite(third / "attempt.json", lambda value: value.update(
        {name: HOSTILE for name in ("title", "method", "rule", "message", "plan", "bottleneck")}
        | {"evidence": [HOSTILE], "predicted": {HOSTILE: 1}}))
    rewrite(region / "attempt-4/attempt.json", lambda value: value.update(
        title=HOSTILE, measured={HOSTILE: 2.0, "time": 1.5}))
    rewrite(copy / "run.json", lambda value: (
        value.update(provider=HOSTILE),
        value["regions"][0].update(symbol=HOSTILE, reason=HOSTILE,
                                   lines=[{"file": HOSTILE, "line": 1}])))
    log = (copy / "events.jsonl").read_text()
    (copy / "events.jsonl").write_text(log.replace('"planner"', json.dumps(HOSTILE)))


def many(run, copy, regions):
    """The same region under so many hashes."""
    shutil.copytree(run, copy)
    whole = region_of(copy)
    log = (copy / "events.jsonl").read_text().splitlines()
    events, row = [], json.loads((copy / "run.json").read_text())["regions"][0]
    names = [f"{place:032x}" for place in range(1, regions + 1)]
    for name in names:
        shutil.copytree(whole, copy / "regions" / name)
        events += [event | {"specHash": name} for event in map(json.loads, log)
                   if event.get("specHash")]
    shutil.rmtree(whole)
    (copy / "events.jsonl").write_text("".join(
        json.dumps(event | {"seq": place}) + "\n" for place, event in enumerate(events)))
    rewrite(copy / "run.json", lambda value: value.update(regions=[
        row | {"specHash": name, "symbol": f"main_region_{place}"}
        for place, name in enumerate(names)]))
    (copy / "summary.json").unlink()

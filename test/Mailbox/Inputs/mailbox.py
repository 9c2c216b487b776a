"""The other side of a mailbox: mailbox.py show|answer MAILBOX [RECORDED].

show    one line a job: kind, whether its candidate's images travel with it
answer  each job without an answer gets the evaluation that RECORDED (a run
        directory) holds for its id
"""
import json
import pathlib
import shutil
import sys

action, mailbox = sys.argv[1], pathlib.Path(sys.argv[2])
for path in sorted(mailbox.glob("jobs/job-*.json")):
    job = json.loads(path.read_text())
    result = mailbox / "results" / path.name.replace("job-", "result-", 1)
    if action == "show":
        images = [i["module"] for i in job["images"] if i["cubin"]]
        modules = [m["name"] for m in job["candidate"]["modules"]]
        print(job["id"].rsplit("-", 1)[1], job["kind"], job["arch"],
              "images of all modules:", images == modules,
              "answered:", result.exists())
    elif not result.exists():
        spec, attempt = job["id"].rsplit("-", 1)
        shutil.copy(pathlib.Path(sys.argv[3]) / "regions" / spec /
                    f"attempt-{attempt}" / "evaluation.json", result)

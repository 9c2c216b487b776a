# roundtrip.py TOOL FOLDER: every .mlir file below FOLDER parses; what is printed
# differs from the file in white space only; printing that again changes nothing.
import difflib, pathlib, subprocess, sys

tool, folder = sys.argv[1:3]


def printed(text):
    done = subprocess.run([tool, "-"], input=text, capture_output=True, text=True)
    return done.stdout, done.stderr


def first_difference(a, b):
    lines = difflib.unified_diff(a.split("\n"), b.split("\n"), "a", "b", n=0, lineterm="")
    return "\n".join(list(lines)[:8])


bad = 0
files = sorted(pathlib.Path(folder).rglob("*.mlir"))
for path in files:
    text = path.read_text()
    once, error = printed(text)
    twice, _ = printed(once)
    if "".join(text.split()) != "".join(once.split()):
        bad += 1
        print(f"{path}: printed differently\n{error}{first_difference(text, once)}")
    elif once != twice:
        bad += 1
        print(f"{path}: second print differs\n{first_difference(once, twice)}")
print(f"{len(files) - bad} of {len(files)} files round-trip")
sys.exit(bad > 0 or not files)

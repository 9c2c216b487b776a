"""The files of a folder as what the viewer shows: a title and parts of text."""
import json
import re

from .values import plain, read_json, read_text, rows, strings, table, text

LONG = 160  # characters; longer strings of a JSON file get a part of their own


class Recorder:
    """Reads a folder's files into views; `texts` holds what they say."""

    def __init__(self, folder, run, texts, problems):
        self.folder, self.run = folder, run
        self.texts, self.problems = texts, problems

    def view(self, name, kind, label, parts):
        path = self.folder / name
        return {"kind": kind, "label": label, "path": str(path.relative_to(self.run)),
                "bytes": path.stat().st_size,
                "parts": [{"head": head, "text": self.texts.add(content)}
                          for head, content in parts]}

    def plain_file(self, name, kind, label):
        try:
            content = read_text(self.folder / name, 4 * self.texts.limit + 4)
        except OSError as error:
            self.problems.append(f"{name}: cannot be read: {error.strerror}")
            return None
        return self.view(name, kind, label, [("", content)])

    def json_file(self, name, kind, label, parts):
        """Shown by `parts`; as it stands where it is damaged."""
        value = read_json(self.folder / name, self.problems)
        if value is None:
            return self.plain_file(name, kind, label + " (damaged)")
        return self.view(name, kind, label, parts(value))


def pretty(value):
    return json.dumps(plain(value), indent=1, ensure_ascii=False)


def split_long(value):
    """Long strings of an object apart, the rest as JSON."""
    short, parts = {}, []
    for name, inner in value.items():
        if isinstance(inner, str) and (len(inner) > LONG or "\n" in inner):
            parts.append((name, inner))
        else:
            short[name] = inner
    return [("", pretty(short))] + parts if short else parts


def calls_of(message):
    return [(f"calls {text(call, 'name')}", arguments(call))
            for call in rows(message, "toolCalls")]


def arguments(call):
    value = call.get("arguments")
    try:
        value = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value
    if not isinstance(value, dict):
        return pretty(value)
    rest = {name: inner for name, inner in value.items()
            if not (name in ("files", "edits") and rows(value, name))}
    parts = split_long(rest) + [
        (f"{text(file, 'file')}, {member}", text(file, member))
        for name in ("files", "edits") for file in rows(value, name)
        for member in ("content", "search", "replace") if text(file, member)]
    return "\n\n".join(f"{head}:\n{content}" if head else content
                       for head, content in parts) or "no arguments"


def prompt(value):
    parts = []
    for message in rows(value, "messages"):
        parts.append((text(message, "role"), text(message, "content")))
        parts += calls_of(message)
    rest = {name: inner for name, inner in value.items() if name != "messages"}
    return [part for part in parts if part[1]] + [("request", pretty(rest))]


def reply(value):
    rest = {name: inner for name, inner in value.items() if name not in ("text", "toolCalls")}
    parts = [("text", text(value, "text"))] if text(value, "text") else []
    return parts + calls_of(value) + [("answer", pretty(rest))]


def tool(value):
    call = [(f"{text(value, 'tool')} is called with", arguments(value))]
    rest = {name: inner for name, inner in value.items()
            if name not in ("tool", "arguments", "evaluation")}
    judged = table(value, "evaluation")
    parts = call + split_long(rest) + (evaluation(judged) if judged else [])
    return [(head or "members", content) for head, content in parts if content]


def evaluation(value):
    """Device code apart: PTX as text, binaries by their size."""
    parts = []
    rest = dict(value)
    for name in ("images", "stockImages"):
        rest[name] = []
        for image in rows(value, name):
            if text(image, "ptx") and name == "images":
                parts.append((f"PTX of {text(image, 'module')}", text(image, "ptx")))
            rest[name].append({
                member: f"[{len(inner)} characters]" if isinstance(inner, str) and
                member in ("ptx", "cubin", "fatbin") and inner else inner
                for member, inner in image.items()})
    log = [("log", text(value, "log"))] if text(value, "log") else []
    rest.pop("log", None)
    return [("", pretty(rest))] + log + parts


def plan(value):
    modules = [(f"{text(module, 'kind')} {text(module, 'name')}", text(module, "source"))
               for module in rows(value, "modules")
               if len(text(module, "source")) > LONG]
    rest = dict(value)
    rest["modules"] = [{**module, "source": "[below]"}
                       if len(text(module, "source")) > LONG else module
                       for module in rows(value, "modules")]
    return [("", pretty(rest))] + modules


def gate(value):
    lines = [f"parent:     attempt {value.get('parent')}"]
    lines += [f"{name + ':':11} {text(value, name)}"
              for name in ("case", "headroom", "bottleneck", "advice") if text(value, name)]
    if strings(value, "predicates"):
        lines.append("predicates: " + ", ".join(strings(value, "predicates")))
    allowed = [f"{row.get('expectedGain', 0):>8.3f}x ± {row.get('deviation', 0):.2f}  "
               f"{text(row, 'method')}  ({row.get('effectiveRows', 0):g} rows of experience)"
               for row in rows(value, "allowed") if is_ranked(row)]
    refused = [f"{text(row, 'method')}: {text(row, 'why')}" for row in rows(value, "refused")]
    return [("decision", "\n".join(lines)),
            ("allowed, the most promising first", "\n".join(allowed) or "none"),
            ("refused, and why", "\n".join(refused) or "none"),
            ("features of the parent", pretty(table(value, "features")))]


def is_ranked(row):
    return all(isinstance(row.get(name, 0), (int, float))
               for name in ("expectedGain", "deviation", "effectiveRows"))


# File name -> kind, label and how it is shown; the order is that of the page.
FILES = (
    (re.compile(r"(.+)\.cu"), "kernel", "{0}.cu", None),
    (re.compile(r"plan\.json"), "plan", "plan", plan),
    (re.compile(r"gate\.json"), "gate", "gate", gate),
    (re.compile(r"attempt\.json"), "decision", "decision", split_long),
    (re.compile(r"prompt(?:-(\d+))?\.json"), "prompt", "prompt {0}", prompt),
    (re.compile(r"reply(?:-(\d+))?\.json"), "reply", "reply {0}", reply),
    (re.compile(r"tool-(\d+)\.json"), "tool", "tool {0}", tool),
    (re.compile(r"job\.json"), "job", "job", split_long),
    (re.compile(r"evaluation\.json"), "evaluation", "evaluation", evaluation),
    (re.compile(r"(?:library-)?(stock|reference|spec)\.json"), "task", "{file}", plan),
)


def views(recorder):
    """A view of each file of the recorder's folder, related ones side by side."""
    found = []
    for path in sorted(recorder.folder.iterdir()):
        if not path.is_file() or path.name.endswith(".pid") or ".tmp" in path.name:
            continue
        for place, (pattern, kind, label, parts) in enumerate(FILES):
            match = pattern.fullmatch(path.name)
            if not match:
                continue
            group = match.group(1) if match.groups() else None
            label = label.format(group or "1", file=path.stem)
            view = (recorder.plain_file(path.name, kind, label) if parts is None
                    else recorder.json_file(path.name, kind, label, parts))
            call = int(group) if group and group.isdigit() else 1
            conversation = kind in ("prompt", "reply")
            order = (4, call, place) if conversation else (place, call, 0)
            found.append((order, view))
            break
        else:
            found.append(((len(FILES), 0, 0),
                          recorder.plain_file(path.name, "other", path.name)))
    return [view for _, view in sorted(found, key=lambda row: row[0]) if view]

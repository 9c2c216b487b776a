"""The HTML file: template/, plotly.js and the run as JSON, in one.

Whatever a model or a tool wrote is data only: it stands in JSON blocks without
"<", the page's script puts it into text nodes, and the page's policy runs no
script but those whose hashes it names, and loads nothing.
"""
import base64
import hashlib
import json
from pathlib import Path

from . import figures
from .counters import COUNTERS
from .values import plain

TEMPLATE = Path(__file__).resolve().parent.parent / "template"
SCRIPTS = ("diff.js", "elements.js", "viewer.js", "region.js", "report.js")


def data_block(name, value):
    """JSON that no HTML parser mistakes for the end of a script."""
    content = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        content = content.replace(character, f"\\u{ord(character):04x}")
    content = content.encode("utf-8", errors="replace").decode("utf-8")
    return f'<script type="application/json" id="{name}">{content}</script>\n'


def hash_of(script):
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def with_figures(region):
    """Plots of a region; null where there is nothing to draw."""
    attempts = region["attempts"]
    return region | {
        "plots": {"speedups": figures.speedups(attempts),
                  "roofline": figures.roofline(region),
                  "roles": figures.roles(region["roles"])},
        "attempts": [attempt | {"plot": figures.counter_changes(attempt)}
                     for attempt in attempts]}


ROW = ("hash", "symbols", "lines", "family", "shapes", "verdict", "reason", "fromStore",
       "stockMicroseconds", "stockModelled", "bestMicroseconds", "speedup", "low", "high",
       "evidence", "bound", "boundBy", "timeShare", "headroom", "cost")


def render(run, title, plotly_js):
    head = {name: value for name, value in run.items() if name != "regions"}
    head |= {"title": title, "plots": {"roles": figures.roles(run["roles"])},
             "counters": COUNTERS,
             "regions": [{name: region[name] for name in ROW}
                         | {"attempts": len(region["attempts"])} for region in run["regions"]]}
    blocks = [data_block("run", head)]
    blocks += [data_block(f"region-{place}", with_figures(region))
               for place, region in enumerate(run["regions"])]
    # The text between the tags is what a browser takes the hash of.
    scripts = [plotly_js.replace("</script", "<\\/script"),
               "\n".join((TEMPLATE / name).read_text(encoding="utf-8") for name in SCRIPTS)]
    scripts = [script.replace("\r\n", "\n").replace("\r", "\n") for script in scripts]
    page = (TEMPLATE / "report.html").read_text(encoding="utf-8")
    parts = {"TITLE": escape(title), "STYLE": (TEMPLATE / "report.css").read_text(encoding="utf-8"),
             "POLICY": "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; "
                       "script-src " + " ".join(map(hash_of, scripts)),
             "DATA": "".join(blocks),
             "SCRIPTS": "\n".join(f"<script>{script}</script>" for script in scripts)}
    # One pass: no part is searched for the marks of another.
    pieces = page.split("%%")
    return "".join(parts[piece] if place % 2 else piece
                   for place, piece in enumerate(pieces))


def escape(content):
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        content = content.replace(character, entity)
    return content

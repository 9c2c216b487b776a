"""JSON from files that a kill or an editor may have damaged.

Whoever reads goes on without what is damaged; `problems` collects what was
wrong, as lines for people.
"""
import json
import math

from .texts import redact

LARGEST_FILE = 256 << 20
LARGEST_NUMBER = 1e300


def read_text(path, limit=LARGEST_FILE):
    """Text of at most `limit` bytes; what is no UTF-8 becomes U+FFFD."""
    with open(path, "rb") as file:
        return redact(file.read(limit).decode("utf-8", errors="replace"))


def read_json(path, problems, kind=dict):
    """The value in `path`; None where there is none, or none of that kind."""
    try:
        value = json.loads(read_text(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        problems.append(f"{path.name}: cannot be read: {error.strerror}")
        return None
    except (ValueError, RecursionError) as error:
        problems.append(f"{path.name}: damaged, left out: {error}")
        return None
    if isinstance(value, kind):
        return value
    problems.append(f"{path.name}: damaged, left out: it holds no {kind.__name__}")
    return None


def number(source, *path):
    """A finite number at a path of members; None where there is none."""
    value = look(source, *path)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # Beyond a double's range an integer is none, either.
    return value if abs(value) < LARGEST_NUMBER else None


def positive(source, *path):
    """The same where 0 means: not known."""
    value = number(source, *path)
    return value if value is not None and value > 0 else None


def integer(source, *path):
    value = number(source, *path)
    return int(value) if value is not None else 0


def text(source, *path):
    value = look(source, *path)
    return value if isinstance(value, str) else ""


def table(source, *path):
    value = look(source, *path)
    return value if isinstance(value, dict) else {}


def rows(source, *path):
    """A list's objects."""
    value = look(source, *path)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def strings(source, *path):
    value = look(source, *path)
    return [row for row in value if isinstance(row, str)] if isinstance(value, list) else []


def look(source, *path):
    for name in path:
        source = source.get(name) if isinstance(source, dict) else None
    return source


def plain(value):
    """The same without what JSON cannot hold (NaN, infinities: null)."""
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

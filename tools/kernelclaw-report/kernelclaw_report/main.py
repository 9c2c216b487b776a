"""The command line of kernelclaw-report."""
import argparse
import os
import sys
import time
from pathlib import Path

from .run import NoRun, read_run

DESCRIPTION = """Turns the run directory of kernelclaw-opt --llm-optimize into one HTML file
that opens in any browser without a network: regions, speed-up over attempts, the tree of
attempts, rooflines, counters, costs, differences between attempts, and every prompt, reply,
tool output, kernel, plan and verdict."""
EPILOG = """A run that was killed, is parked or is still going on can be reported, too; the
report says what is missing. The report shows what models were asked and answered: share it
as you would share the run directory. Keys are in neither; the values of environment
variables that are named like keys, and texts that look like keys, are replaced.

exit codes: 0 the report is written; 1 it is not, and the message says why; 2 wrong usage"""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="kernelclaw-report", description=DESCRIPTION, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", type=Path,
                        help="run directory (docs/run-directory.md)")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=Path("report.html"),
                        help="the HTML file to write; default: %(default)s")
    parser.add_argument("--title", help="heading of the page; default: the folder's path")
    parser.add_argument("--max-text", metavar="CHARACTERS", type=positive, default=400_000,
                        help="of each prompt, reply, output or source, so many at most are "
                        "shown, with a note of how much was cut; default: %(default)s")
    parser.add_argument("-q", "--quiet", action="store_true",
                        help="print nothing but errors")
    return parser.parse_args(arguments)


def positive(content):
    try:
        value = int(content)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{content}' is no number of at least 1")
    return value


class Progress:
    """On a terminal one line that is drawn anew; elsewhere a line now and then."""

    def __init__(self, quiet):
        self.quiet, self.live = quiet, sys.stderr.isatty()
        self.told = time.monotonic()

    def __call__(self, done, total):
        if self.quiet:
            return
        now = time.monotonic()
        if self.live:
            end = "\n" if done == total else ""
            print(f"\r\033[Kread {done} of {total} regions", end=end, file=sys.stderr, flush=True)
        elif now - self.told > 2:
            self.told = now
            print(f"read {done} of {total} regions", file=sys.stderr, flush=True)


def plotly_script():
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise NoRun(f"the Python package plotly is not there for {sys.executable}; run "
                    "utils/setup.sh, which installs it (utils/report.txt)") from None
    return get_plotlyjs()


def write(path, content):
    """Beside its final name, then renamed: nobody sees half a report."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(content, encoding="utf-8", newline="\n")
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def main(arguments=None):
    from .page import render
    options = parse(arguments)
    try:
        script = plotly_script()
        run = read_run(options.run, options.max_text, Progress(options.quiet))
        title = options.title or "/".join(options.run.resolve().parts[-2:])
        write(options.output, render(run, title, script))
    except NoRun as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: cannot write the report '{options.output}' of '{options.run}': "
              f"{error.strerror or error}; name another file with -o", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; no report was written", file=sys.stderr)
        return 1
    if not options.quiet:
        size = options.output.stat().st_size
        print(f"{options.output}: {len(run['regions'])} region(s), "
              f"{sum(len(r['attempts']) for r in run['regions'])} attempt(s), "
              f"{size / 1e6:.1f} MB")
    return 0

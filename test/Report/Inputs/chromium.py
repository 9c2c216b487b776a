"""A headless Chromium for the tests of reports: Debian's, driven by Playwright."""
import contextlib
import os
import shutil

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


class Missing(Exception):
    """Why there is no browser here."""


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        # Ubuntu's chromium-browser is a script that asks for a snap.
        path = shutil.which(name)
        if path and not (name == "chromium-browser" and shutil.which("snap")):
            return path
    raise Missing("there is no chromium; utils/setup.sh installs it on Debian")


@contextlib.contextmanager
def browser():
    path = find()
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise Missing("Python has no playwright; utils/setup.sh installs it "
                      "(utils/browser.txt)") from None
    arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=arguments)
        except Error as error:
            raise Missing(f"{path} does not start: {error}") from None
        try:
            yield started
        finally:
            started.close()


def wait_until_drawn(page):
    """All plots that are in the page have been drawn."""
    page.wait_for_function(
        "() => document.querySelectorAll('.plot').length > 0 && "
        "document.querySelectorAll('.plot:not([data-drawn])').length === 0 || "
        "!document.querySelector('.plot')")

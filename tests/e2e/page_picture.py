"""The picture of the page in the README: `python -m tests.e2e.page_picture` takes it anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.e2e.transcripts import ROOT
from tests.support.running.processes import embedded
from tests.support.servers.browser import chromium

MESSAGES = ("the app can't get connections", "1 yes")


def main() -> None:
    """Holds a short conversation on the page and writes docs/page.png."""
    with tempfile.TemporaryDirectory() as folder, embedded(Path(folder)) as running, chromium() as opened:
        page = opened.new_page(viewport={"width": 1280, "height": 860}, locale="en-US")
        page.goto(running.url)
        for turns, message in enumerate(MESSAGES, 1):
            page.fill("#message", message)
            page.press("#message", "Enter")
            page.wait_for_function("turns => document.querySelectorAll('.user').length === turns", arg=turns)
            page.wait_for_selector("#log[aria-busy=false]")
        page.screenshot(path=str(ROOT / "docs/page.png"))


if __name__ == "__main__":
    main()

"""A real, headless Chromium for tests."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = ["--no-sandbox", "--disable-background-networking"]


@contextlib.contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """The browser, with `more` arguments, until the block ends. Skips, saying so, where it is not installed."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: the page is not driven"
    )
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed: the page is not driven")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=[*ARGUMENTS, *more])
        yield started
        started.close()


def errors_of(page: Page) -> list[str]:
    """A list that will hold what goes wrong on the page."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    return errors

"""`dbdiag knowledge graph` in a real browser: one file, no network, every text only text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from gateway.cli.knowledge.graph import graph
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.knowledge.library.graph.page import graph_of, render_page
from services.knowledge.library.load import load
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.compile import compile_libraries
from tests.support.sample_libraries import both, phenomenon, root_cause, ticket, write_library
from tests.support.servers.browser import chromium, errors_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RATES = DEFAULT_PARAMETERS.expert_rates
HOSTILE = "</script><img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real, headless Chromium."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the shipped library, made by the verb."""
    out = tmp_path_factory.mktemp("graph") / "graph.html"
    assert CliRunner().invoke(graph, ["--out", str(out)], standalone_mode=False).return_value == 0
    return out


def _open(browser: Browser, file: Path, **more: Any) -> tuple[Page, list[str]]:
    """The page with no network at all, and the errors it will have had."""
    context = browser.new_context(**more)
    context.set_offline(True)
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    errors = errors_of(opened)
    opened.goto(file.as_uri())
    return opened, errors


@pytest.mark.slow
@pytest.mark.parametrize(("locale", "language"), [("zh-CN", "zh"), ("en-US", "en")])
def test_a_cause_is_found_and_leads_to_its_phenomena(
    browser: Browser, shipped: Path, locale: str, language: str
) -> None:
    """Searching by id and Enter shows the cause with all its links; a click on one shows that phenomenon."""
    library = load([POSTGRESQL])
    cause = library.root_causes["RC-0001"]
    opened, errors = _open(browser, shipped, locale=locale)
    opened.fill("#search", cause.id)
    opened.press("#search", "Enter")
    assert opened.inner_text("#detail h2") == getattr(cause.name, language)
    names = opened.locator("#detail ul.links").first.locator("button")
    told = [getattr(library.phenomena[link.phenomenon].name, language) for link in cause.links]
    assert sorted(names.all_inner_texts()) == sorted(told)
    first = names.first.inner_text()
    names.first.click()
    assert opened.inner_text("#detail h2") == first
    assert errors == []


@pytest.mark.slow
def test_the_language_changes_in_place(browser: Browser, shipped: Path) -> None:
    """The button changes every word, and what was chosen stays chosen."""
    opened, errors = _open(browser, shipped, locale="en-US")
    opened.fill("#search", "RC-0001")
    opened.press("#search", "Enter")
    before = opened.inner_text("#detail h2")
    opened.click("#language")
    assert opened.inner_text("#detail h2") == load([POSTGRESQL]).root_causes["RC-0001"].name.zh
    opened.click("#language")
    assert (opened.inner_text("#detail h2"), errors) == (before, [])


@pytest.mark.slow
def test_it_is_used_without_a_mouse(browser: Browser, shipped: Path) -> None:
    """/ searches, arrows walk the list, Escape goes back to the whole."""
    opened, errors = _open(browser, shipped, locale="en-US")
    opened.keyboard.press("/")
    opened.keyboard.type("lock")
    opened.keyboard.press("Enter")
    first = opened.inner_text("#detail h2")
    opened.keyboard.press("ArrowDown")
    assert opened.inner_text("#detail h2") != first
    opened.keyboard.press("Escape")
    assert (opened.inner_text("#detail h2"), errors) == ("dbdiag", [])


@pytest.mark.slow
def test_no_text_of_a_library_runs(browser: Browser, tmp_path: Path) -> None:
    """Names, reasons, methods and tickets that are markup are shown as they are."""
    cause = root_cause(name=both(HOSTILE), mechanism=both(HOSTILE))
    cause["links"][0]["why"] = both(HOSTILE)
    seen = phenomenon(name=HOSTILE)
    seen["observe"]["how"] = HOSTILE
    library = write_library(tmp_path, [seen], [cause], [ticket(description=HOSTILE)])
    out = tmp_path / "graph.html"
    out.write_text(render_page(compile_libraries([library]), "sha256:0", RATES), encoding="utf-8")
    opened, errors = _open(browser, out, locale="en-US")
    opened.fill("#search", "P-0001")
    opened.press("#search", "Enter")
    assert opened.inner_text("#detail pre") == HOSTILE
    assert (opened.title(), opened.locator("img").count(), errors) == ("dbdiag", 0, [])


@pytest.mark.slow
def test_the_same_snapshot_gives_the_same_bytes() -> None:
    """The page holds no time, no machine and no chance."""
    content = compile_libraries([POSTGRESQL])
    assert render_page(content, "sha256:0", RATES) == render_page(content, "sha256:0", RATES)


def test_the_nearest_causes_are_named_with_what_tells_them_apart(tmp_path: Path) -> None:
    """Of two causes that differ in one phenomenon, each is the other's nearest, and that phenomenon is named."""
    phenomena = [phenomenon("P-0001", "a"), phenomenon("P-0002", "b")]
    causes = [root_cause("RC-0001", ["P-0001"]), root_cause("RC-0002", ["P-0001", "P-0002"])]
    drawn = graph_of(compile_libraries([write_library(tmp_path, phenomena, causes, [])]), RATES)
    assert [(cause["near"][0]["id"], cause["near"][0]["told"]) for cause in drawn["causes"]] == [
        ("RC-0002", "P-0002"),
        ("RC-0001", "P-0002"),
    ]

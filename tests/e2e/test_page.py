from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import gateway
from tests.support.conversations import Conversation, play
from tests.support.running.processes import embedded
from tests.support.servers.browser import chromium, errors_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COMPLAINT = {"zh-CN": "线上报表查询突然变慢，IO 等待很高", "en-US": "reports suddenly became slow, IO waits are high"}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Everything in one process, as `dbdiag up` starts it; it knows a database that does not answer."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "data").mkdir()
    targets = "targets: [{id: shop, kind: postgres, conninfo: host=/nowhere-at-all}]\n"
    (folder / "data" / "targets.yaml").write_text(targets)
    with embedded(folder) as running:
        yield running.url


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    """A real, headless Chromium."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def browser(started: Browser) -> Iterator[Browser]:
    """The browser, whose pages are closed with the test: an open one goes on working."""
    yield started
    for context in started.contexts:
        context.close()


def _open(browser: Browser, address: str, locale: str = "zh-CN", **more: Any) -> tuple[Page, list[str]]:
    """A page, and the errors it will have had."""
    page = browser.new_context(locale=locale, **more).new_page()
    page.set_default_timeout(30_000)
    errors = errors_of(page)
    page.goto(address)
    return page, errors


def _say(page: Page, text: str) -> None:
    page.fill("#message", text)
    page.press("#message", "Enter")


def _answered(page: Page, turns: int) -> None:
    page.wait_for_function("turns => document.querySelectorAll('.user').length === turns", arg=turns)
    page.wait_for_selector("#log[aria-busy=false]")


def _beliefs(page: Page) -> dict[str, str]:
    causes = page.query_selector_all(".cause[data-cause]")
    return {str(cause.get_attribute("data-cause")): cause.query_selector("b").inner_text() for cause in causes}  # type: ignore[union-attr]


@pytest.mark.sampled
@pytest.mark.parametrize("locale", sorted(COMPLAINT))
def test_a_complaint_an_answer_and_a_reload(browser: Browser, url: str, locale: str) -> None:
    """A complaint brings causes, an answer by button moves the belief, and a reload shows the same again."""
    page, errors = _open(browser, url, locale)
    _say(page, COMPLAINT[locale])
    _answered(page, 1)
    page.wait_for_selector(".cause")
    first = _beliefs(page)
    assert first
    page.click(".check [data-answer=yes]")
    _answered(page, 2)
    second = _beliefs(page)
    assert second != first
    bubbles = page.locator(".user, .assistant").all_inner_texts()
    address = page.url
    assert "#" in address
    page.reload()
    page.wait_for_selector(".cause[data-cause]")
    assert page.url == address
    assert _beliefs(page) == second
    assert page.locator(".user, .assistant").all_inner_texts() == bubbles
    assert errors == []


@pytest.mark.sampled
@pytest.mark.parametrize(("answer", "says"), [("look", "没成功"), ("noLook", "不看")])
def test_the_offer_to_look_is_two_buttons(browser: Browser, url: str, answer: str, says: str) -> None:
    """A yes looks and tells what came of it, a no is left at that; either way the buttons are gone."""
    page, errors = _open(browser, url)
    _say(page, "很多会话在等锁")
    _answered(page, 1)
    page.click(f".offer [data-offer={answer}]")
    _answered(page, 2)
    assert says in page.locator(".assistant").last.inner_text()
    assert page.locator(".offer").count() == 0
    assert errors == []


def test_what_is_said_is_never_obeyed(browser: Browser, url: str) -> None:
    """Markup in a message is shown as it was typed, by the person's bubble and by whatever quotes it."""
    page, errors = _open(browser, url)
    _say(page, "<img src=x onerror=alert(1)> **慢** 的查询")
    _answered(page, 1)
    assert page.locator(".user").inner_text() == "<img src=x onerror=alert(1)> **慢** 的查询"
    assert page.locator("#log img, #case img").count() == 0
    assert errors == []


@pytest.mark.slow
def test_the_language_is_a_button(browser: Browser, url: str) -> None:
    """The toggle turns every word of the page, and the next answer, into the other language."""
    page, _ = _open(browser, url, "zh-CN")
    assert page.inner_text("#send") == "发送"
    page.click("#language")
    assert page.inner_text("#send") == "Send"
    assert page.get_attribute("html", "lang") == "en"
    _say(page, COMPLAINT["zh-CN"])
    _answered(page, 1)
    page.wait_for_selector(".cause")
    name = page.locator(".cause span").first.inner_text()
    assert not any("\u4e00" <= letter <= "\u9fff" for letter in name)


@pytest.mark.slow
def test_an_unknown_session_starts_a_new_one(browser: Browser, url: str) -> None:
    """A link to a session that is gone says so and leaves an empty page to begin with."""
    page, _ = _open(browser, f"{url}/#no-such-session")
    page.wait_for_selector(".hello")
    assert "没有这个会话" in page.inner_text("#log")
    assert "#" not in page.url


@pytest.mark.slow
def test_a_phone_shows_everything(browser: Browser, url: str) -> None:
    """At a phone's width nothing is cut off at the side, and the input stays in sight."""
    page, _ = _open(browser, url, viewport=PHONE)
    _say(page, COMPLAINT["zh-CN"])
    _answered(page, 1)
    page.wait_for_selector(".check")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = page.locator("#message").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"]


# What the tickets of two unlike causes recorded, the first of each said first.
TWO_FAULTS = [
    "P-0029",
    "P-0009",
    "P-0063",
    "P-0064",
    "P-0069",
    "P-0070",
    "P-0014",
    "P-0021",
    "P-0023",
    "P-0025",
    "P-0050",
]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_second_cause_and_a_contradiction_are_shown(browser: Browser, url: str, language: str) -> None:
    """The two answers that contradict each other stand above the causes, the second cause inside the conclusion."""
    talk = Conversation(url, language)
    yes = "有" if language == "zh" else " yes"
    talk.say(f"{TWO_FAULTS[0]}{yes}, {TWO_FAULTS[1]}{yes}")
    pair = [answer["description"] for answer in talk.details["contradiction"]]
    page, errors = _open(browser, f"{url}/#{talk.session_id}", "zh-CN" if language == "zh" else "en-US")
    page.wait_for_selector("#pair:visible")
    assert all(name in page.inner_text("#pair") for name in pair)
    play(talk, {"answer_until_concluded": 14}, TWO_FAULTS)
    page.reload()
    page.wait_for_selector("#conclusion h3")
    second = talk.details["diagnosis"]["second_cause"]["description"]
    assert second in page.inner_text("#conclusion .against")
    assert errors == []


@pytest.mark.slow
def test_no_contradiction_shows_none(browser: Browser, url: str) -> None:
    """Without two answers that contradict each other there is no line about them."""
    page, _ = _open(browser, url, "en-US")
    _say(page, COMPLAINT["en-US"])
    _answered(page, 1)
    page.wait_for_selector(".cause[data-cause]")
    assert not page.is_visible("#pair")


@pytest.mark.slow
def test_a_way_to_look_keeps_its_lines(browser: Browser, url: str) -> None:
    """A way to look that a person carries out is shown in its lines: a comment would swallow the statement after it."""
    page, _ = _open(browser, url, "en-US")
    _say(page, COMPLAINT["en-US"])
    _answered(page, 1)
    page.wait_for_selector(".check p")
    assert {page.eval_on_selector(".check p", "each => getComputedStyle(each).whiteSpace")} == {"pre-wrap"}


@pytest.mark.sampled
@pytest.mark.parametrize(("locale", "told"), [("zh-CN", "已关闭"), ("en-US", "Closed")])
def test_a_case_is_closed_in_the_page(browser: Browser, url: str, locale: str, told: str) -> None:
    """`/close` with a known cause makes a proposal and says so; with an unknown one it is refused in the language."""
    page, errors = _open(browser, url, locale)
    _say(page, COMPLAINT[locale])
    _answered(page, 1)
    _say(page, "/close RC-0404")
    page.wait_for_selector(".problem")
    assert "RC-0404" in page.inner_text(".problem")
    _say(page, "/close RC-0001 restarted it")
    page.wait_for_selector("#log p.faint")
    assert told in page.inner_text("#log p.faint")
    assert "PR-" in page.inner_text("#log p.faint")
    assert not page.query_selector(".problem")
    assert [error for error in errors if "422" not in error] == []


@pytest.mark.slow
def test_rows_of_data_are_a_table_that_survives_a_reload(browser: Browser, url: str) -> None:
    """What an answer lists between bars is drawn as a table, also when the page is opened again later."""
    page, errors = _open(browser, url, "en-US")
    _say(page, "tickets per month")
    _answered(page, 1)
    page.wait_for_selector("#log .figure table th")
    assert "| ---" not in page.inner_text("#log")
    _say(page, COMPLAINT["en-US"])
    _answered(page, 2)
    page.reload()
    page.wait_for_selector("#log .figure table th")
    assert "| ---" not in page.inner_text("#log")
    assert errors == []


def test_the_page_is_small() -> None:
    """All that the page loads stays under 26.5 KiB: 25, and 1.5 that came with closing a case."""
    web = Path(gateway.__file__).parent / "web"
    assert (
        sum(path.stat().st_size for path in web.iterdir() if path.suffix in (".html", ".js", ".css", ".svg", ".json"))
        < 26.5 * 1024
    )


@pytest.mark.slow
@pytest.mark.parametrize(("locale", "hint"), [("zh-CN", "1有 2没有"), ("en-US", "1 yes 2 no")])
def test_an_answer_to_a_list_that_passed_shows_the_one_that_holds(
    browser: Browser, url: str, locale: str, hint: str
) -> None:
    """When the conversation went on elsewhere, an answer records nothing, the page shows what was said and keeps it."""
    page, _ = _open(browser, url, locale)
    _say(page, COMPLAINT[locale])
    _answered(page, 1)
    assert hint in str(page.get_attribute("#message", "placeholder"))
    elsewhere, _ = _open(browser, page.url, locale)
    elsewhere.wait_for_selector(".check")
    elsewhere.click(".check [data-answer=no]")
    _answered(elsewhere, 2)
    _say(page, hint)
    _answered(page, 2)
    assert page.input_value("#message") == hint
    assert _beliefs(page) == _beliefs(elsewhere)
    page.press("#message", "Enter")
    _answered(page, 3)
    assert page.input_value("#message") == ""


@pytest.mark.slow
def test_a_failure_and_its_button_are_two_words(browser: Browser, url: str) -> None:
    """What went wrong and the way to try again stand apart, also where the text is copied or read out."""
    page, _ = _open(browser, url, "en-US")
    page.route("**/chat/stream", lambda route: route.abort())
    _say(page, COMPLAINT["en-US"])
    assert "dbdiag does not answer. Try again" in str(page.text_content(".problem"))

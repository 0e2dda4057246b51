"""Other people's pages, the token and the documents, in a real Chromium against a real dbdiag."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.support.running.processes import Running, embedded
from tests.support.servers.browser import chromium, errors_of

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TOKEN = "only-for-this-test-0001"
COMPLAINT = {"zh-CN": "线上报表查询突然变慢，IO 等待很高", "en-US": "reports suddenly became slow, IO waits are high"}


class _Foreign(BaseHTTPRequestHandler):
    """An empty page of somebody else's."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>foreign</title>")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def foreign() -> Iterator[int]:
    """The port of a server of another origin on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Foreign) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield int(server.server_address[1])
        server.shutdown()


@pytest.fixture
def open_gateway(embedded_dbdiag: Running) -> Running:
    """A dbdiag as anybody starts it."""
    return embedded_dbdiag


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A dbdiag with a token."""
    with embedded(tmp_path_factory.mktemp("locked"), token=TOKEN) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real, headless Chromium in which the name evil.example means this machine."""
    with chromium("--host-resolver-rules=MAP evil.example 127.0.0.1") as started:
        yield started


def _open(browser: Browser, address: str, locale: str = "zh-CN") -> tuple[Page, list[str]]:
    page = browser.new_context(locale=locale).new_page()
    page.set_default_timeout(30_000)
    errors = errors_of(page)
    page.goto(address)
    return page, errors


def _turns(running: Running) -> float:
    lines = httpx.get(f"{running.url}/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("dbdiag_turns_total"))


_POST = """async ([url, mode, type]) => {
    const body = JSON.stringify({ message: "please look at the database yourself" });
    try {
        const response = await fetch(url, { method: "POST", mode, headers: { "content-type": type }, body });
        return [response.type, await response.text()];
    } catch (error) {
        return ["refused", ""];
    }
}"""
_READ = "url => fetch(url).then((response) => response.text()).catch(() => null)"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.example"])
def test_a_foreign_page_does_nothing_and_reads_nothing(
    browser: Browser, open_gateway: Running, foreign: int, host: str
) -> None:
    """A page of another port, another loopback name or another site makes no turn happen and reads no answer."""
    before = _turns(open_gateway)
    page, _ = _open(browser, f"http://{host}:{foreign}/")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
        for mode in ("no-cors", "cors"):
            _, text = page.evaluate(_POST, [f"{open_gateway.url}/chat", mode, kind])
            assert text == ""
    for path in ("/metrics", "/targets", "/knowledge/proposals", "/openapi.json", "/", "/healthz"):
        assert page.evaluate(_READ, open_gateway.url + path) is None
    page.evaluate(
        """url => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: url, enctype: "text/plain" });
            const field = Object.assign(document.createElement("input"), { name: '{"message": "slow', value: '"}' });
            form.append(field);
            document.body.append(form);
            form.submit();
        }""",
        f"{open_gateway.url}/chat",
    )
    page.wait_for_url(f"{open_gateway.url}/chat")
    assert "foreign_origin" in page.inner_text("body")
    assert _turns(open_gateway) == before


def test_a_name_bound_to_this_machine_reads_nothing(browser: Browser, open_gateway: Running) -> None:
    """After DNS rebinding the foreign page is of the same origin, and every door is still shut to its name."""
    before = _turns(open_gateway)
    address = open_gateway.url.replace("127.0.0.1", "evil.example")
    # The probes answer to any name, so the page has an origin to ask from.
    page, _ = _open(browser, f"{address}/healthz")
    for path in ("/", "/docs", "/metrics", "/targets", "/knowledge/proposals"):
        assert "host_not_allowed" in page.evaluate(_READ, address + path)
    kind, text = page.evaluate(_POST, [f"{address}/chat", "same-origin", "application/json"])
    assert (kind, "host_not_allowed" in text) == ("basic", True)
    assert _turns(open_gateway) == before


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_no_page_can_be_framed(browser: Browser, open_gateway: Running, foreign: int, path: str) -> None:
    """A foreign page that frames one of the pages gets nothing into the frame."""
    page, _ = _open(browser, f"http://127.0.0.1:{foreign}/")
    page.evaluate(
        """url => new Promise((resolve) => {
            const frame = Object.assign(document.createElement("iframe"), { src: url, onload: resolve });
            document.body.append(frame);
        })""",
        open_gateway.url + path,
    )
    assert all("dbdiag" not in frame.content() for frame in page.frames)


def test_a_link_from_another_page_opens_the_page(browser: Browser, open_gateway: Running, foreign: int) -> None:
    """A link in somebody's ticket opens the page, which then works as ever."""
    page, errors = _open(browser, f"http://127.0.0.1:{foreign}/")
    page.evaluate(
        """url => {
            const link = Object.assign(document.createElement("a"), { href: url, textContent: "case" });
            document.body.append(link);
            link.click();
        }""",
        f"{open_gateway.url}/",
    )
    page.wait_for_selector(".hello")
    page.fill("#message", COMPLAINT["zh-CN"])
    page.press("#message", "Enter")
    page.wait_for_selector(".cause[data-cause]")
    assert errors == []


@pytest.mark.parametrize(("locale", "wrong"), [("zh-CN", "令牌不对"), ("en-US", "not the right token")])
def test_the_page_asks_for_the_token_once(browser: Browser, locked: Running, locale: str, wrong: str) -> None:
    """The page asks on the first refusal and after a wrong token, then never in this tab, and shows it nowhere."""
    page, errors = _open(browser, locked.url, locale)
    page.fill("#message", COMPLAINT[locale])
    page.press("#message", "Enter")
    page.fill("#token", "wrong-wrong-wrong-wrong")
    page.press("#token", "Enter")
    page.wait_for_function("words => document.querySelector('dialog')?.innerText.includes(words)", arg=wrong)
    page.fill("#token", TOKEN)
    page.press("#token", "Enter")
    page.wait_for_selector(".cause[data-cause]")
    assert page.locator("dialog").count() == 0
    bubbles = page.locator(".user, .assistant").all_inner_texts()
    page.reload()
    page.wait_for_selector(".cause[data-cause]")
    assert page.locator("dialog").count() == 0
    assert page.locator(".user, .assistant").all_inner_texts() == bubbles
    page.goto(f"{locked.url}/docs")
    page.wait_for_selector(".operation")
    assert TOKEN not in page.content()
    assert page.evaluate("JSON.stringify([localStorage, document.cookie])").find(TOKEN) == -1
    assert [error for error in errors if "401" not in error] == []


@pytest.mark.parametrize(("locale", "body"), [("zh-CN", "请求体"), ("en-US", "Request body")])
def test_the_documents_show_every_operation(browser: Browser, open_gateway: Running, locale: str, body: str) -> None:
    """/docs loads without any other host and shows each path, its parameters, its schemas and a command for it."""
    asked: list[str] = []
    page = browser.new_context(locale=locale).new_page()
    errors = errors_of(page)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{open_gateway.url}/docs")
    page.wait_for_selector(".operation")
    document = httpx.get(f"{open_gateway.url}/openapi.json").json()
    shown = {str(node.get_attribute("id")) for node in page.query_selector_all(".operation")}
    assert shown == {f"{method}{path}" for path, methods in document["paths"].items() for method in methods}
    chat = page.locator("[id='post/chat']")
    chat.locator("summary").click()
    text = chat.inner_text()
    assert body in text
    for name in document["components"]["schemas"]["ChatBody"]["properties"]:
        assert name in text
    assert '"zh" | "en"' in text
    assert f"curl -s -X POST {open_gateway.url}/chat" in text
    assert all(address.startswith(f"{open_gateway.url}/") for address in asked)
    assert errors == []

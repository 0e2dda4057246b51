from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cli import output
from gateway.cli.chat import script
from gateway.cli.chat.client import Gateway
from gateway.cli.chat.conversation import Conversation, keep_lines, strip_controls, unknown_command
from gateway.cli.chat.terminal import step_words
from gateway.cli.language import choose_language, language
from gateway.cli.main import main
from services.chassis import errors
from tests.support.cases import for_each
from tests.support.running.forked import run
from tests.support.servers.scripted_gateway import ScriptedGateway

pytestmark = pytest.mark.sampled


def _chat(scripted: ScriptedGateway, lines: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("gateway.cli", "chat", "--url", scripted.url, *arguments, folder=Path.cwd(), said=lines)


def test_a_script_says_one_message_a_line(scripted: ScriptedGateway) -> None:
    """Without a terminal each line is one message of the same session, and the answers are plain text."""
    done = _chat(scripted, "reports are slow\n\nsecond\n/exit\nnever said\n")
    assert done.returncode == 0
    assert done.stdout == "You said reports are slow <to me>[31m\n\nYou said second <to me>[31m\n\n"
    assert [body["message"] for body in scripted.bodies] == ["reports are slow", "second"]
    assert "session_id" not in scripted.bodies[0]
    assert scripted.bodies[1]["session_id"] == "s-1"
    assert "session s-1" in done.stderr


def test_json_prints_one_object_a_turn(scripted: ScriptedGateway) -> None:
    """With --json each line of output is the body of one answer."""
    done = _chat(scripted, "慢\n再慢\n", "--json", "--language", "zh")
    bodies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [body["turn"] for body in bodies] == [1, 2]
    assert scripted.bodies[0]["language"] == "zh"


def test_a_refused_message_is_told_and_the_rest_goes_on(scripted: ScriptedGateway) -> None:
    """A refusal is one line on stderr and exit code 2 at the end; later messages are still said."""
    done = _chat(scripted, "refuse\nthen this\n")
    assert done.returncode == output.BAD_INPUT
    assert "dbdiag: refused as told\n" in done.stderr
    assert "then this" in done.stdout


def test_each_message_says_which_turn_was_seen(scripted: ScriptedGateway) -> None:
    """The first message of a script has seen none; later ones the turn answered last, or the one a refusal told."""
    done = _chat(scripted, "one\ntwo\nlate\nthree\n", "--session", "s-1")
    assert done.returncode == output.BAD_INPUT
    assert "dbdiag: now at 7\n" in done.stderr
    assert [body.get("turn") for body in scripted.bodies] == [None, 1, 2, 7]


def test_a_target_is_told_until_the_session_has_it(scripted: ScriptedGateway) -> None:
    """Messages name the target up to the first that is answered; later ones do not."""
    done = _chat(scripted, "refuse\none\ntwo\n", "--target", "orders")
    assert done.returncode == output.BAD_INPUT
    assert [body.get("target") for body in scripted.bodies] == ["orders", "orders", None]


def test_a_step_that_takes_long_says_what_it_is_at() -> None:
    """The note of a step stands after its words, in both languages."""
    assert step_words("zh", "collect_evidence", "3 · 锁") == "自己去看 · 3 · 锁"
    assert step_words("en", "collect_evidence") == "checking the system"


def test_a_session_that_answered_nothing_is_not_offered(scripted: ScriptedGateway) -> None:
    """After nothing but refusals no session is named as one to go on with."""
    done = _chat(scripted, "refuse\n", "--session", "nope")
    assert done.returncode == output.BAD_INPUT
    assert done.stderr == "dbdiag: refused as told\n"


def test_a_gateway_that_is_down_ends_it(scripted: ScriptedGateway) -> None:
    """A dependency that is down ends the conversation with exit code 3."""
    done = _chat(scripted, "down\nnever said\n", "--json")
    assert done.returncode == output.DEPENDENCY_DOWN
    assert json.loads(done.stderr.splitlines()[0])["reason"] == "engine_down"
    assert len(scripted.bodies) == 1


def test_nobody_there_is_exit_code_3() -> None:
    """A named gateway that does not answer is told with what to do, and nothing else is started."""
    done = run("gateway.cli", "chat", "--url", "http://127.0.0.1:9", folder=Path.cwd(), said="x\n")
    assert done.returncode == output.DEPENDENCY_DOWN
    assert "dbdiag up" in done.stderr


def test_a_broken_answer_is_asked_for_again(scripted: ScriptedGateway) -> None:
    """When the stream breaks off, the same request id is sent once more."""
    gateway = Gateway(scripted.url)
    talk = Conversation(gateway, session_id=None, language=None, new_id=lambda: "r-1")
    out = io.StringIO()
    assert script.run(talk, ["break"], out, as_json=False) == 0
    gateway.close()
    assert [body["request_id"] for body in scripted.bodies] == ["r-1", "r-1"]
    assert out.getvalue().count("You said break") == 1


def test_only_a_dbdiag_counts_as_ready(scripted: ScriptedGateway) -> None:
    """Something else that answers on the port is not taken for a gateway."""
    gateway = Gateway(scripted.url)
    assert gateway.is_ready()
    scripted.paths = {}
    assert not gateway.is_ready()
    gateway.close()


@pytest.mark.parametrize(("locale", "detail"), [("zh_CN", "要令牌"), ("en_US", "a token")])
def test_the_token_of_the_environment_goes_with_every_request(
    scripted: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, locale: str, detail: str
) -> None:
    """With DBDIAG_TOKEN a chat is answered; without it or with another, exit code 2, saying so and never showing it."""
    scripted.token = "only-for-this-test-0001"
    monkeypatch.setenv("LC_ALL", locale)
    for wrong in (None, "only-for-this-test-0002"):
        if wrong:
            monkeypatch.setenv("DBDIAG_TOKEN", wrong)
        refused = _chat(scripted, "slow\n")
        assert refused.returncode == output.BAD_INPUT
        assert detail in refused.stderr
        assert "DBDIAG_TOKEN" in refused.stderr
        assert "only-for" not in refused.stdout + refused.stderr
    monkeypatch.setenv("DBDIAG_TOKEN", scripted.token)
    done = _chat(scripted, "slow\n/close RC-0001\n")
    assert (done.returncode, "You said slow" in done.stdout, "PR-1" in done.stdout) == (0, True, True)
    assert scripted.token not in done.stdout + done.stderr


def test_a_gateway_that_wants_another_token_is_not_passed_over(scripted: ScriptedGateway) -> None:
    """Where a gateway runs but refuses the token, chat says so rather than starting services of its own."""
    scripted.token = "only-for-this-test-0001"
    for token in (None, "only-for-this-test-0002"):
        gateway = Gateway(scripted.url, token)
        with pytest.raises(errors.InvalidInput, match="DBDIAG_TOKEN"):
            gateway.is_ready()
        gateway.close()
    gateway = Gateway(scripted.url, scripted.token)
    assert gateway.is_ready()
    gateway.close()


def test_an_unknown_session_is_not_found(scripted: ScriptedGateway) -> None:
    """Asking for a session that is gone raises NotFound with the gateway's reason."""
    gateway = Gateway(scripted.url)
    with pytest.raises(errors.NotFound) as caught:
        gateway.session("../secrets")
    gateway.close()
    assert caught.value.reason == "session_not_found"


def test_an_address_must_be_one() -> None:
    """A URL without scheme and host is refused before anything is sent."""
    with pytest.raises(errors.InvalidInput):
        Gateway("localhost:8080")


@given(st.text())
def test_nothing_printed_steers_the_terminal(text: str) -> None:
    """Of any text only printable characters, line ends and tabs are left, and plain text is left as it is."""
    shown = strip_controls(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
    assert strip_controls(shown) == shown


@for_each(
    ("message", "command"),
    [("/status", None), ("/stauts", "/stauts"), ("/var/log is full", None), ("it is slow", None), ("/EXIT", None)],
)
def test_only_whole_words_are_commands(message: str, command: str | None) -> None:
    """A path is a message; a slash word that nobody knows is told."""
    assert unknown_command(message) == command


def test_line_ends_are_kept_and_lists_stand_apart() -> None:
    """Lines are not joined, a list may begin at 2, what follows it is no part of it, and code stays as it is."""
    text = "look:\n2. two\n   `x`\nthen\n```sql\n- 1\nSELECT\n```\nend"
    spaced = "look:  \n\n2. two  \n   `x`  \n\nthen  \n```sql\n- 1\nSELECT\n```\nend  "
    assert keep_lines(text) == spaced


def test_language_by_wish_then_by_locale() -> None:
    """What was asked for wins over the locale; LC_ALL wins over LANG; English without either."""
    assert choose_language("en", {"LANG": "zh_CN.UTF-8"}) == "en"
    assert choose_language(None, {"LANG": "zh_CN.UTF-8"}) == "zh"
    assert choose_language(None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}) == "en"
    assert choose_language(None, {}) == "en"
    assert step_words("en", "match_phenomena") != step_words("en", "diagnose")


def test_a_language_is_spoken_until_its_command_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """A command and its failure speak the language asked for; the next one speaks the locale's again."""
    assert main(["faults", "--nonsense", "--lang", "zh"]) == output.BAD_INPUT
    assert "没有" in capsys.readouterr().err
    assert language() == "en"
    assert main(["faults", "--nonsense"]) == output.BAD_INPUT
    assert "No such option" in capsys.readouterr().err


class Terminal:
    """A chat in session s-1 on a terminal of its own, seen from our side of that terminal."""

    def __init__(self, url: str, state: Path) -> None:
        self._ours, theirs = pty.openpty()
        environ = os.environ | {"XDG_STATE_HOME": str(state), "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        command = [sys.executable, "-m", "gateway.cli", "chat", "--url", url, "--session", "s-1"]
        self.child = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
        )
        os.close(theirs)
        self._unread = b""

    def until(self, words: str) -> str:
        """What is shown up to and with these words; what came after them is left for the next time."""
        wanted, end = words.encode(), time.monotonic() + 15
        while wanted not in self._unread:
            ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"waited for {words!r}, seen {self._unread!r}"
            self._unread += os.read(self._ours, 4096)
        at = self._unread.index(wanted) + len(wanted)
        seen, self._unread = self._unread[:at], self._unread[at:]
        return seen.decode("utf-8", "replace")

    def type(self, keys: bytes) -> None:
        """Presses these keys."""
        os.write(self._ours, keys)

    def close(self) -> None:
        """Ends the chat, however it stands."""
        self.child.kill()
        self.child.wait(10)
        os.close(self._ours)


@pytest.fixture
def terminal(scripted: ScriptedGateway, tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(scripted.url, tmp_path)
    yield opened
    opened.close()


@pytest.mark.slow
def test_a_terminal_resumes_and_says_how_to_come_back(terminal: Terminal, tmp_path: Path) -> None:
    """On a terminal the past is shown, a message is answered, and leaving tells the command to go on."""
    seen = terminal.until("you › ")
    terminal.type(b"hello there\n")
    seen += terminal.until("[31m")
    seen += terminal.until("you › ")
    terminal.type(b"\x04")
    seen += terminal.until("--url")
    assert terminal.child.wait(10) == 0
    assert "记下了" in seen
    assert "You said hello there <to me>" in seen
    assert "dbdiag chat --session s-1" in seen
    assert (tmp_path / "dbdiag" / "history").stat().st_mode & 0o077 == 0


def test_an_interrupt_ends_the_waiting_not_the_session(terminal: Terminal, scripted: ScriptedGateway) -> None:
    """Ctrl-C while an answer is awaited gives the prompt back, and the next message is answered."""
    terminal.until("you › ")
    terminal.type(b"wait\n")
    terminal.until("comparing")
    terminal.child.send_signal(signal.SIGINT)
    terminal.until("The session is saved")
    terminal.until("you › ")
    terminal.type(b"and now\n")
    terminal.until("You said and now")
    terminal.until("you › ")
    terminal.type(b"and then\n")
    terminal.until("You said and then")
    assert [body.get("turn") for body in scripted.bodies] == [1, None, 2]


def test_a_case_is_closed_from_the_conversation(scripted: ScriptedGateway) -> None:
    """`/close` sends a known cause with what helped, or a new one in words, and says what became of it."""
    done = _chat(scripted, "slow\n/close rc-0001 added an index\n/close the disk was full\n")
    assert done.returncode == 0
    assert scripted.bodies[1:] == [
        {"root_cause_id": "RC-0001", "solution": "added an index"},
        {"root_cause": "the disk was full"},
    ]
    assert "Closed as RC-0001. Proposal PR-1 awaits review" in done.stdout
    assert "25% → 50%; 0 of 7 past cases change" in done.stdout
    spoken = _chat(scripted, "慢\n/close RC-0001\n", "--language", "zh")
    assert "已关闭，定为 RC-0001" in spoken.stdout


def test_a_closing_that_is_refused_does_not_end_the_conversation(scripted: ScriptedGateway) -> None:
    """Without a cause how to close is told; an unknown one is refused in one line; what follows is still said."""
    done = _chat(scripted, "slow\n/close\n/close RC-0404\nstill here\n")
    assert done.returncode == output.BAD_INPUT
    assert "To close: /close RC-0001" in done.stderr
    assert "there is no RC-0404" in done.stderr
    assert "You said still here" in done.stdout
    assert _chat(scripted, "/close RC-0001\n").returncode == output.BAD_INPUT

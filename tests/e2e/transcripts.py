"""The conversations that the documents show, as the program holds them; run this module to write them there."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.support.conversations import Conversation, play
from tests.support.running.processes import embedded

ROOT = Path(__file__).parents[2]


class Transcript(NamedTuple):
    """A conversation in a document: the person's messages, short answers by the phenomena that they see, then more."""

    document: str
    language: str
    messages: tuple[str, ...]
    seen: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


_SLOW = ("P-0003", "P-0009", "P-0010", "P-0061", "P-0062", "P-0102", "P-0103", "P-0119")
TRANSCRIPTS = (
    Transcript(
        "README.md",
        "en",
        ("the app gets 'too many clients'", "we run 40 pods with a pool of 20 each, max_connections is 300"),
    ),
    Transcript(
        "README.zh.md", "zh", ("应用报 too many clients", "现在 40 个 pod，每个池子 20，max_connections 是 300")
    ),
    Transcript(
        "docs/conversations.md",
        "en",
        ("our reporting queries suddenly got slow", "IO waits are high, CPU is fine", "could it be the disk?"),
        _SLOW,
        (
            "does rebuilding it block writes, can I do it now?",
            "why are you so sure",
            "rebuilt it concurrently, reports are fast again",
            "what's left to do?",
            "two sentences for my boss",
        ),
    ),
    Transcript(
        "docs/conversations.md",
        "zh",
        ("线上报表查询突然变慢", "IO 等待很高，CPU 倒是不高", "会不会是磁盘的问题？"),
        _SLOW,
        (
            "现在重建索引会不会挡住写？",
            "凭什么这么肯定",
            "在线重建索引跑完了，报表又快了",
            "还剩什么要做",
            "给老板写两句话",
        ),
    ),
)
_SPEAKERS = {"zh": ("**你**", "**dbdiag**"), "en": ("**You**", "**dbdiag**")}


def render(url: str, wanted: Transcript) -> str:
    """The whole conversation as Markdown: each answer a quoted block below its message."""
    conversation = Conversation(url)
    said: list[str] = []
    say = conversation.say

    def keep(message: str) -> None:
        said.append(message)
        say(message)

    conversation.say = keep  # type: ignore[assignment]
    for message in wanted.messages:
        conversation.say(message)
    if wanted.seen:
        play(conversation, {"answer_until_concluded": 10}, list(wanted.seen))
    for message in wanted.after:
        conversation.say(message)
    you, dbdiag = _SPEAKERS[wanted.language]
    blocks = []
    for message, response in zip(said, conversation.responses, strict=True):
        blocks.append(f"{you}: {message}\n")
        blocks.append("\n".join(f"> {line}".rstrip() for line in f"{dbdiag}: {response['message']}".split("\n")) + "\n")
    return "\n".join(blocks)


def insert(document: str, language: str, text: str) -> str:
    """The document with the transcript between its markers."""
    begin, end = f"<!-- transcript {language} -->", f"<!-- end of transcript {language} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(document), f"the document has no place for the transcript in {language}"
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", document)


def main() -> None:
    """Writes every transcript into its document."""
    with tempfile.TemporaryDirectory() as folder, embedded(Path(folder)) as running:
        for wanted in TRANSCRIPTS:
            path = ROOT / wanted.document
            text = insert(path.read_text(encoding="utf-8"), wanted.language, render(running.url, wanted))
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""The conversations that the README shows, as the program has them; run this module to write them there."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.support.conversations import Conversation, play
from tests.support.processes import embedded

README = Path(__file__).parent.parent.parent / "README.md"

# What is really there, and what the person says; the rest are short answers to what was asked.
SEEN = ["P-0003", "P-0009", "P-0010", "P-0061", "P-0062", "P-0102", "P-0103", "P-0119"]
OPENINGS = {
    "zh": ["线上报表查询突然变慢", "IO 等待很高，CPU 倒是不高", "会不会是磁盘的问题？"],
    "en": ["our reporting queries suddenly got slow", "IO waits are high, CPU is fine", "could it be the disk?"],
}
_SPEAKERS = {"zh": ("**你**", "**dbdiag**"), "en": ("**You**", "**dbdiag**")}


def transcript(url: str, language: str) -> str:
    """The whole conversation as Markdown: each message and each answer a quoted block."""
    conversation = Conversation(url)
    said: list[str] = []
    say = conversation.say

    def keep(message: str) -> None:
        said.append(message)
        say(message)

    conversation.say = keep  # type: ignore[assignment]
    for opening in OPENINGS[language]:
        conversation.say(opening)
    play(conversation, {"answer_until_concluded": 10}, SEEN)
    you, dbdiag = _SPEAKERS[language]
    blocks = []
    for message, response in zip(said, conversation.responses, strict=True):
        blocks.append(f"{you}: {message}\n")
        blocks.append("\n".join(f"> {line}".rstrip() for line in f"{dbdiag}: {response['message']}".split("\n")) + "\n")
    return "\n".join(blocks)


def placed(readme: str, language: str, text: str) -> str:
    """The README with the transcript between its markers."""
    begin, end = f"<!-- transcript {language} -->", f"<!-- end of transcript {language} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(readme), f"README.md has no place for the transcript in {language}"
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", readme)


def main() -> None:
    """Writes both transcripts into the README."""
    with tempfile.TemporaryDirectory() as folder, embedded(Path(folder)) as running:
        readme = README.read_text(encoding="utf-8")
        for language in OPENINGS:
            readme = placed(readme, language, transcript(running.url, language))
    README.write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    main()

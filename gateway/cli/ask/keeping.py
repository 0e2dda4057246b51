"""`dbdiag ask --keep`: an answer that a person has verified becomes an example of the data's layer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.cli.language import Texts

if TYPE_CHECKING:
    from gateway.analysis.answer import Answer
    from gateway.cli.ask.asking import Ask
    from gateway.cli.language import LanguageCode

say = Texts("ask").say
# Another day of another month, quarter, year and week day.
_ANOTHER_DAY = dt.date(2019, 2, 6).isoformat()


def own_file(data_dir: Path) -> Path:
    """Where verified answers about dbdiag's own data are kept."""
    from services.analyst.dataset_files import own_examples

    return own_examples(data_dir)


async def keep(ask: Ask, answer: Answer, asked: str, before: Sequence[str], question: str, path: Path) -> str:
    """Keeps the intent of an answer under the question that was `asked`, and says so or why not.

    before, question: what gave the answer. One that would differ on another day is not kept.
    """
    from services.analyst.dataset_files import keep_intent

    language: LanguageCode = "zh" if any("\u3400" <= sign <= "\u9fff" for sign in asked) else "en"
    if answer.status != "answered" or answer.intent is None:
        return say("not_kept_status", language)
    if (await ask(question, language, before, _ANOTHER_DAY)).intent != answer.intent:
        return say("not_kept_time", language)
    keep_intent(path, asked, answer.intent)
    return say("kept", language, question=asked, path=path)

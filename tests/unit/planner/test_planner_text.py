from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.planner.model import Language
from services.planner.understand.text.messages import language_of, read

PRINTABLE = st.text(string.ascii_letters + string.digits + string.punctuation + " ", max_size=40)


@given(PRINTABLE)
@example("IO  wait `high`")
def test_a_message_reads_the_same_beside_other_characters(text: str) -> None:
    """Plain English is read by the rule that holds for all messages, whichever way it is read faster."""
    alone, beside = read(text), read(f"{text}中")
    assert f"{alone.normal}中" == beside.normal
    assert (*alone.origins, len(text)) == beside.origins


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("偶发 FATAL: sorry, too many clients already", Language.ZH),
        ("日志里 ERROR: could not extend file base: No space left on device", Language.ZH),
        ("app says FATAL: sorry, too many clients already", Language.EN),
        ("ERROR: deadlock detected", Language.EN),
        ("they call it 慢查询 in the monitoring of the server here", Language.EN),
    ],
)
def test_a_quoted_error_is_nobodys_language(message: str, language: Language) -> None:
    """What a server says does not tell the language of the person who quotes it."""
    assert language_of(message, None) is language

from __future__ import annotations

import string

from hypothesis import example, given
from hypothesis import strategies as st

from services.planner.model import Language
from services.planner.understand.text.messages import language_of, read
from tests.support.cases import for_each

PRINTABLE = st.text(string.ascii_letters + string.digits + string.punctuation + " ", max_size=40)


@given(PRINTABLE)
@example("IO  wait `high`")
def test_a_message_reads_the_same_beside_other_characters(text: str) -> None:
    """Plain English is read by the rule that holds for all messages, whichever way it is read faster."""
    alone, beside = read(text), read(f"{text}中")
    assert f"{alone.normal}中" == beside.normal
    assert (*alone.origins, len(text)) == beside.origins


@for_each(
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


@for_each(
    ("message", "before", "language"),
    [
        ("LOG: checkpoints are occurring too frequently (8 seconds apart)", Language.ZH, Language.ZH),
        (
            "日志里有这个\n\ttuples: 0 removed, 16830417 remain, are dead but not yet removable",
            Language.ZH,
            Language.ZH,
        ),
        ("canceling statement due to user request", Language.ZH, Language.ZH),
        ("SELECT * FROM orders WHERE id = $1", Language.ZH, Language.ZH),
        ("active 52, idle 200, idle in transaction 4", Language.ZH, Language.ZH),
        ("DETAIL:  User query might have needed to see row versions.", Language.ZH, Language.ZH),
        ("shared_buffers 8GB, work_mem 4MB", Language.ZH, Language.ZH),
        ("why is it slow, and what do i do", Language.ZH, Language.EN),
        ("the disk is full, i can't log in", Language.ZH, Language.EN),
        ("日志里有 deadlock detected", Language.EN, Language.ZH),
        ("active 52, idle 200", Language.EN, Language.EN),
    ],
)
def test_output_keeps_the_language_of_the_conversation(message: str, before: Language, language: Language) -> None:
    """The language of an answer is that of the person's own words; a paste, names and figures have none."""
    assert language_of(message, before) is language

from __future__ import annotations

import string

from hypothesis import example, given
from hypothesis import strategies as st

from services.planner.understand.text import read

PRINTABLE = st.text(string.ascii_letters + string.digits + string.punctuation + " ", max_size=40)


@given(PRINTABLE)
@example("IO  wait `high`")
def test_a_message_reads_the_same_beside_other_characters(text: str) -> None:
    """Plain English is read by the rule that holds for all messages, whichever way it is read faster."""
    alone, beside = read(text), read(f"{text}中")
    assert f"{alone.normal}中" == beside.normal
    assert (*alone.origins, len(text)) == beside.origins

"""How long things take since something was done, compared with how long they took before."""

from __future__ import annotations

from lang.numbers.model import Role
from lang.numbers.values import read_values
from lang.tokens import Text, read_text
from services.planner.model import Aftermath, SessionView, Speaker
from services.planner.treatment.done_marks import tells_now
from services.planner.treatment.sentences import sentences_of

_SECONDS = "s"
# A longer message is a story or an output; a longer report tells of more than one thing.
_LONGEST, _SHORT = 300, 60
# So much of the time before, or less, is good news; so much, or more, is none.
_QUICKER, _AS_BEFORE = 1 / 3, 0.8


def aftermath_by_duration(said: str, view: SessionView) -> Aftermath | None:
    """How things are, by the one time that a short sentence tells of now, the last one, and the longest told before."""
    texts = [read_text(each) for each in sentences_of(said[:_LONGEST]) if len(each) <= _SHORT]
    now = next((told for text in reversed(texts) if len(told := _durations(text)) == 1 and tells_now(text)), [])
    if not now:
        return None
    messages = [view.opening, *(each.text for each in view.history if each.speaker is Speaker.USER)]
    messages = [each for each in messages if len(each) <= _LONGEST] + [each.words for each in view.evidence]
    before = max((seconds for each in messages for seconds in _durations(read_text(each))), default=0.0)
    if not before or not now[0]:
        return None
    share = now[0] / before
    return Aftermath.WELL if share <= _QUICKER else Aftermath.UNCHANGED if share >= _AS_BEFORE else None


def _durations(text: Text) -> list[float]:
    values = [each for each in read_values(text) if each.role is Role.VALUE]
    return [each.readings[_SECONDS][1] for each in values if _SECONDS in each.readings and not each.bare]

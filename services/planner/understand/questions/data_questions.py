"""Questions about data that ask in no form of a question: "2025年每月工单数走势", and follow-ups: "只看严重的"."""

from __future__ import annotations

from services.planner.model import QuestionKind, QuestionStep, SessionView
from services.planner.understand.acts.likelihood import likely_label
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import compile_words, listed

_LONGEST = 60
# So sure a question has to be of something else to go on with no question about data.
_SURE = 0.8
_FOLLOWS = compile_words("questions.data_follows")
_SHAPES = compile_words("questions.data_shapes")
_FIGURES = compile_words("questions.data_figures")
_COUNTED = compile_words("questions.data_counted")
_NAMED = compile_words("questions.data_named")
_WANTED = compile_words("questions.data_wants")
_UNWANTED = compile_words("questions.data_unwanted")
_KEPT = listed("questions.data_kept")
_OF_NOW = compile_words("questions.data_of_now")
_ASKS_ON = listed("questions.data_asks_on")
_NUMBER = listed("questions.data_option")
# "Only the primary is slow", "再看看怎么处理" say or ask something else.
_TELLS = listed("questions.data_tells")


def data_question(original: str, view: SessionView) -> QuestionStep | None:
    """A message that names a figure to count, or continues the last turn's question about data; None for others."""
    text = original.strip()
    if not text or len(text) > _LONGEST or "\n" in text:
        return None
    normal = read(text).normal.strip()
    continued = view.data_asked and (_chooses(text, normal, view) or _continues(normal, view))
    kept = _KEPT.search(normal) is not None and not _OF_NOW.search(normal)
    return QuestionStep(QuestionKind.DATA, text=text) if continued or kept or _names_figure(normal) else None


def asks_for_data(step: QuestionStep, view: SessionView) -> bool:
    """Whether a question taken for one about data is one: within a case it names what it counts, and wants a figure."""
    normal = read(step.text).normal
    if view.data_asked or not view.evidence:
        return True
    wants = any(each.search(normal) for each in (_WANTED, _SHAPES, _FIGURES, _KEPT))
    return wants and _NAMED.search(normal) is not None and not _UNWANTED.search(normal)


def _names_figure(normal: str) -> bool:
    """True for a figure about tickets and sessions alone, and for tickets over time or in shares."""
    if _TELLS.search(normal) or has_wh(normal):
        return False
    return bool(_FIGURES.search(normal)) or bool(_COUNTED.search(normal) and _SHAPES.search(normal))


def _chooses(text: str, normal: str, view: SessionView) -> bool:
    """True for an option that the analyst offered, or the name or number of one."""
    if not view.data_options:
        return False
    named = {part.strip().casefold() for option in view.data_options for part in (option, option.partition(" = ")[0])}
    return text.casefold() in named or bool(_NUMBER.fullmatch(normal))


def _continues(normal: str, view: SessionView) -> bool:
    likely = likely_label(normal, view)
    asks_else = likely.label.question not in (None, QuestionKind.DATA) and likely.share >= _SURE
    if _TELLS.search(normal) or asks_else:
        return False
    begins = _FOLLOWS.match(normal) is not None
    return begins or _ASKS_ON.search(normal) is not None or _SHAPES.match(normal) is not None

"""What a suspicion names: a cause, areas of causes, or something that was changed."""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import SearchPhenomenaResponse
from dbdiag.planner.v1.planner_types import AppliedSuggestion, ClarifyKind, MatterView

from gateway.turn.context import Turn
from gateway.turn.suspected.areas import areas_of, names_nothing_else, names_only_area, tells_change
from lang import deferred_re as re
from lang.cues import cue_terms
from lang.tokens import read_text

NAMES_A_CAUSE_FROM = 0.5
NAMES_A_SIGHT_FROM = 0.7
_SENTENCE_END = re.compile(r"[。！？!?\n]|[.](?=\s|$)")
_QUESTION_MARKS = "?？"
_ASKING = ("question", "question_opening")


def suspect(turn: Turn, text: str, reply: SearchPhenomenaResponse) -> None:
    """Notes what is suspected, each once. Whatever is asked is noted; what is only told, where it names a cause.

    A suspicion that names a phenomenon leads to a clarification: only the person knows whether it was observed.
    """
    asked = is_asked(turn.message, text)
    found = _named(text, reply, asked=asked)
    heard = bool(turn.noted or turn.answers or turn.session.proposed or len(turn.plan.steps) > 1)
    if not (found or asked or heard) and _asks_of_sight(turn, text, reply):
        return
    if not found and (tells_change(text) or not (turn.suggestions if asked else heard)):
        found = [AppliedSuggestion(text, matter=MatterView(text))]
    known = {_key(each) for each in turn.suggestions}
    turn.suggestions += [each for each in found if _key(each) not in known]


def is_asked(message: str, text: str) -> bool:
    """Whether words stand in a sentence that asks."""
    before, here, after = message.partition(text)
    if not here:
        return any(mark in text for mark in _QUESTION_MARKS)
    end = _SENTENCE_END.search(after)
    if end is not None and end[0] in _QUESTION_MARKS:
        return True
    opening = [*_SENTENCE_END.finditer(before)]
    sentence = before[opening[-1].end() if opening else 0 :] + text
    return any(cue.payload in _ASKING for cue in cue_terms().find(read_text(sentence)))


def _key(suggestion: AppliedSuggestion) -> str:
    matter = suggestion.matter
    return matter.area or matter.root_cause_id or matter.words


def _named(text: str, reply: SearchPhenomenaResponse, *, asked: bool) -> list[AppliedSuggestion]:
    """The areas that words name and nothing nearer, else the cause that they are like."""
    best = next((each for each in reply.root_causes if each.score >= NAMES_A_CAUSE_FROM), None)
    names = f"{best.name.zh}\n{best.name.en}" if best is not None else ""
    areas = areas_of(text) if asked or names_nothing_else(text) else ()
    if best is None or names_only_area(text, names):
        return [AppliedSuggestion(text, matter=MatterView(text, area=each)) for each in areas]
    matter = MatterView(text, root_cause_id=best.root_cause_id, name=best.name)
    return [AppliedSuggestion(text, best.root_cause_id, best.name, matter=matter)]


def _asks_of_sight(turn: Turn, text: str, reply: SearchPhenomenaResponse) -> bool:
    """Whether it is asked back if something like the words was seen."""
    told = {entry.phenomenon_id for entry in turn.session.active()}
    seen = [found.phenomenon_id for found in reply.candidates if found.score >= NAMES_A_SIGHT_FROM]
    asked = [found for found in seen if found not in told]
    return bool(asked) and turn.ask_back(ClarifyKind.MULTIPLE_MATCHES, text, asked)

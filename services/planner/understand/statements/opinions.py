"""Words that make a guess of what stands beside them: "wild guess, work_mem", "bloat, if you ask me"."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from services.planner.model import ObservationStep, SuggestionStep
from services.planner.understand.answers.turn import Turn
from services.planner.understand.judging.classified import hear
from services.planner.understand.judging.suspicions import suspicion_of
from services.planner.understand.questions import questions
from services.planner.understand.text import observations
from services.planner.understand.text.clauses import Clause

_FILLER = r"(?:just|only|it's|its|that's|but|well|ok|here's|as|a|my|the|pure|wild|total|educated|random|personal|own|\d|two|纯|只是|就是|这是|我的?|个人|一点|瞎|乱|胡|随便|大胆|盲|[\s,:.~-])*"
_MARK = re.compile(
    rf"{_FILLER}(?:(?:i(?:'ll| would|'d)? )?bet (?:you )?(?:\w+ ){{0,2}}(?:boots|lunch|life|house|farm|ranch|money|fiver|tenner|quid|bucks?|beers?|pint|coffee|anything|on it)|dollars to donuts|my money(?: is|'s) on it|我?赌(?:上|一)?[\w两块毛元]{{1,5}}|我敢打赌|打赌|guess(?:es|ing|work)?(?: here| though| only)?|hunch|gut feeling|gut|theory|speculation|cents?(?: worth)?|bet|imo|imho|if you ask me|if i had to (?:guess|bet)|"
    rf"i guess|i bet|i reckon|thinking out loud|spitballing|for what it's worth|fwiw|call it a hunch|"
    rf"(?:瞎|乱|胡)(?:想|说|蒙)的?|猜(?:的|测|想|一个|一下|一把|哈|的哈)?|直觉|看法|感觉|意见|见解|猜测而已|要我说|依我看|在我看来|讲真我觉得|我赌一把|押一个|拍脑袋(?:想的?)?|没证据(?:哈|啊)?){_FILLER}"
)
_LONG = 30


def guessed(turn: Turn, clauses: Sequence[Clause]) -> frozenset[int]:
    """The places of clauses that only say that a guess is made, and of those that are the guess; the guess is recorded."""
    if len(clauses) == 1 and _MARK.fullmatch(clauses[0].text) and turn.steps:
        _said_before(turn)
        return frozenset({0})
    found: set[int] = set()
    for index, clause in enumerate(clauses):
        if len(clause.text) > _LONG or not _MARK.fullmatch(clause.text) or index in found:
            continue
        beside = [at for at in (index + 1, index - 1) if 0 <= at < len(clauses)]
        beside = beside if index == 0 else beside[::-1]
        at = next((at for at in beside if at not in found and _may_be_guess(turn, clauses[at])), None)
        if at is None:
            continue
        span = suspicion_of(clauses[at].text) or observations.fact_span(clauses[at].text)
        last = at
        while index < at and last + 1 < len(clauses) and _may_be_guess(turn, clauses[last + 1]):
            last += 1
        end = clauses[at].start + span[1] if last == at else clauses[last].end
        turn.add(SuggestionStep(turn.message.words(clauses[at].start + span[0], end)))
        found |= {index, *range(at, last + 1)}
    return frozenset(found)


def _said_before(turn: Turn) -> None:
    """What stood last before a sentence that only says that it was a guess is one, unless it tells an amount."""
    last = turn.steps[-1]
    if isinstance(last, ObservationStep) and not re.search(r"\d", last.text):
        turn.steps[-1] = SuggestionStep(last.text)


def _may_be_guess(turn: Turn, clause: Clause) -> bool:
    text = clause.text
    if re.search(r"\d\s*%|\d{2,}", text) or questions.has_wh(text) or not re.search(r"\w{2}", text):
        return False
    return not hear(text, turn.asked_list).pointed and not _MARK.fullmatch(text)

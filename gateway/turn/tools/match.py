"""The tool match_phenomena: the meaning of a message.

One call serves a turn: the message is read whole, with its pasted outputs, and so are both sides of corrections.
Suspicions are searched separately: they are never evidence.
"""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Observation, Reading, Standing
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    CorrectionStep,
    ObservationStep,
    QuestionStep,
    Speaker,
    SuggestionStep,
)
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import MatcherClient
from gateway.session.case_talk import said_before
from gateway.session.references import NoSuchItem, resolve
from gateway.turn.apply_words import read_verdict
from gateway.turn.context import Turn
from gateway.turn.contradictions import OUTCOME
from gateway.turn.findings import Exchange, ToolResult, Words
from gateway.turn.opening.looks import shown_queries
from lang import deferred_re as re
from lang.judging.amending import clauses_in, unsaid, wrongly_said
from lang.judging.protesting import protests_in
from lang.objects.settings_said import SETTING

_MAX_OBSERVATIONS = 50
# The good news as the matcher hears it in one message with what was done.
_RECOVERED = "back to normal"
_COMMANDS, _NO_ROWS = ("sql", "shell"), "pasted_no_rows"
_AMOUNT = "amount"
# An output brings its query, or its heading.
_OF_OUTPUT = ("select", "|")
_OPENS = re.compile(
    r"(?i)(?:(?<=^)|(?<=[.!?;\n])|(?<=[.!?;\n] ))(?:ok(?:ay)?|alright|kk?)\s+"
    r"(?=[a-z(])(?!(?:on|for|with|in|there|here|now|again|at|by|is|was|since|too|as|and|but)\b)"
)
# "r" as people type "are", which is no column of vmstat: "other tables r fine".
_SHORT_ARE = re.compile(r"(?i)(?<=[a-z]s|se|ey|we|ou)\sr(?=\s+[a-z])(?!\s+(?:is|was|column|at|of|above|over)\b)")


async def match_phenomena(turn: Turn, matcher: MatcherClient) -> ToolResult:
    """Reads the message and the words of the plan's corrections. Raises the matcher's errors."""
    suspicions = []
    exchanges: list[Exchange] = []
    for step in turn.plan.steps:
        if isinstance(step, SuggestionStep):
            reply = await matcher.search(turn.session.snapshot_id, step.text, limit=5)
            exchanges.append(("search_phenomena", step.text, reply))
            suspicions.append((step.text, reply))
    asked = _asked_of(turn)
    request = _request(turn, tuple(observation for observation, _ in asked))
    matched = await matcher.match(request)
    exchanges.append(("match_phenomena", request, matched))
    words = tuple(
        Words(observation.text, meaning, step)
        for (observation, step), meaning in zip(asked, matched.interpretations, strict=True)
    )
    followed = await _outcomes(turn, matcher, exchanges)
    return ToolResult(
        words,
        tuple(suspicions),
        read=True,
        readings=(*_without_empty_look(turn, matched.readings), *followed),
        unread_output=matched.unread_output,
        retracted=matched.retracted_phenomenon_ids,
        facilities=matched.facilities,
        untied=matched.untied,
        exchanges=tuple(exchanges),
        usage=matched.usage,
    )


async def _outcomes(turn: Turn, matcher: MatcherClient, exchanges: list[Exchange]) -> tuple[Reading, ...]:
    """What good news says of what was done last, in an earlier message: "ran analyze" and then "3 seconds now"."""
    if turn.plan.aftermath is not Aftermath.WELL:
        return ()
    last = max((each.turn for each in turn.session.treatments), default=turn.session.turn)
    found: list[Reading] = []
    for each in turn.session.treatments:
        if each.turn == last and last < turn.session.turn:
            request = MatchPhenomenaRequest(turn.session.snapshot_id, message=f"{each.words}, {_RECOVERED}")
            reply = await matcher.match(request)
            exchanges.append(("match_phenomena", request, reply))
            told = (item for item in reply.readings if item.kind == OUTCOME and item.standing is Standing.COUNTS)
            found += [replace(item, words=each.words) for item in told]
    return tuple(found)


def _asked_of(turn: Turn) -> list[tuple[Observation, CorrectionStep | None]]:
    """The words of the plan's steps, those of statements with their place in the message, and what it calls wrong."""
    asked: list[tuple[Observation, CorrectionStep | None]] = []
    place = 0
    for step in turn.plan.steps:
        if isinstance(step, ObservationStep):
            start = turn.message.find(step.text, place)
            place = start + len(step.text) if start >= 0 else place
            asked.append((Observation(step.text, step.certainty, start if start >= 0 else None), None))
        elif isinstance(step, CorrectionStep):
            words = _without_quotes(turn.message, step.words) if step.words is not None else step.original.words
            about = _corrected(turn, step)
            asked += [(Observation(words, about_phenomenon_id=about), step)] if words is not None else []
    asked += [(Observation(quote), None) for quote in wrongly_said(turn.message)]
    asked += [(Observation(each.name), None) for each in protests_in(turn.message) if each.name]
    return asked[:_MAX_OBSERVATIONS]


def _without_quotes(message: str, words: str) -> str:
    """What is put in the place of something wrong, without the clauses that quote that; all where nothing is left."""
    quotes = (*wrongly_said(message), *unsaid(message))
    rest = [each.strip() for each in clauses_in(words) if not any(quote in each for quote in quotes)]
    return ", ".join(rest) if rest and len(rest) < len(clauses_in(words)) else words


def _corrected(turn: Turn, step: CorrectionStep) -> str:
    """The phenomenon that a correction refers to; empty where only its words tell."""
    if step.original.words is not None:
        return ""
    try:
        return resolve(turn.session, step.original, turn.plan, turn.catalog.phenomena)[0]
    except NoSuchItem:
        return ""


def _given_last(turn: Turn) -> list[str]:
    """The checks whose command the last reply gave, in its order."""
    session = turn.session
    said = next((item.text for item in reversed(session.dialogue) if item.speaker is Speaker.ASSISTANT), "")
    commands = {
        found.phenomenon_id: found.how.say(turn.language)
        for found in turn.catalog.phenomena.values()
        if found.observe_kind in _COMMANDS
    }
    given = [name for name, command in commands.items() if command and command in said]
    return sorted(given, key=lambda name: said.index(commands[name]))


def _asked_last(turn: Turn) -> tuple[str, ...]:
    """What was asked last: first the checks whose command the last reply gave, for a result is mostly of these."""
    return tuple(dict.fromkeys((*_given_last(turn), *(item.phenomenon_id for item in turn.session.pending))))


def _without_empty_look(turn: Turn, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings without what told "no rows" deny, where only the look was shown: they are the look's."""
    session = turn.session
    if not session.look_shown or session.look_shown < session.turn - 1 or _given_last(turn):
        return readings
    of_own = any(mark in turn.message.lower() for mark in _OF_OUTPUT)
    return tuple(each for each in readings if of_own or each.kind != _NO_ROWS)


def _request(turn: Turn, observations: tuple[Observation, ...]) -> MatchPhenomenaRequest:
    session = turn.session
    options = session.clarification.options if session.clarification else ()
    return MatchPhenomenaRequest(
        snapshot_id=session.snapshot_id,
        observations=observations,
        pending_phenomenon_ids=_asked_last(turn),
        evidence_phenomenon_ids=tuple(entry.phenomenon_id for entry in session.active()),
        language=turn.language.value,
        option_phenomenon_ids=tuple(item.phenomenon_id for item in options),
        message=words_to_read(turn),
        open_words=session.clarification.words if session.clarification else "",
        earlier_messages=said_before(session),
        shown_queries=shown_queries(session, turn.catalog),
        settings=tuple(each.name for each in session.objects if each.kind == SETTING),
    )


def words_to_read(turn: Turn) -> str:
    """The message without how a summary is to be written, and how a setting is to be: that is said of no system.

    Nor is an "ok" that only opens a sentence said of what follows it. What the plan put in other words is read so; the
    words around a pasted output are none.
    """
    only = turn.plan.steps[0] if len(turn.plan.steps) == 1 else None
    if not turn.plan.pasted and isinstance(only, ObservationStep) and only.text not in turn.message:
        return only.text
    left = _OPENS.sub(lambda found: " " * len(found[0]), _SHORT_ARE.sub("  ", turn.message))
    for step in turn.plan.steps:
        if isinstance(step, QuestionStep) and (step.brief is not None or step.action == _AMOUNT):
            asked = step.text.split("\n", 1)[0] if step.action == _AMOUNT else step.text
            left = left.replace(asked, " " * len(asked), 1)
    for clause in turn.pointing:
        left = left.replace(clause, " " * len(clause), 1)
    return left if left.strip() else "?"


async def suppositions(turn: Turn, matcher: MatcherClient, words: str) -> tuple[list[tuple[str, Verdict]], Exchange]:
    """The suppositions of a what-if question's words, and the exchange with the matcher."""
    request = MatchPhenomenaRequest(turn.session.snapshot_id, (Observation(words),))
    reply = await matcher.match(request)
    found = [reading for item in reply.interpretations for reading in item.readings]
    sure = [reading for reading in found if reading.standing is Standing.COUNTS]
    return [(reading.phenomenon_id, read_verdict(reading)) for reading in sure], ("match_phenomena", request, reply)

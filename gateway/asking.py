"""Asking back, at the end of a turn: what the question offers, what is kept of it, and going on without it."""

from __future__ import annotations

from dataclasses import replace

from gateway.clients import Services
from gateway.diagnose_tool import diagnose
from gateway.language import LocalizedText
from gateway.plan import ClarifyKind, Item
from gateway.results import Clarification, ClarificationOption
from gateway.session import OpenClarification
from gateway.turn import Turn

_OFFERED = 4
# Below this likeness an option would only distract from a vague complaint.
_WORTH_OFFERING = 0.5
# What a missing number is asked of may be less sure: the question names it.
_WORTH_A_NUMBER = 0.3


async def complete(turn: Turn, services: Services) -> None:
    """Gives the question back its options; when it was asked before, finds the next check instead."""
    await _offer_options(turn, services)
    turn.clarification = _renewed(turn)
    if _leads_nowhere(turn):
        await diagnose(turn, services.engine)


def keep(turn: Turn) -> None:
    """Keeps what is open after this turn, and that it was asked."""
    asked = turn.clarification
    turn.session.clarification = None
    if asked is None:
        return
    options = tuple(
        Item(option.ordinal, option.phenomenon_id, option.name, option.present_when or LocalizedText())
        for option in asked.options
    )
    if options:
        contested = turn.contested if asked.kind is ClarifyKind.CONTRADICTION else ()
        turn.session.clarification = OpenClarification(asked.words, options, contested)
    turn.session.clarified += tuple(sorted(turn.asked_as))


async def _offer_options(turn: Turn, services: Services) -> None:
    """A vague complaint is asked back with something to choose from: what is near, then what is common."""
    if turn.unmatched and not turn.session.active() and turn.ask_back(ClarifyKind.VAGUE, turn.unmatched[0], []):
        # Nothing is on record and the words are in no library: a bare "not found" would end the talk here.
        turn.unmatched.pop(0)
    asked = turn.clarification
    if asked is None or asked.kind not in (ClarifyKind.VAGUE, ClarifyKind.MISSING_VALUE) or asked.options:
        return
    near: list[str] = []
    limited: list[str] = []
    if asked.words.strip():
        reply = await services.matcher.search(turn.session.snapshot_id, asked.words, limit=_OFFERED)
        near = [found.phenomenon_id for found in reply.candidates if found.score >= _WORTH_OFFERING]
        named = [found.phenomenon_id for found in reply.candidates if found.score >= _WORTH_A_NUMBER]
        limited = [found for found in named if turn.has_limit(found)]
    if asked.kind is ClarifyKind.MISSING_VALUE and limited:
        turn.clarification = None
        if not turn.ask_back(asked.kind, asked.words, limited[:1]):
            turn.unclear.append(asked.words)
        return
    common = [found for found in turn.catalog.complaints() if found not in near]
    told = {entry.phenomenon_id for entry in turn.session.active()}
    offered = [found for found in near + common if found not in told][:_OFFERED]
    turn.clarification = None
    if not turn.ask_back(ClarifyKind.VAGUE, asked.words, offered):
        turn.unclear.append(asked.words)
    elif not near and turn.clarification is not None:
        # What is merely common does not explain the words.
        turn.clarification = replace(turn.clarification, words="")


def _renewed(turn: Turn) -> Clarification | None:
    """The question without the options that the rest of the message answered, or with the checks that are next now."""
    asked = turn.clarification
    if asked is None or asked.kind not in (ClarifyKind.NO_SUCH_ITEM, ClarifyKind.AMBIGUOUS_FEEDBACK):
        return asked
    options = asked.options
    if asked.kind is ClarifyKind.NO_SUCH_ITEM and turn.diagnosis is not None:
        options = tuple(_option(turn, item.phenomenon_id) for item in turn.session.pending)
    now = {entry.phenomenon_id for entry in turn.session.active() if entry.turn == turn.session.turn}
    left = [option for option in options if option.phenomenon_id not in now]
    return replace(asked, options=tuple(replace(option, ordinal=number) for number, option in enumerate(left, 1)))


def _option(turn: Turn, phenomenon_id: str) -> ClarificationOption:
    found = turn.catalog.phenomena.get(phenomenon_id)
    name = turn.catalog.phenomenon_name(phenomenon_id)
    return ClarificationOption(0, phenomenon_id, name, found.present_when if found else None)


def _leads_nowhere(turn: Turn) -> bool:
    """Whether the answer would only say what was not understood, and leave the person without a next step."""
    said = turn.noted or turn.corrections or turn.answers or turn.smalltalk or turn.failures or turn.reset
    return bool(turn.unclear or turn.unmatched) and not (said or turn.clarification or turn.diagnosis_view)

"""What narrows a claim within its clause: the standby that it is of, and other times at which all is well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lang.modality import Meaning, When, Where
from lang.parts import Parts
from lang.says import Claim, Says

_WELL = (Says.NONE, Says.FINE, Says.LOW, Says.STATE_GOOD)


def narrowed(meaning: Meaning, parts: Parts, claim: Claim, is_of_standby: Callable[[str], bool]) -> Meaning:
    """How a clause is meant for one of its claims."""
    elsewhere = any(cue.name == "standby" and cue.first not in claim.mention.tokens for cue in parts.standbys)
    if elsewhere and not is_of_standby(claim.mention.subject):
        meaning = replace(meaning, where=Where.ELSEWHERE)
    # "Fine by day": the trouble is at another time, of which that says nothing.
    if claim.says in _WELL and any(cue.name == "at_times" for cue in parts.cues):
        meaning = replace(meaning, when=When.PAST)
    return meaning

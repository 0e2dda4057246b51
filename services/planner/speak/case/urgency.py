"""How bad it is and how long there is: what happens at the limit, what is known, and which figure tells the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from lang.terms import Terms
from lang.tokens import read_text
from services.planner.model import EvidenceView, HelpAnswer, TurnResults, Verdict
from services.planner.sizing.pace import pace_in
from services.planner.speak.follow_ups.time_left import tell_pace, tell_time_left
from services.planner.speak.voice import Voice

_FILE = Path(__file__).with_name("urgency.yaml")
_KNOWN, _LINE, _CELL = 3, 60, " | "
# PostgreSQL assigns no transaction ID beyond this age.
_LAST_AGE = 2_144_483_647
_WARNED = re.compile(r"(\d[\d,.]*\s*(?:million|mio|m|万|亿)?)\s*(?:个)?(?:transactions?(?: left)?|事务)", re.IGNORECASE)
# From this belief on, the leading cause tells what comes to an end before the words of the question do.
_LEADS = 0.3
_AGE = re.compile(r"(?<![\d.])\d{9,10}(?![\d.])")


@cache
def _limits() -> tuple[Terms[str], tuple[str, ...]]:
    terms: Terms[str] = Terms()
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    for limit, words in content.items():
        for word in words:
            terms.add(str(word), str(limit))
    return terms, tuple(content)


def tell_urgency(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What happens at the limit of the leading cause, what was measured, and how to tell how long there is."""
    if (pace := pace_in(answer.text)) is not None:
        return tell_pace(pace, voice)
    limit = _limit(answer, results)
    left = tell_time_left(results, voice) if limit in ("disk", "slow") else ""
    if left:
        return "\n".join([left, voice.say("urgency_disk")])
    measured = [_figure(view) for view in results.seen if view.verdict is Verdict.CONFIRMED]
    known = [each for each in dict.fromkeys(measured) if any(map(str.isdigit, each))][-_KNOWN:]
    lines = [
        voice.say(f"urgency_{limit}"),
        voice.say("urgency_disk_how") if limit == "disk" else "",
        *(_left(answer, results, voice) if limit == "xid" else ()),
        voice.say("urgency_known", names=voice.listed(voice.say("quoted", words=each) for each in known))
        if known
        else "",
    ]
    return "\n".join(line for line in lines if line)


def _figure(view: EvidenceView) -> str:
    """The words with a number as they were said, else the value that was read; empty where that is no short line."""
    said = view.words if any(map(str.isdigit, view.words)) and _CELL not in view.words else view.value
    return said if len(said) <= _LINE else ""


def _limit(answer: HelpAnswer, results: TurnResults) -> str:
    """What comes to an end: by the question, else by the leading cause, else by what was seen last."""
    terms, order = _limits()
    for words in _places(answer, results):
        found = {each.payload for each in terms.find(read_text(words))}
        if found:
            return min(found, key=order.index)
    return "slow"


def _places(answer: HelpAnswer, results: TurnResults) -> Iterator[str]:
    found = answer.conclusion or answer.leading
    if found is not None and found.confidence >= _LEADS:
        yield from (found.name.en, found.name.zh)
    yield answer.text
    yield from (view.name.en for view in reversed(results.seen) if view.verdict is Verdict.CONFIRMED)
    if found is not None:
        yield from (found.name.en, found.name.zh)


def _left(answer: HelpAnswer, results: TurnResults, voice: Voice) -> Iterator[str]:
    """How many transaction IDs are left: as the log warns, else by the highest age on record."""
    warned = _WARNED.search(answer.text)
    if warned is not None:
        yield voice.say("urgency_xid_warned", left=warned[1].strip())
        return
    confirmed = [view for view in results.seen if view.verdict is Verdict.CONFIRMED]
    ages = [int(found) for view in confirmed for text in (view.value, view.words) for found in _AGE.findall(text)]
    fitting = [age for age in ages if age < _LAST_AGE]
    if fitting:
        age = max(fitting)
        yield voice.say("urgency_xid_left", age=f"{age:,}", left=f"{_LAST_AGE - age:,}")

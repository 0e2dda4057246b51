"""How long a disk lasts, by the figures that the person told; a later one stands in place of an earlier one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lang.numbers.filling import GIB, Measure
from lang.vocabulary import Unit
from services.planner.model import TurnResults
from services.planner.sizing.pace import Pace
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import CLOCK, FIGURE

_HOUR, _DAY, _MINUTE, _TENS = 3600.0, 24, 60, 10
# Fewer hours are told in minutes, more in days; the step of the minutes.
_FEW, _MANY, _STEP = 1.5, 48, 5
_TIB = 1024
# An amount and a share that are farther apart, in per cent of the whole, are not of the same thing.
_WHOLE, _APART = 100.0, 5


class _Told(NamedTuple):
    turn: int
    amount: float


def figures_told(results: TurnResults, voice: Voice) -> tuple[str, ...]:
    """The figures of the disk as they hold now, in words."""
    told = _told(results)
    return tuple(
        voice.say(f"figure_{each}", amount=_in_words(each, told[each].amount)) for each in Measure if each in told
    )


def tell_time_left(results: TurnResults, voice: Voice) -> str:
    """How long there is, with the figures that it is from, or the one that lacks; empty where none was told."""
    told = _told(results)
    free, growth = _free(told), told.get(Measure.GROWTH)
    names = voice.listed(figures_told(results, voice))
    if free is not None and growth is not None:
        hours = free / growth.amount / _HOUR
        left = voice.say("time_left", time=time_of(hours, voice), free=_size(free), names=names)
        return left + voice.stop + until if (until := _until(results, hours, voice)) else left
    if not told:
        return ""
    shares = Measure.SHARE in told or Measure.FREE_SHARE in told
    lacks = "growth" if free is not None else "size" if shares else "free"
    return voice.say("time_left_lacks", names=names, lacks=voice.say(f"lacks_{lacks}"))


def tell_pace(pace: Pace, voice: Voice) -> str:
    """How long something takes at the pace that was told: until nothing is left, or until a share is the whole."""
    each, period = (_HOUR, "hour") if abs(pace.speed) * _MINUTE < 1 else (float(_MINUTE), "minute")
    told = {"now": _measured(pace.now, pace.unit), "speed": _measured(abs(pace.speed) * each, pace.unit)}
    told["period"] = voice.say(f"pace_{period}")
    if pace.speed < 0:
        return voice.say("pace_falls", time=time_of(pace.now / -pace.speed / _HOUR, voice), **told)
    if pace.speed == 0 or pace.unit != Unit.PERCENT:
        return voice.say("pace_grows" if pace.speed else "pace_stands", **told)
    hours = (_WHOLE - pace.now) / pace.speed / _HOUR
    return "\n".join([voice.say("pace_fills", time=time_of(hours, voice), **told), voice.say("urgency_disk")])


def _measured(amount: float, unit: str) -> str:
    if unit == Unit.BYTES:
        return _size(amount)
    digits = f"{amount:.0f}" if amount >= _WHOLE else f"{amount:.2g}"
    return digits + {Unit.PERCENT: " %", Unit.SECONDS: " s"}.get(Unit(unit), "")


def time_in_words(results: TurnResults, voice: Voice) -> str:
    """How long there is, in words alone; empty where the figures do not tell."""
    told = _told(results)
    free, growth = _free(told), told.get(Measure.GROWTH)
    return time_of(free / growth.amount / _HOUR, voice) if free is not None and growth is not None else ""


def _told(results: TurnResults) -> Mapping[Measure, _Told]:
    """The last figure of each measure."""
    found: dict[Measure, _Told] = {}
    for each in results.objects:
        if each.kind == FIGURE:
            turn, measure, amount = each.name.split()
            before = found.get(Measure(measure))
            if before is None or before.turn <= int(turn):
                found[Measure(measure)] = _Told(int(turn), float(amount))
    return _agreeing(found)


def _agreeing(told: Mapping[Measure, _Told]) -> Mapping[Measure, _Told]:
    """The figures without the earlier one of an amount and a share that tell differently how much is used."""
    size, used, share = (told.get(each) for each in (Measure.SIZE, Measure.USED, Measure.SHARE))
    if size is None or used is None or share is None:
        return told
    apart = abs(used.amount / size.amount * _WHOLE - share.amount)
    earlier = Measure.SHARE if used.turn > share.turn else Measure.USED
    return {measure: each for measure, each in told.items() if measure is not earlier or apart <= _APART}


def _until(results: TurnResults, hours: float, voice: Voice) -> str:
    """The time of the day at which it is full, counted from the one that was told last; empty where that is far off."""
    clocks = [each.name for each in results.objects if each.kind == CLOCK]
    if not clocks or hours >= _DAY:
        return ""
    told = clocks[-1].partition(" ")[2]
    hour, minute = map(int, told.split(":"))
    full = (hour * _MINUTE + minute + round(hours * _MINUTE)) % (_DAY * _MINUTE)
    return voice.say("time_until", time=f"{full // _MINUTE}:{full % _MINUTE // _TENS * _TENS:02}", told=told)


def _free(told: Mapping[Measure, _Told]) -> float | None:
    """The bytes that are free, by the latest figures that tell them."""
    ways = sorted(_ways(told), key=lambda way: way.turn)
    return max(ways[-1].amount, 0.0) if ways else None


def _ways(told: Mapping[Measure, _Told]) -> Iterator[_Told]:
    size = told.get(Measure.SIZE)
    for measure, each in told.items():
        if measure is Measure.FREE:
            yield each
        elif size is not None and measure is Measure.USED:
            yield _Told(each.turn, size.amount - each.amount)
        elif size is not None and measure in (Measure.SHARE, Measure.FREE_SHARE):
            free = each.amount if measure is Measure.FREE_SHARE else 100 - each.amount
            yield _Told(each.turn, size.amount * free / 100)


def _in_words(measure: Measure, amount: float) -> str:
    if measure is Measure.GROWTH:
        return _size(amount * _HOUR)
    return f"{amount:.0f}" if "share" in measure else _size(amount)


def _size(amount: float) -> str:
    gib = amount / GIB
    return f"{gib / _TIB:.3g} TB" if gib >= _TIB else f"{gib:.3g} GB" if gib >= 1 else f"{gib * _TIB:.0f} MB"


def time_of(hours: float, voice: Voice) -> str:
    """So many hours in words, in minutes or days where that tells more."""
    if hours < _FEW:
        return voice.say("time_minutes", count=max(round(hours * _MINUTE / _STEP) * _STEP, _STEP))
    if hours < _MANY:
        return voice.say("time_hours", count=f"{hours:.1f}".removesuffix(".0") if hours < 3 else round(hours))
    return voice.say("time_days", count=round(hours / _DAY))

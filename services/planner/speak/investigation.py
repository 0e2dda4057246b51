"""The investigation of the live system: its findings, the offer to run one, advice on failures."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import LookView, SeenView, ToolFailure, TurnResults, UnseenView, Verdict
from services.planner.speak.voice import Voice

_CONFIRMED, _NAMED, _REASONS = 6, 3, 3
# Longest server message shown, in characters.
_REASON = 120
_ADVICE = {
    "no_target": "advice_no_target",
    "several_targets": "advice_several_targets",
    "target_not_found": "advice_several_targets",
    "target_unreachable": "advice_target",
    "no_collector": "advice_collector",
    "not_offered": "advice_collector",
    "collector_unreachable": "advice_collector",
    "look_refused": "advice_spent",
    "other_library": "advice_library",
}


def render_investigation(results: TurnResults, voice: Voice) -> list[str]:
    """The section on an investigation; empty without one."""
    if results.look_declined:
        return [voice.say("look_declined")]
    return [_render_look(results.look, voice)] if results.look is not None else []


def offer(results: TurnResults, voice: Voice) -> str:
    """The offer to investigate; empty if there is none."""
    offered, asked = results.look_offer, results.clarification
    if offered is None:
        return ""
    questions = asked.options if asked else results.diagnosis.recommendations if results.diagnosis else ()
    every = offered.visible_count >= len(questions)
    target = f"**{offered.target_id}**"
    if not offered.visible_count:
        return voice.say("look_offer_meanwhile", target=target)
    return (
        voice.say("look_offer_all", target=target)
        if every
        else voice.say("look_offer", target=target, count=offered.visible_count)
    )


def advice(failure: ToolFailure, voice: Voice) -> str:
    """Advice on a failed investigation; empty for other reasons."""
    phrase = _ADVICE.get(failure.reason)
    return voice.say(phrase) if phrase else ""


def _render_look(look: LookView, voice: Voice) -> str:
    said = {verdict: [item for item in look.seen if item.verdict is verdict] for verdict in Verdict}
    there, absent, open_ = said[Verdict.CONFIRMED], said[Verdict.DENIED], said[Verdict.UNKNOWN]
    parts = [voice.say("look_did", target=f"**{look.target_id}**", count=look.check_count, seconds=_seconds(look))]
    if there:
        items = voice.say("semicolon").join(_item(item, voice) for item in there[:_CONFIRMED])
        parts.append(voice.say("look_confirmed", items=_add_count(items, there, _CONFIRMED, voice)))
    elif look.check_count:
        parts.append(voice.say("look_nothing"))
    if absent:
        parts.append(voice.say("look_denied", names=_names(absent, voice)))
    if open_:
        parts.append(voice.say("look_unknown", items=_names(open_, voice)))
    if look.unseen:
        parts.append(voice.say("look_unseen", items=_render_failures(look.unseen, voice)))
    overruled = [item for item in look.seen if item.overruled]
    if overruled:
        items = voice.say("semicolon").join(_item(item, voice) for item in overruled[:_NAMED])
        parts.append(voice.say("look_overruled", items=_add_count(items, overruled, _NAMED, voice)))
    return voice.stop.join(parts)


def _seconds(look: LookView) -> str:
    return f"{look.seconds:.1f}" if look.seconds < 10 else f"{look.seconds:.0f}"


def _item(item: SeenView, voice: Voice) -> str:
    name = voice.name(item.name, item.phenomenon_id)
    return voice.say("look_item", name=name, words=item.words) if item.words else f"**{name}**"


def _names(items: Sequence[SeenView], voice: Voice) -> str:
    names = voice.listed(voice.quoted(item.name, item.phenomenon_id) for item in items[:_NAMED])
    return _add_count(names, items, _NAMED, voice)


def _add_count(names: str, items: Sequence[object], shown: int, voice: Voice) -> str:
    return names if len(items) <= shown else voice.say("look_more", names=names, count=len(items))


def _shorten(reason: str) -> str:
    """A reason in one line, cut to `_REASON` characters."""
    line = " ".join(reason.split()).rstrip(" .。")
    return line if len(line) <= _REASON else line[: _REASON - 1] + "…"


def _render_failures(items: Sequence[UnseenView], voice: Voice) -> str:
    """The failed checks grouped by reason, most frequent first."""
    by_reason: dict[str, list[UnseenView]] = {}
    for item in items:
        by_reason.setdefault(item.reason, []).append(item)
    ordered = sorted(by_reason.items(), key=lambda pair: -len(pair[1]))[:_REASONS]
    told = [
        voice.say(
            "look_why",
            names=_add_count(
                voice.listed(voice.quoted(item.name, item.check_id) for item in group[:_NAMED]), group, _NAMED, voice
            ),
            reason=_shorten(reason),
        )
        for reason, group in ordered
    ]
    return voice.say("semicolon").join(told)

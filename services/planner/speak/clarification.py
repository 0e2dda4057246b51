"""The clarification: the question, numbered options, and a way out."""

from __future__ import annotations

from services.planner.model import Clarification, ClarificationOption, ClarifyKind, Language
from services.planner.speak.record.set_aside import makes_claim
from services.planner.speak.steps.as_code import code
from services.planner.speak.voice import Voice, brief

# Presence tests are shown for at most `_FEW` options, and only below these lengths (characters).
_FEW, _SHORT_ZH, _SHORT_EN = 2, 25, 60
# By kind: the phrase with several options, with one, with none.
_PHRASES: dict[ClarifyKind | None, tuple[str, str, str]] = {
    ClarifyKind.AMBIGUOUS_FEEDBACK: ("clarify_feedback", "clarify_feedback_one", "clarify_words_plain"),
    ClarifyKind.NO_SUCH_ITEM: ("clarify_no_such", "clarify_no_such", "clarify_no_such_plain"),
    ClarifyKind.MISSING_VALUE: ("clarify_value", "clarify_value", "clarify_value"),
    ClarifyKind.MULTIPLE_MATCHES: ("clarify_several", "clarify_one", "clarify_words_plain"),
    ClarifyKind.PROPOSED: ("clarify_proposed", "clarify_proposed_one", "clarify_proposed"),
}
# How a single proposed reading is asked about, where its kind tells more than that it is not sure.
_OF_READING = {
    "done_before": "clarify_proposed_done",
    "value_near_limit": "clarify_proposed_near",
    **dict.fromkeys(("pasted_open", "pasted_view", "pasted_rows"), "clarify_proposed_open"),
    "answered_no": "clarify_proposed_no",
    "against_no": "clarify_proposed_no",
}
_VALUE = ClarifyKind.MISSING_VALUE
# Entries of which one is taken back.
_TAKEN_BACK = "taken_back"
_VAGUE = ("clarify_vague", "clarify_one", "clarify_vague_plain")
_FEEDBACK = ("way_out_feedback", "way_out_one")
_WAYS_OUT: dict[ClarifyKind | None, tuple[str, str]] = {
    ClarifyKind.AMBIGUOUS_FEEDBACK: _FEEDBACK,
    ClarifyKind.NO_SUCH_ITEM: _FEEDBACK,
    ClarifyKind.MISSING_VALUE: ("way_out_value", "way_out_value"),
    ClarifyKind.CONTRADICTION: ("way_out_contradiction", "way_out_contradiction"),
    ClarifyKind.PROPOSED: ("way_out_proposed", "way_out_proposed_one"),
}


def clarification(asked: Clarification, voice: Voice) -> str:
    """The question, its options and how to answer."""
    if asked.kind is ClarifyKind.PROPOSED and len(asked.options) == 1:
        return _ask_one(asked.options[0], asked, voice)
    contested = asked.kind is ClarifyKind.CONTRADICTION
    few = len(asked.options) <= _FEW and not contested
    which = any(option.reading == _TAKEN_BACK for option in asked.options)
    lines = [voice.say("clarify_wrong") if which else _render_reason(asked, voice)]
    for place, option in enumerate(asked.options, 1):
        phrase = ("option_seen" if place == asked.seen_ordinal else "option_yours") if contested else "option"
        lines.append(_option(phrase, option, few, voice))
    if asked.overview:
        return "\n".join([*lines, voice.say("way_out_overview"), code(asked.overview, "shell")])
    if which:
        lines.append(voice.say("way_out_wrong"))
    elif asked.options:
        lines.append(voice.say(_WAYS_OUT.get(asked.kind, ("way_out", "way_out_this"))[len(asked.options) == 1]))
    return "\n".join(lines)


def _ask_one(option: ClarificationOption, asked: Clarification, voice: Voice) -> str:
    """A single proposed reading as a question in one line."""
    name = voice.name(option.name, option.phenomenon_id)
    phrase = _OF_READING.get(option.reading, "clarify_proposed_one")
    return f"{voice.say(phrase, words=brief(asked.words), name=name)}{voice.stop}{voice.say('way_out_proposed_one')}"


def _render_reason(asked: Clarification, voice: Voice) -> str:
    words, earlier = brief(asked.words), brief(asked.earlier_words)
    if question := asked.question.say(voice.language):
        return voice.say("clarify_base", words=words, base=question) if asked.kind is _VALUE else question
    if not words and asked.options and asked.kind is ClarifyKind.VAGUE:
        return voice.say("clarify_vague_common")
    if asked.seen_ordinal:
        phrase = "clarify_seen_earlier" if asked.seen_ordinal == 1 else "clarify_seen_now"
        return voice.say(phrase, words=words, earlier=earlier)
    several, one, none = _PHRASES.get(asked.kind, _VAGUE)
    phrase = {0: none, 1: one}.get(len(asked.options), several)
    if not words and asked.kind is ClarifyKind.PROPOSED:
        phrase = "clarify_proposed_several"
    if phrase == "clarify_feedback_one" and not makes_claim(words):
        phrase = "clarify_feedback_plain"
    if phrase == "clarify_value" and any(character.isdigit() for character in words):
        phrase = "clarify_value_beside"
    return voice.say(phrase, words=words, earlier=earlier)


def _option(phrase: str, option: ClarificationOption, few: bool, voice: Voice) -> str:
    present = option.present_when.say(voice.language).rstrip(" .。")
    short = _SHORT_ZH if voice.language is Language.ZH else _SHORT_EN
    return voice.say(
        phrase,
        ordinal=option.ordinal,
        name=voice.name(option.name, option.phenomenon_id),
        present=voice.say("option_present", text=present) if few and len(present) < short and present else "",
    )

"""What a message says by a name: answers count as far as their words are those of the name; a name in full is it."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import FeedbackStep, Speaker
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.references import NoSuchItem, resolve
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.proposed_readings import propose
from lang.cues import number_words, plain_words, telling_keys, word_set
from lang.judging.out_of_reach import tells_own_rights
from lang.modality import is_negated
from lang.parts import cues_of
from lang.tokens import Kind, Token, read_text

# What an answer by name has to share with the name: half of its content to be a choice among options, more to be asked
# about, all of it to count, so sure.
_HALF, _MORE, _SURE = 0.5, 0.6, 0.9
# Words by which somebody cannot tell.
_OPEN = ("out_of_reach", "untold")

# What a thing does or does not do, whatever it is.
_BARE_VERBS = word_set("bare_verbs")
# A shorter name is a word that stands for more.
_SHORTEST = {"zh": 6, "en": 12}


def hear_by_name(turn: Turn, step: FeedbackStep, readings: list[Reading]) -> None:
    """An answer by name counts where all its words name what was asked; else it is proposed, or is a note."""
    verdict = step.verdict or Verdict.UNKNOWN
    if tells_own_rights(step.words):
        return  # What somebody says of their own rights answers nothing that is asked of the system.
    unread = [found for found in _named(turn, step) if found not in {reading.phenomenon_id for reading in readings}]
    if verdict is Verdict.DENIED and not is_negated(step.words):
        unread = []  # Without a word that denies, a name with other words around it denies nothing.
    if verdict is Verdict.CONFIRMED:  # A name that denies is affirmed by words that deny, and no other one.
        names = {found: turn.catalog.phenomenon_name(found).say(turn.language) for found in unread}
        unread = [found for found in unread if is_negated(names[found]) is is_negated(step.words)]
    if verdict is Verdict.UNKNOWN and not any(cue.name in _OPEN for cue in cues_of(read_text(step.words))):
        unread = []  # "No time to restart" leaves open nothing that is asked of restarts.
    asked = {item.phenomenon_id for item in turn.session.pending}
    unread = [found for found in unread if _has_object(step.words) or _is_shown_alone(turn, found)]
    unread = [
        found
        for found in unread
        if _share_named(turn, found, step.words) >= _MORE
        or (_is_shown_alone(turn, found) and not _has_object(step.words))
    ]
    for phenomenon_id in unread:
        if phenomenon_id in asked and _share_named(turn, phenomenon_id, step.words) == 1:
            turn.note(turn.session.entry(phenomenon_id, verdict, _SURE, step.words, "words"))
        elif verdict is not Verdict.UNKNOWN:  # What leaves it open is no reading that a yes could confirm.
            propose(turn, Reading(phenomenon_id, verdict=verdict, words=step.words, probability=0.7, kind="named_item"))
    if not unread and not readings:
        turn.unmatched.append(step.words)


def _has_object(words: str) -> bool:
    """Whether words name a thing: 没在跑 and "it just waits" name none of several that are asked."""
    return any(token.text not in _BARE_VERBS and token.key not in _BARE_VERBS for token in content_of(words))


def _is_shown_alone(turn: Turn, phenomenon_id: str) -> bool:
    """Whether the last reply named this one of all that is asked, so that a no without a name is of it."""
    said = next((item.text for item in reversed(turn.session.dialogue) if item.speaker is Speaker.ASSISTANT), "")
    names = {item.phenomenon_id: item.name.say(turn.language) for item in turn.session.pending}
    return [each for each, name in names.items() if name and name in said] == [phenomenon_id]


def _share_named(turn: Turn, phenomenon_id: str, words: str) -> float:
    """The share of the content of words that is in the name of a phenomenon, in [0, 1].

    A half of words of the lexicon alone; plain words name nothing.
    """
    return _share(words, turn.catalog.phenomenon_name(phenomenon_id))


def _share(words: str, name: LocalizedText) -> float:
    named = {token.key for text in (name.zh, name.en) for token in read_text(text).tokens}
    content = content_of(words)
    if not _units_of(words) <= _units_of(f"{name.zh}, {name.en}"):
        return 0.0  # "Not an hour" is of a check that has one in its name.
    if content:
        return sum(token.key in named for token in content) / len(content)
    return _HALF if telling_keys(words) else 0.0


def _units_of(words: str) -> frozenset[str]:
    """What the units in words measure."""
    return frozenset(
        each.payload.name for each in number_words().find(read_text(words)) if each.payload.table == "units"
    )


def names_most(turn: Turn, step: FeedbackStep) -> bool:
    """Whether half of what an answer says is in the names of the option, as it was shown or in the library."""
    asked = turn.session.clarification
    shown = {item.phenomenon_id: item.name for item in asked.options} if asked is not None else {}
    return any(
        max(_share_named(turn, found, step.words), _share(step.words, shown.get(found, LocalizedText()))) >= _HALF
        for found in _named(turn, step)
    )


def calls_by_name(turn: Turn, step: FeedbackStep, words: str) -> bool:
    """Whether words are nothing but of the name of the item that an answer is to."""
    return any(_share_named(turn, found, words) == 1 for found in _named(turn, step))


def _named(turn: Turn, step: FeedbackStep) -> tuple[str, ...]:
    """The single items that an answer by name names."""
    try:
        found = resolve(turn.session, step.reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()
    return found if step.reference.group is None else ()


def content_of(words: str) -> list[Token]:
    """The tokens that are no number, no word of the lexicon and no plain word."""
    text = read_text(words)
    told = {at for cue in cues_of(text) for at in range(cue.first, cue.last)}
    content = [token for at, token in enumerate(text.tokens) if token.kind in (Kind.WORD, Kind.HAN) and at not in told]
    return [token for token in content if not plain_words() & {token.key, token.text}]


def without_beside_names(turn: Turn, result: ToolResult) -> ToolResult:
    """The reading without what the words of a quoted name mean by themselves: "No index on ...: yes" tells of no OR."""
    quoted = _quoted(turn)
    if not quoted:
        return result

    def rest(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
        return tuple(each for each in readings if not _is_beside(each, quoted))

    words = tuple(
        replace(each, meaning=replace(each.meaning, readings=rest(each.meaning.readings))) for each in result.words
    )
    return replace(result, words=words, readings=rest(result.readings))


def _quoted(turn: Turn) -> dict[str, str]:
    """The phenomena that were asked about or are on record, by their names that stand in the message."""
    session, said = turn.session, turn.message.casefold()
    options = session.clarification.options if session.clarification is not None else ()
    known = {item.phenomenon_id for item in (*session.pending, *session.earlier, *options)}
    known |= {entry.phenomenon_id for entry in session.active()}
    found: dict[str, str] = {}
    for phenomenon_id in sorted(known):
        name = turn.catalog.phenomenon_name(phenomenon_id)
        for text, least in ((name.zh, _SHORTEST["zh"]), (name.en, _SHORTEST["en"])):
            if len(text) >= least and text.casefold() in said:
                found[text.casefold()] = phenomenon_id
    return found


def _is_beside(reading: Reading, quoted: dict[str, str]) -> bool:
    """Whether a reading is of the words of a name, and of another phenomenon."""
    words = reading.words.casefold()
    of_name = {found for name, found in quoted.items() if words and (name in words or words in name)}
    return bool(of_name) and reading.phenomenon_id not in of_name and not reading.pasted

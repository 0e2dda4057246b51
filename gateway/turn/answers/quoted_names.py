"""What a message says by the name that an answer showed, in full: it is said of that one thing, and of no other."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading

from gateway.turn.context import ToolResult, Turn

# A shorter name is a word that stands for more.
_SHORTEST = {"zh": 6, "en": 12}


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

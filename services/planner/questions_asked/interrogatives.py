"""Whether words ask something, by their signs, their interrogatives or how they begin and end."""

from __future__ import annotations

from lang import deferred_re as re
from lang.clauses import asks_a_not_a, points_at_thing
from lang.cues import cue_terms, word_set
from lang.tokens import Kind, read_text

_CHUNK = re.compile(r"[^,，.。;；:：!！\n]+")


def is_question(words: str) -> bool:
    """True if a part of the words asks something."""
    return any(mark in words for mark in "?？") or any(map(_asks, _CHUNK.findall(words)))


def _asks(chunk: str) -> bool:
    """True if words without a sign that parts them ask something."""
    text = read_text(chunk)
    fillers = (at for at, token in enumerate(text.tokens) if token.text not in word_set("before_question"))
    first = next(fillers, 0)
    cues = list(cue_terms().find(text))
    denied = {cue.last for cue in cues if cue.payload == "negation"}  # "No rights" ends with no "right?".
    for cue in cues:
        goes_on = cue.last == len(text.tokens) or text.tokens[cue.last].kind is not Kind.HAN  # Not "explain出来".
        opens = cue.payload == "question_opening" and cue.first == first and goes_on
        ends = cue.payload == "question_end" and cue.last == len(text.tokens) and cue.first not in denied
        asks = cue.payload == "question" and not points_at_thing(text, cue.first, cue.last)
        if opens or ends or asks:
            return True
    return asks_a_not_a(text.tokens)

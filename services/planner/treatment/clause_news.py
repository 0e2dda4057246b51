"""What each clause of a message tells of the treatment: that something was done, and how things are now; learned.

Softmax regression over the words of a clause, its form, and the clauses beside it. `services/planner/training` learns
the weights of `deeds.arrays` and `states.arrays` from messages of many hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang import deferred_re as re
from lang.clauses import asks_a_not_a
from lang.concepts import glossary
from lang.concepts.reading import read
from lang.cues import cue_terms, load_lexicon
from lang.judging.proposed_acts import is_proposed
from lang.linear.array_file import map_file
from lang.tokens import read_text
from services.planner.model import Aftermath
from services.planner.treatment.actions import mentions_in, read_actions
from services.planner.treatment.sentences import own_words, told_clauses
from services.planner.understand.acts.ngrams import TOKEN, Places, ngrams_of, place_of
from services.planner.understand.acts.softmax import SoftmaxModel, from_bytes
from services.planner.understand.text.word_lists import listed

Floats = npt.NDArray[np.float64]
DEEDS_FILE, STATES_FILE = Path(__file__).with_name("deeds.arrays"), Path(__file__).with_name("states.arrays")
# A deed, an act that is only named, and neither.
DEEDS = DONE, NAMED, NO_DEED = ("done", "named", "neither")
# How things are now, and no news of it.
STATES = WELL, BETTER, BAD, NO_NEWS = ("well", "better", "bad", "none")
# How much form and context weigh beside the words, whose values have length 1.
_FORM = 0.2
_ASKING = ("?", "？", "吗", "不", "没")
_EDGE, _LONG, _STEP = 3, 5, 8
_LONG_AGO, _ENDS = listed("treatment.long_ago"), " .。!！?？"
_AMOUNT = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s*([a-z%\u4e00-\u9fff]{0,2})")
# From this probability on a clause tells it, tells a deed that no list of actions has, and a recovery without a deed.
_LIKELY, _SURE, _CERTAIN = 0.5, 0.7, 0.6
# So many words tell what was done; a Chinese character is half of one.
_ENOUGH, _HAN = 3, 0.5
_WORD = re.compile(r"[a-z]{2,}|[\u4e00-\u9fff]", re.IGNORECASE)
# By so much the last of two amounts differs where they tell a change.
_CHANGED = 0.03


class News(NamedTuple):
    """A clause, how likely it tells something done, in [0, 1], and how things are: float64 (STATES,), sums to 1."""

    clause: str
    done: float
    states: Floats

    @property
    def tells_deed(self) -> bool:
        """Whether the clause tells that something was done."""
        return self.done >= _LIKELY

    @property
    def tells_unnamed_deed(self) -> bool:
        """Whether the clause surely tells that something was done, in words enough to stand for it."""
        words = _WORD.findall(self.clause)
        return self.done >= _SURE and sum(_HAN if each >= "\u4e00" else 1 for each in words) >= _ENOUGH

    @property
    def is_sure(self) -> bool:
        """Whether the clause surely tells that all is well."""
        return bool(self.states[STATES.index(WELL)] >= _CERTAIN)

    @property
    def aftermath(self) -> Aftermath | None:
        """How things are now by the clause; None where it does not tell."""
        well, better, bad, unsaid = map(float, self.states)
        if 1 - unsaid < _LIKELY:
            return None
        if bad > well + better:
            return Aftermath.UNCHANGED
        return Aftermath.WELL if well >= better else Aftermath.BETTER


@lru_cache(maxsize=16)  # What reads a turn asks for it again and again.
def news_in(said: str) -> tuple[News, ...]:
    """What the clauses of the person's own words tell, in their order; what others propose is no deed."""
    clauses, own, end = told_clauses(said), own_words(said), 0
    deeds, states = _shipped(DEEDS_FILE), _shipped(STATES_FILE)
    found = []
    for at, clause in enumerate(clauses):
        places, values = features_of(clauses, at)
        first = max(own.find(clause, end), 0)
        end = first + len(clause)
        other = is_proposed(own, (first, end)) or _tells_no_deed(clause)
        done = 0.0 if other else deeds.shares(places, values)[deeds.labels.index(DONE)]
        found.append(News(clause, float(done), states.shares(places, values)[[*map(states.labels.index, STATES)]]))
    return tuple(found)


def _tells_no_deed(clause: str) -> bool:
    """Whether the form of a clause rules a deed out: it asks if to do it, or tells of what was done weeks before."""
    return asks_a_not_a(read_text(clause).tokens) or _LONG_AGO.search(clause.strip(_ENDS)) is not None


def aftermath_of(words: str) -> Aftermath | None:
    """How things are now by some words: what they tell last."""
    return next((each.aftermath for each in reversed(news_in(words)) if each.aftermath is not None), None)


def tells_deed(words: str) -> bool:
    """Whether some words tell that something was done."""
    return any(each.tells_deed for each in news_in(words))


@cache
def _shipped(file: Path) -> SoftmaxModel:
    return from_bytes(map_file(file))


def features_of(clauses: Sequence[str], at: int) -> tuple[Places, Floats]:
    """The features of a clause and their values, without the intercept."""
    words = ngrams_of(clauses[at].lower())
    form = np.array(sorted({place_of(f"@{word}") for word in _form_of(clauses, at)}), dtype=np.int64)
    values = (np.full(len(words), 1 / np.sqrt(max(1, len(words)))), np.full(len(form), _FORM))
    return np.concatenate((words, form)), np.concatenate(values)


def _form_of(clauses: Sequence[str], at: int) -> Iterator[str]:
    """What is known of a clause beside its words, as words."""
    clause, whole = clauses[at].lower(), " ".join(clauses)
    named, acts, asks = _about(clauses[at])
    yield from (f"act {name}" for name in acts)
    yield f"acts {bool(acts)}"
    yield from (f"cue {name}" for name in named)
    yield from (f"cue {name} {bool(acts)}" for name in named)
    yield from (f"asks {asks}", f"asks anywhere {'?' in whole or '？' in whole}")
    yield from (f"length {min(len(clause) // _STEP, _LONG)}", f"place {at == 0} {at == len(clauses) - 1}")
    concepts = [token.key for token in read(clause, glossary.load()).tokens]
    yield from (f"concept {name}" for name in concepts)
    yield from (f"concepts {' '.join(pair)}" for pair in pairwise(concepts))
    yield f"amounts {_change_in(clause)}"
    for side, beside in (("before", at - 1), ("after", at + 1)):
        if not 0 <= beside < len(clauses):
            yield f"{side} nothing"
            continue
        named, acts, asks = _about(clauses[beside])
        tokens = TOKEN.findall(clauses[beside].lower())
        yield from (f"{side} {token}" for token in (*tokens[:_EDGE], *tokens[-_EDGE:]))
        yield from (f"{side} cue {name}" for name in named)
        yield from (f"{side} asks {asks}", f"{side} acts {bool(acts)}")


@lru_cache(maxsize=64)  # A clause is asked for itself, and by those beside it.
def _about(clause: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The cues of a clause, the actions that it names, and whether it asks."""
    cues = {found.payload for found in cue_terms().find(read_text(clause.lower()))}
    acts = {each.action for each in mentions_in(read_actions(clause.lower()))}
    return tuple(sorted(cues)), tuple(sorted(acts)), clause.rstrip().endswith(_ASKING)


def _change_in(clause: str) -> str:
    """How the last amount of a clause differs from the first, and whether it is nothing."""
    amounts = [float(number.replace(",", "")) * _scale(unit) for number, unit in _AMOUNT.findall(clause)]
    if len(amounts) < 2:
        return f"{len(amounts)} {amounts == [0.0]}"
    first, last = amounts[0], amounts[-1]
    changed = "down" if last < first * (1 - _CHANGED) else "up" if last > first * (1 + _CHANGED) else "same"
    return f"{changed} {last == 0}"


@cache
def _scales() -> dict[str, float]:
    units = load_lexicon("numbers")["units"]
    return {str(term): float(scale) for scales in units.values() for scale in scales for term in scales[scale]}


def _scale(unit: str) -> float:
    return _scales().get(unit, 1.0)

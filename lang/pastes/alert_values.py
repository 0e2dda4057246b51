"""What a firing alert says: the quantity that it names, with its value now, against the phenomena's own limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lang.pastes.check_index import CheckIndex
from lang.pastes.model import Block, Finding, Verdict
from lang.vocabulary import Quantity, Unit, Vocabulary

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[\u4e00-\u9fff]+")
_SHARE = re.compile(r"(\d+(?:\.\d+)?) ?[%％]")


def judge_alert(block: Block, index: CheckIndex, vocabulary: Vocabulary) -> Iterator[Finding]:
    """Findings of the alerts in a block; a resolved alert says nothing, nor does one without a value in percent."""
    for about, value, firing in block.table.rows if block.table else ():
        quantity = _quantity(about + " " + value, vocabulary)
        share = _SHARE.search(value)
        if firing == "t" and quantity is not None and share is not None:
            yield from _judged(quantity, float(share[1]), value, index)


def _quantity(words: str, vocabulary: Vocabulary) -> Quantity | None:
    """The quantity in percent whose longest term stands in the words."""
    said = f" {_spaced(words)} "
    found = [
        (len(term), quantity)
        for quantity in vocabulary.quantities
        if quantity.unit is Unit.PERCENT and not any(_stands(term, said) for term in quantity.beside.all)
        for term in quantity.say.all
        if all(_stands(part, said) for part in term.split(" + "))
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _stands(term: str, said: str) -> bool:
    """True if a term stands in spaced words: Latin words whole, Chinese ones anywhere."""
    words = _spaced(term)
    return (" " * words[:1].isascii() + words + " " * words[-1:].isascii()) in said


def _spaced(words: str) -> str:
    """The words of a text and of an alert's name, apart: "HostOutOfDiskSpace", "CPU使用率"."""
    return " ".join(_WORD.findall(words)).lower()


def _judged(quantity: Quantity, value: float, words: str, index: CheckIndex) -> Iterator[Finding]:
    for identity, known in index.checks.items():
        for predicate in known.check.means:
            limit = predicate.limit
            if predicate.quantity != quantity.id or limit is None or limit.unit is not Unit.PERCENT or limit.usual:
                continue
            verdict: Verdict = "confirmed" if limit.holds(value) else "denied"
            # An alert about too much is no denial of a phenomenon about too little.
            if verdict == "confirmed" or limit.sign.startswith("<") == (quantity.bad == "down"):
                yield Finding(identity, verdict, "counts", words, f"{value:g} %", "alert")

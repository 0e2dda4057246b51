"""Numerals and ids as numbers and as the library writes them."""

from __future__ import annotations

import re

ZH_DIGITS = dict(
    zip(
        "一二两俩仨三四五六七八九十甲乙丙丁戊大",
        (1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 1),
        strict=True,
    )
)
_ORDERED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
EN_ORDINALS = {
    word: at for words in (_ORDERED, ("1st", "2nd", "3rd", "4th", "5th", "6th")) for at, word in enumerate(words, 1)
}
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
EN_CARDINALS = {numeral: value for value, numeral in enumerate(_COUNTED, 1)} | {"couple": 2, "pair": 2}
# "P-003" may be P-0003 or P-0030.
_NO_ID = 3


def number_of(text: str, cardinal: bool = False) -> int:
    """The number that a numeral in either language states; 0 when it states none."""
    digits = re.search(r"\d+", text)
    if digits:
        return int(digits.group())
    if text in ("前者", "the former", "former", "former one"):
        return 1
    if text in ("后者", "the latter", "latter", "latter one"):
        return 2
    for table in (EN_CARDINALS, EN_ORDINALS) if cardinal else (EN_ORDINALS, EN_CARDINALS):
        for word in re.findall("[a-z0-9]+", text):
            if word in table:
                return table[word]
    chinese = [ZH_DIGITS[character] for character in text if character in ZH_DIGITS]
    return chinese[-1] if chinese else 0


def canonical_id(text: str) -> str:
    """An id as the library writes it: `p0012` -> `P-0012`; one of three digits stands for none."""
    found = re.fullmatch(r"(p|rc|)[-_ ]?(\d+)", text)
    if found is None:
        return text.upper()
    kind, digits = (found.group(1) or "p").upper(), found.group(2)
    return f"{kind}-{digits}" if len(digits) == _NO_ID else f"{kind}-{digits:0>4}"

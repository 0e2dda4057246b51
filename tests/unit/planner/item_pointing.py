"""Whether a message points at an item: by place, id, name, or a word for several."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from services.planner.model import Item
from services.planner.understand.items.synonyms import concepts_at
from services.planner.understand.text.messages import read

ZH = "零一二三四五六七八九"
# Words that mean more than one item without naming any, or an item by where it stands.
_GROUP = re.compile(
    "都|全|其[他它余]|剩|别的|另|除|以外|之外|只|就|俩|仨|两|一个|哪|最后|末|前|后|中间|头|底|首|上面|下面|单数|双数|奇|偶|这|那|个|条|项|"
    r"\b(?:all|both|everything|none|nothing|neither|rest|others?|else|except|but|save|bar|apart|aside|only|just|each|every|any|last|first|"
    r"second|third|fourth|fifth|final|middle|former|latter|top|bottom|odd|even|penultimate|outer|lot|either|that|this|those|these|them|it|one|two|three)\b"
)


def is_pointed_at(text: str, item: Item, several: bool) -> bool:
    """Whether a normalised text has the ordinal of an item, its id, a word that may name it, or a word for several."""
    name = read(f"{item.name.zh} {item.name.en} {item.present_when.zh} {item.present_when.en}").normal
    ranges = (re.findall(r"\d+", found) for found in re.findall(r"\d\s*(?:-|~|到|至|to|through)\s*\d", text))
    if any(int(low) <= item.ordinal <= int(high) for low, high in ranges) or not several:
        return True
    if "老大" in text and item.ordinal == 1:
        return True
    if str(item.ordinal) in text or ZH[item.ordinal] in text or item.phenomenon_id[2:] in text:
        return True
    if {concept for concept, _, _ in concepts_at(name)} & {concept for concept, _, _ in concepts_at(text)}:
        return True
    words = re.findall("[a-z]{3,}", name)
    pairs = {run[at : at + 2] for run in re.findall("[\u4e00-\u9fff]+", name) for at in range(len(run) - 1)}
    near = any(word[:4] in text or fuzz.partial_ratio(word, text) > 80 for word in words) or any(
        pair in text for pair in pairs
    )
    return near or _GROUP.search(text) is not None

"""Suspicions of a whole area."""

from __future__ import annotations

import yaml

from gateway.turn.suspected.suspects import categories_of
from services.knowledge.library.shipped_libraries import FOLDER
from tests.support.cases import for_each


@for_each(
    ("words", "category"),
    [
        ("会不会是硬件问题", "HOST"),
        ("IO 瓶颈吧", "IO_WAIT"),
        ("是不是应用的锅", "APPLICATION"),
        ("我看像网络的事", "NET"),
        ("bet it's the app's fault", "APPLICATION"),
        ("some locking thing", "LOCK"),
        ("could it be the network?", "NETWORK"),
        ("a wrong setting, some parameter", "CONFIG"),
    ],
)
def test_an_area_is_known_by_its_words(words: str, category: str) -> None:
    """Everyday words for an area lead to the categories of causes in it."""
    assert category in categories_of(words)


@for_each("words", ["我不知道", "something else", "it started on monday", ""])
def test_other_words_name_no_area(words: str) -> None:
    """Words that name no area lift no causes."""
    assert categories_of(words) == frozenset()


def test_every_category_of_the_shipped_causes_has_an_area() -> None:
    """There is no shipped cause that a suspicion of its area cannot reach."""
    causes = [yaml.load(path.read_bytes(), yaml.CSafeLoader) for path in FOLDER.glob("*/root_causes/*.yaml")]
    areas = yaml.safe_load((FOLDER.parents[3] / "gateway/turn/suspected/areas.yaml").read_text("utf-8"))
    reached = {category for area in areas.values() for category in area["categories"]}
    assert {cause["category"] for cause in causes} <= reached

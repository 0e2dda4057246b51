"""What a site has or does without, as people say it; and what only sounds like that."""

from __future__ import annotations

from lang.judging.facilities import FacilityReader
from lang.vocabulary import Facility, Name, Terms
from tests.support.cases import for_each


def facility(name: str, zh: tuple[str, ...], en: tuple[str, ...], **more: object) -> Facility:
    given = {"id": name, "name": Name(zh=name, en=name), "say": Terms(zh=zh, en=en), **more}
    return Facility.model_validate(given)


READER = FacilityReader(
    [
        facility(
            "standby", ("备库", "从库"), ("standby", "replicas"),
            lacking=Terms(zh=("单机",), en=("standalone",)),
            beside=Terms(en=("lag",)),
        ),
        facility("sync", ("同步备库",), ("sync standby",), within="standby"),
        facility("triggers", ("触发器",), ("triggers",)),
    ],
    {"LAG": ["standby"], "SYNCREP": ["sync"], "TRIGGERS": ["triggers"], "FREE": []},
)  # fmt: skip


def told(message: str) -> dict[str, bool]:
    return {each.facility.id: each.there for each in READER.read(message)}


@for_each(
    "message",
    [
        "we have no standby", "no standby here, checked", "there aren't any replicas", "without a standby",
        "0 replicas", "replicas: none", "it's standalone",
        "我们没有备库", "备库也没有", "说了没备库！！", "没配备库", "单机, 没有从库",
    ],
)  # fmt: skip
def test_a_site_without_a_facility_is_heard(message: str) -> None:
    """However it is said that there is none: it is not there."""
    assert told(message) == {"standby": False}


@for_each(
    "message",
    [
        "no standby is connected", "no standby lag", "the standby isn't connected", "no one touched the standby",
        "is there no standby?", "it's not the standby", "primary doesn't see its standby", "can't see the standby",
        "备库没断过", "从库从来没掉过",
        "没有备库延迟", "备库没有延迟", "备库没断", "不是备库", "从库不见了", "看不到备库",
        "昨天没有备库", "没有备库的权限",
    ],
)  # fmt: skip
def test_what_is_said_of_a_facility_is_no_lack_of_it(message: str) -> None:
    """Something else that is denied beside it, its loss, another thing, the past and a question: none is its lack."""
    assert False not in told(message).values()


@for_each(
    "message",
    [
        "sorry, there is one standby", "we do have a standby", "其实有一个备库", "前面说没有备库说错了，有一个",
        "i said we have no standby, that was wrong, there is one",
    ],
)  # fmt: skip
def test_a_facility_that_is_there_is_heard(message: str) -> None:
    """What takes the lack back is heard as well."""
    assert told(message) == {"standby": True}


def test_several_are_denied_in_one_list() -> None:
    """Each that a list names is not there."""
    assert told("没有备库，也没有触发器") == {"standby": False, "triggers": False}


def test_what_is_part_of_a_facility_lacks_with_it() -> None:
    """Without a standby there is no synchronous one; without a synchronous one there may be a standby."""
    assert [each.phenomena for each in READER.read("no standby")] == [("LAG", "SYNCREP")]
    assert [each.phenomena for each in READER.read("no sync standby")] == [("SYNCREP",)]

"""How long a disk lasts is told from the figures of the person, and the one that lacks is asked for."""

from __future__ import annotations

import pytest

from services.planner.model import (
    AppliedCorrection,
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import bearing_on_treatment
from services.planner.treatment.case_talk import add_case_talk
from tests.support.cases import for_each

SLOT = ConclusionView("RC-0003", Text("没人要的槽留着 WAL", "A slot retains WAL"), 0.98)
OPENED, FAST = "disk alert on prod pg box, 96% and climbing", "grafana says disk goes up maybe 10 gig an hour"
SLOWER = "wrong panel: the volume fills 4 gigs per hour not 10. 500G total. how long do i have"


def told(language: Language, *messages: str) -> str:
    """The answer to how long there is, after these messages of a case."""
    objects: tuple[NamedObject, ...] = ()
    for turn, said in enumerate(messages):
        objects += bearing_on_treatment(said, SessionView(turn=turn))
    answer = HelpAnswer((), SLOT, messages[-1], QuestionTopic.URGENCY)
    return compose(TurnResults(answers=(answer,), objects=objects), language, "")


def phrase(key: str, language: Language, **values: str) -> str:
    """A phrase with its values."""
    return str(load_phrases(language)[key]).format(**values)


@for_each("language", [Language.ZH, Language.EN])
@for_each(
    ("messages", "time", "count"),
    [
        ((OPENED, FAST, SLOWER), "hours", "5"),
        ((OPENED, SLOWER, "i just told you 4G/h and 500 total at 96. is it 5 hours then or what"), "hours", "5"),
        (("一小时涨4G，总共500G，现在96%，还有多久",), "hours", "5"),
        (("每小时涨 10 个G，还剩20G，能撑多久",), "hours", "2"),
        (("every hour 10G, 20 GB left. how long", "sorry, 40 GB left"), "hours", "4"),
        (("480G of 500G used, 4 GB per hour",), "hours", "5"),
        (("1TB disk, 93% full, grows by 30GB a day. how long do we have?",), "days", "2"),
        (("10 GB free, it grows 10 GB an hour",), "minutes", "60"),
    ],
)
def test_how_long_there_is_follows_from_the_figures_told(
    messages: tuple[str, ...], time: str, count: str, language: Language
) -> None:
    """Size, share, free space and growth, told over several messages and corrected, give the time that is left."""
    text = told(language, *messages)
    assert phrase(f"time_{time}", language, count=count) in text
    assert "df -h" not in text


@for_each("language", [Language.ZH, Language.EN])
@for_each(
    ("said", "lacks"),
    [
        ("the disk is at 96%, 4 GB per hour", "size"),
        ("磁盘96%了，总共500G", "growth"),
        ("the volume fills 4 gigs per hour", "free"),
    ],
)
def test_the_one_figure_that_lacks_is_asked_for(said: str, lacks: str, language: Language) -> None:
    """Where one figure is missing nothing is computed, and just that one is named."""
    text = told(language, said)
    assert phrase(f"lacks_{lacks}", language) in text


@for_each("said", ["CPU 95%, memory 80%", "it writes 200MB/s", "the orders table grew 4GB per hour to 50G"])
def test_other_figures_are_none_of_the_disk(said: str) -> None:
    """Load, throughput and the size of a table do not tell how a disk fills."""
    assert not [each for each in bearing_on_treatment(said, SessionView()) if each.kind == "figure"]


@for_each("said", ["is it 5 hours then or what", "那就是5小时吧", "so it's 5 hours left?"])
def test_a_guess_at_the_time_asks_how_long(said: str) -> None:
    """Somebody who says a time and wants it confirmed asks how long there is."""
    view = SessionView(status=Status.CONCLUDED, history=(Utterance(Speaker.ASSISTANT, "ok"),))
    steps = add_case_talk(TurnPlan(), said, said, view).steps
    assert QuestionTopic.URGENCY in [getattr(step, "topic", None) for step in steps]


@pytest.mark.parametrize("language", [Language.ZH, Language.EN])
def test_a_corrected_figure_is_not_said_to_change_nothing(language: Language) -> None:
    """A figure of the disk set right is reckoned with, and told so."""
    correction = AppliedCorrection(Text(), corrected="the volume fills 4 gigs per hour not 10")
    text = compose(TurnResults(corrections=(correction,)), language, "")
    assert phrase("set_figure", language, words=correction.corrected) in text


@for_each("language", [Language.ZH, Language.EN])
@for_each(
    "messages",
    [
        ("disk alarm, 96% and going up", "i just said pg_wal is huge!! 310 gigs of 500. eats like 4gb an hour"),
        ("disk at 96%", "the wal folder is 310 gigs of 500, 4 GB per hour", "oops that dir is 410 not what i typed"),
        ("磁盘96%了", "pg_wal 目录 410G，盘总共 500G，每小时涨4G"),
    ],
)
def test_the_size_of_a_folder_is_not_the_use_of_the_disk(messages: tuple[str, ...], language: Language) -> None:
    """How large a folder is tells not how much of the disk is used; what it is a part of is how large the disk is."""
    text = told(language, *messages, "how long till its full?")
    assert phrase("time_hours", language, count="5") in text
    assert "310 GB" not in text
    assert "410 GB" not in text


@for_each("language", [Language.ZH, Language.EN])
@for_each("said", ["so 3am now, how many hrs", "现在凌晨3点，还有几个小时会满"])
def test_the_time_of_the_day_is_told_where_it_is_known_what_time_it_is(said: str, language: Language) -> None:
    """Somebody who tells what time it is hears until when the disk lasts, and has asked for just that."""
    text = told(language, "the disk is at 96%, 500 GB in total, 4 GB per hour", said)
    assert phrase("time_until", language, told="03:00", time="8:00") in text
    view = SessionView(status=Status.CONCLUDED, history=(Utterance(Speaker.ASSISTANT, "ok"),))
    steps = add_case_talk(TurnPlan(), said, said, view).steps
    assert QuestionTopic.URGENCY in [getattr(step, "topic", None) for step in steps]

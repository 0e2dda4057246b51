"""Which action is asked about, with which value, and what was said to hold before it."""

from __future__ import annotations

from services.planner.treatment.actions import actions_in, asking_words
from services.planner.treatment.agreed import conditions_told
from services.planner.treatment.named_steps import names_setting, with_value, without_left
from tests.support.cases import for_each

DELAY = "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();"


@for_each(
    ("said", "told"),
    [
        ("disk is 40% used, its a 2tb array.", {"share", "size"}),
        ("磁盘用了40%，2T的盘", {"share", "size"}),
        ("800 GB free on that disk", {"share", "size"}),
        ("还剩 500G", {"share", "size"}),
        ("plenty of space", {"share", "size"}),
        ("disk is 40% used", {"share"}),
        ("disk is 92% used, its a 2tb array", {"size"}),
        ("only 4 GB free", set()),
        ("is the disk 40% used?", set()),
        ("cpu is at 40%, max_wal_size is 1GB", set()),
    ],
)
def test_the_use_and_the_size_of_a_disk_tell_its_room(said: str, told: set[str]) -> None:
    """A share in use, a size and what is free are what has to hold before more WAL is kept."""
    assert conditions_told(said) == told


@for_each("said", ["they bounced pg on monday. change anything?", "does that change anything?", "改变啥吗？"])
def test_a_verb_with_no_thing_of_its_own_names_no_action(said: str) -> None:
    """ "Change anything" asks what a fact means, and not to change something."""
    sentence = said.rsplit(". ", 1)[-1]
    assert not actions_in(asking_words(sentence))


@for_each(
    "said",
    [
        "那我把delay改成3小时、先不动feedback",
        "set delay to 3h without touching feedback",
        "raise the delay to 3 hours, leave feedback off",
        "把delay调到3个小时 不要开feedback",
    ],
)
def test_what_is_to_be_left_is_not_asked_about(said: str) -> None:
    """The setting that is named as the one to leave is none that is set, and the value goes into the command."""
    rest = without_left(said)
    assert names_setting(rest, "max_standby_streaming_delay")
    assert not names_setting(rest, "hot_standby_feedback")
    assert "'3h'" in with_value(DELAY, said)


@for_each(
    ("how", "said"),
    [
        (DELAY, "set it to 16GB"),
        ("ALTER SYSTEM SET max_wal_size = '16GB';", "set it to 3h"),
        ("ALTER SYSTEM SET hot_standby_feedback = on;", "it runs for 3 hours, turn feedback on"),
        (DELAY, "may i change it?"),
    ],
)
def test_a_value_of_another_kind_is_none(how: str, said: str) -> None:
    """A time is no size, and where nothing is set the command stays as it is."""
    assert with_value(how, said) == how

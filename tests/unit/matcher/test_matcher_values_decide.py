"""The value in an output decides, not the name beside it nor the query above it."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Reading, Standing
from services.matcher.training.texts import load_shipped_library

QUERY = "dwh=> select name, setting, unit from pg_settings where name in ('hot_standby_feedback','{}');\n"
SETTINGS = """         name         | setting | unit
----------------------+---------+------
 hot_standby_feedback | off     |
 {} | {} | ms
(2 rows)"""


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return MessageReader(load_shipped_library())


def counted(reader: MessageReader, message: str, *before: str, asked: tuple[str, ...] = ()) -> dict[str, Reading]:
    readings = [item.reading for item in reader.read(message, Topics(pending=asked, before=before)).readings]
    return {each.phenomenon_id: each for each in readings if each.standing is Standing.COUNTS}


@pytest.mark.parametrize("value", ["0", "30000"])
@pytest.mark.parametrize("name", ["statement_timeout", "lock_timeout", "authentication_timeout"])
def test_a_setting_is_not_the_error_that_it_is_named_in(name: str, value: str, reader: MessageReader) -> None:
    """A row of settings tells what is set, never that the error with that name came, or that it does not come."""
    errors = {"P-0017", "P-0038", "P-0257"}
    assert errors.isdisjoint(counted(reader, QUERY.format(name) + SETTINGS.format(name, value)))
    assert errors.isdisjoint(counted(reader, f"hot_standby_feedback | off |\n{name} | {value} | ms"))
    assert errors.isdisjoint(counted(reader, f"our {name} is {int(value) + 1} s"))
    assert errors.isdisjoint(counted(reader, f"shop=> show {name};\n {name}\n------\n {value}\n(1 row)"))


def test_what_a_row_shows_is_in_the_words_of_the_row(reader: MessageReader) -> None:
    """The query above the rows names the settings, too, and is no output."""
    found = counted(reader, QUERY.format("lock_timeout") + SETTINGS.format("lock_timeout", "0"))
    assert {name: reading.words.split()[0] for name, reading in found.items()} == {
        "P-0117": "hot_standby_feedback",
        "P-0245": "lock_timeout",
    }


@pytest.mark.parametrize(
    "said", ["statement_timeout is 30s and queries get cancelled", "statement_timeout = 30s 到点被取消"]
)
def test_an_error_beside_its_setting_is_told(said: str, reader: MessageReader) -> None:
    """That a limit is set to something takes nothing from what words beside it tell."""
    assert counted(reader, said)["P-0017"].verdict == "confirmed"

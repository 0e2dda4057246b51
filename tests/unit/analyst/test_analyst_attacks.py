"""No statement changes, leaks or exhausts anything; honest ones run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from services.analyst.execution.limits import Limits
from services.analyst.execution.runner import ResultRows, Runner
from services.analyst.sources.source import source_of
from services.chassis.errors import DbdiagError, DeadlinePassed, InvalidInput, TooBusy
from tests.support.data.ugly_shop import TABLES, write_shop

pytestmark = pytest.mark.sampled

_LISTS = Path(__file__).parent / "statements"
_SECRET = "the-secret-of-the-house"
_WITHIN = Limits(seconds=1.0)
# After each attack the dataset must answer this as before.
_PROBE = "SELECT count(*), sum(amount), min(status), (SELECT count(*) FROM book), (SELECT sum(n) FROM big) FROM sale"


def statements(name: str) -> Iterator[tuple[str, str]]:
    """The heading and the text of each statement of a list."""
    heading = ""
    for line in (_LISTS / name).read_text("utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line and not line.startswith("#"):
            yield heading, line


class Place:
    """A shop, a file with a secret beside it, and an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.shop, self.secret, self.out = folder / "shop.duckdb", folder / "secret.csv", folder / "out"
        write_shop(self.shop)
        self.secret.write_text(f"a\n{_SECRET}\n", "utf-8")
        self.out.mkdir()
        self.digest = self.shop.read_bytes()

    def attack(self, text: str) -> str:
        """An attack on this place."""
        return text.replace("{secret}", str(self.secret)).replace("{out}", str(self.out))

    def is_unharmed(self) -> bool:
        """True if nothing was written."""
        return not list(self.out.iterdir()) and self.shop.read_bytes() == self.digest


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The place of a test."""
    return Place(tmp_path)


@pytest.fixture
async def runner(place: Place) -> AsyncIterator[Runner]:
    """A runner over the shop's dataset, which leaves out the salaries."""
    runner = Runner([source_of(place.shop)], _WITHIN)
    await runner.open()
    runner.allow(TABLES)
    yield runner
    await runner.close()


def leaks(rows: ResultRows) -> bool:
    """True if a result holds the secret, or a salary."""
    return _SECRET in str(rows.rows) or "person" in str((rows.columns, rows.rows))


def test_the_lists_are_long() -> None:
    """There are at least 250 attacks and 100 honest statements, no two the same."""
    for name, least in (("attacks.txt", 250), ("honest.txt", 100)):
        texts = [text for _, text in statements(name)]
        assert len(texts) == len(set(texts)) >= least


async def test_no_attack_has_an_effect(place: Place, runner: Runner) -> None:
    """Of all attacks none is answered with more than a constant, and after each the dataset answers as before."""
    before = (await runner.run(_PROBE)).rows
    answered = []
    for _, text in statements("attacks.txt"):
        try:
            rows = await runner.run(place.attack(text))
        except DbdiagError:
            rows = None
        if rows is not None and (leaks(rows) or rows.rows != ((1,),)):
            answered.append(text)
        assert (await runner.run(_PROBE)).rows == before, text
    assert answered == []
    assert place.is_unharmed()


async def test_the_child_alone_lets_nothing_out(place: Place, runner: Runner) -> None:
    """Without admission, the locked child still reads no file, writes none, and keeps no object."""
    before = (await runner.run(_PROBE)).rows
    headings = ("files read", "files written", "network and extensions", "changes", "evasions")
    for heading, text in statements("attacks.txt"):
        if heading not in headings or "salary" in text:
            continue
        try:
            rows = await runner.run_own(place.attack(text))
        except DbdiagError:
            continue
        assert not leaks(rows), text
    assert (await runner.run(_PROBE)).rows == before
    assert place.is_unharmed()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT length(repeat('abcdefghij', 300000000))",
        "SELECT count(*) FROM big a, big b, big c",
        "SELECT list(a.n) FROM big a, big b",
        "WITH RECURSIVE r AS (SELECT 'a' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) FROM r",
        "SELECT pg_sleep(60)",
    ],
)
async def test_work_without_bound_is_stopped(text: str, runner: Runner) -> None:
    """What admission would let through by mistake ends within its time and memory, and the next answer is right."""
    before = (await runner.run(_PROBE)).rows
    with pytest.raises((DeadlinePassed, TooBusy)):
        await runner.run_own(text)
    assert (await runner.run(_PROBE)).rows == before


async def test_honest_statements_run(runner: Runner) -> None:
    """No honest statement is refused, and each runs."""
    refused = []
    for _, text in statements("honest.txt"):
        try:
            await runner.run(text)
        except DbdiagError as error:
            refused.append((text, error.message))
    assert refused == []


async def test_a_result_is_cut_and_says_so(runner: Runner) -> None:
    """Rows and bytes beyond the limits are left out, and the result says that it was cut."""
    few = await runner.run("SELECT * FROM big", Limits(max_rows=10))
    assert (len(few.rows), few.truncated) == (10, True)
    small = await runner.run("SELECT repeat('x', 900) FROM big", Limits(max_bytes=10_000))
    assert len(small.rows) == 11
    assert small.truncated
    whole = await runner.run("SELECT * FROM big", Limits(max_rows=20_000))
    assert (len(whole.rows), whole.truncated) == (20_000, False)


async def test_a_refusal_names_the_tables(runner: Runner) -> None:
    """A statement on a table outside the dataset is refused with the tables that it has."""
    with pytest.raises(InvalidInput, match=r"salary is not a table of the dataset; its tables: big, book") as caught:
        await runner.run("SELECT * FROM salary")
    assert caught.value.reason == "sql_not_allowed"

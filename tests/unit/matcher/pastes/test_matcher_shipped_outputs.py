"""Every shipped SQL check on rows of its own columns: its own rule decides, whatever the copy looks like."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from lang.judging.dialogue import Topics
from lang.pastes import RowRule
from lang.pastes.check_index import KnownCheck
from lang.pastes.model import Verdict
from lang.pastes.select_list import name_columns
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing
from tests.support.matching import shipped_reader
from tests.support.texts.made_outputs import SLOPPY, make_rows, reorder, say_around
from tests.support.texts.printed_tables import PRINTERS

NOW = 1795500000.0
FORMS = {**{name: PRINTERS[name] for name in ("aligned", "unaligned", "csv", "tsv", "expanded", "border 2")}, **SLOPPY}
Case = tuple[str, list[str], list[list[str]], Verdict]


@cache
def reader() -> MessageReader:
    return shipped_reader()


def queries() -> Iterator[tuple[KnownCheck, RowRule, list[str]]]:
    for known in reader().checks.checks.values():
        columns = [names for statement in known.statements if (names := name_columns(statement))]
        if known.check.rows and columns:
            yield known, known.check.rows, list(columns[-1])


# One check in so many.
PARTS = [3, pytest.param(1, marks=pytest.mark.slow)]


@pytest.fixture(params=PARTS)
def every(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@cache
def cases(every: int) -> list[Case]:
    verdicts: tuple[Verdict, ...] = ("confirmed", "denied")
    return [
        (known.phenomenon_id, names, rows, verdict)
        for known, rule, names in list(queries())[::every]
        for verdict in verdicts
        if not known.on_standby and len(names) > 1 and (rows := make_rows(names, rule, verdict))
    ]


def said(text: str, *asked: str) -> set[tuple[str, str, str]]:
    found = [item.reading for item in reader().read(text, Topics(pending=asked), NOW).readings]
    return {
        (
            each.phenomenon_id,
            each.verdict.name.lower() if each.verdict else "",
            each.standing.name if each.standing else "",
        )
        for each in found
    }


@pytest.mark.slow
def test_most_checks_have_rows_of_both_verdicts(every: int) -> None:
    """The rows are made for what the rules ask for: few rules are left out."""
    assert len({identity for identity, *_, verdict in cases(every) if verdict == "confirmed"}) >= 100 / every
    assert len({identity for identity, *_, verdict in cases(every) if verdict == "denied"}) >= 60 / every


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_an_asked_output_has_the_verdict_of_its_own_rule(form: str, every: int) -> None:
    """In every form, also without a ruler, trimmed or quoted; what else counts, a rule over its view confirms."""
    wrong = []
    viewed = {name for name, known in reader().checks.checks.items() if known.check.views}
    for identity, names, rows, verdict in cases(every):
        found = said(FORMS[form](names, rows), identity)
        others = {each for each in found if each[2] == Standing.COUNTS.name} - {(identity, verdict, "COUNTS")}
        beside = all(other in viewed and told == "confirmed" for other, told, _ in others)
        if (identity, verdict, "COUNTS") not in found or not beside:
            wrong.append((identity, verdict, found))
    assert wrong == []


@pytest.mark.slow
def test_what_stands_around_an_asked_output_changes_nothing(every: int) -> None:
    """Words that lead to an output, fences and prompts say nothing of their own."""
    wrong = []
    for identity, names, rows, verdict in cases(every):
        for text in say_around(PRINTERS["aligned"](names, rows)):
            if (identity, verdict, "COUNTS") not in said(text, identity):
                wrong.append((identity, verdict, text.split("\n")[0]))
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("form", ["aligned", "csv"])
def test_the_order_of_columns_and_one_left_out_change_nothing(form: str, every: int) -> None:
    """People turn columns round and leave out what seems of no use."""
    wrong = []
    for identity, names, rows, verdict in cases(every):
        rule = reader().checks.checks[identity].check.rows
        needed = frozenset(name for one in rule.expressions for name in one.names) if rule else frozenset()
        fewer, cells = reorder(names, rows, needed | frozenset(rule.key if rule else ()))
        if (identity, verdict, "COUNTS") not in said(PRINTERS[form](fewer, cells), identity):
            wrong.append((identity, verdict, fewer))
    assert wrong == []


@pytest.mark.slow
def test_an_output_that_nobody_asked_for_is_of_its_check_or_proposed(every: int) -> None:
    """Without a question the columns tell; what several checks print is at most proposed, and no verdict is turned."""
    for identity, names, rows, verdict in cases(every):
        found = said(PRINTERS["aligned"](names, rows))
        against = "denied" if verdict == "confirmed" else "confirmed"
        assert (identity, against, "COUNTS") not in found, (identity, names, rows)

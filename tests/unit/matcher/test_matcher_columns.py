from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.matcher.matcher import Matcher
from services.matcher.model import Clarification, Match, MatchPhenomenaRequest, NoMatch, Observation, Verdict
from services.matcher.reading import columns
from tests.support.matching import outcome_of

HOW = (
    "SELECT count(*) AS sessions, current_setting('max_connections')::int AS max_connections, round(1, 1) AS pct FROM t"
)
NEAR_MAX = "P-0044"


def aligned(sessions: int, most: int, share: float) -> str:
    """psql's aligned output."""
    head, row = " client_connections | max_connections | pct ", f" {sessions:>18} | {most:>15} | {share:.1f}"
    return f"{head}\n--------------------+-----------------+-----\n{row}\n(1 row)"


def expanded(sessions: int, most: int, share: float) -> str:
    """psql's expanded output (\\x)."""
    return f"-[ RECORD 1 ]-----\nclient_connections | {sessions}\nmax_connections | {most}\npct | {share:.1f}"


def unruled(sessions: int, most: int, share: float) -> str:
    """psql's aligned output without its rule."""
    return f"client_connections | max_connections | pct\n{sessions} | {most} | {share:.1f}"


def separated(sessions: int, most: int, share: float) -> str:
    """psql's CSV output."""
    return f"client_connections,max_connections,pct\n{sessions},{most},{share:.1f}"


@pytest.mark.parametrize("printed", [aligned, expanded, unruled, separated])
@pytest.mark.parametrize(
    ("sessions", "verdict"), [(48, "denied"), (449, "denied"), (450, "confirmed"), (499, "confirmed")]
)
async def test_the_values_of_a_check_decide(
    curated_matcher: Matcher, printed: object, sessions: int, verdict: str
) -> None:
    """Output of an entry's own check matches that entry, and its values decide the verdict."""
    assert callable(printed)
    text = printed(sessions, 500, sessions / 5)
    answer = await curated_matcher.match(MatchPhenomenaRequest("", (Observation(text),)))
    outcome = outcome_of(answer.interpretations[0])
    assert isinstance(outcome, Match)
    assert (outcome.phenomenon_id, outcome.verdict) == (NEAR_MAX, verdict)


@pytest.mark.parametrize(
    ("text", "verdict"), [("pct is 9.6", "denied"), ("pct 是 9.6", "denied"), ("pct = 97", "confirmed")]
)
async def test_one_column_of_a_pending_check_decides(curated_matcher: Matcher, text: str, verdict: str) -> None:
    """A column's value in a sentence answers the pending item."""
    request = MatchPhenomenaRequest("", (Observation(text),), pending_phenomenon_ids=(NEAR_MAX,))
    outcome = outcome_of((await curated_matcher.match(request)).interpretations[0])
    assert isinstance(outcome, Match)
    assert (outcome.phenomenon_id, outcome.verdict) == (NEAR_MAX, verdict)


@pytest.mark.parametrize(
    "text", ["client_connections | max_connections | pct", " pid | usename | state\n 17 | app | idle\n(1 row)"]
)
async def test_the_words_of_a_header_confirm_nothing(curated_matcher: Matcher, text: str) -> None:
    """A table whose values cannot be compared leads to a clarification or no match."""
    answer = await curated_matcher.match(MatchPhenomenaRequest("", (Observation(text),)))
    outcome = outcome_of(answer.interpretations[0])
    assert isinstance(outcome, Clarification | NoMatch)


@given(st.floats(min_value=0, max_value=100, allow_nan=False))
def test_each_side_of_the_limit_has_its_verdict(share: float) -> None:
    """A value at or above the limit confirms, one below it denies."""
    test = columns.test_of(HOW, ["pct is 90 or more"], ())
    value = round(share, 1)
    wanted = Verdict.CONFIRMED if value >= 90 else Verdict.DENIED
    assert columns.decide(columns.output_of(f"sessions | pct\n 1 | {value}"), test) == wanted


@pytest.mark.parametrize(
    ("present", "table", "verdict"),
    [
        ("waiting is 3 or more, or longest is above 5 seconds", "waiting | longest\n 4 | 00:00:01", Verdict.CONFIRMED),
        ("waiting is 3 or more, or longest is above 5 seconds", "waiting | longest\n 1 | 00:00:01", Verdict.DENIED),
        ("waiting is 3 or more, or longest is above 5 seconds", "waiting | other\n 1 | 7", None),
        ("n_dead 超过 1 万且 dead_pct > 20", "n_dead | dead_pct\n 10 | 90\n 90000 | 3", Verdict.DENIED),
        ("n_dead 超过 1 万且 dead_pct > 20", "n_dead | dead_pct\n 10 | 3\n 90000 | 30", Verdict.CONFIRMED),
        ("a row has age above 10 minutes", "age | n\n 700 | 1", None),
        ("a row has age above 10 minutes", "age | n\n 00:20:00 | 1", Verdict.CONFIRMED),
        ("in the differences sessions is above 10", "sessions | n\n 700 | 1", None),
        ("the query returns a row", "pid | age\n 7 | 00:20:00\n(1 row)", Verdict.CONFIRMED),
        ("the query returns a row", "pid | age\n-----+-----\n(0 rows)", Verdict.DENIED),
        ("pct below 25 % of the host's memory", "pct | n\n 20 | 1", None),
    ],
)
def test_conditions_hold_in_one_row(present: str, table: str, verdict: Verdict | None) -> None:
    """Conditions of both languages, joined by and or or, are evaluated within one row; a unit must be stated."""
    how = "SELECT 1 AS waiting, 2 AS longest, 3 AS n_dead, 4 AS dead_pct, 5 AS age, 6 AS sessions, 7 AS pct, pid, n"
    assert columns.decide(columns.output_of(table), columns.test_of(how, [present], ())) == verdict


@given(st.text(alphabet="abc|,=-+1 2\n\t%()", max_size=80))
def test_any_text_is_parsed(text: str) -> None:
    """Parsing columns accepts any text, and no column is longer than the table."""
    output = columns.output_of(text)
    columns.decide(output, columns.test_of(HOW, ["pct is 90 or more"], ()))
    assert all(len(values) <= output.rows for values in output.values.values()) or not output.tabular

"""Cases played question by question, and what they add up to."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from gateway.cli.main import main
from services.chassis.errors import InvalidInput
from services.engine.calibration.evaluation import Course, play_cases, read_cases, read_tickets, ticket_cases
from services.engine.calibration.metrics import Played, measure, questions_svg, reliability_svg
from services.engine.inference.reasoner import open_model
from services.engine.model import ScoringRule
from tests.support.cases import for_each


def silent(done: int, total: int) -> None:
    assert done <= total


def tickets() -> list[str]:
    """Four causes with three phenomena each, of which neighbours share one."""
    rows = [
        {"ticket_id": f"{cause}-{copy}", "root_cause_id": f"c{cause}",
         "phenomena": [f"p{cause}", f"p{(cause + 1) % 4}", f"q{cause}"]}
        for cause in range(4) for copy in range(5)
    ]  # fmt: skip
    return [json.dumps(row) for row in rows]


def cases() -> list[str]:
    rows = [
        {"case_id": f"k{cause}", "root_cause_id": f"c{cause}", "initial": [f"p{cause}"],
         "present": [f"p{cause}", f"p{(cause + 1) % 4}", f"q{cause}"]}
        for cause in range(4)
    ]  # fmt: skip
    return [json.dumps(row) for row in rows]


def test_clear_cases_are_all_diagnosed() -> None:
    """With honest answers every cause is found, concluded and rightly so."""
    library = open_model(read_tickets(tickets(), "tickets"))
    metrics = measure(play_cases(library, read_cases(cases(), "cases"), Course(), silent))
    assert (metrics.top1, metrics.stopped_share, metrics.right_when_stopped) == (1.0, 1.0, 1.0)
    assert metrics.mean_questions >= 1.0
    assert metrics.failures == 0


def test_chance_is_the_seed_s() -> None:
    """Equal seeds play equal cases whatever else is played; another seed errs elsewhere."""
    library = open_model(read_tickets(tickets(), "tickets"))
    listed = list(ticket_cases(library.snapshot))
    noisy = Course(flip=0.3, unknown=0.2)
    played = play_cases(library, listed, noisy, silent)
    assert play_cases(library, listed[:3], noisy, silent) == played[:3]
    assert play_cases(library, listed, Course(flip=0.3, unknown=0.2, seed=2), silent) != played


def test_ids_the_library_does_not_have_are_played_all_the_same() -> None:
    """A complaint nobody recorded starts from nothing; a cause nobody had cannot be found."""
    library = open_model(read_tickets(tickets(), "tickets"))
    row = {"case_id": "k", "root_cause_id": "new", "present": ["new"], "initial": ["new"]}
    played = play_cases(library, read_cases([json.dumps(row)], "cases"), Course(rule=ScoringRule.SEED), silent)[0]
    assert (played.failed, played.place, played.belief_in_right) == (False, 0, 0.0)


def test_metrics_of_known_cases() -> None:
    """Each metric is what its description says, on four cases counted by hand."""
    metrics = measure(
        [
            Played("a", 2, True, 0.97, 0.97, 1),
            Played("b", 4, True, 0.97, 0.01, 2),
            Played("c", 20, False, 0.55, 0.55, 1),
            Played("d", failed=True),
        ]
    )
    assert (metrics.cases, metrics.failures) == (4, 1)
    assert metrics.top1 == pytest.approx(2 / 3)
    assert metrics.top3 == 1.0
    assert metrics.mean_questions == pytest.approx(26 / 3)
    assert metrics.right_when_stopped == 0.5
    assert metrics.false_confidence_rate == pytest.approx(1 / 3)
    assert metrics.ece == pytest.approx((abs(1.94 - 1) + abs(0.55 - 1)) / 3)
    assert metrics.brier == pytest.approx((0.03**2 + 0.97**2 + 0.45**2) / 3)


@for_each(
    "line", ["{", "[]", "[" * 200_000, '{"ticket_id": 3}', '{"ticket_id":"a","root_cause_id":"b","phenomena":"c"}']
)
def test_a_bad_line_is_named(line: str) -> None:
    """What cannot be read is refused with its file and line."""
    with pytest.raises(InvalidInput, match="tickets, line 2"):
        read_tickets([tickets()[0], line], "tickets")


@for_each("lines", [[], [""], ["", "  "]])
def test_a_file_without_tickets_is_named(lines: list[str]) -> None:
    """What holds no ticket teaches nothing and is refused."""
    with pytest.raises(InvalidInput, match="nothing: it contains no ticket"):
        read_tickets(lines, "nothing")


def test_the_command_plays_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`knowledge eval` reads both files and prints every metric as JSON."""
    files = {"tickets": tmp_path / "tickets.jsonl", "cases": tmp_path / "cases.jsonl"}
    files["tickets"].write_text("\n".join(tickets()), encoding="utf-8")
    files["cases"].write_text("\n".join(cases()), encoding="utf-8")
    named = ["--tickets", str(files["tickets"]), "--cases", str(files["cases"])]
    assert main(["knowledge", "eval", *named, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["top1"] == 1.0
    assert {"ece", "brier", "seconds", "failures", "false_confidence_rate"} <= found.keys()
    assert main(["knowledge", "eval", *named[:2], "--rule", "seed", "--set", "answer_noise=0.02"]) == 0
    assert "mean questions" in capsys.readouterr().out


def test_the_command_tells_what_tickets_chose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Enough tickets that tell enough choose numbers of the model, which are printed; few or short ones do not."""
    figures = []
    told, short = ["also-1", "also-2", "also-3"], list[str]()
    never = ["--set", "fewest_tickets=1000"]
    for copies, more, options in ((1, told, []), (12, told, []), (12, told, never), (12, short, [])):
        files = {"tickets": tmp_path / f"{copies}.jsonl", "cases": tmp_path / "cases.jsonl"}
        rows = [
            {**row, "ticket_id": f"{at}-{copy}", "phenomena": [*row["phenomena"], *more]}
            for copy in range(copies)
            for at, row in enumerate(map(json.loads, tickets()))
        ]
        files["tickets"].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        files["cases"].write_text("\n".join(cases()), encoding="utf-8")
        named = ["--tickets", str(files["tickets"]), "--cases", str(files["cases"])]
        assert main(["knowledge", "eval", *named, *options, "--json"]) == 0
        figures.append(json.loads(capsys.readouterr().out))
    assert [found["learned_from_tickets"] for found in figures] == [0, 240, 0, 0]
    assert all(found["answer_noise"] >= 0.005 and found["temper"] <= 1.0 for found in figures)
    assert figures[1]["held_out_bits_after"] <= figures[1]["held_out_bits_before"]


def test_ids_are_any_strings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids with blanks, line ends, any script or 5,000 letters play like plain ones, with a byte order mark too."""
    odd = {name: f"{name}\u2028 二\x85\x0c{'长' * 5000}" for name in ("c0", "c1", "c2", "c3", "k0", "p0", "q3")}
    figures = []
    for names in ({}, odd):
        options = []
        for kind, rows in (("tickets", tickets()), ("cases", cases())):
            renamed = [renamed_in(json.loads(row), names) for row in rows]
            file = tmp_path / f"{kind} {len(names)}.jsonl"
            text = "\n".join(json.dumps(row, ensure_ascii=False) for row in renamed)
            file.write_text(text + "\n", encoding="utf-8-sig")
            options += [f"--{kind}", str(file)]
        assert main(["knowledge", "eval", *options, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        figures.append({name: value for name, value in found.items() if name != "seconds"})
    assert figures[0] == figures[1]


def renamed_in(row: dict[str, object], names: dict[str, str]) -> dict[str, object]:
    return {
        key: [names.get(name, name) for name in value] if isinstance(value, list) else names.get(str(value), value)
        for key, value in row.items()
    }


def test_the_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--plots` writes both figures as SVG that parses, with a mark for every group of cases."""
    source, folder = tmp_path / "tickets.jsonl", tmp_path / "new" / "plots"
    source.write_text("\n".join(tickets()), encoding="utf-8")
    assert main(["knowledge", "eval", "--tickets", str(source), "--plots", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cases"] == 20
    marks = {name: fromstring((folder / f"{name}.svg").read_text()).iter() for name in ("reliability", "questions")}
    assert {name: any(item.tag.endswith("title") for item in items) for name, items in marks.items()} == {
        "reliability": True,
        "questions": True,
    }
    assert main(["knowledge", "eval", "--tickets", str(source), "--plots", str(source / "below")]) == 2
    assert "drawing into" in capsys.readouterr().err


def test_no_cases_draw_empty_figures() -> None:
    """Figures of nothing are figures all the same."""
    assert fromstring(reliability_svg([])).tag == fromstring(questions_svg([])).tag


@pytest.mark.parametrize(
    "options", [["--flip", "2"], ["--set", "nothing=1"], ["--cases", "/nowhere"], ["--threshold", "1"]]
)
def test_bad_usage_ends_with_2(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Options out of range are bad usage, said in one line."""
    assert main(["knowledge", "eval", *options]) == 2
    assert capsys.readouterr().err

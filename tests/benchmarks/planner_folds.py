"""What the planner makes of labelled messages that it has not learned from, by file.

`python -m tests.benchmarks.planner_folds [FILES_A_FOLD]`: each file of labelled messages is read by a tagger that was
trained without it. The grammar and the word lists were written with many of these messages in view.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from services.planner.labelled_cases import PlanForm, form_of, view_of
from services.planner.training.labelled import load_labelled
from services.planner.training.tagging import fit, rows_of_phrases
from services.planner.understand.acts.tagger import Tagger
from services.planner.understand.read import read_by
from tests.unit.planner.plan_scoring import Case, claims_too_much, is_right
from tests.unit.planner.understand.test_planner_cases import HERE, cases_of, known_names

_IDS = ("confirmed", "denied", "unknown")


def taggers_without_files(files_a_fold: int = 1) -> Iterator[tuple[tuple[str, ...], Tagger]]:
    """The files of each fold, with a tagger that was trained on all phrases and on the messages of all other files."""
    messages = load_labelled()
    of_phrases = rows_of_phrases(messages)
    files = sorted({message.file for message in messages})
    for at in range(0, len(files), files_a_fold):
        fold = tuple(files[at : at + files_a_fold])
        yield fold, fit(of_phrases, [message for message in messages if message.file not in fold])


def counted(case: Case, form: PlanForm) -> Counter[str]:
    """What one plan adds to the figures."""
    wanted = [case.expect, *(case.expect.model_copy(update=over) for over in case.accept)]
    exact = any(all(set(getattr(form, name)) == set(getattr(may, name)) for name in _IDS) for may in wanted)
    right = is_right(case, form)
    asks = form.clarify if right else case.expect.clarify
    return Counter(
        messages=1,
        right=right,
        wrong=claims_too_much(case, form),
        ids=exact,
        asked=form.clarify + asks,
        rightly_asked=form.clarify and asks,
    )


def read_file(name: str, tagger: Tagger) -> Counter[str]:
    """The figures of a file."""
    figures: Counter[str] = Counter()
    for case in cases_of(name):
        view = view_of(case.context, known_names(name))
        figures.update(counted(case, form_of(read_by(tagger, case.message, view)[0], view, known_names(name))))
    return figures


def shown(name: str, figures: Counter[str]) -> str:
    """A line of the table."""
    count = figures["messages"]
    shares = " ".join(f"{key} {figures[key] / count:.3f}" for key in ("right", "wrong", "ids"))
    return f"{name:22}{count:5} {shares} clarify F1 {2 * figures['rightly_asked'] / max(1, figures['asked']):.3f}"


def main() -> None:
    """Prints a line for each file, and one for all."""
    total: Counter[str] = Counter()
    for files, tagger in taggers_without_files(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        for name in files:
            if (HERE / "cases" / f"{name}.jsonl").exists():
                figures = read_file(name, tagger)
                total.update(figures)
                print(shown(name, figures), flush=True)
    print(shown("all", total))


if __name__ == "__main__":
    main()

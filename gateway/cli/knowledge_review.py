"""`dbdiag knowledge review`: what an import decided, for a person to agree with or to change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import failures
from gateway.cli.knowledge_files import BASES, JSON, base_of, show
from gateway.cli.knowledge_progress import Bar
from gateway.cli.knowledge_words import counted, say

if TYPE_CHECKING:
    from services.knowledge.importing.review import Review, Ruling

ACTIONS = ("list", "accept", "merge", "split", "rename")


@click.command()
@click.argument("action", type=click.Choice(ACTIONS), required=False)
@click.argument("what", nargs=-1)
@click.option("--library", type=click.Path(file_okay=False, path_type=Path), default=Path(".dbdiag/library"))
@BASES
@click.option("--all", "everything", is_flag=True, help="list: also what is decided.")
@click.option("--zh", help="rename: the Chinese name.")
@click.option("--en", help="rename: the English name.")
@JSON
def review(
    action: str | None,
    what: tuple[str, ...],
    library: Path,
    bases: tuple[str, ...],
    everything: bool,
    zh: str | None,
    en: str | None,
    as_json: bool,
) -> int:
    """Look through what imports decided. At a terminal and without an action it asks, one decision after the other.

    \b
    list                     what waits for a person; --all for everything
    accept WHAT... | all     agree
    merge WHAT ID            it means ID; an id for WHAT moves all its statements
    split WHAT               it means something of its own
    rename ID --zh .. --en   call an entry of this library so

    WHAT is the sign before a decision in the list, or its statement, or an id. Decisions stand in the library's
    review.yaml and are applied again by every later import.
    """
    from services.knowledge.importing.reviewing import review_at

    found = review_at(library)
    if action is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        return _ask(found, library, base_of(bases))
    if action in (None, "list"):
        return _list(found, everything, as_json)
    if action == "rename":
        return _rename(library, bases, what, zh, en, as_json)
    return _decide(str(action), what, library, base_of(bases), as_json)


def _list(found: Review, everything: bool, as_json: bool) -> int:
    from services.knowledge.importing.reviewing import rulings_of, unclear

    rulings = rulings_of(found) if everything else unclear(found)
    lines = [line for ruling in rulings for line in _told(ruling)]
    waiting = counted(len(unclear(found)), "decision")
    lines.append(say("waiting", decisions=waiting, all=len(rulings_of(found))))
    body = {"unclear": len(unclear(found)), "decisions": [_as_data(ruling) for ruling in rulings]}
    show(as_json, body, lines)
    return failures.DONE


def _rename(
    library: Path, bases: tuple[str, ...], what: tuple[str, ...], zh: str | None, en: str | None, as_json: bool
) -> int:
    from services.knowledge.importing.reviewing import rename

    if len(what) != 1:
        raise click.UsageError("rename takes one id, and --zh, --en or both")
    rename(library, base_of(bases), what[0], zh, en)
    names = {language: name for language, name in (("zh", zh), ("en", en)) if name}
    show(as_json, {"renamed": what[0], **names}, [say("renamed", what=what[0], names=" | ".join(names.values()))])
    return failures.DONE


def _decide(action: str, what: tuple[str, ...], library: Path, base: list[Path], as_json: bool) -> int:
    from services.knowledge.importing import reviewing

    wanted = {"accept": "one or more decisions, or all", "merge": "a decision and an id", "split": "one decision"}
    if not what or (action == "merge" and len(what) != 2) or (action == "split" and len(what) != 1):
        raise click.UsageError(f"{action} takes {wanted[action]}")
    changes = {
        "accept": lambda found: reviewing.accept(found, what),
        "merge": lambda found: reviewing.merge(found, what[0], what[1]),
        "split": lambda found: reviewing.split(found, what[0]),
    }
    reviewing.save(library, base, changes[action])
    left = _apply(library, base)
    show(as_json, {"action": action, "what": list(what), "unclear": left}, [_left(left)])
    return failures.DONE


def _apply(library: Path, base: list[Path]) -> int:
    """Brings the library to its review; the number of decisions that still wait."""
    from services.knowledge.importing.importer import apply_review

    with Bar() as progress:
        return apply_review(library, base, progress=progress.tell).report.unclear


def _ask(found: Review, library: Path, base: list[Path]) -> int:
    from services.chassis.errors import InvalidInput
    from services.knowledge.importing import reviewing

    waiting = reviewing.unclear(found)
    for number, ruling in enumerate(waiting, 1):
        click.echo("\n".join([say("of", number=number, all=len(waiting)), *_told(ruling)]))
        while True:
            answer = click.prompt(say("keys"), default="s", show_default=False).strip()
            try:
                change = _change(ruling, answer)
                if change is not None:
                    reviewing.save(library, base, change)
                break
            except InvalidInput as error:
                click.echo(error.message)
        if answer == "q":
            break
    click.echo(_left(_apply(library, base)))
    return failures.DONE


def _change(ruling: Ruling, answer: str) -> Any:
    """What an answer does to the review; None when it leaves it as it is. Raises InvalidInput for no answer."""
    from services.chassis.errors import InvalidInput
    from services.knowledge.importing import reviewing

    key, _, into = answer.partition(" ")
    if key == "a":
        return lambda found: reviewing.accept(found, [ruling.statement])
    if key == "m":
        target = into.strip() or (ruling.nearest.id if ruling.nearest else "")
        if not target:
            raise InvalidInput(say("no_nearest"))
        return lambda found: reviewing.merge(found, ruling.statement, target)
    if key == "n" and ruling.decision == "new":
        return lambda found: reviewing.accept(found, [ruling.statement])
    if key == "n":
        return lambda found: reviewing.split(found, ruling.statement)
    if key in ("s", "q"):
        return None
    raise InvalidInput(say("no_answer", answer=answer))


def _told(ruling: Ruling) -> list[str]:
    score = f" ({ruling.score:.2f})" if ruling.score is not None else ""
    told = [say(f"ruled_{ruling.decision}", into=ruling.into) + score]
    if (near := ruling.nearest) is not None:
        told.append(say("or", id=near.id, name=near.name, score=near.score))
    told.append(say("seen_in", tickets=", ".join(ruling.seen_in) or say("no_ticket_now")))
    return [f"{ruling.handle}  {ruling.statement}", *(f"          {line}" for line in told)]


def _as_data(ruling: Ruling) -> dict[str, Any]:
    return {"what": ruling.handle, **ruling.model_dump(mode="json")}


def _left(count: int) -> str:
    return say("left", decisions=counted(count, "decision")) if count else say("nothing_left")

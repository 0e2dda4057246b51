"""`dbdiag knowledge review`: the decisions of imports, to confirm or to change."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateway.cli import output
from gateway.cli.knowledge.files import BASES, base_of, count_things, say
from gateway.cli.knowledge.progress import Bar
from gateway.cli.language import language
from gateway.cli.options import JSON
from gateway.cli.output import show

if TYPE_CHECKING:
    from services.knowledge.files import Review, Ruling

ACTIONS = ("list", "accept", "merge", "split", "rename")
_USAGE = {"accept": "bad_usage.accept", "merge": "bad_usage.merge", "split": "bad_usage.split"}


@click.command()
@click.argument("action", type=click.Choice(ACTIONS), required=False)
@click.argument("what", nargs=-1)
@click.option("--library", type=click.Path(file_okay=False, path_type=Path), default=Path(".dbdiag/library"))
@BASES
@click.option("--all", "everything", is_flag=True, help="list: include decisions that are settled.")
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
    """Review the decisions of imports. At a terminal and without an action, asks about each open decision in turn.

    \b
    list                     the open decisions; --all for all of them
    accept WHAT... | all     confirm
    merge WHAT ID            WHAT means ID; an id for WHAT moves all its statements
    split WHAT               WHAT means something of its own
    rename ID --zh .. --en   rename an entry of this library

    WHAT is the handle of a decision in the list, its statement, or an id. Decisions are stored in the library's
    review.yaml, which every later import applies.
    """
    from services.knowledge.files import review_actions

    found = review_actions.review_at(library)
    if action is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty():
        return _ask(found, library, base_of(bases))
    if action in (None, "list"):
        return _list(found, everything, as_json)
    if action == "rename":
        return _rename(library, bases, what, zh, en, as_json)
    return _decide(str(action), what, library, base_of(bases), as_json)


def _list(found: Review, everything: bool, as_json: bool) -> int:
    from services.knowledge.files import review_actions

    unclear = review_actions.list_unclear(found)
    rulings = review_actions.list_rulings(found) if everything else unclear
    lines = [line for ruling in rulings for line in _render_ruling(ruling)]
    waiting = count_things(len(unclear), "decision")
    lines.append(say("waiting", decisions=waiting, all=len(review_actions.list_rulings(found))))
    body = {"unclear": len(unclear), "decisions": [_describe(ruling) for ruling in rulings]}
    show(as_json, body, lines)
    return output.DONE


def _rename(
    library: Path, bases: tuple[str, ...], what: tuple[str, ...], zh: str | None, en: str | None, as_json: bool
) -> int:
    from services.knowledge.files import review_actions

    if len(what) != 1:
        raise output.BadUsage("bad_usage.rename")
    review_actions.rename(library, base_of(bases), what[0], zh, en)
    names = {language: name for language, name in (("zh", zh), ("en", en)) if name}
    show(as_json, {"renamed": what[0], **names}, [say("renamed", what=what[0], names=" | ".join(names.values()))])
    return output.DONE


def _decide(action: str, what: tuple[str, ...], library: Path, base: list[Path], as_json: bool) -> int:
    from services.knowledge.files import review_actions

    if not what or (action == "merge" and len(what) != 2) or (action == "split" and len(what) != 1):
        raise output.BadUsage(_USAGE[action])
    changes = {
        "accept": lambda found: review_actions.accept(found, what),
        "merge": lambda found: review_actions.merge(found, what[0], what[1]),
        "split": lambda found: review_actions.split(found, what[0]),
    }
    review_actions.save(library, base, changes[action])
    left = _apply(library, base)
    show(as_json, {"action": action, "what": list(what), "unclear": left}, [_render_left(left)])
    return output.DONE


def _apply(library: Path, base: list[Path]) -> int:
    """Applies the review to the library; returns the number of open decisions."""
    from services.knowledge.files import apply_review

    with Bar() as progress:
        return apply_review(library, base, progress=progress.tell).report.unclear


def _ask(found: Review, library: Path, base: list[Path]) -> int:
    from services.chassis.errors import InvalidInput
    from services.knowledge.files import review_actions

    waiting = review_actions.list_unclear(found)
    for number, ruling in enumerate(waiting, 1):
        click.echo("\n".join([say("of", number=number, all=len(waiting)), *_render_ruling(ruling)]))
        while True:
            answer = click.prompt(say("keys"), default="s", show_default=False).strip()
            try:
                change = _change(ruling, answer)
                if change is not None:
                    review_actions.save(library, base, change)
                break
            except InvalidInput as error:
                click.echo(error.text(language()))
        if answer == "q":
            break
    click.echo(_render_left(_apply(library, base)))
    return output.DONE


def _change(ruling: Ruling, answer: str) -> Any:
    """The change that an answer makes to the review, if any. Raises InvalidInput for an unknown answer."""
    from services.chassis.errors import InvalidInput
    from services.knowledge.files import review_actions

    key, _, into = answer.partition(" ")
    if key == "a":
        return lambda found: review_actions.accept(found, [ruling.statement])
    if key == "m":
        target = into.strip() or (ruling.nearest.id if ruling.nearest else "")
        if not target:
            raise InvalidInput("invalid_request.no_nearest")
        return lambda found: review_actions.merge(found, ruling.statement, target)
    if key == "n" and ruling.decision == "new":
        return lambda found: review_actions.accept(found, [ruling.statement])
    if key == "n":
        return lambda found: review_actions.split(found, ruling.statement)
    if key in ("s", "q"):
        return None
    raise InvalidInput("invalid_request.no_answer", answer=repr(answer))


def _render_ruling(ruling: Ruling) -> list[str]:
    score = f" ({ruling.score:.2f})" if ruling.score is not None else ""
    told = [say(f"ruled_{ruling.decision}", into=ruling.into) + score]
    if (near := ruling.nearest) is not None:
        told.append(say("or", id=near.id, name=near.name, score=near.score))
    told.append(say("seen_in", tickets=", ".join(ruling.seen_in) or say("no_ticket_now")))
    return [f"{ruling.handle}  {ruling.statement}", *(f"          {line}" for line in told)]


def _describe(ruling: Ruling) -> dict[str, Any]:
    return {"what": ruling.handle, **ruling.model_dump(mode="json")}


def _render_left(count: int) -> str:
    return say("left", decisions=count_things(count, "decision")) if count else say("nothing_left")

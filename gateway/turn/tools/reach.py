"""Which checks need what the person cannot reach: told by the way of looking that the library gives."""

from __future__ import annotations

from collections.abc import Iterable

from dbdiag.engine.v1.engine_types import Phenomenon
from dbdiag.planner.v1.planner_types import Limit, Reach
from dbdiag.vocabulary import Verdict

from gateway.session.case_talk import waived
from gateway.session.ledger import Session
from gateway.turn.context import Turn
from gateway.turn.opening.troubles import scopes_left_out
from lang import deferred_re as re
from lang.judging.out_of_reach import NONE

# Commands that are run anywhere: against the database, or from the application's machine.
_ANYWHERE = re.compile(r"^\s*(?:echo \| )?(?:psql|pg_isready|mysql|ping|openssl|curl)\b")
_NEEDS = {
    Reach.SERVER_LOG: re.compile(r"\.log\b|/log\b|/var/log|journalctl|\bserver(?:'s)? log\b|\blog_\w+ on\)"),
    Reach.MONITORING: re.compile(
        r"\b(?:in|the) monitoring\b|\bconsole\b|\bdashboard|\bAPM\b|\bmetrics of\b", re.IGNORECASE
    ),
    Reach.WRITES: re.compile(
        r"^\s*(?:INSERT|UPDATE|DELETE|VACUUM|ANALYZE|CREATE|ALTER|REINDEX|DROP)\b"
        r"|\b(?:write|insert or update) a marked row|\btable(?:'s)? owner",
        re.IGNORECASE | re.MULTILINE,
    ),
    Reach.PRIMARY: re.compile(r"\bon the primary\b(?! or\b)", re.IGNORECASE),
    Reach.STANDBY: re.compile(r"(?<!or )\b(?:on|of) the (?:standby|replica)\b", re.IGNORECASE),
}
_STATEMENT = re.compile(r"^\s*(?:psql|SELECT|EXPLAIN|SHOW|WITH)\b", re.MULTILINE)
_SQL, _SHELL = "sql", "shell"
# What there is only with a second server.
_OF_A_STANDBY = re.compile(
    r"\b(?:standbys?|failover|switchover|walsender)\b|\breplicas?\b(?! identity)|\bhigh.availability\b", re.IGNORECASE
)


def limits_of(session: Session) -> tuple[Limit, ...]:
    """What the person cannot reach now."""
    return tuple(each for each in session.limits if not each.lifted)


def beyond(found: Phenomenon, limits: Iterable[Limit]) -> tuple[Reach, ...]:
    """What the check of a phenomenon needs of that which is out of reach."""
    needed = (each.reach for each in limits if each.reach is not None and _needs(found, each.reach, each.name))
    return tuple(dict.fromkeys(needed))


def out_of_reach(turn: Turn) -> tuple[str, ...]:
    """The phenomena that the person cannot check."""
    limits = limits_of(turn.session)
    return tuple(name for name, found in turn.catalog.phenomena.items() if beyond(found, limits)) if limits else ()


def not_asked(turn: Turn) -> tuple[str, ...]:
    """The phenomena that nobody is asked to look for: what a check decides, what was given up, other scopes."""
    return (*turn.session.unlooked, *waived(turn.session), *other_scopes(turn), *out_of_reach(turn))


def other_scopes(turn: Turn) -> tuple[str, ...]:
    """The scopes of the slowness that the one on record excludes."""
    there = {entry.phenomenon_id for entry in turn.session.active() if entry.verdict is Verdict.CONFIRMED}
    return tuple(sorted(scopes_left_out(turn.catalog, there)))


def _needs(found: Phenomenon, reach: Reach, name: str) -> bool:
    how = found.how.en or found.how.zh
    if reach is Reach.HOST:
        return found.observe_kind == _SHELL and not _ANYWHERE.search(how)
    if reach is Reach.DATABASE:
        return found.observe_kind == _SQL or _STATEMENT.search(how) is not None
    if reach is Reach.VIEW:
        return re.search(rf"\b{re.escape(name)}\b", how) is not None
    if reach is Reach.STANDBY and name == NONE and _OF_A_STANDBY.search(found.name.en):
        return True
    return _NEEDS[reach].search(how) is not None

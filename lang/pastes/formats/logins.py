"""How long a client took that was run under `time`, and the rules of pg_hba.conf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from lang import deferred_re as re
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

TIMED = ("command", "seconds", "over_network")
RULES = ("type", "datname", "role", "method")
_CLIENT = re.compile(r"[$#] time ((?:psql|mysql)\b.*?) *(?:#.*)?$")
_REAL, _BELOW = re.compile(r"\s*real\s+(\d+)m(\d+\.\d+)s\s*"), re.compile(r"\s*(?:user|sys)\s+\d+m[\d.]+s\s*")
_RULE = re.compile(
    r"(?:\d+:)?(local|host(?:no)?(?:ssl|gssenc)?)\s+(\S+)\s+(\S+)\s+(?:\S+\s+)*?"
    r"(trust|reject|scram-sha-256|md5|password|peer|ident|ldap|radius|pam|gss|sspi|cert|bsd|oauth)(?:\s.*)?"
)


def read_timed(lines: PastedLines, at: int) -> Block | None:
    """All clients that were timed so far, where line `at` tells how long the last of them took."""
    found = tuple(_timed(lines.lines[: at + 1])) if _REAL.fullmatch(lines.lines[at]) else ()
    below = takewhile(_BELOW.fullmatch, lines.lines[at + 1 :])
    return Block("table", at, at + 1 + len(list(below)), Table(TIMED, found, "timed")) if found else None


def _timed(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row for each client: its command, the seconds that it took, and whether it went over the network."""
    command = ""
    for line in said:
        if begins := _CLIENT.search(line):
            command = begins[1]
        elif command and (took := _REAL.fullmatch(line)):
            yield command, f"{int(took[1]) * 60 + float(took[2]):g}", "t" if " -h" in command else "f"
            command = ""


def read_login_rules(lines: PastedLines, at: int) -> Block | None:
    """Lines of pg_hba.conf from line `at` on."""
    last, rows = at, []
    while last < len(lines.lines) and (rule := _RULE.fullmatch(lines.lines[last].strip())):
        rows.append((rule[1], rule[2], rule[3], rule[4]))
        last += 1
    return Block("table", at, last, Table(RULES, tuple(rows), "hba")) if rows else None

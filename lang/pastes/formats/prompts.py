"""What a person typed, as the terminal echoes it: prompts, queries and commands. None of it is output."""

from __future__ import annotations

import re

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.marks import MARKS
from lang.pastes.model import Block

_PSQL = re.compile(r"\s{0,3}(?P<database>[\w.$-]+?)(?:[=\-('\"*!^@$]\*?)[#>](?:\s(?P<said>.*)|$)")
# Other clients' prompts are believed before a statement only: "> 90" and "psql> help" are not theirs.
_CLIENT = re.compile(r"\s{0,3}[\w.@:/-]{1,60}> ?(?P<said>(?:select|show|with|explain)\b.*)", re.IGNORECASE)
_PSQL_COMMAND = re.compile(r"psql\b.* -\w*c ?(?P<sign>[\"'])(?P<said>.+)(?P=sign)")
_SETTING = re.compile(r"show\s+[\w.]+\s*;?\s*", re.IGNORECASE)
_MYSQL = re.compile(r"(?:mysql|MariaDB \[(?P<database>[^\]]*)\])> ?(?P<said>.*)")
_SHELL = re.compile(r"(?:\[[^\]\n]{1,60}\]|[\w.-]{1,64}@[\w.-]{1,64}[: ]?[^\s$#]{0,80})?[$#] (?P<said>\S.*)")
_CONTINUED = ("    ->", "    '>", '    ">', "    `>")
_STATEMENTS = ("select", "with", "show", "explain", "xa")
_LONGEST = 80


def read_echo(lines: PastedLines, at: int) -> Block | None:
    """A prompt with what was typed at it, over all lines of the statement."""
    line = lines.lines[at]
    if found := _PSQL.match(line) or _MYSQL.match(line):
        said, last = _statement(lines, at, found["said"] or "")
        return Block("echo", at, last, words=said, database=found["database"] or "")
    if found := _CLIENT.match(line):
        said, last = _statement(lines, at, found["said"])
        return Block("echo", at, last, words=said)
    if found := _SHELL.match(line):
        # "# words" alone is a heading or a comment as often as it is root's prompt.
        if line.startswith("#") and found["said"].split()[0] not in MARKS.commands:
            return None
        return Block("echo", at, at + 1, words=_sql_of(found["said"]))
    return Block("echo", at, at + 1, words=_sql_of(line)) if _is_command(line) else None


def _sql_of(command: str) -> str:
    """The statement that a command gives to psql, else the command."""
    found = _PSQL_COMMAND.match(command)
    return found["said"] if found else command


def read_query(lines: PastedLines, at: int) -> Block | None:
    """A query without a prompt: to its semicolon, a blank line or the heading of its result."""
    first = lines.lines[at].strip().lower()
    if not first.startswith(("--", "/*", *_STATEMENTS)) or first.strip("-+") == "":
        return None
    if _SETTING.fullmatch(lines.lines[at]) and ";" in lines.lines[at]:
        return Block("query", at, at + 1, words=lines.lines[at])
    if not _is_query("\n".join(lines.lines[at : at + _LONGEST])):
        return None
    last = at
    while last < min(len(lines.lines), at + _LONGEST) and not lines.blank[last] and not _begins_result(lines, last):
        last += 1
        said = lines.lines[last - 1].split(" --")[0].rstrip()
        if said.endswith(";") and not said.lstrip().startswith("--"):
            break
    words = "\n".join(lines.lines[at:last])
    return Block("query", at, last, words=words) if last > at and _is_query(words) else None


def _statement(lines: PastedLines, at: int, said: str) -> tuple[str, int]:
    """The statement typed at a prompt, and the line after it: continuation prompts are left out."""
    parts, last = [said], at + 1
    if said.startswith("\\") or not said.strip():
        return said, last
    while not parts[-1].rstrip().endswith((";", "\\G", "\\gx")) and last < min(len(lines.lines), at + _LONGEST):
        line = lines.lines[last]
        found = _PSQL.match(line)
        if found and not found[0].lstrip().startswith(tuple(f"{found['database']}={sign}" for sign in "#>")):
            parts.append(found["said"] or "")
        elif line.startswith(_CONTINUED):
            parts.append(line[6:])
        elif lines.blank[last] or found or _begins_result(lines, last):
            break
        else:
            parts.append(line)
        last += 1
    return "\n".join(parts), last


def _begins_result(lines: PastedLines, at: int) -> bool:
    """True above a ruler, and for a border, a row, a record or an error: the statement ended before."""
    here = lines.lines[at]
    below = lines.lines[at + 1] if at + 1 < len(lines.lines) else ""
    plain = here.strip()
    return (
        ("--" in below and not set(below) - set("-+| :"))
        or (len(plain) > 3 and not set(plain) - set("-+|"))
        or plain.startswith(("-[ ", "***", "ERROR", "错误"))
        or (" | " in here and "--" not in here)
        or FOOTER.fullmatch(here) is not None
    )


def _is_query(words: str) -> bool:
    """True for what a server could run: a comment or a prose sentence that begins with "select" or "show" is none."""
    body = " ".join(line for line in words.lower().split("\n") if not line.lstrip().startswith("--"))
    first = body.split(maxsplit=1)[0] if body.strip() else ""
    if first not in _STATEMENTS:
        return words.lstrip().startswith("--") and not body.strip()
    if first == "with":
        return " as " in body and "(" in body and "select" in body
    ended = body.rstrip().endswith(";")
    if first == "select":
        return ended or "(" in body or "@@" in body or (" from " in body and ("_" in body or "," in body))
    return ended or (words.lstrip().startswith(first.upper()) and not _tells(words.split("\n")[0]))


def _tells(line: str) -> bool:
    """True for a sentence of what a query or command showed: "df -h shows /data at 96%", "SHOW POOLS 里 maxwait 7"."""
    return not line.isascii() or any(word in MARKS.tells for word in line.lower().split())


def _is_command(line: str) -> bool:
    """A known command with nothing but options, paths and quoted text behind it: "free memory is low" is prose.

    So is what somebody tells of its output: "df -h shows 60 %".
    """
    words = line.split()
    if not words or words[0] not in MARKS.commands or _tells(line) or line[0].isspace():
        return False
    if len(words) == 1:
        return words[0] in ("df", "free", "top", "uptime", "nproc", "vmstat", "iostat", "dmesg")
    if any(word.endswith(":") for word in words[1:3]) or any(word.strip(",") in MARKS.tells for word in words[2:]):
        return False
    plain = words[1].startswith(("-", "/", '"', "'", "$", "|")) or words[1].isdigit()
    return plain or words[0] in ("kubectl", "patronictl", "sysctl")

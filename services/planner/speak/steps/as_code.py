"""Commands as code: statements end with a semicolon, a short one stands in its line."""

from __future__ import annotations

from lang import deferred_re as re

_ONE_LINE = 100
_SQL = re.compile(
    r"^\s*(?:--|(?:SELECT|EXPLAIN|SHOW|WITH|PREPARE|ALTER|SET|VACUUM|ANALYZE|REINDEX|CREATE)\b)", re.MULTILINE
)
# A statement in capitals to the end of the text, what is no statement, and a last comment.
_BEGINS = re.compile(
    r"(?:\s|--[^\n]*\n)*(?:SELECT|WITH|EXPLAIN|SHOW|ALTER|SET|RESET|VACUUM|ANALYZE|REINDEX|CREATE|DROP|INSERT|UPDATE"
    r"|DELETE|GRANT|REVOKE|BEGIN|COMMIT|ROLLBACK|CHECKPOINT|TABLE)\b"
)
_PROSE = re.compile(r"^[^'\"]*[\u3002\uff0c\uff1b\uff08]")
_COMMENT = re.compile(r"(.*?)(\s*--[^\n]*)", re.DOTALL)
_META = ("\\G", "\\gx", "\\watch", ".", "\\")


def code(how: str, kind: str) -> str:
    """Formats a command: inline code if short, else a fenced block; a single line of prose stays as it is."""
    how = _ended(how.strip())
    manual = kind == "manual"
    if manual and "\n" not in how and not _SQL.search(how):
        return how
    if fits_a_line(how):
        return f"`{how}`"
    tongue = "sql" if kind == "sql" or _SQL.search(how) else ("" if manual else "sh")
    return f"```{tongue}\n{how}\n```"


def _ended(how: str) -> str:
    """Statements with the semicolon that psql waits for; commands and prose stay as they are."""
    found = _COMMENT.fullmatch(how)
    told, comment = (found[1], found[2]) if found is not None else (how, "")
    last = told.rpartition(";")[2]
    is_open = _BEGINS.match(last) is not None and not _PROSE.search(last)
    return f"{told.rstrip()};{comment}" if is_open and not last.rstrip().endswith(_META) else how


def fits_a_line(how: str) -> bool:
    """Whether a command is short enough to stand in a line."""
    return "\n" not in how and len(how) <= _ONE_LINE and "`" not in how

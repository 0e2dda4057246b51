from __future__ import annotations

import ast
import copy
import importlib
import pickle
import re
from pathlib import Path

import pytest

from lang import deferred_re
from tests.support.cases import for_each
from tests.support.house import ROOT, sources, tree

USERS = [
    path
    for folder in ("services", "gateway", "redaction", "lang", "sql_admission")
    for path in sources(folder)
    if "lang import deferred_re" in (ROOT / path).read_text(encoding="utf-8")
]


def test_a_deferred_pattern_finds_what_a_compiled_one_finds() -> None:
    """Whatever is asked of a deferred pattern, the answer is that of `re.compile`."""
    text, flags = r"(?P<word>[a-z]+)-(\d+)", re.IGNORECASE
    words = "Disk-95, cpu-7; nothing"
    deferred, compiled = deferred_re.compile(text, flags), re.compile(text, flags)
    assert [found.span() for found in deferred.finditer(words)] == [found.span() for found in compiled.finditer(words)]
    assert deferred.findall(words) == compiled.findall(words)
    assert deferred.sub(r"\2", words) == compiled.sub(r"\2", words)
    assert deferred.split(words) == compiled.split(words)
    for method in ("search", "match", "fullmatch"):
        one, other = getattr(deferred, method)(words), getattr(compiled, method)(words)
        assert (one and one.groupdict()) == (other and other.groupdict())
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(deferred, name) == getattr(compiled, name)


def test_a_pattern_is_not_compiled_before_it_is_used() -> None:
    """Making a pattern, and asking for its text, does no work: even a malformed one passes until its first use."""
    malformed = deferred_re.compile("(")
    assert malformed.pattern == "("
    with pytest.raises(re.error):
        malformed.search("")


@pytest.mark.parametrize("used", [False, True])
def test_a_deferred_pattern_can_be_copied(used: bool) -> None:
    """Copies of a pattern, before and after its first use, find what it finds."""
    pattern = deferred_re.compile(r"\d+")
    if used:
        pattern.search("")
    for made in (copy.copy(pattern), copy.deepcopy(pattern), pickle.loads(pickle.dumps(pattern))):
        assert made.findall("1 and 22") == ["1", "22"]


def test_every_deferred_pattern_of_the_rooms_compiles() -> None:
    """A malformed pattern is found here, not in the conversation that uses it first."""
    modules = [importlib.import_module(".".join(path.with_suffix("").parts)) for path in USERS]
    held = [value for module in modules for value in vars(module).values()]
    several = [item for value in held if isinstance(value, tuple | list) for item in value]
    made = [item for item in (*held, *several) if type(item) is deferred_re.Deferred]
    assert len(made) > 100
    assert all(isinstance(item.flags, int) for item in made)


@for_each("path", USERS, ids=str)
def test_no_match_is_told_by_the_identity_of_its_pattern(path: Path) -> None:
    """The `re` of a match is the compiled pattern and never the deferred one: whoever defers does not read it."""
    nodes = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute))
    assert not [f"{path}:{node.lineno}" for node in nodes if node.attr == "re"]

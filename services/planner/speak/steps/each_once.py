"""The answers of one turn, each without the steps, the commands and the ranking that another one has."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import TurnResults
from services.planner.speak import diagnosis
from services.planner.speak.voice import Voice

# What opens a step: its number, in a list or by itself.
_NUMBERED = re.compile(r"\s*(?:Step \d+: |第 ?\d+ ?步：|\d+\. )(?=\S)")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_SHARE = re.compile(r"\s?[(（][<>]?\d+ ?%[)）]")
# What stands beside a command that is the whole of an answer takes no more lines.
_FEW = 2


def each_once(said: list[str], results: TurnResults, voice: Voice) -> list[str]:
    """The answers with nothing twice."""
    return _ranked_once(_without_commands_told(without_steps_told(said)), results, voice)


def _without_commands_told(said: list[str]) -> list[str]:
    """The answers without commands that an answer before has: of a step its line stays."""
    seen: set[str] = set()
    kept = []
    for answer in said:
        commands = set(_CODE.findall(answer))
        only = bool(commands) and answer.startswith("`") and len(_CODE.sub("", answer).strip().splitlines()) <= _FEW
        if not (only and commands <= seen):
            kept.append("\n".join(_line_of(block, seen) for block in _blocks(answer)))
        seen |= commands
    return kept


def _line_of(block: str, seen: set[str]) -> str:
    """A step without its command where that stands above; all else as it is."""
    line, _, below = block.partition("\n")
    commands = set(_CODE.findall(below))
    return line if _NUMBERED.match(block) and commands and commands <= seen else block


def _ranked_once(said: list[str], results: TurnResults, voice: Voice) -> list[str]:
    """The answers without lines that only rank causes with what an answer before has of them."""
    causes = results.diagnosis.hypotheses if results.diagnosis is not None else ()
    ranked: set[str] = set()
    kept = []
    for answer in said:
        found = [
            (line, {each.root_cause_id for each in causes if diagnosis.is_ranked(each, line, voice)})
            for line in answer.split("\n")
        ]
        leads = [(line, named) for line, named in found if not named or named - ranked or line.endswith((":", "："))]
        new = [_without_shares(line) if named and named <= ranked else line for line, named in leads]
        ranked = ranked.union(*(named for _, named in found))
        kept.append("\n".join(new))
    return [answer for answer in kept if answer.strip()]


def _without_shares(line: str) -> str:
    """A line that leads on, without the shares of causes that an answer before has told."""
    return _SHARE.sub("", line)


def without_steps_told(said: list[str]) -> list[str]:
    """The answers of one turn, each without the steps that one with more of them has."""
    parted = {at: _blocks(answer) for at, answer in enumerate(said)}
    steps = {at: {_step(block) for block in blocks if _NUMBERED.match(block)} for at, blocks in parted.items()}
    seen: set[str] = set()
    kept: dict[int, str] = {}
    for at in sorted(parted, key=lambda at: (-len(steps[at]), at)):
        left = [block for block in parted[at] if not (_NUMBERED.match(block) and _step(block) in seen)]
        kept[at] = said[at] if len(left) == len(parted[at]) else "\n".join(_without_bare_heads(left))
        seen |= steps[at]
    return [kept[at] for at in sorted(kept) if kept[at].strip()]


def _step(block: str) -> str:
    return _NUMBERED.sub("", block.split("\n", 1)[0])


def _blocks(answer: str) -> list[str]:
    """The lines of an answer, each with the indented ones below it."""
    blocks: list[str] = []
    for line in answer.split("\n"):
        if blocks and line.startswith("   "):
            blocks[-1] += "\n" + line
        else:
            blocks.append(line)
    return blocks


def _without_bare_heads(blocks: list[str]) -> list[str]:
    """The blocks without a heading that nothing follows any more."""
    following = [*blocks, ""][1:]
    return [
        block
        for block, after in zip(blocks, following, strict=True)
        if after.strip() or not block.rstrip().endswith((":", "："))
    ]

"""The commands that the documents show are commands of this program, and do what stands beside them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from gateway.cli.main import cli, main
from services.planner.common_questions.known_answers import known_answers

ROOT = Path(__file__).parents[3]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SHELLS = ("", "bash", "console")
_COMMAND = re.compile(r"^(?:\$ )?dbdiag .*$", re.MULTILINE)


def _commands(document: Path) -> list[str]:
    """The command lines of the blocks, with their comments."""
    text = document.read_text(encoding="utf-8").replace("\\\n", " ")
    return [
        line.removeprefix("$ ")
        for kind, block in _BLOCK.findall(text)
        if kind in _SHELLS
        for line in _COMMAND.findall(block)
    ]


def _arguments(line: str) -> list[str]:
    """The arguments of a command, without what the shell takes of the line."""
    words = shlex.split(re.split(r"\s[<>|&]", line)[0], comments=True)
    return words[1:]


def _parse(command: click.Command, arguments: list[str], parent: click.Context | None = None) -> None:
    """Parses the arguments down to the last verb. Raises UsageError for what the program does not know."""
    with command.make_context(command.name or "dbdiag", list(arguments), parent=parent) as context:
        if isinstance(command, click.Group) and context._protected_args:
            name, verb, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            assert verb is not None, name
            _parse(verb, rest, context)


def _refusal(arguments: list[str]) -> str | None:
    """Why the program does not take these arguments; a file that is not there is no reason."""
    try:
        _parse(cli, arguments)
    except click.UsageError as error:
        missing = isinstance(error, click.BadParameter) and "does not exist" in error.message
        return None if missing else error.message
    return None


COMMANDS = sorted({line for document in DOCUMENTS for line in _commands(document)})


def test_commands_are_found() -> None:
    """The page on evidence shows its verbs, and every page together many."""
    shown = {_arguments(line)[0] for line in _commands(ROOT / "docs/evidence.md")}
    assert {"diagnose", "collect", "report", "replay", "audit", "check-sql", "faults", "up"} <= shown
    assert len(COMMANDS) > 40


def test_an_answer_names_only_verbs_and_options_of_the_program() -> None:
    """What a common answer tells to run with dbdiag is there to be run."""
    answers = (text for each in known_answers().values() for text in (each.answer.en, each.answer.zh))
    shown = {line for text in answers for line in re.findall(r"`dbdiag ([^`]+)`", text)}
    assert shown
    for verb, *options in map(str.split, shown):
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None, verb
        known = {option for each in command.params for option in each.opts}
        assert set(options) <= known, verb


@pytest.mark.parametrize("line", COMMANDS)
def test_a_documented_command_is_one_of_the_program(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its verb and every option exist and take the values shown; a file that it reads may be any."""
    monkeypatch.chdir(tmp_path)
    for word in _arguments(line):
        if "." in word and "/" not in word and " " not in word:
            Path(word).touch()
    assert _refusal(_arguments(line)) is None
    assert _refusal([*_arguments(line), "--no-such-option"]) is not None


@pytest.mark.parametrize("line", [line for line in COMMANDS if "exit code" in line])
def test_a_documented_exit_code_is_the_programs(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A command with its exit code beside it ends with it, and its output has the words of the comment."""
    comment = line.partition("#")[2]
    code = re.search(r"exit code (\d)", comment)
    assert code is not None
    assert main([*_arguments(line), "--lang", "en"]) == int(code[1])
    told = comment.partition(":")[2].partition(";")[0].strip()
    assert told in capsys.readouterr().out

"""What somebody tells of a command's output is a sentence; the command alone is what was typed."""

from __future__ import annotations

from lang.pastes.formats.pasted_lines import split_lines
from lang.pastes.formats.prompts import read_echo
from tests.support.cases import for_each


def is_echo(line: str) -> bool:
    return read_echo(split_lines(line), 0) is not None


@for_each(
    "line",
    [
        "df -h shows 60 percent, df -i shows 100",
        "numactl -H: node0 free 200 MB",
        "kubectl describe: last state OOMKilled",
    ],
)
def test_a_told_output_is_no_echo(line: str) -> None:
    """A command with a verb of telling or a colon behind it is prose, and is read like any sentence."""
    assert not is_echo(line)


@for_each("line", ["df -h /data", "kubectl get pods -n prod", "ps -ef | grep postgres", "sysctl vm.swappiness"])
def test_a_typed_command_is_an_echo(line: str) -> None:
    """A command with nothing but its arguments is what the terminal echoes."""
    assert is_echo(line)

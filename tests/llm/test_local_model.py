"""A real model on this machine: it may be of no help, it may do no harm."""

from __future__ import annotations

import importlib.util

import pytest

pytestmark = [
    pytest.mark.llm,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        importlib.util.find_spec("xllamacpp") is None,
        reason="the extra `llm` is not installed: `make test-llm` does it",
    ),
]


def test_no_row_is_worse_with_a_model_than_by_rules_alone() -> None:
    """Plans, wrong evidence, ids, kinds, clarifications: at least as good; nothing said is lost to the matcher."""
    # Loaded where it is needed: collecting the fast tests needs none of it.
    from tests.llm.__main__ import main

    assert main(["--sample", "8", "--texts", "4"]) == 0

"""An answer of which another one of the turn has told every step is left out."""

from __future__ import annotations

from services.planner.speak.steps.each_once import without_steps_told


def test_an_answer_whose_every_step_was_told_is_left_out() -> None:
    """What has no line of its own beside a longer list of the same steps is not said."""
    longer = "1. Find the root session\n2. End it\n3. Watch"
    assert without_steps_told([longer, "1. End it"]) == [longer]

"""The matcher's words are its contract's; and why a similar text is not a match."""

from __future__ import annotations

from enum import StrEnum

from dbdiag.matcher.v1.matcher_types import *
from dbdiag.matcher.v1.matcher_types import Clarification, Match, NoMatch

Outcome = Match | Clarification | NoMatch


class Doubt(StrEnum):
    """Why a similar text is not a match: it leaves presence open, or it describes another system or object."""

    NONE = "none"
    UNDECIDED = "undecided"
    ELSEWHERE = "elsewhere"

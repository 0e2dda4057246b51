"""The planner's words are its contract's: what it may see of a session, the turn plan, what an answer may speak of."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import *
from dbdiag.planner.v1.planner_types import LocalizedText

Text = LocalizedText

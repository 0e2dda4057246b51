"""Pasted output: recognised by its form, judged by the rule of the check that it is the output of."""

from lang.pastes.check_index import CheckIndex
from lang.pastes.executed import Executed, executed_in, without_executed
from lang.pastes.model import Check, EarlierReading, Finding, PasteReading, RowRule
from lang.pastes.own_queries.views import View, ViewRule
from lang.pastes.read_paste import judge_later, judge_paste
from lang.pastes.reading_of_logs import is_searched, judge_messages

__all__ = [
    "Check",
    "CheckIndex",
    "EarlierReading",
    "Executed",
    "Finding",
    "PasteReading",
    "RowRule",
    "View",
    "ViewRule",
    "executed_in",
    "is_searched",
    "judge_later",
    "judge_messages",
    "judge_paste",
    "without_executed",
]

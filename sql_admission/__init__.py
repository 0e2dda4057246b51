"""Decides whether a statement may be in a catalogue or run on a dataset: each part must be on its engine's lists."""

from sql_admission.admit import ENGINES, Admission, admit

__all__ = ["ENGINES", "Admission", "admit"]

"""May this statement stand in a catalogue or a dataset? All of it must be on the lists of its engine."""

from services.collector.admission.admit import ENGINES, Admission, admit

__all__ = ["ENGINES", "Admission", "admit"]

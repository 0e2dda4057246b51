"""The evaluation with a real language model on this machine; see docs/understanding.md."""

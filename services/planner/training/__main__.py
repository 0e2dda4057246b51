"""Trains the act classifier from its example phrases and writes the weights file."""

from services.planner.training.acts import train
from services.planner.training.phrases import load_examples
from services.planner.understand.acts import FILE


def main() -> None:
    """Writes acts.npz into the package."""
    FILE.write_bytes(train(load_examples()))
    print(f"{FILE.name}: {len(load_examples())} phrases, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()

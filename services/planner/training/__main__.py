"""Trains the classifiers of acts and of topics from their example phrases and writes the weights files."""

from services.planner.training.acts import train
from services.planner.training.case_topics import load_topics, train_topics
from services.planner.training.phrases import load_examples
from services.planner.understand.classifier import acts, case_topics


def main() -> None:
    """Writes acts.npz and case_topics.npz into the package."""
    for file, content, count in (
        (acts.FILE, train(load_examples()), len(load_examples())),
        (case_topics.FILE, train_topics(load_topics()), len(load_topics())),
    ):
        file.write_bytes(content)
        print(f"{file.name}: {count} phrases, {len(content)} bytes")


if __name__ == "__main__":
    main()

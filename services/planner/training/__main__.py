"""Trains the classifiers of acts, of topics and of labels from their examples and writes the weights files."""

from services.planner.reader import tagger
from services.planner.training.acts import train
from services.planner.training.case_topics import load_topics, train_topics
from services.planner.training.labelled import load_labelled
from services.planner.training.labelled_phrases import load_phrases
from services.planner.training.phrases import load_examples
from services.planner.training.tagging import train_tagger
from services.planner.understand.classifier import acts, case_topics


def main() -> None:
    """Writes acts.npz, case_topics.npz and labels.npz into the package."""
    for file, content, count in (
        (acts.FILE, train(load_examples()), len(load_examples())),
        (case_topics.FILE, train_topics(load_topics()), len(load_topics())),
        (tagger.FILE, train_tagger(), len(load_phrases()) + len(load_labelled())),
    ):
        file.write_bytes(content)
        print(f"{file.name}: {count} examples, {len(content)} bytes")


if __name__ == "__main__":
    main()

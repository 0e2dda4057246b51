"""Fits the topics and the weights and writes both files; takes about a minute."""

from services.matcher.ranking import rerank
from services.matcher.reading import topics
from services.matcher.training.fit import fit_weights, learn_topics
from services.matcher.training.texts import load_shipped_library


def main() -> None:
    """Writes topics.json and weights.json into the package."""
    weights, entries = fit_weights(), load_shipped_library().phenomena
    rerank.FILE.write_text(weights, encoding="utf-8")
    topics.save(len(entries), learn_topics(entries, everything=True))
    print(f"{rerank.FILE.name}, {topics.FILE.name}: {len(entries)} phenomena")


if __name__ == "__main__":
    main()

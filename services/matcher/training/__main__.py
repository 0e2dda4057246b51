"""Fits all that the matcher has learned and writes the files; takes some minutes."""

from lang import embedding
from lang.concepts import glossary
from services.matcher.index import shipped_index
from services.matcher.probabilities import PROBABILITIES
from services.matcher.ranking import rerank
from services.matcher.reading import topics
from services.matcher.recognition import asked_answers, incident_likeness, recogniser
from services.matcher.training import answer_weights, calibration, likeness_weights, recogniser_weights
from services.matcher.training.fit import fit_weights, learn_embedder, learn_topics
from services.matcher.training.texts import load_shipped_library


def main() -> None:
    """Writes into the packages: projection, topics, weights, probabilities of readings, the library's index, and
    what phenomena and answers are recognised by, and what incidents sound like.
    """
    library = load_shipped_library()
    entries = library.phenomena
    embedding.save(learn_embedder(entries, everything=True))
    rerank.FILE.write_text(fit_weights(), encoding="utf-8")
    topics.save(len(entries), learn_topics(entries, everything=True))
    topics.load.cache_clear()
    for path, kind in zip(shipped_index.FILES, (library.phenomena, library.root_causes), strict=True):
        path.write_bytes(shipped_index.make_shipped(kind, glossary.load(), embedding.load()))
    probabilities = calibration.fit(calibration.judge_sentences())
    PROBABILITIES.write_text(calibration.to_json(probabilities), encoding="utf-8")
    recogniser.FILE.write_bytes(recogniser_weights.train())
    asked_answers.FILE.write_bytes(answer_weights.train())
    incident_likeness.FILE.write_bytes(likeness_weights.train())
    print(f"{rerank.FILE.name}, {topics.FILE.name}, {embedding.FILE.name}: {len(entries)} phenomena")


if __name__ == "__main__":
    main()

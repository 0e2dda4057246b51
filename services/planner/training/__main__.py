"""Trains the planner's models from their examples and writes the weights files."""

from functools import partial

from services.planner.case_questions import finder as case_finder
from services.planner.common_questions import finder
from services.planner.questions_asked import placing
from services.planner.training.case_questions import load_case_asked, train_case_questions
from services.planner.training.case_topics import load_topics, train_topics
from services.planner.training.clause_news import load_told, train_deeds, train_states
from services.planner.training.common_questions import load_asked, train_questions
from services.planner.training.labelled import load_labelled
from services.planner.training.phrases import count_words, load_phrases
from services.planner.training.places import load_wordings, train_places
from services.planner.training.tagging import train_tagger
from services.planner.treatment import clause_news
from services.planner.understand.acts import case_topics, tagger, words


def main() -> None:
    """Writes words.txt and the files of all models into the package, each before those that read it."""
    words.FILE.write_text(words.to_text(count_words(load_phrases())), "utf-8")
    words.word_counts.cache_clear()
    for file, train, count in (
        (case_topics.FILE, partial(train_topics, load_topics()), len(load_topics())),
        (finder.FILE, train_questions, len(load_asked())),
        (placing.FILE, train_places, sum(map(len, load_wordings()))),
        (case_finder.FILE, train_case_questions, len(load_case_asked())),
        (clause_news.DEEDS_FILE, partial(train_deeds, load_told()), len(load_told())),
        (clause_news.STATES_FILE, partial(train_states, load_told()), len(load_told())),
        (tagger.FILE, train_tagger, len(load_phrases()) + len(load_labelled())),
    ):
        content = train()
        file.write_bytes(content)
        finder.shipped.cache_clear()
        print(f"{file.name}: {count} examples, {len(content)} bytes")


if __name__ == "__main__":
    main()

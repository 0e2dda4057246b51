"""With a library for MySQL nothing that is said or shown is PostgreSQL's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from services.knowledge.library.shipped_libraries import locate
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import Language
from services.planner.speak.case import action_facts
from services.planner.speak.rights.who_may import how_to_see
from services.planner.speak.voice import Voice, load_phrases, load_statements
from services.planner.treatment.actions import action_names

ROOT = Path(__file__).parents[5]
LANGUAGES = (Language.EN, Language.ZH)
# Names that only PostgreSQL has; that MySQL has no VACUUM may be said.
FOREIGN = re.compile(
    r"\bpg_\w+|\bpsql\b|pg_stat|ALTER SYSTEM|shared_buffers|(?<!_)work_mem|CONCURRENTLY|\bxmin\b|PGDATA"
    r"|ACCESS EXCLUSIVE|\bWAL\b|autovacuum_|pending_restart|idle in transaction|synchronous_standby_names|PgBouncer"
    r"|Patroni|SyncRep"
    r"|(?<!_)\block_timeout\b|statement_timeout|max_wal_size|replication slot|复制槽|(?<!no )(?<!没有 )\bVACUUM\b"
)
# Actions that MySQL does not have, and what is only said of them or of what PostgreSQL alone shows.
NOT_THERE = (
    "slot",
    "vacuum",
    "max_wal_size",
    "replay",
    "gid",
    "_checkpoint",
    "standby_feedback",
    "max_standby",
    "wal_keep",
)
# What is only told of a setting that MySQL does not have, of PgBouncer, or of rows that PostgreSQL prints.
OF_OTHERS = (
    "work_mem",
    "shared_buffers",
    "disk_free",
    "grounds_max_connections",
    "bound_max_connections",
    "_pooler",
    "rows_same_transaction",
    "rows_reads_and_wal",
)
# Of dbdiag itself: which databases it knows.
OF_DBDIAG = ("tool_", "advice_", "failed_", "help_", "other_engine", "figure_", "setting_fits")


def texts_of(entry: object) -> Iterator[str]:
    """All texts within a part of a library."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        for each in (text for name, text in entry.items() if name != "category"):
            yield from texts_of(each)
    elif isinstance(entry, list):
        for each in entry:
            yield from texts_of(each)


def phrases_of(language: Language) -> Iterator[tuple[str, str]]:
    """The phrases that a MySQL case can show, by key."""
    for key, wordings in load_phrases(language, "mysql").items():
        if not any(part in key for part in (*NOT_THERE, *OF_OTHERS)) and not key.startswith(OF_DBDIAG):
            yield from ((key, each) for each in ([wordings] if isinstance(wordings, str) else wordings))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_of_a_mysql_case_has_a_name_of_postgresql(language: Language) -> None:
    """Whatever is asked in a MySQL case, what is said of it holds for MySQL."""
    assert {key: found[0] for key, text in phrases_of(language) if (found := FOREIGN.search(text))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phrases_of_mysql_have_the_blanks_of_those_that_they_stand_for(language: Language) -> None:
    """A phrase of MySQL is filled with what the other one is filled with, so it can have no other blanks."""
    usual, own = load_phrases(language), load_phrases(language, "mysql")
    blanks = re.compile(r"\{(\w+)\}")
    for key in usual.keys() & own.keys():
        assert {*blanks.findall(str(own[key]))} <= {*blanks.findall(str(usual[key]))}, key
    assert own.keys() == load_phrases(LANGUAGES[language is LANGUAGES[0]], "mysql").keys()


def test_no_statement_of_a_mysql_case_is_of_postgresql() -> None:
    """Statements beside the steps, what does an action and takes it back, and what shows a right."""
    facts = [action_facts.facts_of(action, "mysql") for action in action_names()]
    shown = [text for each in facts for text in (each.do, each.idle, each.undo, each.watch)]
    shown += [*load_statements("mysql").values(), how_to_see("session", "mysql"), how_to_see("setting", "mysql")]
    looks = yaml.safe_load((ROOT / "gateway/turn/opening/looks.yaml").read_text("utf-8"))["looks"]["mysql"]
    assert [found[0] for text in (*shown, *texts_of(looks)) if (found := FOREIGN.search(text))] == []
    assert "KILL" in action_facts.facts_of("terminate", "mysql").do


def test_no_common_question_of_mysql_is_answered_for_postgresql() -> None:
    """What is asked beside the case gets answers that hold for MySQL; what dbdiag is for may name both."""
    told = [(each.key, each.answer) for each in known_answers().values() if each.engine in ("", "mysql")]
    told = [(key, text) for key, text in told if not key.startswith("dbdiag_")]
    wrong = {key: found[0] for key, text in told if (found := FOREIGN.search(f"{text.en}\n{text.zh}"))}
    assert wrong == {}


def test_no_text_of_the_library_of_mysql_is_of_postgresql() -> None:
    """Names, checks, remedies with what is asked of them, and what the words of its phenomena are."""
    files = [*locate("mysql").glob("phenomena/*.yaml"), *locate("mysql").glob("root_causes/*.yaml")]
    files.append(ROOT / "services/planner/glossary/mysql.yaml")
    assert files[5:]
    wrong = {
        path.name: found[0]
        for path in files
        for text in texts_of(yaml.load(path.read_bytes(), yaml.CSafeLoader))
        if (found := FOREIGN.search(text))
    }
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_voice_without_a_database_speaks_as_before(language: Language) -> None:
    """Where the database is not known, or is PostgreSQL, the usual phrases are said."""
    usual = Voice(language).say("act_create_index")
    assert usual == Voice(language, engine="postgresql").say("act_create_index")
    assert usual != Voice(language, engine="mysql").say("act_create_index")

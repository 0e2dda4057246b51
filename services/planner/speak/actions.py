"""What people want to do to a system: the actions that words name, and what each of them does."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from lang.terms import Terms
from lang.tokens import read_text
from services.planner.model import SolutionStep
from services.planner.speak.voice import Voice
from services.planner.understand.questions import safety

_ACTIONS = Path(__file__).parent / "actions.yaml"
_SLOT = {"slot", "槽"}
# Words that only tell what an action is done to.
_TARGETS = frozenset(("of_application", "of_database"))


def warn_of(asked: str, voice: Voice) -> list[str]:
    """What a question for leave to act has to be told first."""
    return [voice.say("safety_wal")] if safety.touches_wal_files(asked) else tell_consequences(asked, voice)


def tell_consequences(asked: str, voice: Voice) -> list[str]:
    """What the actions that a question names do, whatever the cause is."""
    named = actions_in(asked)
    named -= {"vacuum"} if "vacuum_full" in named else set()
    # Dropping an index is no building of one.
    named -= {"index"} if named & {"drop", "reindex"} else set()
    phrases = [f"act_{action}" for action in sorted(named)]
    if restarts_application(asked):
        phrases = ["act_restart_app" if phrase == "act_restart" else phrase for phrase in phrases]
    if "drop" in named and _SLOT & {token.key for token in read_text(asked).tokens}:
        phrases.append("act_drop_slot")
    return [voice.say(phrase) for phrase in phrases]


def restarts_application(asked: str) -> bool:
    """True if what is to be restarted is named, and is no database."""
    named = _terms_in(asked)
    return "restart" in named and "of_application" in named and "of_database" not in named


def words_of_step(step: SolutionStep, voice: Voice) -> str:
    """What a step says and the statement that it gives."""
    return f"{step.action.say(voice.language)} . {step.how}"


def actions_in(words: str) -> frozenset[str]:
    """The actions that words name."""
    return _terms_in(words) - _TARGETS


def _terms_in(words: str) -> frozenset[str]:
    return frozenset(found.payload for found in _action_terms().find(read_text(words)))


@cache
def _action_terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for action, words in yaml.safe_load(_ACTIONS.read_text("utf-8")).items():
        for word in words:
            terms.add(str(word), str(action))
    return terms

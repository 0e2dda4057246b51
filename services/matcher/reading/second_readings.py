"""A second reading that a message tells of a counter pasted in a message before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lang import pastes
from lang.judging import judge as judging
from lang.judging.dialogue import Topics
from lang.pastes import CheckIndex
from lang.vocabulary import Predicate, Vocabulary

# A message before this one that is longer is not read again.
LONGEST_EARLIER = 20_000


@dataclass(frozen=True)
class SecondReadings:
    """judge_words: what words say by the vocabulary. means: the predicates of each phenomenon."""

    checks: CheckIndex
    vocabulary: Vocabulary
    judge_words: Callable[[str], Sequence[judging.Finding]]
    means: Mapping[str, Sequence[Predicate]]

    def told(self, message: str, topics: Topics) -> tuple[pastes.Finding, ...]:
        """What a message tells as the second reading of the latest output before it that needs one."""
        if not any(char.isdigit() for char in message):
            return ()
        for before in topics.before:
            if len(before) <= LONGEST_EARLIER and (told := self._told_of(message, before, topics.pending)):
                return told
        return ()

    def _told_of(self, message: str, before: str, asked: Sequence[str]) -> tuple[pastes.Finding, ...]:
        found = pastes.judge_paste(before, self.checks, tuple(asked), (), self.vocabulary).findings
        later = (pastes.judge_later(item, self.checks, message) for item in found)
        return tuple(told for told in later if told is not None and not self._is_of_another(told))

    def _is_of_another(self, told: pastes.Finding) -> bool:
        """True if the words name a thing that is none of the phenomenon's: "5 minutes later 300 connections"."""
        own = {each.subject for each in self.means.get(told.phenomenon_id, ())}
        return any(item.why.details["subject"] not in own for item in self.judge_words(told.words))

"""Whether a text speaks of the entry it is nearest to, or only of things that the entry names, too.

That something "did not change" says nothing of the row count; a standby's disk is not the primary's.
"""

from __future__ import annotations

from lang.concepts.glossary import Glossary
from lang.concepts.reading import Reading
from services.matcher.index.search_index import Profile
from services.matcher.ranking.features import Query

# Fainter keys are what words are made of, and name nothing.
_FAINT = 0.4
# An entry that says a key less than this does so by accident, in the names of what it queries.
_SAYS = 0.5


def is_elsewhere(query: Query, profile: Profile, glossary: Glossary) -> bool:
    """Whether the text speaks of another place or another thing than the entry."""
    keys = _named(query.reading)
    return _in_another_place(keys, profile, glossary) or _only_states(keys, profile, glossary)


def _named(reading: Reading) -> set[str]:
    return {token.key for token in reading.tokens if token.weight > _FAINT}


def _in_another_place(keys: set[str], profile: Profile, glossary: Glossary) -> bool:
    """Another place than the entry's: a test system, the archive's disk, or a resource of a standby."""
    grammar = glossary.grammar
    other = {place for place in keys & grammar.places if not profile.counts.get(place)}
    if other & grammar.hosts:
        other -= set() if keys & grammar.resources & profile.counts.keys() and "primary" not in keys else grammar.hosts
    return bool(other)


def _only_states(keys: set[str], profile: Profile, glossary: Glossary) -> bool:
    """Only a state in common ("did not change", "lost"), said of something that the entry does not name."""
    grammar = glossary.grammar
    states = grammar.degrees | grammar.states
    shared = {key for key in keys if profile.counts.get(key, 0.0) >= _SAYS}
    others = keys - shared - states - grammar.unspecific
    return bool(shared) and shared <= grammar.states and bool(others & glossary.glosses.keys())

"""Whether a text speaks of the entry it is nearest to, or only of things that the entry names, too.

That a pool exists is no fault of it; that something "did not change" says nothing of the row count; a standby's disk
is not the primary's.
"""

from __future__ import annotations

from lang import deferred_re as re
from services.matcher.index.search_index import Profile
from services.matcher.model import Doubt
from services.matcher.ranking.features import Query
from services.matcher.reading.glossary import NEGATION, NORMAL, SCANT, Glossary
from services.matcher.reading.numbers import COUNT, PERCENT
from services.matcher.reading.reading import CONTENT, Reading, read

# Fainter keys are what words are made of, and name nothing.
_FAINT = 0.4
# An entry that says a key less than this does so by accident, in the names of what it queries.
_SAYS = 0.5
_STATEMENTS = 2
_EXISTS = re.compile(
    r"有|用|配了|装了|\b(?:have|has|had|uses?|used|using|runs?|running|there (?:is|are)|there's|got)\b", re.IGNORECASE
)
_LACKS = re.compile(r"不|[没无](?!用)|超|够|满|剩|\b(?:out|short|up|down|off|more|only)\b", re.IGNORECASE)


def doubt(query: Query, profile: Profile, glossary: Glossary) -> Doubt:
    """Why a text that is like an entry may not speak of it."""
    if is_elsewhere(query, profile, glossary):
        return Doubt.ELSEWHERE
    if not _only_components(query.reading, glossary) or _is_about_existence(profile, glossary):
        return Doubt.NONE
    if query.stated:
        return Doubt.UNDECIDED if _lacks_its_limit(query, profile) else Doubt.NONE
    text = query.reading.text
    if _EXISTS.search(text):
        return Doubt.NONE if _LACKS.search(text) else Doubt.ELSEWHERE
    judged = any(token.kind in (NEGATION, NORMAL, SCANT) for token in query.reading.tokens)
    return Doubt.NONE if judged or _LACKS.search(text) else Doubt.UNDECIDED


def is_elsewhere(query: Query, profile: Profile, glossary: Glossary) -> bool:
    """Whether the text speaks of another place or another thing than the entry."""
    keys = _named(query.reading)
    return _in_another_place(keys, profile, glossary) or _only_states(keys, profile, glossary)


def _lacks_its_limit(query: Query, profile: Profile) -> bool:
    """Whether a mere count is told where the entry asks for a share."""
    shares = any(threshold.dimension == PERCENT for threshold in profile.thresholds)
    return shares and all(quantity.dimension == COUNT for quantity in query.stated)


def _named(reading: Reading) -> set[str]:
    return {token.key for token in reading.tokens if token.kind in CONTENT and token.weight > _FAINT}


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
    states = grammar.degrees | grammar.states | glossary.opposite.keys()
    shared = {key for key in keys if profile.counts.get(key, 0.0) >= _SAYS}
    others = keys - shared - states - grammar.unspecific
    return bool(shared) and shared <= grammar.states and bool(others & glossary.glosses.keys())


def _only_components(reading: Reading, glossary: Glossary) -> bool:
    keys = _named(reading)
    return bool(keys) and keys <= glossary.grammar.components


def _is_about_existence(profile: Profile, glossary: Glossary) -> bool:
    """Whether the entry's name itself says no more than that something is there."""
    names = [surface.text for surface in profile.surfaces if surface.kind == "statement"][:_STATEMENTS]
    return any(_only_components(read(name, glossary), glossary) for name in names)

"""Decides whether new statements are known, equal to each other, or new. In doubt they are new."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.knowledge.importing.deciding.review import Nearest, Ruling
from services.knowledge.importing.matching.clustering import Item, Pair, group
from services.knowledge.importing.matching.recognition import Candidate
from services.knowledge.importing.matching.statement import Statement

_LEAST_SHOWN = 0.1


@dataclass(frozen=True)
class Mention:
    """A statement and where it was seen. places: `ticket` or `ticket/anomaly` (from 0), in order."""

    statement: Statement
    method: str
    why: str
    places: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Orders mentions."""
        return self.statement.digest

    @property
    def tickets(self) -> frozenset[str]:
        """The tickets that say it, where places are of anomalies."""
        return frozenset(place.rpartition("/")[0] for place in self.places)


@dataclass(frozen=True)
class Limits:
    """When a score decides. clear and margin: the best known thing, and its lead over the second; same: two statements.

    near: from here on a known thing that a new statement was not merged into is shown to a person; near_pair: the same
    for another statement.
    """

    clear: float
    margin: float
    same: float
    near: float
    near_pair: float


PHENOMENON_LIMITS = Limits(clear=0.4, margin=0.25, same=0.7, near=0.2, near_pair=0.4)
CAUSE_LIMITS = Limits(clear=0.5, margin=0.15, same=0.85, near=0.2, near_pair=0.4)


@dataclass(frozen=True)
class Evidence:
    """The input of decide: the best known things per digest, similar pairs of statements, names of known things."""

    candidates: Mapping[str, Sequence[Candidate]]
    pairs: Sequence[Pair]
    names: Mapping[str, str]

    @cached_property
    def near(self) -> dict[str, list[tuple[str, float]]]:
        """Digest to the statements near it, each with the pair's score."""
        found: dict[str, list[tuple[str, float]]] = {}
        for pair in self.pairs:
            found.setdefault(pair.left, []).append((pair.right, pair.score))
            found.setdefault(pair.right, []).append((pair.left, pair.score))
        return found


def decide(mentions: Sequence[Mention], evidence: Evidence, limits: Limits, new_id: Callable[[], str]) -> list[Ruling]:
    """One ruling per mention. New ids follow the order of the groups' digests, not the order of the mentions."""
    by_digest = {mention.digest: mention for mention in mentions}
    recognised = {digest: found for digest in by_digest if (found := _clear(evidence.candidates[digest], limits))}
    items = [Item(mention.digest, mention.statement.text, mention.method) for mention in mentions]
    rulings: list[Ruling] = []
    for members in group(items, evidence.pairs, limits.same):
        known = {recognised[digest].id for digest in members if digest in recognised}
        rest = [digest for digest in members if digest not in recognised]
        rulings += [
            _merged(by_digest[digest], recognised[digest], evidence) for digest in members if digest not in rest
        ]
        if len(known) == 1:
            target = next(iter(known))
            rulings += [_pulled(by_digest[digest], members, target, evidence) for digest in rest]
        elif rest:
            rulings += _founded([by_digest[digest] for digest in rest], new_id(), evidence, limits)
    return _with_near_statements(
        rulings, {mention.statement.key: mention.digest for mention in mentions}, evidence, limits
    )


def _with_near_statements(
    rulings: Sequence[Ruling], digests: Mapping[str, str], evidence: Evidence, limits: Limits
) -> list[Ruling]:
    """New ones that are near a statement of another group name it, unless a known thing is nearer."""
    by_digest = {digests[ruling.key]: ruling for ruling in rulings}
    best: dict[str, tuple[float, str]] = {}
    for pair in evidence.pairs:
        if pair.score >= limits.near_pair and by_digest[pair.left].into != by_digest[pair.right].into:
            for one, other in ((pair.left, pair.right), (pair.right, pair.left)):
                best[one] = max(best.get(one, (0.0, "")), (pair.score, other))
    found = []
    for digest, ruling in by_digest.items():
        score, other = best.get(digest, (0.0, ""))
        if ruling.decision == "new" and score > (ruling.nearest.score if ruling.nearest else 0.0):
            near = Nearest(id=str(by_digest[other].into), name=by_digest[other].statement, score=score)
            ruling = ruling.model_copy(update={"nearest": near, "unclear": True})
        found.append(ruling)
    return found


def _clear(candidates: Sequence[Candidate], limits: Limits) -> Candidate | None:
    if not candidates or candidates[0].score < limits.clear:
        return None
    second = candidates[1].score if len(candidates) > 1 else 0.0
    return candidates[0] if round(candidates[0].score - second, 3) >= limits.margin else None


def _merged(mention: Mention, candidate: Candidate, evidence: Evidence) -> Ruling:
    nearest = _nearest(evidence, mention.digest, other_than=candidate.id)
    return _ruling(mention, "merge", candidate.id, candidate.score, nearest, unclear=False)


def _pulled(mention: Mention, members: Sequence[str], target: str, evidence: Evidence) -> Ruling:
    """A statement that follows its own kind to a known thing; a person should look."""
    nearest = _nearest(evidence, mention.digest, other_than=target)
    return _ruling(mention, "merge", target, _best_pair(mention.digest, members, evidence), nearest, unclear=True)


def _founded(mentions: Sequence[Mention], identity: str, evidence: Evidence, limits: Limits) -> list[Ruling]:
    founder = min(mentions, key=lambda mention: (len(mention.statement.text), mention.digest))
    members = [mention.digest for mention in mentions]
    rulings = []
    for mention in mentions:
        nearest = _nearest(evidence, mention.digest, other_than=identity)
        if mention is founder:
            unclear = nearest is not None and nearest.score >= limits.near
            rulings.append(_ruling(mention, "new", identity, None, nearest, unclear))
        else:
            score = _best_pair(mention.digest, members, evidence)
            rulings.append(_ruling(mention, "merge", identity, score, nearest, unclear=False))
    return rulings


def _ruling(
    mention: Mention, decision: str, into: str, score: float | None, nearest: Nearest | None, unclear: bool
) -> Ruling:
    return Ruling.model_validate(
        {
            "statement": mention.statement.text,
            "decision": decision,
            "into": into,
            "score": score,
            "nearest": nearest,
            "unclear": unclear,
            "applied": f"{decision} {into}",
        }
    )


def _nearest(evidence: Evidence, digest: str, other_than: str) -> Nearest | None:
    shown = (candidate for candidate in evidence.candidates[digest] if candidate.score >= _LEAST_SHOWN)
    others = (candidate for candidate in shown if candidate.id != other_than)
    best = next(others, None)
    return Nearest(id=best.id, name=evidence.names[best.id], score=best.score) if best else None


def _best_pair(digest: str, members: Sequence[str], evidence: Evidence) -> float:
    return max((score for other, score in evidence.near.get(digest, ()) if other in members), default=0.0)

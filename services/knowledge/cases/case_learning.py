"""Learning from closed cases: redacted proposals, reviewed by a person, enter the library once accepted."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from services.chassis.errors import InvalidInput, Precondition
from services.knowledge.cases.proposal import (
    CaseEvidence,
    ClosedCase,
    Decision,
    Proposal,
    ProposalState,
    is_automatic,
    is_held_out,
    proposal_id_of,
)
from services.knowledge.cases.proposal_store import Proposals, fold_words
from services.knowledge.library.load import Library, load
from services.knowledge.library.shipped_libraries import locate, names
from services.knowledge.model import PREVIEW
from services.knowledge.redact import redact
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots import publish
from services.knowledge.snapshots.compile import compile_library
from services.knowledge.snapshots.store import SnapshotStore

_KEPT_PREVIEWS = 8
_LONGEST = 2000
_LONGEST_WORDS = 500
_STATES = {Decision.ACCEPT: ProposalState.ACCEPTED, Decision.REJECT: ProposalState.REJECTED}


@dataclass(frozen=True)
class Preview:
    """Two stored snapshots: the libraries without a case and with it. Equal if the case is held out."""

    without_id: str
    with_id: str


@dataclass(frozen=True)
class Reviewed:
    """A reviewed proposal, and the snapshot published at once if `knowledge_auto_publish` is on."""

    proposal: Proposal
    published_id: str = ""


class Learning:
    """The proposals of a site. `clock` gives seconds since 1970, UTC."""

    def __init__(self, settings: KnowledgeSettings, store: SnapshotStore, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._proposals = Proposals(settings.knowledge_site_library)

    def all(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first."""
        return self._proposals.all()

    def get(self, proposal_id: str) -> Proposal:
        """One proposal. Raises NotFound."""
        return self._proposals.get(proposal_id)

    def propose(self, case: ClosedCase) -> Proposal:
        """Stores a closed case as a proposal; closing it again in the same way returns the same proposal.

        Raises InvalidInput for a case that cannot teach, Precondition if it was closed differently before.
        """
        library = self._library_of(case)
        _check(case, library)
        kept, left_out = _without_secrets(case)
        kept = self._with_cause(kept, library)
        proposal_id = proposal_id_of(case.session_id, case.case)
        share = self._settings.knowledge_holdout_share
        proposal = Proposal(
            proposal_id=proposal_id,
            case=kept,
            quarantined=is_automatic(kept.evidence),
            held_out=not kept.new_root_cause_description and is_held_out(proposal_id, share),
            proposed_at=int(self._clock()),
            redacted_count=left_out,
        )
        if self._proposals.create(proposal):
            return proposal
        return self._again(proposal)

    def review(
        self,
        proposal_id: str,
        decision: Decision,
        *,
        reviewer: str,
        reason: str,
        release_quarantine: bool = False,
        root_cause_id: str = "",
    ) -> Reviewed:
        """Accepts a proposal, optionally as another known cause, or rejects it.

        Repeating a decision changes nothing; the opposite decision reverts it. Raises InvalidInput without a reviewer,
        Precondition for a quarantined case unless `release_quarantine` is set.
        """
        if not reviewer.strip():
            raise InvalidInput("invalid_request.reviewer_missing", proposal=proposal_id)
        proposal = self.get(proposal_id)
        library = self._library()
        case = proposal.case
        if decision is Decision.ACCEPT and root_cause_id not in ("", case.root_cause_id):
            case = case.model_copy(update={"root_cause_id": root_cause_id, "new_root_cause_description": ""})
        if decision is Decision.ACCEPT and (proposal.state is not ProposalState.ACCEPTED or case != proposal.case):
            self._check_acceptable(proposal, case, library, release_quarantine)
        if proposal.state is not _STATES[decision] or case != proposal.case:
            decided = {
                "case": case,
                "state": _STATES[decision],
                "reviewer": redact(reviewer.strip()[:_LONGEST_WORDS]).text,
                "review_reason": redact(reason.strip()[:_LONGEST]).text,
                "reviewed_at": int(self._clock()),
            }
            proposal = proposal.model_copy(update=decided)
            self._proposals.write(proposal)
        self._proposals.settle(library)
        published = self._publish(proposal) if proposal.teaches and self._settings.knowledge_auto_publish else ""
        return Reviewed(proposal, published)

    def preview(self, proposal: Proposal) -> Preview:
        """The snapshots that show the effect of learning a case; stored, not published."""
        library = self._library_of(proposal.case)
        without = learned = self._stored(self._proposals.without_case(library, proposal), proposal)
        if not proposal.held_out:
            learned = self._stored(self._proposals.with_case(library, proposal), proposal)
        self._forget_previews({without, learned})
        return Preview(without, learned)

    def settle(self) -> None:
        """Completes a decision that a crash interrupted."""
        if self.all():
            self._proposals.settle(self._library())

    def _library(self) -> Library:
        return load(self._settings.publishing_paths())

    def _library_of(self, case: ClosedCase) -> Library:
        """The libraries that this site serves, or the shipped one that a case went over to."""
        library = self._library()
        other = None if _speaks_of(case, library) else _other_library(case)
        return load((other,)) if other is not None else library

    def _stored(self, library: Library, proposal: Proposal) -> str:
        content = compile_library(library)
        reason = f"preview of {proposal.proposal_id}"
        return self._store.add(content, author=PREVIEW, reason=reason, fingerprint="").snapshot_id

    def _forget_previews(self, needed: set[str]) -> None:
        """Removes all but the newest preview snapshots; they can be rebuilt."""
        made = [item for item in self._store.manifests() if item.is_preview]
        for old in made[_KEPT_PREVIEWS:]:
            if old.snapshot_id not in needed:
                self._store.remove(old.snapshot_id)

    def _publish(self, proposal: Proposal) -> str:
        paths, reason = self._settings.publishing_paths(), f"accepted {proposal.proposal_id}"
        built = publish.build(self._store, paths, author=proposal.reviewer, reason=reason)
        return self._store.publish(built.snapshot_id, author=proposal.reviewer, reason=reason).snapshot_id

    def _with_cause(self, case: ClosedCase, library: Library) -> ClosedCase:
        """The case with the id of its cause: a known cause of that name, otherwise a new one."""
        words = case.new_root_cause_description
        if not words:
            return case
        for cause in library.root_causes.values():
            names = (cause.name.zh, cause.name.en, *cause.aliases.zh, *cause.aliases.en)
            if fold_words(words) in map(fold_words, names) and cause.category != "UNSORTED":
                return case.model_copy(update={"root_cause_id": cause.id, "new_root_cause_description": ""})
        identity = self._proposals.cause_id(words, case.solution, library)
        return case.model_copy(update={"root_cause_id": identity})

    def _again(self, proposal: Proposal) -> Proposal:
        before = self.get(proposal.proposal_id)
        if before.case == proposal.case:
            return before
        if before.state is ProposalState.REJECTED:
            self._proposals.write(proposal)
            return proposal
        raise Precondition(
            "already_proposed",
            case=proposal.case.case,
            session=proposal.case.session_id,
            root_cause_id=before.case.root_cause_id,
            proposal_id=before.proposal_id,
        )

    def _check_acceptable(self, proposal: Proposal, case: ClosedCase, library: Library, released: bool) -> None:
        if proposal.quarantined and not released:
            raise Precondition("quarantined", proposal=proposal.proposal_id)
        other = None if _speaks_of(case, library) else _other_library(case)
        if other is not None:
            raise Precondition("library_not_served", proposal=proposal.proposal_id, library=other.name)
        if not case.new_root_cause_description:
            _check_cause(case, library)
        _check_evidence(case, library)


def _speaks_of(case: ClosedCase, library: Library) -> bool:
    """Whether a library has something that was seen in a case."""
    return any(item.phenomenon_id in library.phenomena for item in case.evidence)


def _other_library(case: ClosedCase) -> Path | None:
    """The shipped library that a case speaks of; none if there is none."""
    return next((path for path in map(locate, names()) if _speaks_of(case, load((path,)))), None)


def _check(case: ClosedCase, library: Library) -> None:
    if not case.session_id.strip():
        raise InvalidInput("invalid_request.session_missing")
    if bool(case.root_cause_id.strip()) == bool(case.new_root_cause_description.strip()):
        raise InvalidInput("invalid_request.one_cause")
    if case.root_cause_id:
        _check_cause(case, library)
    elif not fold_words(case.new_root_cause_description):
        raise InvalidInput("invalid_request.empty_cause")
    for name in ("new_root_cause_description", "solution"):
        if len(getattr(case, name)) > _LONGEST:
            raise InvalidInput("invalid_request.text_too_long", field=name, limit=_LONGEST)
    _check_evidence(case, library)


def _check_cause(case: ClosedCase, library: Library) -> None:
    if case.root_cause_id not in library.root_causes:
        nearest = difflib.get_close_matches(case.root_cause_id, library.root_causes, n=1, cutoff=0.0)
        found = nearest[0] if nearest else "none"
        raise InvalidInput("unknown_root_cause.library", cause=case.root_cause_id[:80], nearest=found)


def _check_evidence(case: ClosedCase, library: Library) -> None:
    counted = Counter(item.phenomenon_id for item in case.evidence)
    for item in case.evidence:
        if counted[item.phenomenon_id] > 1:
            raise InvalidInput("invalid_request.evidence_twice", phenomenon=item.phenomenon_id[:80])
        if not 0 < item.score <= 1:
            raise InvalidInput("score_out_of_range.case", phenomenon=item.phenomenon_id[:80], score=item.score)
    confirmed = [item.phenomenon_id for item in case.evidence if item.verdict == "confirmed"]
    if not confirmed:
        raise InvalidInput("no_evidence.case")
    if not any(identity in library.phenomena for identity in confirmed):
        raise InvalidInput("unknown_phenomenon.library", phenomena=tuple(sorted(confirmed)[:5]))


def _without_secrets(case: ClosedCase) -> tuple[ClosedCase, int]:
    left_out = 0

    def clean(text: str, longest: int) -> str:
        nonlocal left_out
        kept, count = redact(text.strip())
        left_out += count
        return kept if len(kept) <= longest else kept[: longest - 1] + "…"

    evidence: tuple[CaseEvidence, ...] = tuple(
        item.model_copy(update={"words": clean(item.words, _LONGEST_WORDS)}) for item in case.evidence
    )
    kept = case.model_copy(
        update={
            "complaint": clean(case.complaint, _LONGEST),
            "solution": clean(case.solution, _LONGEST),
            "new_root_cause_description": clean(case.new_root_cause_description, _LONGEST),
            "evidence": evidence,
        }
    )
    return kept, left_out

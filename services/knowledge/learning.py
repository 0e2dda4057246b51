"""Learning from closed cases: proposed without secrets, decided by a person, in the library only when accepted."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from services.chassis.errors import InvalidInput, Precondition
from services.knowledge import publishing
from services.knowledge.compile import compile_library
from services.knowledge.library import Library, load
from services.knowledge.model import PREVIEW
from services.knowledge.proposal import (
    CaseEvidence,
    ClosedCase,
    Decision,
    Proposal,
    ProposalState,
    is_automatic,
    is_held_out,
    proposal_id_of,
)
from services.knowledge.proposals import Proposals, plain
from services.knowledge.redact import redact
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.store import SnapshotStore

_KEPT_PREVIEWS = 8
_LONGEST = 2000
_LONGEST_WORDS = 500
_STATES = {Decision.ACCEPT: ProposalState.ACCEPTED, Decision.REJECT: ProposalState.REJECTED}


@dataclass(frozen=True)
class Preview:
    """Two stored snapshots: of the libraries without a case, and with it. The same when the case does not teach."""

    without_id: str
    with_id: str


@dataclass(frozen=True)
class Reviewed:
    """A decided proposal, and what was published at once, where that is switched on."""

    proposal: Proposal
    published_id: str = ""


class Learning:
    """Proposals of one site. `clock` gives seconds since 1970, UTC."""

    def __init__(self, settings: KnowledgeSettings, store: SnapshotStore, clock: Callable[[], float]) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._proposals = Proposals(settings.knowledge_site_library)

    def all(self) -> tuple[Proposal, ...]:
        """All proposals, the oldest first."""
        return self._proposals.all()

    def get(self, proposal_id: str) -> Proposal:
        """One proposal. Raises NotFound."""
        return self._proposals.get(proposal_id)

    def propose(self, case: ClosedCase) -> Proposal:
        """Keeps a closed case as a proposal; the same case in the same way is the same proposal.

        Raises InvalidInput for a case that cannot teach, Precondition when it was closed otherwise before.
        """
        library = self._library()
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
        """Accepts, perhaps as another known cause, or rejects.

        The same decision again changes nothing; the other one takes the first back.
        Raises InvalidInput without a reviewer, Precondition for a quarantined case that nobody vouches for.
        """
        if not reviewer.strip():
            raise InvalidInput(f"deciding on {proposal_id}: no reviewer is named; say who decides")
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
        """The snapshots that show what learning a case changes; stored, not published."""
        library = self._library()
        without = learned = self._stored(self._proposals.without_case(library, proposal), proposal)
        if not proposal.held_out:
            learned = self._stored(self._proposals.with_case(library, proposal), proposal)
        self._forget_previews({without, learned})
        return Preview(without, learned)

    def settle(self) -> None:
        """Completes a decision that a crash cut short."""
        if self.all():
            self._proposals.settle(self._library())

    def _library(self) -> Library:
        return load(self._settings.publishing_paths())

    def _stored(self, library: Library, proposal: Proposal) -> str:
        content = compile_library(library)
        reason = f"preview of {proposal.proposal_id}"
        return self._store.add(content, author=PREVIEW, reason=reason, fingerprint="").snapshot_id

    def _forget_previews(self, needed: set[str]) -> None:
        """Removes all but the newest snapshots that nothing but previews was made of; they can be made again."""
        made = [item for item in self._store.manifests() if item.is_preview]
        for old in made[_KEPT_PREVIEWS:]:
            if old.snapshot_id not in needed:
                self._store.remove(old.snapshot_id)

    def _publish(self, proposal: Proposal) -> str:
        paths, reason = self._settings.publishing_paths(), f"accepted {proposal.proposal_id}"
        built = publishing.build(self._store, paths, author=proposal.reviewer, reason=reason)
        return self._store.publish(built.snapshot_id, author=proposal.reviewer, reason=reason).snapshot_id

    def _with_cause(self, case: ClosedCase, library: Library) -> ClosedCase:
        """The case with the id of its cause: one that is known by these words, else a new one."""
        words = case.new_root_cause_description
        if not words:
            return case
        for cause in library.root_causes.values():
            names = (cause.name.zh, cause.name.en, *cause.aliases.zh, *cause.aliases.en)
            if plain(words) in map(plain, names) and cause.category != "UNSORTED":
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
            f"case {proposal.case.case} of session {proposal.case.session_id} was closed before, as "
            f"{before.case.root_cause_id}, with other evidence or words; reject {before.proposal_id} first",
            reason="already_proposed",
            details={"proposal_id": before.proposal_id, "root_cause_id": before.case.root_cause_id},
        )

    def _check_acceptable(self, proposal: Proposal, case: ClosedCase, library: Library, released: bool) -> None:
        if proposal.quarantined and not released:
            raise Precondition(
                f"accepting {proposal.proposal_id}: most of its evidence was collected automatically, said by nobody; "
                "look at it, then accept it with --from-quarantine (release_quarantine)",
                reason="quarantined",
            )
        if not case.new_root_cause_description:
            _check_cause(case, library)
        _check_evidence(case, library)


def _check(case: ClosedCase, library: Library) -> None:
    if not case.session_id.strip():
        raise InvalidInput("proposing a case: no session is named")
    if bool(case.root_cause_id.strip()) == bool(case.new_root_cause_description.strip()):
        raise InvalidInput("proposing a case: name a root cause by its id, or describe a new one; one of the two")
    if case.root_cause_id:
        _check_cause(case, library)
    elif not plain(case.new_root_cause_description):
        raise InvalidInput("proposing a case: the description of the cause has no words")
    for name in ("new_root_cause_description", "solution"):
        if len(getattr(case, name)) > _LONGEST:
            raise InvalidInput(f"proposing a case: {name} is longer than {_LONGEST} characters; say it shorter")
    _check_evidence(case, library)


def _check_cause(case: ClosedCase, library: Library) -> None:
    if case.root_cause_id not in library.root_causes:
        nearest = difflib.get_close_matches(case.root_cause_id, library.root_causes, n=1, cutoff=0.0)
        found = nearest[0] if nearest else "none"
        raise InvalidInput(
            f"there is no root cause {case.root_cause_id[:80]}; the nearest id is {found}",
            reason="unknown_root_cause",
            details={"nearest": found},
        )


def _check_evidence(case: ClosedCase, library: Library) -> None:
    counted = Counter(item.phenomenon_id for item in case.evidence)
    for item in case.evidence:
        if counted[item.phenomenon_id] > 1:
            raise InvalidInput(f"proposing a case: its evidence names {item.phenomenon_id[:80]} more than once")
        if not 0 < item.score <= 1:
            message = f"proposing a case: the score of {item.phenomenon_id[:80]} is {item.score}, not in (0, 1]"
            raise InvalidInput(message, reason="score_out_of_range")
    confirmed = [item.phenomenon_id for item in case.evidence if item.verdict == "confirmed"]
    if not confirmed:
        raise InvalidInput(
            "this case has no confirmed phenomenon; there is nothing to learn from", reason="no_evidence"
        )
    if not any(identity in library.phenomena for identity in confirmed):
        unknown = ", ".join(sorted(confirmed)[:5])
        raise InvalidInput(f"the library has none of the phenomena {unknown}", reason="unknown_phenomenon")


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

"""Learning from closed cases: what is kept of them, what a decision changes, and that it can be taken back."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.chassis.errors import InvalidInput, NotFound, Precondition
from services.engine.diagnose import bind_reasoner
from services.engine.inference.reasoner import open_model
from services.engine.model import ScoringRule
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.engine.tables.snapshot import read_snapshot
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.blobs.directory import DirectoryBlobs
from services.knowledge.cases.case_learning import Learning
from services.knowledge.cases.proposal import CaseEvidence, ClosedCase, Decision, Proposal, ProposalState, is_held_out
from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import load
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots import publish
from services.knowledge.snapshots.store import SnapshotStore
from tests.support.sample_libraries import as_export, exported, phenomenon, root_cause, ticket, tree_hash, write_library
from tests.support.texts.injections import INJECTIONS

pytestmark = pytest.mark.sampled


class Site:
    """A library of three phenomena and two causes, a site library, a store, and learning over them."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        base = write_library(
            folder / "base",
            [phenomenon(f"P-000{number}", f"sight {number}") for number in (1, 2, 3)],
            [root_cause("RC-0001", ["P-0001", "P-0002"]), root_cause("RC-0002", ["P-0003"], name=both("锁等待"))],
            [ticket("TK-1", "RC-0001", ["P-0001"]), ticket("TK-2", "RC-0002", ["P-0003", "P-0001"])],
        )
        self.settings = KnowledgeSettings(
            knowledge_libraries=str(base),
            knowledge_store=str(folder / "store"),
            knowledge_site_library=folder / "site",
            **{"knowledge_holdout_share": 0.0, **settings},
        )
        ticks = itertools.count(1_700_000_000)
        self.store = SnapshotStore(open_blobs(self.settings.knowledge_store), lambda: next(ticks))
        self.learning = Learning(self.settings, self.store, lambda: next(ticks))

    def publish(self) -> str:
        """Publishes the libraries as they are."""
        built = publish.build(self.store, self.settings.publishing_paths(), author="ada", reason="")
        return self.store.publish(built.snapshot_id, author="ada", reason="").snapshot_id

    def accept(self, proposal: Proposal, **more: Any) -> Proposal:
        """Accepts."""
        return self.learning.review(proposal.proposal_id, Decision.ACCEPT, reviewer="ada", reason="", **more).proposal

    def reject(self, proposal: Proposal) -> Proposal:
        """Rejects."""
        return self.learning.review(proposal.proposal_id, Decision.REJECT, reviewer="ada", reason="no").proposal

    def beliefs(self, identity: str, seen: Sequence[str]) -> dict[str, float]:
        """What the engine believes with a snapshot, given what was seen."""
        from services.engine.inference.evidence import Answer
        from services.engine.model import Verdict

        snapshot = read_snapshot(self.store.read(identity), identity)
        reasoner = bind_reasoner(open_model(snapshot, DEFAULT_PARAMETERS), ScoringRule.BAYES)
        places = sorted(snapshot.phenomenon_index[name] for name in seen)
        state = reasoner.posterior(tuple(Answer(place, Verdict.CONFIRMED, 1.0) for place in places))
        return {name: float(state.belief[index]) for name, index in snapshot.cause_index.items()}


def both(text: str) -> dict[str, str]:
    return {"zh": text, "en": text}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def closed(session: str = "s-1", cause: str = "RC-0001", seen: Sequence[str] = ("P-0002",), **more: Any) -> ClosedCase:
    """A closed case whose evidence a person gave."""
    evidence = tuple(CaseEvidence(phenomenon_id=item, verdict="confirmed", words=f"我看到 {item}") for item in seen)
    known = {"root_cause_id": cause} if cause else {}
    return ClosedCase(**{"session_id": session, "complaint": "下单很慢", "evidence": evidence, **known, **more})


def test_an_accepted_case_is_a_ticket_with_its_provenance(site: Site) -> None:
    """The ticket names session, proposal, reviewer, time and snapshot, and the next snapshot holds it."""
    before = site.publish()
    proposal = site.learning.propose(closed(snapshot_id=before, solution="加索引"))
    assert proposal.state is ProposalState.OPEN
    assert site.publish() == before
    accepted = site.accept(proposal)
    learned = load(site.settings.publishing_paths()).tickets[accepted.ticket_id]
    metadata = learned.metadata.model_dump()
    assert (learned.root_cause_id, learned.description, learned.solution) == ("RC-0001", "下单很慢", "加索引")
    assert [(item.phenomenon_id, item.description) for item in learned.anomalies] == [("P-0002", "我看到 P-0002")]
    assert (metadata["session_id"], metadata["proposal_id"], metadata["reviewer"], metadata["snapshot_id"]) == (
        "s-1", proposal.proposal_id, "ada", before
    )  # fmt: skip
    assert metadata["reviewed_at"].startswith("2023-11-14T")
    after = site.publish()
    assert accepted.ticket_id in {item["id"] for item in json.loads(site.store.read(after))["tickets"]}
    assert accepted.ticket_id not in site.store.read(before).decode()


@pytest.mark.parametrize("more", [{}, {"cause": "", "new_root_cause_description": "应用没有释放锁"}])
def test_a_preview_is_what_the_next_snapshot_says(site: Site, more: dict[str, Any]) -> None:
    """The snapshot of the preview is byte for byte the one that accepting and publishing makes."""
    before = site.publish()
    proposal = site.learning.propose(closed(**more))
    preview = site.learning.preview(proposal)
    assert preview.without_id == before
    site.accept(proposal)
    after = site.publish()
    assert preview.with_id == after != before
    assert site.beliefs(after, ["P-0002"]) != site.beliefs(before, ["P-0002"])
    assert site.learning.preview(proposal) == preview


def test_previews_do_not_pile_up(site: Site) -> None:
    """However many cases are previewed, few of their snapshots are kept; those that were published stay."""
    before = site.publish()
    first = site.accept(site.learning.propose(closed("first")))
    published = site.publish()
    for number in range(15):
        preview = site.learning.preview(site.learning.propose(closed(f"s-{number}", seen=["P-0001"])))
        assert site.store.read(preview.with_id)
        assert site.store.read(preview.without_id)
    listed = {item.snapshot_id for item in site.store.manifests()}
    assert listed > {before, published}
    assert len(listed) <= 11
    assert site.accept(first).teaches


def cases() -> list[ClosedCase]:
    """Cases with known causes, and three of two new ones."""
    described = ["应用没有释放锁", "应用没有 释放锁！", "the batch ran twice"]
    return [
        closed("s-1", "RC-0001", ["P-0001", "P-0002"]),
        closed("s-2", "RC-0002", ["P-0003"], solution="kill it"),
        *(
            closed(f"n-{number}", "", ["P-0002"], new_root_cause_description=words, solution=f"step {number}")
            for number, words in enumerate(described)
        ),
    ]


def test_the_order_of_accepting_does_not_matter(tmp_path: Path) -> None:
    """Whatever order the same proposals are accepted in, the next snapshot has the same bytes."""
    found = set()
    for number, order in enumerate(random.Random(7).sample(list(itertools.permutations(range(5))), 8)):
        site = Site(tmp_path / str(number))
        proposals = [site.learning.propose(case) for case in cases()]
        for place in order:
            site.accept(proposals[place])
        found.add(site.publish())
    assert len(found) == 1


def test_accepting_and_rejecting_all_leaves_beliefs_as_before(site: Site) -> None:
    """After every accepted case was rejected again, in any order, the next snapshot is the one before."""
    before = site.publish()
    beliefs = site.beliefs(before, ["P-0001", "P-0002"])
    proposals = [site.accept(site.learning.propose(case)) for case in cases()]
    middle = site.publish()
    assert site.beliefs(middle, ["P-0001", "P-0002"]) != beliefs
    for proposal in random.Random(3).sample(proposals, len(proposals)):
        assert site.reject(proposal).state is ProposalState.REJECTED
    assert site.publish() == before
    assert site.beliefs(before, ["P-0001", "P-0002"]) == beliefs


def test_one_description_is_one_cause(site: Site) -> None:
    """Equal words, but for marks and case, are one new cause; the words of a known one are that; ids are not reused."""
    first, second, third = [site.learning.propose(case).case.root_cause_id for case in cases()[2:]]
    assert first == second != third
    assert first.startswith("RC-9")
    known = site.learning.propose(closed("k", "", new_root_cause_description=" 锁 等待。"))
    assert (known.case.root_cause_id, known.case.new_root_cause_description) == ("RC-0002", "")
    for proposal in site.learning.all():
        site.reject(proposal)
    fresh = site.learning.propose(closed("f", "", new_root_cause_description="something else"))
    assert fresh.case.root_cause_id not in (first, third)


def test_a_new_cause_may_turn_out_to_be_a_known_one(site: Site) -> None:
    """Accepted as a known cause, before or after it was accepted as a new one, nothing of the new cause is left."""
    plain = site.learning.propose(closed("p"))
    site.accept(plain)
    expected = None
    for first in (False, True):
        proposal = site.learning.propose(closed("n", "", new_root_cause_description="应用没有释放锁"))
        if first:
            site.accept(proposal)
        accepted = site.accept(proposal, root_cause_id="RC-0002")
        assert (accepted.case.root_cause_id, accepted.case.new_root_cause_description) == ("RC-0002", "")
        published = site.publish()
        assert published == (expected or published)
        expected = published
        assert {item["id"] for item in json.loads(site.store.read(published))["root_causes"]} == {"RC-0001", "RC-0002"}
        site.reject(proposal)
    with pytest.raises(InvalidInput, match="RC-0003"):
        site.accept(plain, root_cause_id="RC-0003")


def test_causes_described_at_once_get_ids_of_their_own(site: Site) -> None:
    """Many cases closed at the same moment with as many new causes get as many ids, and equal words one."""
    words = [f"cause {number % 6}" for number in range(12)]
    described = [closed(f"s-{number}", "", new_root_cause_description=text) for number, text in enumerate(words)]
    with ThreadPoolExecutor(6) as pool:
        found = [item.case.root_cause_id for item in pool.map(site.learning.propose, described)]
    assert len(set(zip(words, found, strict=True))) == len(set(found)) == 6


def test_a_cause_that_a_person_edited_stays(site: Site) -> None:
    """A new cause that somebody translated keeps the translation, whatever is accepted or rejected after."""
    one, two = [site.accept(site.learning.propose(case)) for case in cases()[2:4]]
    (file,) = (site.folder / "site" / "root_causes").glob("*.yaml")
    entry = yaml.safe_load(file.read_text(encoding="utf-8"))
    entry["name"]["en"] = "The application kept its locks"
    file.write_text(yaml.safe_dump(entry, allow_unicode=True), encoding="utf-8")
    edited = file.read_bytes()
    for proposal in (one, two):
        site.reject(proposal)
        assert file.read_bytes() == edited


def test_the_same_decision_twice_changes_nothing(site: Site) -> None:
    """Proposing and deciding again, in the same way, leaves every byte of the site library as it was."""
    proposal = site.accept(site.learning.propose(closed()))
    before = tree_hash(site.folder / "site")
    assert site.learning.propose(closed()) == proposal
    assert site.accept(proposal) == proposal
    assert tree_hash(site.folder / "site") == before


def test_a_case_closed_otherwise_is_refused_until_the_first_is_rejected(site: Site) -> None:
    """Another cause or other evidence for a closed case changes nothing; after a rejection it is a new proposal."""
    proposal = site.learning.propose(closed())
    for other in (closed(cause="RC-0002"), closed(seen=["P-0001"])):
        with pytest.raises(Precondition, match=proposal.proposal_id) as caught:
            site.learning.propose(other)
        assert caught.value.reason == "already_proposed"
    site.reject(proposal)
    again = site.learning.propose(closed(cause="RC-0002"))
    assert (again.proposal_id, again.state, again.case.root_cause_id) == (
        proposal.proposal_id, ProposalState.OPEN, "RC-0002"
    )  # fmt: skip
    assert site.learning.propose(closed("s-1", case=2, cause="RC-0002")).proposal_id != proposal.proposal_id


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (closed(seen=[]), "no_evidence"),
        (closed(evidence=(CaseEvidence(phenomenon_id="P-0001", verdict="denied"),)), "no_evidence"),
        (closed(seen=["P-0404"]), "unknown_phenomenon"),
        (closed(seen=["P-0001", "P-0001"]), "invalid_request"),
        (
            closed(evidence=(CaseEvidence(phenomenon_id="P-0001", verdict="confirmed", score=1.5),)),
            "score_out_of_range",
        ),
        (closed(cause="RC-0003"), "unknown_root_cause"),
        (closed(cause=""), "invalid_request"),
        (closed(new_root_cause_description="both"), "invalid_request"),
        (closed(cause="", new_root_cause_description="？！"), "invalid_request"),
        (closed(cause="", new_root_cause_description="长" * 2001), "invalid_request"),
        (closed(session=" "), "invalid_request"),
    ],
)
def test_a_case_that_cannot_teach_is_refused(site: Site, case: ClosedCase, reason: str) -> None:
    """Without evidence, cause or session, with an unknown one, or with too many words, nothing is kept."""
    with pytest.raises(InvalidInput) as caught:
        site.learning.propose(case)
    assert caught.value.reason == reason
    assert site.learning.all() == ()


def test_what_was_mostly_collected_is_quarantined(site: Site) -> None:
    """More than half of the evidence from checks or imports: accepting needs somebody who vouches for it."""
    origins = {"s-1": ["person", "check"], "s-2": ["check", "check", "person"], "s-3": ["import"]}
    found = {}
    for session, given in origins.items():
        evidence = tuple(
            CaseEvidence(phenomenon_id=f"P-000{number}", verdict="confirmed", origin=origin)  # type: ignore[arg-type]
            for number, origin in enumerate(given, 1)
        )
        found[session] = site.learning.propose(closed(session, evidence=evidence))
    assert [item.quarantined for item in found.values()] == [False, True, True]
    site.accept(found["s-1"])
    with pytest.raises(Precondition) as caught:
        site.accept(found["s-2"])
    assert caught.value.reason == "quarantined"
    assert site.learning.get(found["s-2"].proposal_id).state is ProposalState.OPEN
    assert site.accept(found["s-2"], release_quarantine=True).teaches


def test_a_held_out_case_never_teaches(tmp_path: Path) -> None:
    """Accepting it changes no byte of the next snapshot; it lies where `eval --holdout` finds it, until rejected."""
    site = Site(tmp_path, knowledge_holdout_share=0.999)
    before = site.publish()
    proposal = site.learning.propose(closed())
    preview = site.learning.preview(proposal)
    assert preview.with_id == preview.without_id == before
    accepted = site.accept(proposal)
    assert (accepted.held_out, accepted.teaches) == (True, False)
    assert site.publish() == before
    (file,) = (tmp_path / "site" / "holdout").glob("*.jsonl")
    assert json.loads(file.read_text(encoding="utf-8"))["root_cause_id"] == "RC-0001"
    site.reject(accepted)
    assert not file.exists()
    assert not site.learning.propose(closed("n", "", new_root_cause_description="new")).held_out


def test_the_holdout_is_a_share_chosen_by_the_id_alone() -> None:
    """About the share of many ids, the same ones every time, and those of a smaller share among them."""
    ids = [f"PR-{number:012x}" for number in range(4000)]
    chosen = {share: {item for item in ids if is_held_out(item, share)} for share in (0.0, 0.1, 0.3)}
    assert chosen[0.0] == set()
    assert chosen[0.1] < chosen[0.3]
    assert 0.08 < len(chosen[0.1]) / 4000 < 0.12


def test_nothing_is_published_unless_that_is_switched_on(tmp_path: Path) -> None:
    """Accepting publishes only with `knowledge_auto_publish`, in the reviewer's name; rejecting never does."""
    quiet, loud = Site(tmp_path / "a"), Site(tmp_path / "b", knowledge_auto_publish=True)
    for site in (quiet, loud):
        before = site.publish()
        proposal = site.learning.propose(closed())
        reviewed = site.learning.review(proposal.proposal_id, Decision.ACCEPT, reviewer="eve", reason="")
        assert (reviewed.published_id != "") == (site is loud)
        assert (site.store.current_id() == before) == (site is quiet)
        current = site.store.current_id()
        site.reject(proposal)
        assert site.store.current_id() == current
    assert loud.store.publications()[-1].author == "eve"


def test_a_decision_that_a_crash_cut_short_is_completed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever change of a file an acceptance dies, the library is valid, and settling again completes it."""
    write = DirectoryBlobs.write
    for survived in range(3):
        proposal = site.learning.propose(closed(f"c-{survived}", "", new_root_cause_description=f"cause {survived}"))
        left = itertools.count()

        def dying(self: DirectoryBlobs, name: str, content: bytes, left: Any = left, survived: int = survived) -> None:
            if next(left) >= survived:
                raise KeyboardInterrupt
            write(self, name, content)

        with monkeypatch.context() as patched:
            patched.setattr(DirectoryBlobs, "write", dying)
            with pytest.raises(KeyboardInterrupt):
                site.accept(proposal)
        library = load(site.settings.publishing_paths())
        site.learning.settle()
        accepted = site.learning.get(proposal.proposal_id).teaches
        assert accepted == (survived > 0)
        assert (proposal.ticket_id in load(site.settings.publishing_paths()).tickets) == accepted
        assert proposal.ticket_id not in library.tickets


def test_a_decision_names_who_and_what(site: Site) -> None:
    """A decision without a reviewer, and one on a proposal that is not there, are refused."""
    proposal = site.learning.propose(closed())
    with pytest.raises(InvalidInput, match="reviewer"):
        site.learning.review(proposal.proposal_id, Decision.ACCEPT, reviewer=" ", reason="")
    for missing in ("PR-000000000000", "../../etc/passwd", ""):
        with pytest.raises(NotFound) as caught:
            site.learning.get(missing)
        assert caught.value.reason == "proposal_not_found"


def test_an_import_and_learned_cases_leave_each_other_alone(site: Site) -> None:
    """Imported tickets and accepted cases take no id of each other; taking the cases back leaves what was imported."""
    export = as_export([exported("T-1", "磁盘坏了", "硬盘灯是红的"), exported("T-2", "应用没有释放锁", "sight 2")])
    folder, base = site.settings.knowledge_site_library, list(site.settings.library_paths())
    import_tickets(export, "json", folder, base)
    imported = site.publish()
    proposals = [site.accept(site.learning.propose(case)) for case in cases()]
    learned = site.publish()
    import_tickets(export, "json", folder, base)
    assert site.publish() == learned
    for proposal in proposals:
        site.reject(proposal)
    assert site.publish() == imported


@pytest.mark.parametrize("words", INJECTIONS)
def test_instructions_in_the_words_stay_words(site: Site, words: str) -> None:
    """Whatever a person writes as complaint, evidence, cause or solution is kept as text and decides nothing."""
    evidence = (CaseEvidence(phenomenon_id="P-0002", verdict="confirmed", words=words),)
    case = closed("", "", evidence=evidence, complaint=words, new_root_cause_description=words, solution=words)
    proposal = site.learning.propose(case.model_copy(update={"session_id": "s-9"}))
    assert (proposal.state, proposal.quarantined) == (ProposalState.OPEN, False)
    accepted = site.accept(proposal)
    entry = load(site.settings.publishing_paths()).tickets[accepted.ticket_id]
    assert [item.phenomenon_id for item in entry.anomalies] == ["P-0002"]
    assert site.publish() == site.store.current_id()


def test_a_case_of_another_shipped_library_is_kept_until_that_is_served(site: Site) -> None:
    """A case of MySQL closed where MySQL is not served is kept and shown; accepting it says what to start."""
    proposal = site.learning.propose(closed(cause="RC-2001", seen=("P-2001",)))
    assert site.learning.preview(proposal).without_id
    with pytest.raises(Precondition, match="--library mysql") as refused:
        site.accept(proposal)
    assert refused.value.reason == "library_not_served"
    assert site.learning.get(proposal.proposal_id).state is ProposalState.OPEN
    assert site.reject(proposal).state is ProposalState.REJECTED

"""What a person says that bears on what may be done: what has to be kept, what there is none of, what it came with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang import deferred_re as re
from lang.judging.out_of_reach import nobody_in
from lang.listed import lists_beside
from lang.modality import is_out_of_reach
from lang.numbers.filling import figures_in
from lang.objects import HOLDS, Role
from lang.objects.figures_shown import figures_shown
from services.planner.model import NamedObject, SessionView, Speaker
from services.planner.treatment.actions import actions_in, names_database, names_ddl, read_actions
from services.planner.treatment.durations import now_in, runtimes_in
from services.planner.treatment.sentences import clauses_of, refused_in, sentences_of, told_clauses
from services.planner.treatment.shown_actions import NOTE, SESSION, shown_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.word_lists import listed, names

_LISTED = lists_beside(__file__)

# The kinds under which this is kept beside the objects of a case.
BEARING, RUNTIME, FIGURE, CLOCK = "bearing", "runtime", "figure", "clock"
# That nobody answers who may act, with the turn of it.
NOBODY = "nobody"
# The kind of what the person has no right to do: an action, or all that changes something. What is had since is fine.
LACKS, ALL, SUPERUSER = "lacks", "all", "superuser"
# The kind of a session that must not be ended: the turn, then its number or the words for it. Fine where it may be now.
SPARED = "spared"
# The kind of a session that stands in place of another: "20411>20877", or "ddl>20877" for the DDL that runs again.
REPLACED = "replaced"
# The kind of words by which a step is refused, cannot be taken, or is taken already.
ASIDE = "aside"
KEEP_QUERY, NO_LOSS, NO_JOB, PATRONI = "keep_query", "no_loss", "no_job", "patroni"
RELEASE, OWNER_KNOWN, GONE = "release", "owner_known", "consumer_gone"

_PATTERNS = {
    PATRONI: listed("treatment.patroni"),
    KEEP_QUERY: _LISTED.pattern("keep_query", re.IGNORECASE),
    NO_LOSS: _LISTED.pattern("no_loss", re.IGNORECASE),
    NO_JOB: _LISTED.pattern("no_job", re.IGNORECASE),
    OWNER_KNOWN: _LISTED.pattern("owner_known", re.IGNORECASE),
}
_NO_RELEASE = _LISTED.pattern("no_release", re.IGNORECASE)
# That what read from here was given up, and what says that it was not.
_GONE, _STAYS = listed("treatment.consumer_gone"), listed("treatment.consumer_stays")
# In so many sentences one after the other a release and the beginning belong together.
_NEAR = 3
_LACKING = _LISTED.pattern("lacking", re.IGNORECASE)
_NO_SUPERUSER = _LISTED.pattern("no_superuser", re.IGNORECASE)
_READ_ONLY = _LISTED.pattern("read_only", re.IGNORECASE)
_GRANTED = _LISTED.pattern("granted", re.IGNORECASE)
_FORBIDS = _LISTED.pattern("forbids", re.IGNORECASE)
# What is only supposed, or the aim of something else, forbids nothing: "if i leave it alone", "so i don't kill it".
_SUPPOSES = re.compile(r"\b(?:if|unless|in case|so that|let)\b|如果|要是|万一|免得|以免|省得", re.IGNORECASE)
_ALLOWS = _LISTED.pattern("allows", re.IGNORECASE)
# That nobody forbade it, or that whoever may say so agrees.
_NOT_FORBIDDEN = _LISTED.pattern("not_forbidden", re.IGNORECASE)
_REPLACES = _LISTED.pattern("replaces", re.IGNORECASE)
_MOST_WORDS = 60
# What the assistant has said before an end of a session, in either language.
_TOLD_OWNER = ("whose session it is", "这个会话是谁的")
_SETS_ASIDE = listed("treatment.set_aside")


def bearing_on_treatment(said: str, view: SessionView, message: str = "") -> tuple[NamedObject, ...]:
    """What a message, with its pastes, and the talk so far bring that bears on what may be done."""
    names = dict.fromkeys((*_wishes(said), *_began_with(said, view), *_told(view)))
    kept = [NamedObject(BEARING, name, said=True) for name in names]
    kept += (*_rights(said, view), *_spared(said, view), *_replaced(said, view), *_aside(said, view))
    figures = (*figures_in(said), *figures_shown(message))
    kept += (NamedObject(FIGURE, f"{view.turn} {each} {amount:.0f}", said=True) for each, amount in figures)
    kept += [NamedObject(CLOCK, f"{view.turn} {now}", said=True)] if (now := now_in(said)) else []
    kept += [NamedObject(NOBODY, str(view.turn), said=True)] if nobody_in(said) else []
    return (*kept, *(NamedObject(RUNTIME, minutes, said=True) for minutes in runtimes_in(said)))


def lacks_any(objects: Iterable[NamedObject]) -> bool:
    """Whether the person has said to lack a right, and not to have it since."""
    return any(each.kind == LACKS and each.role == HOLDS for each in objects)


def lacking_in(said: str) -> bool:
    """Whether words tell that the person has no right to something."""
    return _LACKING.search(said.replace("’", "'")) is not None or _READ_ONLY.search(said) is not None


def lacks_right(said: str) -> bool:
    """Whether a sentence tells that the person has no right to act, not only that something cannot be seen."""
    sentences = (each.replace("’", "'") for each in sentences_of(said))
    return any(
        _READ_ONLY.search(each) or (_LACKING.search(each) and not names("named.looking", each)) for each in sentences
    )


def _rights(said: str, view: SessionView) -> Iterator[NamedObject]:
    """What the person has no right to do, and what there is a right to by now: as named, else as it was shown last."""
    sentences = [each.replace("’", "'") for each in sentences_of(said)]
    if any(_GRANTED.search(each) for each in sentences):
        kept = {each for text in (said, *_said_before(view)) for each in actions_in(text)}
        yield from (
            NamedObject(LACKS, name, str(Role.FINE), True)
            for name in sorted({*kept, *shown_actions(view), ALL, SUPERUSER})
        )
        return
    if any(_READ_ONLY.search(each) for each in sentences):
        yield NamedObject(LACKS, ALL, HOLDS, True)
    if any(_NO_SUPERUSER.search(each) for each in sentences):
        yield NamedObject(LACKS, SUPERUSER, HOLDS, True)
    if any(names("named.pooler", each) and (_FORBIDS.search(each) or is_out_of_reach(each)) for each in sentences):
        yield NamedObject(LACKS, "resize_pool", HOLDS, True)
    for at, each in enumerate(sentences):
        if not _LACKING.search(each):
            continue
        near = (each, *sentences[max(at - 1, 0) : at])
        named = next((found for text in near if (found := actions_in(text))), ())
        shown = () if named or names("named.looking", each) else shown_actions(view)
        yield from (NamedObject(LACKS, name, HOLDS, True) for name in named or shown)


def _spared(said: str, view: SessionView) -> Iterator[NamedObject]:
    """The sessions that must not be ended, by number or in the words for them, and that they may be by now."""
    clauses = [each.replace("’", "'") for each in told_clauses(said) if not each.endswith(("?", "？", "吗", "么"))]
    for clause in clauses:
        denied = _NOT_FORBIDDEN.search(clause) is not None
        if denied or (_ALLOWS.search(clause) and not _FORBIDS.search(clause)):
            yield NamedObject(SPARED, f"{view.turn} ", str(Role.FINE), True)
        if denied or not _FORBIDS.search(clause) or _SUPPOSES.search(clause):
            continue
        numbers = SESSION.findall(clause)
        if lacking_in(said) or _is_of_another(clause) or not (numbers or names("named.pointed", clause)):
            continue
        words = numbers or [clause.lower()[:_MOST_WORDS]]
        yield from (NamedObject(SPARED, f"{view.turn} {each}", said=True) for each in words)


def _aside(said: str, view: SessionView) -> Iterator[NamedObject]:
    """The words that set a step aside after steps were shown; where they name none, with the sentence before them."""
    answers = (each.text for each in view.history if each.speaker is Speaker.ASSISTANT)
    if not any(map(NOTE.search, answers)):
        return
    before, refused = "", [each for each in refused_in(said) if actions_in(each)]
    yield from (NamedObject(ASIDE, each.lower()[-2 * _MOST_WORDS :], said=True) for each in refused)
    for sentence in sentences_of(said):
        for clause in set_aside_in(sentence):
            words = clause if is_technical(clause) else f"{before} {clause}"
            yield NamedObject(ASIDE, words.lower()[-2 * _MOST_WORDS :], said=True)
        before = sentence


def set_aside_in(sentence: str) -> Iterator[str]:
    """The clauses that tell of something that is not to be done, cannot be, or is done already."""
    clauses = (each.replace("’", "'") for each in clauses_of(sentence))
    return (each for each in clauses if _SETS_ASIDE.search(each) and "leave" not in wants_in(read_actions(each)))


def _replaced(said: str, view: SessionView) -> Iterator[NamedObject]:
    """Which session stands in place of another, as it is said, or as the DDL that runs again has it."""
    for sentence in ("".join(f"{each} " for each in clauses_of(one)) for one in sentences_of(said)):
        numbers = [*dict.fromkeys(SESSION.findall(sentence))]
        told = [found.groupdict() for found in _REPLACES.finditer(sentence)]
        pairs = [
            (each["old"] or each["before"] or each["was"], each["new"] or each["now"] or each["is"]) for each in told
        ]
        if not pairs and len(numbers) == 1 and names_ddl(sentence) and names("named.again", sentence):
            pairs = [(str(Role.DDL), numbers[0])]
        yield from (NamedObject(REPLACED, f"{view.turn} {old}>{new}", said=True) for old, new in pairs)


def _is_of_another(clause: str) -> bool:
    """Whether what a clause wants left alone is no session."""
    return names("named.no_session", clause) or names_database(clause) or names_ddl(clause)


def _said_before(view: SessionView) -> list[str]:
    return [each.text for each in view.history if each.speaker is Speaker.USER]


def _wishes(said: str) -> Iterator[str]:
    for sentence in (each.replace("’", "'") for each in sentences_of(said)):
        for name, words in _PATTERNS.items():
            if words.search(sentence):
                yield name
        if _GONE.search(sentence) and not _STAYS.search(sentence):
            yield GONE


def _began_with(said: str, view: SessionView) -> Iterable[str]:
    """That it began with a release: said in sentences near each other, in this message or over two."""
    before = next((each.text for each in reversed(view.history) if each.speaker is Speaker.USER), "")
    sentences = [*list(sentences_of(before))[-1:], *sentences_of(said)]
    near = (sentences[at : at + _NEAR] for at in range(len(sentences)))
    return [RELEASE] if any(map(_came_with_release, near)) else []


def _came_with_release(sentences: Iterable[str]) -> bool:
    told = [clause for each in sentences for clause in clauses_of(each)]
    released = any(names("named.released", each) and not _NO_RELEASE.search(each) for each in told)
    return released and any(names("named.since", each) and not _NO_RELEASE.search(each) for each in told)


def _told(view: SessionView) -> Iterator[str]:
    """That the assistant has already asked to make sure whose session it is."""
    answers = (each.text for each in view.history if each.speaker is Speaker.ASSISTANT)
    if any(told in text for text in answers for told in _TOLD_OWNER):
        yield OWNER_KNOWN

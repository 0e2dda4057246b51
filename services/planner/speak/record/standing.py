"""Answers on progress and on help: known evidence, leading causes, next check, remedy."""

from __future__ import annotations

from lang.concepts.named_things import things_named
from services.planner.account.record import Record, record_of
from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    ProgressAnswer,
    RankedRecommendation,
    Status,
    TurnResults,
)
from services.planner.speak import caveats, checks, diagnosis
from services.planner.speak.acting_early import acts_on_leader, advise_by, advise_early
from services.planner.speak.case.leave import give_leave
from services.planner.speak.conclusion import advise, remedy
from services.planner.speak.steps.render import render_alone
from services.planner.speak.summary.record_in_words import done_in_record, state_in_words
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.acts import safety
from services.planner.understand.questions.looking_back import asks_standing
from services.planner.understand.questions.questions import asks_to_see
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import names

_SHOWN = 3
_NO_RISK = "none"
# What asks for all that is to be done.
_WHOLE = frozenset(("remedy", "cure"))
# Most names in a list; longer lists come from investigations.
_LISTED = 12


def describe_progress(answer: ProgressAnswer, results: TurnResults, voice: Voice) -> str:
    """What is confirmed, denied and unknown; when nothing else says so also the leading causes and the next check."""
    record = record_of(results)
    if not (answer.confirmed or answer.denied or answer.unknown):
        return voice.say("progress_none")
    known = [voice.say("progress", rounds=answer.rounds)] if answer.rounds else []
    known += [
        voice.say(phrase, names=_list_names(views, voice))
        for phrase, views in (
            ("progress_confirmed", answer.confirmed),
            ("progress_denied", answer.denied),
            ("progress_unknown", answer.unknown),
        )
        if views
    ]
    over = record.better and bool(record.deeds)
    standing = _standing(results, voice) if diagnosis.asks_only(results) and not over else []
    if standing and answer.text and not asks_standing(answer.text):
        return "\n".join(standing)
    lines = [voice.stop.join(known)]
    concluded = results.diagnosis.conclusion if results.diagnosis is not None else None
    second = caveats.render_unexplained(concluded, voice) if concluded is not None else ""
    return "\n".join([*lines, *_acted(record, results, voice), *standing, *([second] if second else [])])


def _acted(record: Record, results: TurnResults, voice: Voice) -> list[str]:
    """What was done, and how it is since."""
    done, state = done_in_record(record, results, voice), state_in_words(record, results, voice)
    return [voice.say("progress_done", done=done)] * bool(done) + [voice.say("progress_now", state=state)] * bool(state)


def _list_names(views: tuple[EvidenceView, ...], voice: Voice) -> str:
    names = voice.listed(voice.quoted(view.name, view.phenomenon_id) for view in views[:_LISTED])
    return voice.say("look_more", names=names, count=len(views)) if len(views) > _LISTED else names


def _standing(results: TurnResults, voice: Voice) -> list[str]:
    found = results.diagnosis
    if found is None or found.conclusion is not None or not found.hypotheses:
        return []
    causes = voice.listed([diagnosis.cause(item, voice) for item in found.hypotheses[:_SHOWN]])
    leading, following = voice.say("progress_leading", causes=causes), found.recommendations[:1]
    if following and voice.was_told(leading):
        return [checks.check(following[0], voice)]
    lines = [leading]
    if results.status is Status.STUCK:
        lines.append(diagnosis.stuck(found, voice))
    else:
        lines.append(caveats.render_contradiction(found, voice))
    lines += [checks.in_a_line(each, found, voice) or checks.unchanged(each, voice) for each in following]
    return [line for line in lines if line]


def help_with(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """How to check an item, the remedy after a conclusion, a warning before one, or the possible questions."""
    if answer.items:
        return "\n\n".join(_how_to_look(item, voice) for item in answer.items)
    if not (answer.action or safety.asks_permission(answer.text)):
        return _advice(answer, results, voice)
    ruling = give_leave(answer, results, voice)
    remedy = advise(answer.conclusion, results, voice) if answer.conclusion is not None else ""
    return "\n\n".join(part for part in (ruling, remedy) if part)


def _how_to_look(item: RankedRecommendation, voice: Voice) -> str:
    """How to check an item: whoever asks again gets it again."""
    name = voice.name(item.name, item.phenomenon_id)
    return "\n".join([voice.say("help_item", name=name), *checks.how_to_look(item, voice)])


def _step_named(asked: str, found: ConclusionView, voice: Voice) -> str:
    """The one step that shares most of the things that a question names; empty where the whole remedy is asked for."""
    named = frozenset() if _WHOLE.intersection(wants_in(read_actions(asked))) else things_named(asked)
    shared = [len(named & things_named(f"{step.action.zh}\n{step.action.en}")) for step in found.solution]
    most = max(shared, default=0)
    if not most or shared.count(most) > 1:
        return ""
    at = shared.index(most)
    return render_alone(at + 1, found.solution[at], voice)


def _look_named(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The look that the remedy begins with, where it is asked how something is seen and a cause is gone by."""
    found = answer.conclusion or (answer.leading if acts_on_leader(answer, results.diagnosis) else None)
    if found is None or not asks_to_see(read(answer.text).normal):
        return ""
    looks = (each for each in enumerate(found.solution, 1) if each[1].risk == _NO_RISK and each[1].how)
    return next((render_alone(number, step, voice) for number, step in looks if not step.prevents), "")


def _advice(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    if look := _look_named(answer, results, voice):
        return look
    if answer.conclusion is not None:
        whole = remedy(answer.conclusion, results, voice)
        if names("named.whole_list", answer.text) and polish(whole, voice.language) not in voice.previous:
            return whole
        named = _step_named(answer.text, answer.conclusion, voice)
        return named or advise(answer.conclusion, results, voice)
    found = results.diagnosis
    if found is None or not found.hypotheses:
        about_dbdiag = answer.text.startswith("/") or not results.seen
        return voice.say("help" if about_dbdiag else "common_unknown")
    leader = found.hypotheses[0]
    if answer.matter is not None and answer.leading is not None:
        return advise_by(answer, answer.leading, results, voice)
    if early := advise_early(answer, leader, results, voice):
        return early
    if not diagnosis.asks_only(results):
        return voice.say("help_early")
    return _where_it_stands(found, results, voice)


def _where_it_stands(found: DiagnosisView, results: TurnResults, voice: Voice) -> str:
    if diagnosis.leads_nowhere(found):
        return diagnosis.undecided(found, results, voice)
    causes = [diagnosis.cause(item, voice) for item in found.hypotheses[:_SHOWN]]
    return voice.say("standing_first", causes=voice.listed(causes))

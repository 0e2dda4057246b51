"""Whether something may be done: what it does, what is lost, what to check first, in the light of the case."""

from __future__ import annotations

from lang.objects import PID, Role, bind, identifiers_in
from lang.objects.kinds_and_roles import AUTOVACUUM_PID
from services.planner.model import ConclusionView, HelpAnswer, TurnResults
from services.planner.speak.acting_early import advise_early
from services.planner.speak.case.action_facts import (
    asks_command,
    asks_leave,
    aspects_asked,
    facts_of,
    start_again,
    tell_aspects,
    tell_nothing,
    tell_statement,
)
from services.planner.speak.case.going_back import ROLLBACK, began_with_release, tell_rollback
from services.planner.speak.case.in_case import (
    InCase,
    conditions,
    done_before,
    in_the_case,
    leaves_alone,
    on_record,
    rulings,
    steps_that,
)
from services.planner.speak.case.meant import meant
from services.planner.speak.case.named_step import of_setting, tell_named_step, tell_other_setting, tell_other_steps
from services.planner.speak.case.place_in_queue import (
    Place,
    rule_on_known,
    sessions_asked,
    tell_cost,
    tell_order,
    tell_place,
    tell_supposed,
    with_named,
)
from services.planner.speak.case.remedy_steps import Numbered, actions_of, is_done, next_change, next_step, steps_left
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.follow_ups.running import tell_rerun
from services.planner.speak.objects import objects_known
from services.planner.speak.rights.who_may import lacking, say_lacking
from services.planner.speak.steps.render import render_alone
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import action_named, actions_in, actions_of_statements, names_ddl, read_actions
from services.planner.treatment.bearing import BEARING, KEEP_QUERY, SPARED
from services.planner.treatment.deeds import acts_on_another, forgoes
from services.planner.treatment.going_on import RERUN
from services.planner.treatment.named_steps import STEP, objects_to_it
from services.planner.treatment.sentences import asks_cost
from services.planner.treatment.wanted.requests import READS
from services.planner.treatment.wanted.wants import tells, wants_in
from services.planner.understand.text.word_lists import listed

_MOST = 2
# Asked about one of these, the words may name the step that is meant.
_OF_A_STEP = (STEP, "set_parameter", "switch_setting")
_RESTARTS = ("restart", "restart_app")
_ENDING = ("cancel", "terminate", "stop")
_WORKERS, _WRAPAROUND = listed("treatment.workers"), listed("treatment.wraparound")
_PREVENTS = ("wraparound is running", "wraparound autovacuum")


def give_leave(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The ruling on each action that is asked about, at most two."""
    if objects_to_it(answer.text) or forgoes(answer.action, answer.text):
        return tell_other_steps(answer, results, voice)
    if answer.action == RERUN:
        return tell_rerun(answer, results, voice)
    if ordered := tell_order(answer.text, results, voice):
        return ordered
    if answer.action in _OF_A_STEP and (of_step := tell_named_step(answer, results, voice)):
        return of_step
    if other := tell_other_setting(answer, results, voice):
        return other
    named = (answer.action,) if action_named(answer.action) is not None else ()
    found = answer.conclusion or answer.leading
    actions = tuple(meant(action, answer.text, found, voice) for action in named or actions_in(answer.text)[:_MOST])
    if answer.action == READS:
        return voice.say("leave_reads")
    if left_alone := _in_use(answer.text, actions, results, voice):
        return left_alone
    if found is not None and "takes_restart" in wants_in(read_actions(answer.text)):
        # Whether it takes a restart is asked of the step that comes next, where a restart is none of the steps.
        actions = tuple(each for each in actions if each not in _RESTARTS or each in actions_of(found, voice))
    if not actions and aspects_asked(answer.text) and found is not None:
        actions = _next_actions(found, results, voice)
        name, percent = voice.name(found.name, found.root_cause_id), voice.percent(found.confidence)
        going_by = [voice.say("command_leading", name=name, percent=percent)] if answer.conclusion is None else []
        told = [_told(action, answer, results, voice) for action in actions] or _nothing(answer, found, results, voice)
        return "\n".join([*going_by, *told])
    if not actions:
        return _on_dangerous_steps(answer, results, voice)
    return "\n".join(_told(action, answer, results, voice) for action in dict.fromkeys(actions))


def _nothing(answer: HelpAnswer, found: ConclusionView, results: TurnResults, voice: Voice) -> list[str]:
    """That nothing is known of what is asked of the next step."""
    following = next_step(found, results, voice)
    step = voice.name(following.step.action) if following is not None else voice.say("nothing_named")
    return [tell_nothing(aspect, step, voice) for aspect in aspects_asked(answer.text)]


def _next_actions(found: ConclusionView, results: TurnResults, voice: Voice) -> tuple[str, ...]:
    """The action of the next step of a remedy that changes something."""
    left = (each.step for each in steps_left(found, results, voice) if each.step.how and each.step.risk != "none")
    return next((tuple(sorted(named))[:1] for step in left if (named := actions_of_statements(step.how))), ())


def _told(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """All that is asked of an action: whether it may be done, what it blocks, how it is undone, and its command."""
    found, wants = answer.conclusion or answer.leading, wants_in(read_actions(answer.text))
    voice = with_named(action, answer.text, objects_known(results), voice)
    if _prevents_wraparound(action, answer.text, results):
        return "\n".join([voice.say("leave_wraparound"), *_unless_needed(action, answer, results, voice)])
    if kept := _keeps_query(action, found, results, voice):
        return kept
    if spared := _spares(action, answer, results, voice):
        return spared
    if asks_cost(answer.text) and (cost := tell_cost(action, answer.text, objects_known(results), voice)):
        return cost
    if supposed := tell_supposed(action, answer.text, results, voice):
        return supposed
    facts = tell_aspects(action, answer.text, found, results, voice)
    if "undo" in wants and facts:
        return "\n".join([*facts, *([voice.say(f"act_{action}")] if "leave" in wants else [])])
    shows = asks_command(answer.text) or _is_one(action, voice)
    do = tell_statement(action, answer.text, found, voice) if shows else []
    if facts and not asks_leave(answer.text):
        return "\n".join([*facts, *do])
    ruled = _rule(action, answer, results, voice)
    refused = rulings()[action].leave == "no" or on_record(rulings()[action].unless, results) is not None
    done = done_before(action, results, voice) is not None
    if "manner" in wants and facts:
        return "\n".join([*facts, voice.say(f"cost_{action}") if action in _ENDING[:2] else voice.say(f"act_{action}")])
    shown = refused or done or not do or do[1].strip("`\nsql ") in ruled
    return "\n".join([ruled, *facts, *([] if shown else do)])


def _prevents_wraparound(action: str, asked: str, results: TurnResults) -> bool:
    """Whether what is to be ended is an autovacuum that prevents a wraparound, by the words or by the record."""
    if action not in _ENDING:
        return False
    named = sessions_asked(action, asked, objects_known(results))
    worker = any(each.role is Role.AUTOVACUUM for each in named) or (not named and _WORKERS.search(asked) is not None)
    if named and not worker:
        return False
    return _WRAPAROUND.search(asked) is not None or (worker and on_record(_PREVENTS, results) is not None)


def _unless_needed(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> list[str]:
    """The step that ends the worker all the same, where the remedy has one, as what it takes to justify it."""
    found = answer.conclusion or answer.leading
    of_worker = voice.objects.get(AUTOVACUUM_PID, "")
    steps = steps_that(action, of_worker, found, voice) if found is not None and of_worker else []
    left = [each for each in steps if of_worker in bind(each.step.how, voice.objects)][:1]
    return [voice.say("leave_unless_needed"), *(render_alone(*each, voice) for each in left)] if left else []


def _keeps_query(action: str, found: ConclusionView | None, results: TurnResults, voice: Voice) -> str:
    """That the query is not to be ended where it is the one that is wanted, and what to do; else empty."""
    if action not in _ENDING or found is None or KEEP_QUERY not in voice.choices.get(BEARING, ()):
        return ""
    steps = steps_that(action, "", found, voice)
    following = next_change(found, results, voice)
    if not steps or following is None or not all(goes_against(each.step, voice) for each in steps):
        return ""
    return "\n".join([voice.say("leave_keeps"), render_alone(*following, voice)])


def _spares(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """That a session stays that the person said must not be ended, and what to do instead; else empty."""
    spared, found = voice.choices.get(SPARED, ()), answer.conclusion or answer.leading
    named = [each.name for each in sessions_asked(action, answer.text, objects_known(results))]
    if not named and action in _ENDING and not (names_ddl(answer.text) or acts_on_another(answer.text)):
        named = [voice.objects[PID]] if PID in voice.objects else []
    kept = [name for name in named if name in spared]
    if not kept or len(kept) < len(named):
        return ""
    following = next_change(found, results, voice) if found is not None else None
    refused = voice.say("leave_spared", name=kept[0])
    return refused if following is None else "\n".join([refused, render_alone(*following, voice)])


def _is_one(action: str, voice: Voice) -> bool:
    """Whether the statement of an action is always the same."""
    do = facts_of(action, voice.engine).do
    return bool(do) and "<" not in do


def _in_use(asked: str, actions: tuple[str, ...], results: TurnResults, voice: Voice) -> str:
    """That what is asked about alone is in use and to be left as it is."""
    named = [each for each in objects_known(results) if each.name in identifiers_in(asked)]
    fine = [each.name for each in named if each.role is Role.FINE]
    alone = not actions and bool(fine) and len(fine) == len(named)
    return "\n".join(voice.say("object_known_fine", name=name) for name in fine) if alone else ""


def _rule(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    place = tell_place(action, answer.text, results, voice)
    if on_record(rulings()[action].unless, results) is not None:
        return "\n".join([*place.told, voice.say(f"unless_{action}")])
    treats = {"cancel", "terminate"} & {*actions_of(answer.conclusion or answer.leading, voice)}
    if not place.told and not treats and (again := start_again(action, results, voice)):
        return again
    if action == ROLLBACK and began_with_release(results, voice):
        told = tell_rollback(answer.conclusion or answer.leading, results, voice)
        yes = voice.say("leave_again_of", name=voice.say(f"name_{action}"), verdict=voice.say("leave_yes"))
        return yes if _was_said(told[0], voice) else "\n".join(told)
    affects = tells(read_actions(answer.text), "affects")
    costs = affects and action in ("cancel", "terminate")
    facts = voice.say(f"cost_{action}" if costs else f"act_{action}")
    known = _was_said(facts, voice)
    # Of the session that holds the others up, what is known of it and of the step says more than what is known of all.
    general = [] if known or (place.holds and not affects) else [facts]
    if place.settles:
        return "\n".join([*place.told, *([] if place.holds else general)])
    case = in_the_case(action, answer, results, voice)
    ruling = _ruling(action, answer, results, voice, place.holds or case.known)
    if others := leaves_alone(action, answer.text, results, voice):
        return "\n".join([*others, *general])
    if known or _was_said(ruling, voice):
        return "\n".join([*_told_again(action, ruling, place, voice), *([facts] if affects else [])])
    told = _told_whole(action, ruling, place, case, general, results, voice)
    return "\n".join(told)


def _was_said(text: str, voice: Voice) -> bool:
    """Whether the last answer said this."""
    return polish(text, voice.language) in voice.previous


def _told_again(action: str, ruling: str, place: Place, voice: Voice) -> list[str]:
    """The ruling where it was just told, or what the action does was: with what is known of the session since.

    It names the action: a bare yes would be taken for one to whatever was asked.
    """
    name = voice.say(f"name_{action}")
    again = voice.say("leave_again_of", name=name, verdict=ruling) if _was_said(ruling, voice) else ruling
    new = [each for each in place.told if not _was_said(each, voice)]
    return [again, *new] if place.holds or not place.told else place.told


def _told_whole(
    action: str, ruling: str, place: Place, case: InCase, general: list[str], results: TurnResults, voice: Voice
) -> list[str]:
    """The ruling, what is known of the session, what the action does, and what it is in the case."""
    done = done_before(action, results, voice)
    told = [voice.say("leave_done", words=done.words)] if done is not None and not place.told else []
    if case.another:
        return [*told, *case.told, *general]
    first = rulings()[action].leave == "yes" or place.holds
    placed = [ruling, *place.told] if first else [*place.told, ruling]
    return [*told, *placed, *general, *case.told]


def _ruling(action: str, answer: HelpAnswer, results: TurnResults, voice: Voice, known: bool) -> str:
    """Yes or no; where something has to hold first, what of it nobody has said yet. known: what it acts on is seen."""
    leave = rulings()[action].leave
    if leave != "no" and lacking((action,), voice):
        first = of_setting(voice.say(f"first_{action}"), answer.conclusion or answer.leading)
        return say_lacking("rights_leave", (action,), voice, first=first)
    if on_record(rulings()[action].plain, results) is not None:
        return voice.say("leave_yes")
    if known and (told := rule_on_known(action, answer.text, results, voice)):
        return told
    met, left = conditions(action, answer.text, results)
    check = "leave_check_known" if known else "leave_check"
    if leave != "check" or not met:
        first = of_setting(voice.say(f"first_{action}"), answer.conclusion or answer.leading)
        return voice.say(check if leave == "check" else f"leave_{leave}", first=first)
    if left:
        return voice.say(check, first=voice.listed(voice.say(f"need_{each}") for each in left))
    return voice.say("leave_go", given=voice.listed(voice.say(f"need_{each}") for each in met))


def _on_dangerous_steps(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Where no action is named: the risk of the steps that have one, or that none is called for yet."""
    found = answer.conclusion
    if found is None:
        leader = next(iter(results.diagnosis.hypotheses), None) if results.diagnosis else None
        early = advise_early(answer, leader, results, voice) if leader is not None else ""
        return early or voice.say("help_early")
    numbered = [Numbered(number, step) for number, step in enumerate(found.solution, 1)]
    left = [each for each in numbered if not is_done(each.step, results, voice)]
    risky = [each for each in left if each.step.risk in ("medium", "high")] or left
    name = voice.name(found.name, found.root_cause_id)
    return "\n".join([voice.say("leave_step", name=name), *(render_alone(*each, voice) for each in risky[:_MOST])])

"""What is asked for in a word: the one command, what something means, where it is run."""

from __future__ import annotations

from lang import deferred_re as re
from lang.concepts import glossary
from lang.concepts.reading import read as read_concepts
from lang.judging.amending import clauses_in
from lang.modality import is_negated
from lang.numbers.values import read_values
from lang.objects import PID, Role, bind
from lang.objects.settings_said import settings_named
from lang.tokens import read_text
from lang.vocabulary import Unit
from services.planner.model import ConclusionView, HelpAnswer, MatterView, ReliefStep, SolutionStep, TurnResults
from services.planner.speak.case import meanings
from services.planner.speak.case.action_facts import facts_of
from services.planner.speak.case.in_case import conditions
from services.planner.speak.case.named_step import where_set
from services.planner.speak.case.remedy_steps import acting_on_named, is_done, is_in_vain, next_step, steps_left
from services.planner.speak.objects import objects_known, say_choices
from services.planner.speak.rights.who_may import who_instead
from services.planner.speak.settings_now import beside_told
from services.planner.speak.steps.as_code import code
from services.planner.speak.steps.render import fitting, say_risk
from services.planner.speak.voice import Voice, polish
from services.planner.treatment.actions import actions_in, actions_of_statements, read_actions
from services.planner.treatment.shown_actions import POINTS, settings_of
from services.planner.treatment.wanted.wants import notions_in, wants_in, without, word_in_question
from services.planner.understand.answers.asked_if_it_counts import asks_if_counts

# A cause that leads so clearly is acted on.
_LIKELY = 0.8
_HIGH = "high"
_STEP = re.compile(r"(?<![\w.])([1-9])(?![\w.%])", re.ASCII)
_BLANK = re.compile(r"<[a-z][\w ]*>|(?<![:\w]):\w*pid", re.IGNORECASE)
# Delays of a standby in the same site, in seconds: as they should be, and as they are a fault.
_LAG_FINE, _LAG_MUCH = 0.01, 0.1
_LAG = "notion_lag_normal"
# Settings are to be seen, and none is to be set.
_SETTINGS = re.compile(r"(?i)\b(?:settings?|parameters?|params?|config\w*|variables?)\b|参数|配置|设置")
_SEES = re.compile(r"(?i)\b(?:check|look|see|show|inspect|verify|query|read)\b|查|看")
_SETS = re.compile(r"(?i)\b(?:to set|change|raise|lower|increase|decrease|adjust|alter)\b|改|调|设成|设置?为")
_QUOTES = '"“”「」'
# Shorter words in letters name little.
_SHORTEST = 4
# What only a standby can tell.
_ON_STANDBY = ("wal_receive", "xact_replay", "wal_receiver", "wal_replay", "database_conflicts")


def tell_command(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The statement of the step that is asked for or comes next, with its risk; else that of the check to make."""
    found = answer.conclusion or answer.leading
    if "overview" in wants_in(read_actions(answer.text)):
        return f"{voice.shown('overview')}\n{voice.say('command_overview')}"
    if found is not None and (names := _settings_to_see(answer.text, found)):
        return f"{voice.shown('settings', names=names)}\n{voice.say('command_settings')}"
    step = _step(answer.text, found, results, voice) if found is not None else None
    if step is not None:
        how, now = beside_told(bind(fitting(step.how, voice), voice.objects), voice)
        note = voice.say("command_step", action=voice.name(step.action), risk=say_risk(step.risk, voice))
        blanks = say_choices(how, voice.choices, voice) + now
        blank = _BLANK.search(how)
        if blank is not None and not blanks:
            blanks = voice.say("command_blank", blank=blank[0])
        first = _first(step, answer.text, results, voice)
        by = who_instead("rights_command", voice.name(step.action, step.how), step.how, voice)
        return f"{code(how, 'sql')}\n{' '.join([note + blanks, *first, *([by] if by else [])])}"
    ddl = voice.objects.get("ddl_pid")
    if ddl and any(each.role is Role.LAST or each.culprit for each in objects_known(results)):
        return f"`{bind(facts_of('cancel', voice.engine).do, {PID: ddl})}`\n{voice.say('command_queue')}"
    looks = [item for item in answer.items if item.observation_method.strip()]
    if not looks:
        return voice.say("command_none")
    name = voice.name(looks[0].name, looks[0].phenomenon_id)
    how = bind(looks[0].observation_method, voice.objects)
    return f"{code(how, looks[0].observe_kind)}\n{voice.say('command_look', name=name)}"


def _settings_to_see(asked: str, found: ConclusionView) -> str:
    """The settings of a remedy, as a list of texts, where they are to be looked at and not changed; else empty."""
    if not (_SETTINGS.search(asked) and _SEES.search(asked)) or _SETS.search(asked):
        return ""
    set_in = (name for step in found.solution for name, _ in settings_of(step.how))
    return ", ".join(f"'{name}'" for name in dict.fromkeys((*settings_named(asked), *set_in)))


def _step(asked: str, found: ConclusionView, results: TurnResults, voice: Voice) -> SolutionStep | ReliefStep | None:
    """The step with the number that is asked for; else what was agreed to, relief or the next one; with a statement."""
    number = _STEP.search(asked.split("\n", 1)[0])
    if number is not None and int(number[1]) <= len(found.solution):
        step = found.solution[int(number[1]) - 1]
        return step if step.how else None
    left = [each.step for each in steps_left(found, results, voice) if each.step.how and not each.step.prevents]
    named = acting_on_named(found, left, voice, results)
    if named is not None and found.confidence >= _LIKELY:
        return named
    named_in = {*actions_in(asked)}
    doing = next((step for step in left if named_in & actions_of_statements(step.how)), None)
    if doing is not None:
        return doing
    if "cure" in wants_in(read_actions(asked)):
        left = [step for step in left if step.risk != "none"] or left
        if left and found.confidence >= _LIKELY:
            return left[0]
    whole = [step for step in left if _BLANK.search(bind(fitting(step.how, voice), voice.objects)) is None]
    for step in whole:
        if any(_is_agreed(action, asked, results) for action in actions_of_statements(step.how)):
            return step
    if found.confidence < _LIKELY:
        return None
    for relief in found.relief:
        if relief.how and not is_done(relief, results, voice) and not is_in_vain(relief, found, results, voice):
            return relief
    following = next_step(found, results, voice)
    return following.step if following is not None and following.step in whole else next(iter(whole or left), None)


def _first(step: SolutionStep | ReliefStep, said: str, results: TurnResults, voice: Voice) -> list[str]:
    """What has to hold before a step of high risk, of what nobody has said yet."""
    actions = sorted(actions_of_statements(step.how)) if step.risk == _HIGH else ()
    left = [need for action in actions for need in conditions(action, said, results)[1]]
    return [voice.say("leave_check", first=voice.listed(voice.say(f"need_{each}") for each in left))] if left else []


def _is_agreed(action: str, said: str, results: TurnResults) -> bool:
    """Whether all that has to hold before an action was said or seen."""
    met, left = conditions(action, said, results)
    return bool(met) and not left


def tell_meaning(answer: HelpAnswer, voice: Voice) -> str:
    """What something is, in a sentence, and what counts as it; that the library does not know it, else."""
    if of_states := meanings.explain_states(answer.text, voice):
        return of_states
    if notions := notions_in(answer.text):
        told = [*_judged(answer.text, voice), *(voice.say(each) for each in notions if not _was_explained(each, voice))]
        return "\n".join(told or [voice.say(notions[0])])
    explained, of_value = meanings.explain(answer, voice), meanings.explain_value(answer.text, voice)
    if explained or of_value:
        return voice.stop.join(part for part in (of_value, explained) if part)
    if (quoted := word_in_question(answer.text)) and quoted.lower() in voice.say("leave_yes").lower():
        return voice.say("meaning_of_leave")
    if counted := _tell_counts(answer, voice):
        return counted
    matter = answer.matter
    text = matter.reason.say(voice.language) if matter is not None else ""
    present = [item.present_when.say(voice.language).rstrip(" .。") for item in answer.items]
    if matter is None or not (text or any(present)) or _is_beside(answer.text, matter):
        return unknown_word(answer.text, voice)
    name = voice.name(matter.name)
    lines = [voice.say("meaning", name=name, text=text.rstrip(" .。")) if text else f"**{name}**"]
    counts = [voice.say("check_present", present=each) for each in present if each]
    return "\n".join([*lines, *counts, *_would_tell(matter, voice)])


def _tell_counts(answer: HelpAnswer, voice: Voice) -> str:
    """Whether what somebody saw counts, by the rule of the check; "" where that is not asked."""
    asked, _, said = answer.text.partition("\n")
    needs = next((item.present_when.say(voice.language).rstrip(" .。") for item in answer.items), "")
    if not needs or not asks_if_counts(asked):
        return ""
    short = next((clause.strip() for clause in clauses_in(said) if _falls_short(clause, needs)), "")
    return voice.say("counts_not" if short else "counts_if", needs=needs, words=short)


def _falls_short(clause: str, needs: str) -> bool:
    """Whether a clause denies what the rule asks for: "not 3 times in a row"."""
    figures = ({each.number for each in read_values(read_text(words))} for words in (clause, needs))
    return is_negated(clause) and not next(figures).isdisjoint(next(figures))


def _is_beside(asked: str, matter: MatterView) -> bool:
    """Whether a question names something, and what was found for it speaks of nothing of that."""
    rest, known = without(read_actions(asked), "meaning"), glossary.load()
    if rest.isascii() and (POINTS.search(rest) or _STEP.search(rest)):
        return False  # "This one"; among Chinese, words in letters are names also behind 这个.
    named = {token.key for token in read_concepts(rest, known).tokens} - known.grammar.unspecific
    names = {key for key in named if len(key) >= _SHORTEST} if rest.isascii() else named
    told = "\n".join((matter.name.zh, matter.name.en, matter.reason.zh, matter.reason.en))
    return bool(names) and not names & {token.key for token in read_concepts(told, known).tokens}


def unknown_word(asked: str, voice: Voice) -> str:
    """That there is no explanation of the word that a question is about, nor a closer one of a word of ours."""
    words = (without(read_actions(asked), "meaning") or asked).strip(_QUOTES)
    return voice.say("meaning_mine" if words in voice.previous else "meaning_unknown", words=words)


def _would_tell(matter: MatterView, voice: Voice) -> list[str]:
    """What a yes to a check would tell."""
    pointed = matter.points_to
    return [voice.say("meaning_yes", name=voice.name(pointed.name))] if pointed.root_cause_id else []


def _was_explained(notion: str, voice: Voice) -> bool:
    """Whether the last answer explained this."""
    return polish(voice.say(notion), voice.language) in voice.previous


def _judged(asked: str, voice: Voice) -> list[str]:
    """Whether the delay that a question tells is as it should be."""
    text = read_text(asked)
    told = [each for each in read_values(text) if Unit.SECONDS in each.readings] if _LAG in notions_in(asked) else []
    if not told:
        return []
    seconds = told[-1].readings[Unit.SECONDS][1]
    verdict = "fine" if seconds <= _LAG_FINE else "too_much" if seconds > _LAG_MUCH else "some"
    return [voice.say(f"notion_lag_{verdict}", value=text.quote(told[-1].first, told[-1].last).strip())]


def tell_where(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Whether the open check or step is for the primary or for a standby."""
    found = answer.conclusion
    step = found or answer.leading
    following = steps_left(step, results, voice)[:1] if step is not None else []
    if set_at := where_set(answer.text, following[0].step.how if following else "", voice):
        return set_at
    items = results.diagnosis.recommendations[:1] if results.diagnosis is not None and found is None else ()
    statements = [f"{item.observation_method} {item.present_when.en}" for item in items]
    if any("primary" in each and "standby" in each for each in statements):
        return voice.say("where_both")
    if found is not None:
        statements = [each.step.how for each in following]
    on_standby = any(part in statement for statement in statements for part in _ON_STANDBY)
    return voice.say("where_standby" if on_standby else "where_primary")

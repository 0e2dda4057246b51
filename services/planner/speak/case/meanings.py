"""What a term of the field is, and what it has to do with this case."""

from __future__ import annotations

from services.planner.glossary.asking import Meaning, meanings_in
from services.planner.glossary.known_states import state_named
from services.planner.glossary.known_terms import name_in, terms
from services.planner.model import HelpAnswer, Text, Verdict
from services.planner.speak.voice import Voice
from services.planner.understand.questions.shown_values import FALSE, TRUE
from services.planner.understand.questions.states_asked import STATE

# A cause with less is no more likely than others.
_LEADS = 0.2


def explain(answer: HelpAnswer, voice: Voice) -> str:
    """The terms that are asked for, each in a sentence or two with what ties it to the case; empty if there is none."""
    found = {each.term.term_id: each for line in answer.text.split("\n") for each in meanings_in(line)}
    return "\n\n".join(_explained(each, answer, voice) for each in found.values())


def explain_states(asked: str, voice: Voice) -> str:
    """What the states mean that the lines behind a question name; empty for another question."""
    ids = [line.removeprefix(STATE) for line in asked.split("\n") if line.startswith(STATE)]
    found = (state_named(each) for each in ids)
    return "\n".join(each.text.say(voice.language) for each in found if each is not None)


def explain_value(asked: str, voice: Voice) -> str:
    """What a yes or no of a table says in its column, by the line of a question that has both; empty for another."""
    column, _, value = asked.rpartition("\n")[2].partition(" = ")
    key = {TRUE: "meaning_true", FALSE: "meaning_false"}.get(value.lower(), "")
    return voice.say(key, column=column) if key else ""


def explain_named(answer: HelpAnswer, voice: Voice) -> str:
    """The term that a question names, for one that nothing on record answers; empty if it names none."""
    named = ((name, term) for term in terms().values() if (name := name_in(answer.text, term)))
    name, term = max(named, key=lambda each: len(each[0]), default=("", None))
    return _explained(Meaning(term, name, answer.text, 0), answer, voice) if term is not None else ""


def _explained(meaning: Meaning, answer: HelpAnswer, voice: Voice) -> str:
    if meaning.term.is_foreign(meaning.name, voice.engine):
        return voice.say("meaning_foreign", name=meaning.name, engine=voice.say(f"server_{meaning.term.engine}"))
    told = meaning.term.text.say(voice.language)
    tied = _of_number(meaning.number, answer, voice) if meaning.number else _of_case(meaning, answer, voice)
    return voice.stop.join(part for part in (told, tied) if part)


def _of_number(number: str, answer: HelpAnswer, voice: Voice) -> str:
    """The cause beside which this percentage stands now."""
    causes = (answer.leading, *answer.rivals)
    shown = [each for each in causes if each is not None and voice.percent(each.confidence).strip("<> %") == number]
    if len(shown) != 1:
        return ""
    return voice.say("meaning_number", name=voice.name(shown[0].name, shown[0].root_cause_id))


def _of_case(meaning: Meaning, answer: HelpAnswer, voice: Voice) -> str:
    """The leading cause, what is on record or what can be checked, whichever names the term first."""
    leader, matter = answer.leading, answer.matter
    if leader is not None and leader.confidence >= _LEADS and _names(leader.name, meaning):
        return voice.say("meaning_cause", name=voice.name(leader.name))
    seen = [each for each in answer.evidence if _names(each.name, meaning)]
    confirmed = [each for each in seen if each.verdict is Verdict.CONFIRMED]
    if confirmed:
        return voice.say("meaning_seen", name=voice.name(confirmed[-1].name))
    if seen or matter is None or not matter.phenomenon_id or not _names(matter.name, meaning):
        return ""
    return voice.say("meaning_check", name=voice.name(matter.name), id=matter.phenomenon_id)


def _names(name: Text, meaning: Meaning) -> bool:
    return any(name_in(text, meaning.term) for text in (name.zh, name.en))

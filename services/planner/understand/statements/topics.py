"""What a message only brings up, to say something of it next: "CPU? fine.", "死锁的话没看到", "after the release, ..."."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.understand.classifier.acts import Act, act_of
from services.planner.understand.items.references import Asked
from services.planner.understand.judging.classified import masked
from services.planner.understand.questions import questions
from services.planner.understand.text.clauses import Clause, Sentence
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import CJK
from services.planner.understand.text.segments import pointers_of, polarity_of
from services.planner.understand.text.tokens import Kind, tokens_of

# What is brought up is named in few words, and what is said of it too.
_LONG = 40
_HEARD = 0.3
_BRINGS_UP = re.compile(r"呢$|^(?:那|至于|关于|说到|and |as for |what about |how about |re:? )")
_HESITATES = re.compile(
    r"会不会|是不是|难道|^(?:maybe|perhaps|possibly|is|are|was|were|does|do|did|could|can|would|any)(?![a-z])"
)
_TOPIC = re.compile(r"的话(?=[,\s。.!…]*)")
# When something was or is so: before it stands nothing that anything could be said of.
_WHEN_ZH = re.compile(
    r"^(?:自从|自打|打从|每当|每次|一到).{2,}|^一(?=[跑到起发开启上提切重做有]).{1,8}$|"
    r".{2,}(?:之后|以后|(?<![然最])后|以来|的时候|之前|期间|那会儿?|那阵子?|那一刻)$|"
    r"^(?:(?:每|今|昨|前|当)[天日晚早夜]|今儿|昨儿|早上|上午|中午|下午|晚上|半夜|凌晨|夜里|周[一二三四五六日末]|刚才|最近|(?:从|大概|差不多)?[\d一二两三四五六七八九十半:点分]+(?:点|分)?(?:钟|左右|起|开始)?|[\s的这几])+$"
)
_WHEN_EN = re.compile(
    r"^(?:and |but |so |well |right |just |ever )*(?:since|after|when(?:ever)?|once|as soon as|while|during|every time|each time|as of|starting|around|at about|at \d|on \w+day|until|following)(?![a-z]).{3,}|"
    r"^(?:and |but |so )*(?:last night|this (?:morning|afternoon|evening)|today|tonight|(?:every|each) (?:night|day|morning|hour|weekend)(?: (?:at|around) \S+)?|overnight|recently|lately)$"
)


def with_answers(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences, what is only brought up with a question mark taken together with what is said of it: "CPU? fine."."""
    found: list[Sentence] = []
    for sentence in sentences:
        if found and _brings_up(found[-1]):
            topic, (first, *others) = found[-1].clauses[0], sentence.clauses
            text = _BRINGS_UP.sub(lambda opening: " " * len(opening.group()), topic.text)
            between = ":".ljust(first.start - topic.end)
            found[-1] = Sentence((replace(first, text=text + between + first.text, start=topic.start), *others))
        else:
            found.append(sentence)
    return tuple(found)


def _brings_up(sentence: Sentence) -> bool:
    """Whether a sentence only names something, with a question mark: no question word, no verdict, no guess."""
    clause = sentence.clauses[0]
    text = _BRINGS_UP.sub("", clause.text)
    if len(sentence.clauses) > 1 or not clause.asks or len(text) > _LONG or _HESITATES.search(text):
        return False
    if questions.asks(text, False):
        return False
    return polarity_of(text) is None and (is_technical(text) or bool(pointers_of(text)))


def without_topic_marks(sentence: Sentence) -> Sentence:
    """The sentence with "的话" blanked where it marks what is spoken of, and supposes nothing: "CPU 的话正常"."""
    clauses = tuple(replace(clause, text=_unmarked(clause, sentence)) for clause in sentence.clauses)
    return replace(sentence, clauses=clauses)


def _unmarked(clause: Clause, sentence: Sentence) -> str:
    found = _TOPIC.search(clause.text)
    if found is None or any(questions.asks(one.text, one.asks) for one in sentence.clauses):
        return clause.text
    before = [token for token in tokens_of(clause.text[: found.start()]) if token.text.strip()]
    follows = clause.text[found.end() :].strip() or clause is not sentence.clauses[-1]
    if not before or not follows or any(token.kind in (Kind.VERDICT, Kind.HEDGE) for token in before):
        return clause.text
    return clause.text[: found.start()] + "  " + clause.text[found.end() :]


def tells_when(clause: Clause) -> bool:
    """Whether a clause only says when what follows is so, and names no item by its place."""
    text = clause.text
    if clause.asks or pointers_of(text):
        return False
    pattern = _WHEN_ZH if re.search(f"[{CJK}]", text) else _WHEN_EN
    return bool(pattern.search(text))


def announces(message: str, clause: Clause, asked: Asked) -> bool:
    """Whether a clause only announces with a colon what is said next: "here is what i see: ..."; `message` is normalised."""
    text = clause.text
    if not message[clause.end :].lstrip(" ").startswith(":") or clause.asks:
        return False
    if pointers_of(text):
        return False
    likely = act_of(masked(text))
    return likely.of(Act.RESET, Act.CORRECTION, Act.ORDER, Act.ELSEWHERE) < _HEARD

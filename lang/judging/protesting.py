"""Protests against what was heard: "never said that", "谁说重启了", "the opposite", "take the cpu thing out".

A protest is of what it names, or, where it names nothing, of what was heard last. The log, the DBA and the application
may have said nothing as well: only what the person did not say is a protest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

# What a protest names is short, and a question that is answered with a cried no is shorter.
_LONGEST, _SHORT = 120, 40
_CLAUSE = _LISTED.pattern("clause")
_EN = (
    r"^(?:(?:no|nope|wtf|hey|lol|ok|but|and|so|wait|well|huh|what|sorry|ugh|man|dude|then|just|please|pls|can you"
    r"|could you|actually|again|also|oh|btw)\b\s*)*"
)
_ZH = r"^(?:不+|啊|诶|喂|靠|操|妈的|等下|等等|可|但是?|而且|那|请|你?给我|帮我|所以|麻烦)*"
_NEVER_EN = (
    r"(?:(?:i|we) )?(?:just |really |literally |even |also |definitely )*"
    r"(?:(?:never|didn'?t|did not|haven'?t)(?: (?:ever|even|actually|once))* "
    r"(?:said|say|mention(?:ed)?|told (?:you|u)|tell (?:you|u)|wrote|write|claim(?:ed)?|meant?|report(?:ed)?)"
    r"|(?<=i )(?:don'?t|do not) mean"
    r"|(?:nobody|no one|noone)(?: here| ever)* (?:said|says|mentioned|told (?:you|u)|claimed))\b"
)
_WHO_EN = (
    r"(?:who (?:the \w+ )?(?:said|says|told (?:you|u)|mentioned|claimed)"
    r"|(?:where|when) (?:the \w+ |exactly )?did (?:i|we) (?:ever |even )?(?:say|mention|write|claim|tell (?:you|u)))\b"
)
_NEVER_ZH = (
    r"(?:我们?|咱们?|俺)?(?:可|都|从来?|也|又|根本|压根|就|并|刚才|刚|前面|真)*(?:没有?人?|不是|未)(?:在)?[说讲提指]"
    r"(?:过|的是)?(?:什么|啥|任何)?"
)
_WHO_ZH = r"(?:谁|我?哪[里儿]?|我?(?:什么|啥)时候我?)(?:又|就|还)?(?:告诉你|跟你)?[说讲提](?:过|了|的是)?"
_SAID = (
    re.compile(f"(?i){_EN}(?:{_NEVER_EN}|{_WHO_EN}|(?:i|we) said (?=nothing\\b))(?P<name>.*)$"),
    re.compile(f"{_ZH}(?:{_NEVER_ZH}|{_WHO_ZH}|我们?(?=(?:什么|啥)[都也]没有?[说答]))(?P<name>.*)$"),
    re.compile(r"^(?P<name>.+?)[我咱俺]们?(?:可|从来|也|又|都|根本|压根|就|并)*(?:没有?|未)[说提讲]过了?[啊呀的吧]*$"),
)
# What may not have been said is a yes or a no, or either, to what was asked or to what it names.
_ANSWER = _LISTED.pattern("answer")
# "What do you mean, no?": the opposite of what was read is so.
_CALLED = _LISTED.pattern("called")
# "Where do you see an hour": it was read where nobody wrote it.
_SEEN = _LISTED.pattern("seen")
# "We DO get that error", 明明有这个报错: what was heard as a no is so.
_INSISTS = (_LISTED.pattern("insists_1"), _LISTED.pattern("insists_2"))
_EMPHATIC = _LISTED.pattern("emphatic")
_CAPITALS = re.compile(r"(?<![A-Z] )\b(?:DO|DOES|DID|IS|ARE|HAVE|HAS|NOT|NO|DON'?T|ISN'?T)\b(?= [a-z])")
_HEARD = (
    _LISTED.pattern("heard_1"),
    re.compile(rf"(?i){_EN}misheard\b"),
    _LISTED.pattern("heard_3"),
    _LISTED.pattern("heard_4"),
    _LISTED.pattern("heard_5"),
    _LISTED.pattern("heard_6"),
    re.compile(r"^(?:不是?|是|正好|刚好|恰恰|恰好|完全)*(?P<turned>相反|反过来)[的了啊吧]*$"),
)
_OF_RECORD_EN = r"(?:(?: out of| off| from) (?:the |your |ur )?(?:record|list|log|evidence))"
_STRIKES_EN = r"(?:strike|scratch|drop|remove|delete|scrap|forget|ignore|disregard|cross|take|leave)(?: out| off)?"
_ORDERS = (
    _LISTED.pattern("orders_1"),
    re.compile(rf"(?i){_EN}{_STRIKES_EN} (?:the |that |this |ur |your )?(?P<name>.+?){_OF_RECORD_EN}\s*$"),
    _LISTED.pattern("orders_3"),
    _LISTED.pattern("orders_4"),
    re.compile(_ZH + r"(?:[划抹勾去删拿撤]掉|撤回|收回)(?P<name>.+?)[那这]一?[条项句]"),
    _LISTED.pattern("orders_6"),
    re.compile(_ZH + r"(?:[划抹勾]掉)(?P<name>.+)$"),
)
_ASKS = re.compile(r"[吗么嘛]\s*[?？!！]*$|[吗嘛]\s*[。.~…]+$")
_CRIED = re.compile(r"[?？]{2,}|[?？][!！]|[!！][?？]")
_NO = re.compile(r"(?i)^(?:no+|nope|nah|不是|没有|没|哪有|没有?这回事|没有?这事)[\s啊的!！。,，.]*$")
_NEGATED = re.compile(r"(?i)不|没|\bnot\b|n't\b|\b(?:is|are|was|were|does|do|did|has|have)nt\b|\bno\b|\bnever\b")
_IS_NOT = re.compile(r"(?i)不是|\bnot\b|n't\b|\b(?:is|are|was|were)nt\b")
# Who has not looked has denied nothing.
_UNLOOKED = _LISTED.pattern("unlooked")
# Who has not looked at a thing, or does not know, has denied nothing of it: its no was misheard.
_UNKNOWN_OF = (_LISTED.pattern("unknown_of_1"), _LISTED.pattern("unknown_of_2"))
_NO_SUCH = _LISTED.pattern("no_such")
_ENDS = ' \t,.;!?~，。；！？、…"“”'
_PRONOUN = _LISTED.pattern("pronoun")


@dataclass(frozen=True, slots=True)
class Protest:
    """A protest. name: what it is of, "" for what was heard last. words: the clauses that say so.

    opposed: the opposite is so. insists: what was heard as a no is so. unknown: nobody knows, so that
    no "no" was said. denied: it is said not to be so. orders: the record is to be changed, however old.
    answer: "yes", "no" or "any", where such an answer is what was not given. seen: it was read out of an output, maybe.
    """

    name: str
    words: tuple[str, ...]
    opposed: bool = False
    denied: bool = False
    insists: bool = False
    unknown: bool = False
    orders: bool = False
    answer: str = ""
    seen: bool = False


def clauses_of(message: str) -> list[str]:
    """The clauses of a message but for rows of output; a blank between Chinese and Latin words ends none."""
    return [each.group() for each in _CLAUSE.finditer(message) if "|" not in each.group() and each.group().strip()]


def protests_in(message: str) -> tuple[Protest, ...]:
    """What a message protests against, in its order."""
    clauses = clauses_of(message)
    denied = [each.strip() for each in clauses if _NO_SUCH.search(each)]
    found = tuple(_found(clauses))
    if denied:
        found = tuple(replace(each, words=(*each.words, *denied), denied=True) for each in found)
    plain = tuple(each for each in found if not each.unknown)
    named = tuple(each for each in found if each.name)
    return named if any(not each.unknown for each in named) or not plain else (*plain[:1], *named)


def insists_on(message: str) -> bool:
    """True if a message says once more, or stresses, what it says: "for the 4th time", "we DO get it", 明明有."""
    plain = message.replace("’", "'")
    return bool(_EMPHATIC.search(plain) or _CAPITALS.search(plain))


def is_unlooked(words: str) -> bool:
    """True if words say no more than that the person has not looked: "我没查过槽"."""
    return bool(_UNLOOKED.search(words))


def asks_who_said(clause: str) -> bool:
    """True if a clause asks whether, or denies that, something was said."""
    return bool(_ASKS.search(clause)) and any(pattern.search(clause) for pattern in _SAID)


def _found(clauses: Sequence[str]) -> Iterator[Protest]:
    for at, clause in enumerate(clauses):
        said = clause.strip(_ENDS)
        before = clauses[at - 1].strip() if at else ""
        if not said or len(said) > _LONGEST or _ASKS.search(clause.strip()):
            continue
        found = (
            _said(said, clause, before, alone=len(clauses) == 1)
            or _heard(said, clause, clauses, at)
            or _ordered(said, clause)
        )
        found = found or _insisted(said, clause) or _unknown(said, clause)
        if found is not None:
            yield found
        elif _NO.match(said) and _CRIED.search(before) and len(before) <= _SHORT:
            yield Protest(before.strip(_ENDS), (before, clause.strip()), opposed=True)


def _said(said: str, clause: str, before: str, *, alone: bool) -> Protest | None:
    """A denial of having said something: "never said that", "run queue?? never said that".

    alone: nothing is told beside it, so "什么叫没有？" asks where that is from.
    """
    if (called := _CALLED.match(said)) and not alone:
        return Protest("", (clause.strip(),), opposed=True, answer="no" if called["no"] else "yes")
    if found := _SEEN.match(said):
        return Protest((found["en"] or found["zh"]).strip(_ENDS), (clause.strip(),), seen=True)
    named = next((found["name"] for pattern in _SAID if (found := pattern.search(said))), None)
    if named is None:
        return None
    if answer := _ANSWER.match(named):
        of = answer["of"] or ""
        given = "yes" if answer["yes"] else "no" if answer["no"] else "any"
        return Protest("" if _PRONOUN.match(of) else of.strip(_ENDS), (clause.strip(),), answer=given)
    if not _PRONOUN.match(named):
        return Protest(named.strip(_ENDS), (clause.strip(),))
    if before.endswith(("?", "？")) and len(before) <= _LONGEST:
        return Protest(before.strip(_ENDS), (before, clause.strip()))
    return Protest("", (clause.strip(),))


def _heard(said: str, clause: str, clauses: Sequence[str], at: int) -> Protest | None:
    """What was misheard, with what it is not, where a clause beside it tells: "你听反了，不是语句慢"."""
    found = next((match for pattern in _HEARD if (match := pattern.search(said))), None)
    if found is None:
        return None
    turned = any(found.groupdict().values())
    if _NEGATED.search(said[found.end() :]):
        return Protest(said[found.end() :].strip(_ENDS), (clause.strip(),), opposed=True)
    for other in (*clauses[at + 1 : at + 3], *clauses[max(at - 1, 0) : at]):
        text = other.strip()
        plain = not (_NO.match(text) or any(pattern.search(text.strip(_ENDS)) for pattern in _SAID))
        if plain and _NEGATED.search(text) and not (_UNLOOKED.search(text) or text.endswith(("?", "？"))):
            return Protest(text.strip(_ENDS), (clause.strip(), text), opposed=turned or bool(_IS_NOT.search(text)))
    # What is said after it tells what is so: "you heard it backwards, I mean one more page hangs".
    return Protest("", (clause.strip(),), opposed=turned and at + 1 == len(clauses))


def _insisted(said: str, clause: str) -> Protest | None:
    """A denial that was heard is protested against: "we DO get that error"."""
    if clause.rstrip().endswith(("?", "？")) or not any(pattern.search(said) for pattern in _INSISTS):
        return None
    return Protest("", (clause.strip(),), opposed=True, insists=True)


def _unknown(said: str, clause: str) -> Protest | None:
    """What a person has not looked at, or does not know, where the clause names it."""
    found = next((match for pattern in _UNKNOWN_OF if (match := pattern.search(said))), None)
    named = " ".join(filter(None, found.groups())) if found is not None else ""
    if _PRONOUN.match(named) or clause.rstrip().endswith(("?", "？")):
        return None
    return Protest(named.strip(_ENDS), (clause.strip(),), unknown=True)


def _ordered(said: str, clause: str) -> Protest | None:
    """An order to take one thing off the record."""
    if clause.rstrip().endswith(("?", "？")):
        return None
    named = next((found["name"] for pattern in _ORDERS if (found := pattern.search(said))), "")
    return Protest(named.strip(_ENDS), (clause.strip(),), orders=True) if named and not _PRONOUN.match(named) else None

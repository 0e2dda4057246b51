"""Lists shown before the open one: "the second of the first round", "上一轮漏掉的那条"."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from services.planner.understand.answers.turn import Turn
from services.planner.understand.items.references import Asked, earlier_list, first_list
from services.planner.understand.text.clauses import Clause
from services.planner.understand.text.segments import is_bare, segments_of
from services.planner.understand.text.word_lists import compile_words

_EARLIER = compile_words(
    "answers.earlier",
    r"(?<![\w'])(?:earlier|before|previous|previously|first (?:list|time|round)|last (?:time|round)|initial|original)(?![\w'])",
)
# The list is named itself: "in the first round", "你上一批问的".
_ROUND = re.compile(
    r"(?:最开始|一开始|最早|最先|当初|起先|开头)(?:的时候)?(?:你们?)?(?:问|列|给|发)(?:的|过的?)?(?:那)?[批轮组拨些几俩仨两三](?:[个条项])?(?:里|中)?的?|(?:你|在)?(?:(?:第一|头一?|上一?|前一)[轮批组拨]|上一?个\s?(?:list|清单|单子|列表|问题)|最?(?:早|开头|先|初)(?:那|问)|(?:上面|早先|先前|前头)那(?=[批拨组轮张]))"
    r"(?:[批拨组轮张])?\s?(?:清?单子?|名单|list|列表|表)?(?:里|中)?(?:你?问)?(?:的|过)*|"
    r"(?<![\w'])(?:(?:that )?you (?:asked|gave|listed|sent|put)(?: me)?(?: about)? )?(?:(?:from|in|on|of|to) )?(?:the |your )?(?:(?:very )?first (?:question|list|round|batch|time)|round one|(?:opening|initial|original|earlier|previous|last) (?:question|list|round|batch|lot|set)s?|(?:(?:two|three|four|ones|items|things) )?(?:that )?you (?:asked|listed|gave|sent|put)(?: me)?(?: about)? (?:before|earlier|first|previously))(?![\w'])"
)
_FIRST_OF_ALL = re.compile(
    r"最开始|第一[轮批组拨]|头一?[轮批组拨]|最(?:早|开头|先|初)|开头(?:那|问)|一开始|very first|first (?:question|list|round|batch|time)|round one|opening|initial|original"
)
_ALL_SKIPPED = re.compile(
    r"(?:everything|all|whatever|the ones|those)(?: of (?:it|them))?(?: that)? i (?:'ve |have )?(?:skipped|missed|left (?:out|open|blank)|passed on|didn't (?:answer|check))|剩下?(?:的)?(?:没答|没看|没回|没确认)(?:过)?的|(?:跳过|没答|漏掉?|没回|没看)(?:过)?的(?:那(?:几|些)[个项条]?)?(?=.{0,4}(?:都|全))"
)
_UNANSWERED = re.compile(
    r"没(?:有)?(?:答|回|看|查|确认|说)|[查看]不了|未(?:答|查|确认)|漏|跳过|欠|躲|空着|ducked|dodged|straggler|leftover|outstanding|passed on|left blank|skipped|owed?|missed|unanswered|didn't (?:answer|check)|hadn't|haven't|"
    r"not answered|left (?:out|open)"
)


def names_a_list(text: str) -> bool:
    """Whether a normalised text names a list that was shown earlier."""
    return bool(_ROUND.search(text))


def turned_to_list(turn: Turn, clause: Clause) -> Clause:
    """The clause without the list that it names; one that names an earlier list makes its sentence count in that."""
    text = clause.text
    pointed = any(segment.pointed for segment in segments_of(text))
    if turn.listed is not None and not _ROUND.search(text):
        return clause
    if not (_ROUND.search(text) or (_EARLIER.search(text) and (pointed or _UNANSWERED.search(text)))):
        if turn.listed_before is not None and pointed and is_bare(text):
            turn.listed = turn.listed_before
        return clause
    listed = first_list(turn.view) if _FIRST_OF_ALL.search(text) else None
    listed = listed or earlier_list(turn.view)
    if listed is None:
        return clause
    recorded = {evidence.phenomenon_id for evidence in turn.view.evidence}
    unanswered = [item for item in listed.items if item.phenomenon_id not in recorded]
    if _UNANSWERED.search(text) and len(unanswered) == 1:
        listed = Asked(listed.list, tuple(unanswered), listed.by_id)
        turn.named = unanswered[0].ordinal
    elif _ALL_SKIPPED.search(text) and unanswered:
        listed = Asked(listed.list, tuple(unanswered), by_id=True)
    turn.listed = listed
    return replace(clause, text=_ROUND.sub(lambda found: " " * len(found.group()), text))

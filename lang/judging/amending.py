"""What a message does to what was said before it: takes it back, puts it back, calls it wrong.

Only words that say nothing else do so by themselves: a command with content in it is about its content.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from lang import deferred_re as re
from lang.cues import load_lexicon
from lang.modality import admits_mistake

# A command to the record is short.
_LONGEST, _LONGEST_PHRASE = 80, 30
_CLAUSE = re.compile(r"[,.;:!?~，。；：！？、…\n]+|(?<=[\u4e00-\u9fff])(?<!的)\s+|\s+(?=[\u4e00-\u9fff])")
_BETWEEN = frozenset(' \t\n,.;:!?~，。；：！？、…-—"“”')
_SENTENCE = re.compile(r"[.!?;。！？；\n]+(?=\s|$|[\u4e00-\u9fff])")
_LETTER = re.compile(r"[a-z0-9']")
_ASKS = re.compile(r"[?？]\s*$|[吗嘛么]\s*[?？]*\s*$")


def takes_back(words: str) -> bool:
    """True if words do nothing but take back what was just said: "scratch that", "刚才那条不算"."""
    return not _ASKS.search(words) and _is_made_of(words, "takes_back")


def puts_back(words: str, settling: bool = False) -> bool:
    """True if a clause does nothing but put back what was taken back or changed; settling: a choice is open."""
    cores = ("puts_back", "keeps") if settling else ("puts_back", "keeps", "was_right")
    return any(_is_made_of(clause, *cores) for clause in (words, *clauses_in(words)))


def only_puts_back(words: str, settling: bool = False) -> bool:
    """True if that is all that the words do."""
    return _is_made_of(words, *(("puts_back", "keeps") if settling else ("puts_back", "keeps", "was_right")))


def was_kept(clause: str) -> bool:
    """True if a clause says that something was not taken back, or must not be: "我没撤billing那条"."""
    text, phrases = clause.lower(), _phrases("keeps")
    return any(end for at in range(len(text)) for end in _ends(text, at, phrases))


def keeps_both(clause: str) -> bool:
    """True if a clause says no more than that both of two statements hold."""
    return _is_made_of(clause, "both")


def only_errs(words: str) -> bool:
    """True if words say that something was wrong, and not what."""
    return not _ASKS.search(words) and _is_made_of(words, "errs")


def wrongly_said(words: str) -> tuple[str, ...]:
    """What was said before as a message quotes it and calls it wrong: "前面说没发版说错了" quotes 没发版."""
    found = [
        each["quote"].strip() for pattern in (_WRONG_ZH, _WRONG_EN, _ADMITS_EN) for each in pattern.finditer(words)
    ]
    whole = (each for each in found if each and not any(map(takes_back, clauses_in(each))))
    lines = (each for each in _parts_called_wrong(words) if names_a_line(each))
    return tuple(dict.fromkeys([*whole, *lines]))


def unsaid(words: str) -> tuple[str, ...]:
    """What a message quotes and only takes back: it was not quite so, is scrapped at once, or is what it corrects."""
    found = (each for pattern in (_WRONG_ZH, _WRONG_EN) for each in pattern.finditer(words))
    partly = (each["quote"].strip() for each in found if each["partly"])
    admits = admits_mistake(words) and not _ACCUSES.search(words)
    return (*partly, *_scrapped(words), *(told_before(words) if admits else ()))


def restated(words: str) -> tuple[str, ...]:
    """What a message tells once more of what was said, to who got it wrong: "you misread, i told you there is none"."""
    return tuple(told_before(words)) if _ACCUSES.search(words) else ()


def told_before(words: str) -> Iterator[str]:
    """What a message quotes of what was said before: "更正下，之前说analyze没用，其实他跑的是测试库"."""
    for clause in clauses_in(words):
        told = next((found.end() for pattern in _TOLD if (found := pattern.search(clause))), len(clause))
        quote = clause[told:].strip()
        known = any(quote in each or each in quote for each in wrongly_said(words))
        if quote and not (known or only_errs(quote)):
            yield quote


def _scrapped(words: str) -> Iterator[str]:
    """The clauses that the next one takes back in the same sentence: "nobody deployed, scrap that"."""
    for sentence in _SENTENCE.split(words):
        clauses = [each.strip() for each in clauses_in(sentence)]
        for said, after in pairwise(clauses):
            if takes_back(after) and any(map(str.isalnum, without_amending(said))):
                yield said


def orders_it_off(clause: str) -> bool:
    """True if a clause orders off the record what stands before it: "take that out", 麻烦从记录里去掉."""
    return bool(_ORDERS_IT.search(clause.strip(" \t,.;!?，。；！？")))


def names_a_line(clause: str) -> bool:
    """True if a clause names what was said by more than pointing at it: "没人动过那句", "the weekend one"."""
    text = clause.lower().strip(" ,.;!，。；！")
    points = _phrases("points")
    pointed = any(len(text) in _ends(text, at, points) for at in range(len(text)))
    return pointed and any(map(str.isalnum, without_amending(text)))


def called_wrong(words: str) -> tuple[str, ...]:
    """What a message calls wrong in so many words, a statement or a part of one: "mornin is wrong" calls mornin so."""
    return tuple(dict.fromkeys([*wrongly_said(words), *_parts_called_wrong(words)]))


def _parts_called_wrong(words: str) -> list[str]:
    clauses = (clause.strip() for clause in clauses_in(words) if not only_errs(clause))
    parts = (found for clause in clauses for found in [_PART_WRONG.search(clause)] if found)
    named = (found["zh"] or found["en"] for found in parts)
    return [each for each in named if not _OF_NOTHING.search(each)]


def corrected_figures(words: str) -> tuple[str, ...]:
    """The words that put one figure in the place of another and name nothing: "不是8G是4G", "not 8G but 4G"."""
    return tuple(found.group() for found in _FIGURES.finditer(words))


def set_right(words: str) -> str:
    """What a message says in place of what it only calls wrong: "i told you crap before, the search is slow too"."""
    if found := _CALLS_ALL_WRONG.search(words):
        return found["said"].strip()
    figures = corrected_figures(words)
    return next((each.strip() for each in _SENTENCE.split(words) if any(figure in each for figure in figures)), "")


def denies(words: str) -> bool:
    """True if words begin by saying that there is none: "no alter table going on"."""
    return bool(_NONE.search(words))


def denies_errors(words: str) -> bool:
    """True if words say that there is no error: "no error at all", 没报错啊."""
    return bool(_NO_ERROR.search(words))


def clauses_in(words: str) -> list[str]:
    """The clauses of words; a blank beside Chinese ends one too, but not behind 的, which goes on."""
    return [clause for clause in _CLAUSE.split(words) if clause and clause.strip()]


_NO_ERROR = re.compile(
    r"(?i)\b(?:no|not an?|not any|never an?|without(?: an?| any)?|zero|n't (?:get|see|have|throw) an?y?) "
    r"(?:\w+ )?(?:errors?|exceptions?|error messages?)\b|(?:没有?|无|不)(?:什么|任何|啥)?(?:报过?错|错误|异常|报异常)"
)
# Whose mistake it was: who says again what they said before takes nothing of it back.
_ACCUSES = re.compile(
    r"(?i)[你您][^，。！？,.!?]{0,3}[看搞弄记写读听理][解会]?[错反岔]|\b(?:you|u) (?:just |have )?(?:mis|got|get|read)"
)
_ORDERS_IT = re.compile(
    r"(?i)^(?:(?:and|so|please|pls|just|now|can you|could you)\b\s*)*"
    r"(?:strike|scratch|drop|remove|delete|scrap|take|cross|leave) (?:that|this|it|them)\b(?: (?:out|off|back|away))?"
    r"(?:(?: of| from)? (?:the |your )(?:record|list|log|evidence|summary))?(?: (?:please|pls|now|then))?(?:$|\s+and\b)"
    r"|^(?:麻烦|请|给我|帮我|把?[它这那]个?|都|先|快)*(?:从(?:记录|依据)里?)?(?:[划抹勾去删拿撤]掉|撤回|收回|别[乱瞎]?[写记])"
    r"(?:[了吧啊它]|一下)*$"
)
_SAID_ZH = (
    r"(?<![你谁您])(?:前面|刚才|刚刚|刚|之前|先前|开头|上面|一开始|最开始|前头|早先|我)+[我还也]?"
    r"[说讲报提写答回][的过了是]?"
)
_POINTS_ZH = r"(?:这个|这条|那个|那条|那句|这句|其实|有点|就|都|全|完全|是|我|给)*"
_ERRS_ZH = (
    r"(?:[说讲记搞弄看写]错|错了|错的|不对|有误|不准确|不是真的|[说搞弄讲记]反|反了|口误|不成立|不属实"
    r"|(?P<partly>(?:不|没有?)(?:太|大|怎么|完全|全|很)(?:对|准)(?:确)?|不准))"
)
_WRONG_ZH = re.compile(
    _SAID_ZH
    + r"(?P<quote>[^。！？!?\n]{1,60}?)[,，]?\s*"
    + _POINTS_ZH
    + r"(?<![没不])(?<!没有)"
    + _ERRS_ZH
    + r"(?!了?[吗么嘛没?？])"
)
_SAID_EN = (
    r"(?i)(?<!you )(?<!did )\b(?:what |when )?i (?:also |just |earlier |had |already )*"
    r"(?:said|told you|told u|wrote|reported|claimed|answered|mentioned|stated)"
    r"(?: (?:earlier|before|that|about|there was|there were))*"
)
_IS_EN = r"(?:is |was |were |are )?(?:totally |all |just |actually |completely |plain )?"
_ERRS_EN = (
    r"(?:wrong|incorrect|false|untrue|backwards|bs|bullshit|crap|nonsense|rubbish|a mistake|my mistake|mistaken"
    r"|not (?:right|true|correct|so)|(?:way |a bit )?off|(?P<partly>not (?:quite|exactly|entirely|really)))\b"
)
_WRONG_EN = re.compile(
    _SAID_EN
    + r"\s*[:\"“]*(?P<quote>(?!(?:is|was|are|were)\b)[^.!?\n]{2,80}?)\b[\"”]*\s*(?:[,;.!-]+\s*)?(?:and |but |well )?"
    + r"(?:(?:that|thats|this|it|its|which)?(?:'s)?\s*" + _IS_EN + r"\b" + _ERRS_EN
    + r"|(?:that |it |which |this )?(?:was|is|are|were)n'?t (?:right|true|correct|so)\b)(?!\s*\?)"
)  # fmt: skip
_TOLD = (re.compile(_SAID_ZH), re.compile(_SAID_EN))
# A part of what was said: a time, an amount, a name.
_PART_EN = (
    r"(?i)^(?:(?:the|my|that|also|and|but|wait|sorry|oh)\s+)*[\"“]?(?P<en>[a-z0-9%:'][\w%:' ]{1,28}?)[\"”]?"
    r"(?:'s| is| was| were| are)? (?:wrong|incorrect|a mistake|(?:way )?off|bs|bullshit|crap|nonsense|rubbish)$"
)
_PART_ZH = r"^(?P<zh>[^你您他]{1,12}?)(?:是|说|记|搞|弄|写|看|这个|那个)*(?<![没不])(?:错了|错的|有误)$"
_OF_NOTHING = re.compile(
    r"(?i)\b(?:i|you|u|we|they|no|not|what|something|is)\b|^(?:it|that|this|一|有)"
    r"|^(?:等下|等等|等一下|不对|啊|哦|诶|哎|抱歉|对不起|那个|这个|其实|可能)*(?:我|前面|刚才|刚刚|之前|先前)"
)
_PART_WRONG = re.compile(_PART_EN + "|" + _PART_ZH)
_FIGURE = r"\d[\d.]*\s*(?:[a-z]{1,4}(?![a-z])|%|个|条|次|秒|万|亿)?"
_FIGURES = re.compile(
    rf"(?i)不是\s*{_FIGURE}\s*[,，]?\s*(?:而?是|才)\s*{_FIGURE}|\bnot {_FIGURE},? (?:but |its |it's |it is )?{_FIGURE}"
    rf"|\b{_FIGURE}(?: ago)?,? (?:not|instead of) {_FIGURE}"
)
_CALLS_ALL_WRONG = re.compile(
    r"(?i)(?:\bi (?:told (?:you|u)|said|gave (?:you|u)) (?:crap|bs|bullshit|nonsense|rubbish|garbage)"
    r"(?: (?:before|earlier|there))?|^\W*(?:(?:ok|hang on|wait|sorry|one)[,. ]+)*correction|[更纠]正(?:一?下)?"
    r"|(?:前面|刚才|刚刚|之前)我?[说记看讲]错了|我(?:前面|刚才|刚刚|之前)[说记看讲]错了"
    r"|(?:前面|刚才|之前)[我说的都是]*(?:瞎说|乱说|胡说|废话)的?)[\s,.:;，。：；!！]+"
    r"(?!i (?:said|told))(?P<said>[^.;!?。；！？\n]{3,80})"
)
_NONE = re.compile(
    r"(?i)^\W*(?:(?:there'?s|there (?:is|are)|we have|i see|got) )?no\b(?! idea)|^\W*(?:我们|这边|也)?没有"
)
_TIME = re.compile(
    r"(?i)\b(?:(?:it|this|all|that)\s+)?(?:started|start|began|begin|begun|since|around|about|at|in|from|this|last|the)?\s*"
    r"(?:\d{1,2}(?::\d\d)?\s*(?:am|pm|o'?clock)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mid)?night|tonight|noon"
    r"|morn?in[gn]?|mornign|afternoon|evening|today|yesterday"
    r"|\d*\s*(?:weeks?|months?|days?|hours?|min(?:ute)?s?)(?: ago)?)\b"
    r"|(?:从|是|就)?(?:大前|前|昨|今|当|明)[天日晚早]|(?:周|星期|礼拜)[一二三四五六日天]|上个?[周月]"
    r"|凌晨|半夜|夜里|早[上晨]|上午|中午|下午|晚上|傍晚"
    r"|[\d一二三四五六七八九十两]+点(?:多|半|钟)?"
    r"|[\d一二三四五六七八九十两半]+个?(?:小时|分钟|天|周|月)(?:前|以前|之前)?|(?:才|就)?开始的?"
)
_ADMITS_EN = re.compile(
    r"(?i)\bi (?:was|were) (?:wrong|mistaken) (?:when i said|to say|in saying|saying|about there being|that)\s+"
    r"(?P<quote>[^.!?,;\n]{2,80})"
)


def _is_made_of(words: str, *cores: str) -> bool:
    """True if words are nothing but phrases of these lists, pointers and fillers, at least one of the lists."""
    text = words.lower().strip()
    if not text or len(text) > _LONGEST:
        return False
    core, known = _phrases(*cores), _phrases(*cores, "points", "fills")
    reached = {(0, False)}
    for at in range(len(text)):
        for has_core in [each for place, each in reached if place == at]:
            if text[at] in _BETWEEN:
                reached.add((at + 1, has_core))
            for end in _ends(text, at, known):
                reached |= {(end, has_core or text[at:end] in core)}
    return (len(text), True) in reached


def without_amending(words: str) -> str:
    """The words without those that only take back, point or fill: what is left names something."""
    text, at, left = words.lower(), 0, ""
    listed = _phrases("takes_back", "puts_back", "keeps", "errs", "points", "fills")
    while at < len(text):
        end = max(_ends(text, at, listed), default=at)
        left += text[at] if end == at else " "
        at = max(end, at + 1)
    return left


def without_times(words: str) -> str:
    """The words without times: who corrects only when something was has corrected nothing else."""
    return _TIME.sub(" ", words)


def _ends(text: str, start: int, phrases: frozenset[str]) -> Iterator[int]:
    """Where a phrase that begins at `start` may end; a word of Latin letters ends with its letters."""
    if start and _LETTER.match(text[start]) and _LETTER.match(text[start - 1]):
        return
    for end in range(start + 1, min(start + _LONGEST_PHRASE, len(text)) + 1):
        if text[start:end] not in phrases:
            continue
        if end == len(text) or not (_LETTER.match(text[end]) and _LETTER.match(text[end - 1])):
            yield end


@cache
def _phrases(*names: str) -> frozenset[str]:
    lists = load_lexicon("amending")
    return frozenset(str(word) for name in names for language in lists[name].values() for word in language)

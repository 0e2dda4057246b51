"""A clause as tokens: references, groups, verdicts, hedges, function words, and the words that carry content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

from lang import deferred_re as re
from services.planner.model import Verdict
from services.planner.understand.text.numerals import EN_CARDINALS, EN_ORDINALS, number_of
from services.planner.understand.text.word_lists import listed_pattern, words


class Kind(Enum):
    """What a token is."""

    ORDINALS = "ordinals"
    ID = "id"
    FIRST = "first"
    LAST_ITEMS = "last_items"
    LAST = "last"
    MIDDLE = "middle"
    ENDS = "ends"
    ODD = "odd"
    EVEN = "even"
    FROM_END = "from_end"
    ALL = "all"
    REST = "rest"
    EXCEPT = "except"
    ONLY = "only"
    JUST = "just"
    VERDICT = "verdict"
    HEDGE = "hedge"
    FUNCTION = "function"
    MARK = "mark"
    CONTENT = "content"


@dataclass(frozen=True)
class Token:
    """normal[start:end] of the clause. `numbers`: ordinals, or a count for FIRST and LAST_ITEMS."""

    kind: Kind
    text: str
    start: int
    end: int
    numbers: tuple[int, ...] = ()
    verdict: Verdict | None = None
    explicit: bool = False


# What follows a number that counts or measures, so that it is no ordinal.
UNIT = (
    r"\s*(?:%|‰|[个次条台张份时分秒天周月年倍核万亿千百多余块级位项种行节组路副颗]|[kmgt]i?b?(?![a-z])|"
    r"(?:ms|us|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|x|times?|percent|"
    r"sessions?|connections?|rows?|tables?|queries|locks?|backends?|processes|cores?|users?|million|thousand|billion|"
    r"tps|qps|iops|bytes|requests?|transactions?|clients?|files?|slots?|waiters?|deadlocks?|errors?)(?![a-z]))"
)
_ZH = "[一二两三四五六七八九十]"
_CARDINAL = r"(?:\d{1,2}|" + _ZH + "|" + "|".join(EN_CARDINALS) + ")"
_NOT_UNIT = rf"(?!\d|点(?:\d|半|钟|多|左右|一刻)|\.\d|{UNIT}|[/:]\d)"
_NUMBER = rf"(?<![\w.%$/-])\d{{1,2}}{_NOT_UNIT}(?!(?!(?:y|n|u|x|yes|no|ok|na|n/a)(?![a-z]))[a-z_]|[/-]\w)"
_EN_ORDINAL = "|".join(EN_ORDINALS)
_EN_CARDINAL = "one|two|three|four|five|six"

_REFERENCES = (
    (
        "ID",
        r"(?<![\w-])(?:p|rc)[-_ ]?\d{3,}(?!\w)|(?<![\w-])p[-_]?(?!50|75|9\d)\d{1,2}(?![\w%.])|(?<![\w.:/-])0\d{3}(?![\w.:%/-])(?! ?(?:hrs?|hours|utc|gmt))",
    ),
    (
        "RANGE",
        rf"(?:第|#|items? )?(?:{_ZH}|(?<![\w.])\d{{1,2}})\s*(?:-|~|–|到|至| to | through | thru )\s*(?:(?:第|#)(?:{_ZH}|\d{{1,2}})|(?:{_ZH}|\d{{1,2}}){_NOT_UNIT})(?:[个项条])?",
    ),
    (
        "MIDDLE",
        r"(?:正?中间|当中|当间儿?)(?:的?那?[个项条])?的?|"
        + words(r"(?:the )?(?:middle|one in the middle)(?: one| item)?"),
    ),
    (
        "ENDS",
        r"(?:首尾|两头|一头一尾|前后(?=[两一]?[个项条]))(?:的?那?[两]?[个项条])?的?|"
        + words(r"(?:the )?(?:first and (?:the )?last|outer two)(?: ones)?"),
    ),
    (
        "ODD",
        r"(?:单数|单号|奇数|奇号)的?(?:那?[些几]?[个项条])?|"
        + words(r"(?:the )?odd (?:ones?|numbers|items|numbered ones)"),
    ),
    (
        "EVEN",
        r"(?:双数|双号|偶数|偶号)的?(?:那?[些几]?[个项条])?|"
        + words(r"(?:the )?even (?:ones?|numbers|items|numbered ones)"),
    ),
    (
        "TOP",
        r"(?:最?开头|打头|头|最上面|最前面)(?:的?那?)?一?[个项条](?!月|人)|排?头一?[个条]|(?:打|领|带)头的(?![个项条])|"
        + words(
            r"(?:the )?(?:top|opening) (?:one|item)|(?:the )?one (?:at the top|on top)|(?:the )?top of the list|door number one"
        ),
    ),
    (
        "FIRST",
        rf"(?<![之以目当])(?:前面?|头)\s*(?:{_CARDINAL}|俩|仨)\s*[个项条点桩件]?|{words(rf'(?:the )?first {_CARDINAL}(?: ones| items)?|(?:the )?(?:top|opening) (?:two|three|pair)')}",
    ),
    (
        "LAST_ITEMS",
        rf"(?:最?后[面头边]?|末)\s*(?:(?:[二两三四五六七八九]|[2-9])\s*[个项条点]|俩|仨)|"
        rf"{words(r'(?:the )?(?:last|final|bottom) (?:[2-9]|two|three|four|couple|pair)(?: ones| items)?')}",
    ),
    (
        "LAST",
        r"最后(?:面)?(?:那)?一?[个项条点桩件档茬]?|末尾(?:的?那)?一?[个项条]|末了?(?:那)?一?[个项条桩件档茬]|[后末]头(?:的?那)一?[个项条桩件]|老[幺么小末](?=[\s有没无不是在也都还木确很]|$)|[垫兜]底的?(?:那?[个项条])?|后(?:面)?(?:的?那)?一[个项条](?!月|人)|后(?:面|边)那[个项条]|垫后(?:那)?[个条]|殿后的?(?:那?[个条])?|"
        + words(
            r"(?:the )?(?:last|final|bottom)(?: one| item)(?: on the list)?|(?:the )?one at the (?:bottom|end)|(?:the )?last(?='s)|the last$"
        ),
    ),
    (
        "FROM_END",
        rf"倒数第?\s*(?:{_ZH}|\d)\s*[个项条]?|"
        + words(r"(?:the )?(?:second|third|next)(?: |-)to(?: |-)(?:the )?last(?: one)?|(?:the )?penultimate(?: one)?"),
    ),
    (
        "ORDINAL",
        rf"(?<!倒数)第\s*(?:{_ZH}|\d{{1,2}})\s*[个项条点种桩件档茬]?(?!次|天|周)|(?<![\w十百]){_ZH}号(?![\w线])|(?:编号|选项|选择?|序号)\s*(?:{_ZH}|\d{{1,2}}){_NOT_UNIT}(?:号|[个项条])?|"
        rf"(?<![\w.])\d{{1,2}}号(?![\w线])|#\s*\d{{1,2}}(?!\d)|\[\d{{1,2}}\]|\(\d{{1,2}}\)|"
        + words(
            rf"(?:the )?(?:{_EN_ORDINAL})(?: ones?| items?| options?| points?)?(?! time| thing| place)",
            rf"(?:items?|options?|numbers?|no\.|points?|questions?|checks?)\s*#?\d{{1,2}}{_NOT_UNIT}",
            rf"(?:number|option|item|door number|door) (?:{'|'.join(EN_CARDINALS)})",
            r"(?:the )?(?:former|latter)(?: one)?",
        )
        + "|老[二三四五六](?![\u4e00-\u9fff]?(?:板|师))|老大(?=[有没无不是在也都还木么确])|[甲乙丙丁戊](?=[有没无不是在也木么确])|前者|后者|前(?:面)?(?:的?那)?一[个项条](?!月|人)",
    ),
    (
        "WORD",
        rf"(?:^|(?<=yes )|(?<=no )|(?<=so ))(?:{_EN_CARDINAL})(?= (?:is|and|are|&|isn't|yes|no|i|not)(?![a-z]))|^(?:{_EN_CARDINAL})(?=\s*(?:'s|is|was|are|[:=,-]|$)| (?:yes|no|nope|yep|yeah|n/a))",
    ),
    ("NUMBER", rf"(?<!\d=)(?:{_NUMBER})(?!\s*=\s*\d)"),
    (
        "ZH_NUMBER",
        rf"(?<![\w]){_ZH}(?=(?:[也都是]|确认)?(?:有|没|无|不|看|查|是))|(?<![\w]){_ZH}(?=\s*[、,和跟]\s*{_ZH})",
    ),
)
_GROUPS = (
    (
        "EXCEPT",
        r"[以之]外的?|除了|除去|除开|撇开|[刨抛撇][去开掉除]|除(?!非)|(?:不算|不计|去掉|拿掉|扣掉|扣除)(?=第|\d|#)|"
        + words(
            "except(?: for)?",
            "apart from",
            "aside from",
            "other than",
            "all but",
            "(?<=everything )but",
            "excluding",
            "with the exception of",
            "outside of",
            "leaving out",
            "not counting",
            "discounting",
            "but not",
            "besides",
            r"(?:save|bar|barring|minus)(?: for)?(?= (?:the|item|number|\d|#))",
        ),
    ),
    (
        "REST",
        r"另一[个项条](?=[\s,都也没有不是查看暂还]|$)|(?:其[他它余]|剩下?|剩余|别|另外?)(?:的?那?(?:[两二三四几]?[个项条]?|俩|仨))的?(?=$|[\s,都也全没有不是查看暂还正我未排否确皆概通命属存照明早晚等回要先待一统]|中(?:了|$))|(?:剩下|剩余|其[他它余])的?那?(?:[两二三四几]?[个项条]|俩|仨)的?|"
        + words(
            r"(?:the )?(?:rest|others|remaining(?: ones?| two| three| items)?)(?: of (?:them|those|it|the list))?",
            r"the other (?:ones?|two|three|four|items?)",
            r"the other(?=\s*(?:$|[,.;:!])| (?:is|was|isn't|no|yes|not|nope|yep|yeah)(?![a-z]))",
            "everything else",
            "anything else",
        ),
    ),
    (
        "ONLY",
        r"(?:就|仅|光)?只有?|仅有?|唯独|唯有|独独|单单|(?<![\w])就(?=第|老|\d|有?[一二三])|"
        + words("(?<!index )only", "just"),
    ),
    (
        "ALL",
        r"全部都?|全都?|(?:这|那)?[两俩仨二三四五六][个条项样]?(?:全|都|一起)|都|所有的?|一个不落|无一例外|每[个项条](?:都)?|[这那](?:[两二三四五俩几]|些)[个项条]?|统统|俩都?(?![月天年周分秒]|小时|人)|"
        + words(
            r"(?<!after )(?<!at )(?<!above )(?<!that's )(?<!thats )all(?! (?:right|night|day|over|of a|the time|along|morning|week))(?: (?:two|three|four|five|six|seven|eight|[2-9]))?(?: of (?:them|those|these|the above|em|'em))?",
            "every (?:last |single )?one(?: of (?:them|those|these|em))?",
            "the (?:whole )?lot(?: of (?:them|those))?",
            "everything",
            "both(?: of (?:them|those|these|em|'em))?",
            "each(?: one)?",
        ),
    ),
    ("JUST", r"(?:刚才|刚刚|刚)?(?:那|这)(?:一)?[个项条](?!月|人|表|库)|" + words(r"(?:that|this)(?: last)? one")),
)
_NOT_NOT = (
    r"得(?:不得了|不像话|不行|不成样子|没边儿?|没法看|没谱|没救)|(?:不能说|不可能|不至于|算不上|谈不上)(?:是)?(?:没有?|不(?!能))|(?:不能|不可|不)(?:算|说|叫)少|不缺|少不了|"
    r"(?:can'?t|cannot|couldn'?t|wouldn'?t) (?:say|call|claim|complain)(?: that)?(?: (?!for |about |on |\d)[\w']+){0,3}? (?:not|no|short of|few|without|lacking|isn'?t|aren'?t|a lack of)(?![a-z])|"
    + words(
        "no (?:shortage|lack|dearth) of",
        "(?:not|isn'?t|aren'?t) (?:missing|absent|gone)",
        "not (?:short of|shy of|lacking|without)",
        "(?:isn'?t|aren'?t) (?:short of|lacking|without)",
    )
)
_DOUBLE = re.compile(_NOT_NOT)
_VERDICTS = (
    ("NOT_NOT", _NOT_NOT),
    (
        "WEAK",
        r"(?:不能|不好|没法|无法|不)排除|排除不了|"
        + words(
            r"(?:can'?t|cannot|couldn'?t|wouldn'?t|don'?t) (?:quite |really )?(?:rule|count)(?: \w+)? out",
            r"not ruling(?: \w+)? out",
        ),
    ),
)
_GLUED = (
    ("GLUED_YES", r"(?<=\d)(?:yes|y|ok)(?![a-z])|(?<=\d)\s*\+(?=\s*(?:,|$|\d))"),
    ("GLUED_NO", r"(?<=\d)(?:no|n|x)(?![a-z])|(?<=\d)\s*-(?=\s*(?:,|$|\d))"),
    ("GLUED_UNKNOWN", r"(?<=\d)\s*(?:\?|u(?![a-z])|n/a)"),
)
_OTHER = (
    ("MARK", r"[\s,.:;、/&()\[\]\"'“”=>*-]+"),
    ("CONTENT", r"[a-z0-9_]+(?:[.'_/-][a-z0-9_]+)*%?|."),
)
# Lists of `lexicon/tokens.yaml`, in the order in which they are tried.
_LISTED = ("unknown", "hedge", "denied", "confirmed", "function")
# "The third's a cold trail": what points is a word of its own.
_IS = re.compile(r"(?<=\d)'s(?![a-z])|(?<=one|two|ree|our|ive|six|rst|ond|ird|rth|fth|ast|dle|ter|mer|est)'s(?![a-z])")
_PLAIN = {kind.name: kind for kind in Kind}
_PLAIN["TOP"] = Kind.ORDINALS
_PLAIN["WEAK"] = Kind.HEDGE
_VERDICT_OF = {
    "UNKNOWN": Verdict.UNKNOWN,
    "DENIED": Verdict.DENIED,
    "CONFIRMED": Verdict.CONFIRMED,
    "NOT_NOT": Verdict.CONFIRMED,
}
_VERDICT_OF |= {"GLUED_YES": Verdict.CONFIRMED, "GLUED_NO": Verdict.DENIED, "GLUED_UNKNOWN": Verdict.UNKNOWN}


@cache
def _lexer() -> re.Pattern[str]:
    listed = ((name.upper(), listed_pattern("tokens", name)) for name in _LISTED)
    groups = (*_GLUED, *_REFERENCES, *_GROUPS, *_VERDICTS, *listed, *_OTHER)
    return re.compile("|".join(f"(?P<{name}>{fragment})" for name, fragment in groups), re.DOTALL | re.ASCII)


# One message is looked at from many sides, and has few clauses.
@lru_cache(maxsize=256)
def tokens_of(clause: str) -> tuple[Token, ...]:
    """The clause's tokens in order; together they cover it."""
    return tuple(_token(match) for match in _lexer().finditer(_IS.sub(" =", clause)))


def _token(match: re.Match[str]) -> Token:
    name, text = match.lastgroup or "CONTENT", match.group()
    start, end = match.span()
    if name in _VERDICT_OF:
        return Token(Kind.VERDICT, text, start, end, verdict=_VERDICT_OF[name])
    if name == "RANGE":
        low, high = (number_of(part) for part in re.findall(rf"\d+|{_ZH}", text)[:2])
        return Token(Kind.ORDINALS, text, start, end, tuple(range(low, min(high, low + 20) + 1)), explicit=True)
    if name in ("NUMBER", "ZH_NUMBER", "ORDINAL", "WORD"):
        return Token(Kind.ORDINALS, text, start, end, (number_of(text),), explicit=name in ("ORDINAL", "WORD"))
    if name == "FROM_END":
        return Token(Kind.FROM_END, text, start, end, (number_of(text) or 2,), explicit=True)
    if name == "TOP":
        return Token(Kind.ORDINALS, text, start, end, (1,), explicit=True)
    if name in ("FIRST", "LAST_ITEMS"):
        return Token(_PLAIN[name], text, start, end, (number_of(text, cardinal=True),), explicit=True)
    return Token(_PLAIN[name], text, start, end)


def is_double(token: Token) -> bool:
    """Whether a token is two negations that affirm."""
    return token.verdict is Verdict.CONFIRMED and bool(_DOUBLE.fullmatch(token.text))


def content_of(tokens: tuple[Token, ...]) -> str:
    """What the content tokens say, joined."""
    return "".join(token.text for token in tokens if token.kind is Kind.CONTENT)

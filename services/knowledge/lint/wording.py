"""What lint says of a finding, in Chinese and English: by rule, and where a rule has several faces by `rule.face`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Wording(NamedTuple):
    """What was found and what to do; names in braces are facts of the finding."""

    what: str
    advice: str


_ZH_VERSIONS = "PostgreSQL {versions} 没有"
_ZH_ASK = "写进 `versions`，或改用各版本都有的"
_EN_VERSIONS = "does not exist in PostgreSQL {versions}"
_EN_ASK = "say so in `versions`, or ask what all of them have"

ZH: Mapping[str, Wording] = {
    "unexplained-phenomenon": Wording("没有根因链接到它", "链接它，或删掉它"),
    "nothing-typical": Wording("没有总是或通常出现的现象，几乎没法下结论", "写明它通常表现成什么，或导入工单"),
    "causes-alike": Wording(
        "与 {other} 几乎分不开：所有现象加起来只差 {bits:.2f} 比特",
        "{tells} 最能区分；再链接一个只有其中一个才有的现象，或合成一个根因",
    ),
    "causes-alike.same": Wording(
        "与 {other} 几乎分不开：所有现象加起来只差 {bits:.2f} 比特", "链接一个只有其中一个才有的现象，或合成一个根因"
    ),
    "no-ticket": Wording("没有工单是这个根因", "导入这类已关闭的案例"),
    "ticket-unlike-cause": Wording("它的现象没有一个是 {cause} 会有的", "看看根因定得对不对，或把看到的链接上"),
    "no-remedy": Wording("没有解决办法", "写明怎么做，危险最小的放前面"),
    "no-verification": Wording("没有写怎么看出已经起作用", "加上 verify"),
    "no-way-back": Wording("风险为 {risk} 的步骤没有 undo", "写明怎么退回去"),
    "untranslated": Wording("{language} 只是重复了另一种语言", "翻译它，并去掉 `untranslated`"),
    "missing-language.in-english": Wording("英文里有汉字", "用英文写"),
    "missing-language.no-chinese": Wording("中文里没有汉字", "用中文写"),
    "missing-language.no-alias": Wording("没有 {language} 别名", "加上人们在那种语言里的说法"),
    "said-of-two": Wording("“{name}”也用来说 {first}", "只留给其中一个"),
    "reason-repeated": Wording("“{reason}”是 {count} 条链接的理由", "写明它在这个根因下为什么会出现"),
    "query-unreadable": Wording("{error}", "写成一条能直接运行的语句"),
    "query-writes": Wording("{statement} 不是只读语句", "只有 SELECT 和 SHOW 会自己运行"),
    "query-versions.function": Wording(f"函数 {{name}} 在 {_ZH_VERSIONS}", _ZH_ASK),
    "query-versions.setting": Wording(f"参数 {{name}} 在 {_ZH_VERSIONS}", _ZH_ASK),
    "query-versions.relation": Wording(f"关系 {{name}} 在 {_ZH_VERSIONS}", _ZH_ASK),
    "query-versions.column": Wording(f"列 {{name}} 在 {_ZH_VERSIONS}", _ZH_ASK),
    "query-fails": Wording("PostgreSQL {version} 说：{error}", "改好它，或写进 `versions`"),
}

EN: Mapping[str, Wording] = {
    "unexplained-phenomenon": Wording("no root cause links to it", "link it or remove it"),
    "nothing-typical": Wording(
        "no phenomenon shows always or usually, so that it can hardly be concluded",
        "say what typically shows, or import tickets",
    ),
    "causes-alike": Wording(
        "hardly told apart from {other}: {bits:.2f} bits by all phenomena together",
        "{tells} tells most; link another one that only one of them shows, or make them one cause",
    ),
    "causes-alike.same": Wording(
        "hardly told apart from {other}: {bits:.2f} bits by all phenomena together",
        "link a phenomenon that only one of them shows, or make them one cause",
    ),
    "no-ticket": Wording("no ticket has this cause", "import closed cases of it"),
    "ticket-unlike-cause": Wording(
        "none of its phenomena is expected of {cause}", "look at its cause, or link what it saw"
    ),
    "no-remedy": Wording("it has no solution", "say what to do, the least dangerous first"),
    "no-verification": Wording("nothing says how to see that it helped", "add verify"),
    "no-way-back": Wording("a step of {risk} risk without undo", "say how to go back"),
    "untranslated": Wording("{language} only repeats the other language", "translate it and remove `untranslated`"),
    "missing-language.in-english": Wording("the English text has Chinese characters", "write it in that language"),
    "missing-language.no-chinese": Wording("the Chinese text has none", "write it in that language"),
    "missing-language.no-alias": Wording("no alias in {language}", "add what people say there"),
    "said-of-two": Wording('"{name}" is also said of {first}', "leave it to one of them"),
    "reason-repeated": Wording('"{reason}" is the reason of {count} links', "say what makes it show under this cause"),
    "query-unreadable": Wording("{error}", "write one statement that runs as it stands"),
    "query-writes": Wording("{statement} is no reading statement", "only SELECT and SHOW run by themselves"),
    "query-versions.function": Wording(f"the function {{name}} {_EN_VERSIONS}", _EN_ASK),
    "query-versions.setting": Wording(f"the setting {{name}} {_EN_VERSIONS}", _EN_ASK),
    "query-versions.relation": Wording(f"the relation {{name}} {_EN_VERSIONS}", _EN_ASK),
    "query-versions.column": Wording(f"the column {{name}} {_EN_VERSIONS}", _EN_ASK),
    "query-fails": Wording("PostgreSQL {version} says: {error}", "mend it, or say so in `versions`"),
}


def worded(face: str, facts: Mapping[str, object]) -> tuple[Wording, Wording]:
    """The wording of a finding in Chinese and in English, filled in."""
    zh, en = (Wording(*(text.format(**facts) for text in words[face])) for words in (ZH, EN))
    return zh, en

"""What goes wrong, in Chinese: each message of this program beside what a person reads.

A message is made of its values; these stand in braces, and may be messages themselves. What a server, the system or
a parser says is quoted as it is. What stands in no list is told as it came.
"""

from __future__ import annotations

import re
from functools import cache

from gateway.wording.error_pairs import OTHERS, PAIRS
from gateway.wording.look_pairs import LOOKS
from gateway.wording.refusal_pairs import REFUSALS

# Why a look brought nothing, by its code.
REASONS = {
    "target_unreachable": "连不上目标",
    "standby_unreachable": "连不上它的备库",
    "no_connection_slot": "没有空闲的连接名额",
    "login_refused": "登录被拒",
    "host_key_not_verified": "主机密钥没通过核对",
    "key_not_readable": "密钥读不了",
    "connection_lost": "连接断了",
    "bad_ca_file": "CA 文件读不了",
    "redirected": "被转到别处",
    "missing_privilege": "权限不够",
    "column_not_there": "没有这一列",
    "relation_not_there": "没有这个表、视图或扩展",
    "function_not_there": "没有这个函数",
    "not_available_here": "这里看不到",
    "not_over_ssh": "经 SSH 看不了",
    "locked": "被锁住，没等到",
    "timed_out": "没在限定时间内完成",
    "write_refused": "被当作写入拒绝",
    "not_supported": "服务器不支持",
    "version_not_supported": "版本不支持",
    "role_not_supported": "主备角色不符",
    "extra_missing": "缺少可选依赖",
    "program_not_allowed": "程序不在允许之列",
    "wrong_answer": "答复不对",
    "too_many_series": "指标对不上唯一一个对象",
    "too_large": "答复太大",
    "look_failed": "没看成",
    "wrong_platform": "不适用于这类目标",
    "outside_category": "不在这一类的检查里",
    "risk_too_high": "风险超过允许",
    "duplicate": "刚刚做过",
    "max_rounds": "轮数用完了",
    "max_checks_per_round": "这一轮的检查数满了",
    "max_total_checks": "检查总数用完了",
    "time_budget": "时间用完了",
}
_VALUE = re.compile(r"\{(\w+)\}")
_CODE = re.compile(r"([a-z_]+): (.+)")
_Pairs = tuple[tuple[str, str], ...]


def in_language(message: str, language: str) -> str:
    """A message as a person reads it who speaks the language."""
    return message if language != "zh" else _in_chinese(" ".join(message.split()), (*PAIRS, *LOOKS, *OTHERS))


def refusal_in_language(reason: str, language: str) -> str:
    """Why a statement is refused, in the language."""
    return reason if language != "zh" else _in_chinese(" ".join(reason.split()), REFUSALS)


def why_in_language(reason: str, language: str) -> str:
    """Why a look brought nothing, which begins with a code, in the language."""
    code, colon, words = reason.partition(": ")
    plain = reason if code not in REASONS else f"{code.replace('_', ' ')}{colon}{words}"
    return plain if language != "zh" else in_language(reason, language)


def _in_chinese(message: str, pairs: _Pairs) -> str:
    coded = _CODE.fullmatch(message)
    if coded is not None and coded[1] in REASONS:
        return f"{REASONS[coded[1]]}：{_in_chinese(coded[2], pairs)}"
    for pattern, words in _patterns(pairs):
        if found := pattern.fullmatch(message):
            return words.format(**{name: _in_chinese(value, pairs) for name, value in found.groupdict().items()})
    return message


@cache
def _patterns(pairs: _Pairs) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_as_pattern(english)), chinese) for english, chinese in pairs)


def _as_pattern(template: str) -> str:
    """A template as an expression: whatever stands for a value is taken as short as it can be."""
    parts = _VALUE.split(template)
    return "".join(f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))

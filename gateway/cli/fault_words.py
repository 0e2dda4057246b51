"""What `dbdiag faults` and `dbdiag up --demo` say, in Chinese and English."""

from __future__ import annotations

from gateway.cli.speaking import language

_WORDS = {
    "zh": {
        "title": "{zh}",
        "injected": "故障 {name} 已造好，最多 {seconds:g} 秒后可见；真正的根因是 {cause}。",
        "look": "让它自己找：{command}",
        "connect": "只读连接：{dsn}",
        "end": "按 Ctrl-C，或在另一个终端执行 dbdiag faults clear 结束它。",
        "nothing": "现在没有故障。",
        "cleared": "已结束：{name}（{title}），真正的根因是 {cause}。",
        "demo": "演示库里有一个随机选的真故障（种子 {seed}），最多 {seconds:g} 秒后可见。",
        "answer": "猜完再看答案：dbdiag faults clear 结束它，并说出真正的根因。",
    },
    "en": {
        "title": "{en}",
        "injected": "The fault {name} is in and shows within {seconds:g} s; the true root cause is {cause}.",
        "look": "Let it find the cause: {command}",
        "connect": "Read-only connection: {dsn}",
        "end": "Ctrl-C, or `dbdiag faults clear` in another terminal, ends it.",
        "nothing": "There is no fault now.",
        "cleared": "Ended: {name} ({title}); the true root cause was {cause}.",
        "demo": "The demo database has a real fault, chosen at random (seed {seed}); it shows within {seconds:g} s.",
        "answer": "For the answer: `dbdiag faults clear` ends it and says what the true root cause was.",
    },
}


def say(key: str, **values: object) -> str:
    """One phrase in the verb's language, filled in."""
    return _WORDS[language()][key].format(**values)

"""What `dbdiag audit`, `replay` and `check-sql` say, in Chinese and English."""

from __future__ import annotations

from gateway.cli.speaking import language

_WORDS = {
    "zh": {
        "whole": "完好：{entries} 条记录，{outputs} 份输出",
        "unfinished": "{ref} 开始了，没有结束",
        "torn": "最后一行没写完（{count} 字节）",
        "head": "末尾哈希 {head}",
        "replayed": "{verdict}：{cause}；{same}",
        "same": "和存下的报告一字不差",
        "differs": "和存下的报告不一样",
        "no_report": "旁边没有存下的报告",
        "no_cause": "没有根因",
        "found": "找到根因",
        "suspected": "只有怀疑",
        "healthy": "没有问题",
        "unseen": "什么也没看到",
        "one_turn": "{count} 轮有证据；{snapshot} 有 {differ} 轮说法不同",
        "turns": "{count} 轮有证据；{snapshot} 有 {differ} 轮说法不同",
        "said": "   当时说：{judged}",
        "would_say": "   现在说：{judged}",
        "would_differ": "   现在说（不同）：{judged}",
        "unknown": "   那个快照里没有：{names}",
        "nothing": "没有结论",
        "concluded": "已下结论",
        "open": "未下结论",
        "admitted": "准许",
        "refused": "拒绝：{reason}",
    },
    "en": {
        "whole": "whole: {entries} entries, {outputs} outputs",
        "unfinished": "{ref} was begun and never ended",
        "torn": "the last line was cut off while it was written ({count} bytes)",
        "head": "head {head}",
        "replayed": "{verdict}: {cause}; {same}",
        "same": "the same report, to the letter",
        "differs": "NOT the stored report",
        "no_report": "no report is stored beside it",
        "no_cause": "no root cause",
        "found": "found",
        "suspected": "suspected",
        "healthy": "healthy",
        "unseen": "unseen",
        "one_turn": "{count} turn with evidence; {snapshot} differs in {differ}",
        "turns": "{count} turns with evidence; {snapshot} differs in {differ}",
        "said": "   said:      {judged}",
        "would_say": "   would say: {judged}",
        "would_differ": "   WOULD SAY: {judged}",
        "unknown": "   not in that snapshot: {names}",
        "nothing": "nothing",
        "concluded": "concluded",
        "open": "open",
        "admitted": "admitted",
        "refused": "refused: {reason}",
    },
}


def say(key: str, **values: object) -> str:
    """One phrase in the verb's language, filled in."""
    return _WORDS[language()][key].format(**values)

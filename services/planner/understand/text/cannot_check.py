"""How people say that they cannot look, did not look, or will later; as pattern fragments, of both languages."""

from __future__ import annotations

from services.planner.understand.text.lexicon import words

# To look: what one does to learn about an item.
LOOK_ZH = r"[查看瞅瞧测跑试执确判验登连拿取用读弄搞]"
LOOK_EN = r"(?:check|see|tell|verify|look|run|access|say|confirm|get|read|test|measure|find out|know|view|reach|log in)"

UNKNOWN_ZH = (
    rf"(?:没法|没办法|无法|没能|不能|不让|不方便|不好|不便|没条件|没机会){LOOK_ZH}?[^,，\s]{{0,3}}",
    rf"{LOOK_ZH}[^没不有,，\s]{{0,2}}不(?:了|到|着|出来?|成|动|进去)",
    r"(?:没有?|无|缺|不够|木有)[^,。有]{0,16}权限",
    r"权限不(?:够|足)|被拒绝?",
    r"不(?:太|大|是很)?(?:知道|清楚|确定|了解|明白|晓得|好说|懂)|说不(?:准|好|上来|清)|没(?:有)?把握|拿不准|吃不准",
    r"(?:还|暂时|目前)?(?:没|未|没有|没来得及|来不及|没空|没时间|没顾上)(?:去)?\s?"
    r"(?:查看|[查看测跑试](?![到见出着])|确认|检查|验证|check|排查|执行)(?:过|呢)?",
    rf"(?:明早|明天|明儿|回去|下午|晚上|上班|天亮)(?:以?后)?(?:再|才)(?:能|可以)?{LOOK_ZH}[^,，\s]{{0,2}}|(?:给我|等我|容我)[^,，\s]{{0,6}}(?:分钟|会儿?|下)[^,，\s]{{0,4}}",
    rf"(?:等会儿?|等下|待会儿?|稍后|晚点|过会儿?)(?:我)?(?:再|才)?{LOOK_ZH}?[^,，\s]{{0,2}}|"
    rf"(?:回头|一会儿?|等一下|之后|明天)(?:我)?(?:再|才){LOOK_ZH}[^,，\s]{{0,2}}",
    r"(?:还|暂时)?没(?:有)?(?:来得及|顾上|空(?![的着])|时间|工夫)[^,，\s]{0,2}",
    r"再(?:看看|查查|确认|想想)",
    rf"不(?:会|懂得?|晓得怎么){LOOK_ZH}|没(?:有)?(?:瞅|瞄|瞧|翻|细看|轮到)(?![到见出着])|谈不上$|无从(?:谈|说)起|用不上|不归我管|超纲",
    r"(?:给|答|回答|提供)不(?:了|上来?|出)|没(?:辙|招|门路)|无能为力|束手无策",
    r"未知|不详|不适用|没这(?:个)?(?:环境|工具|东西)|跳过|略过?|待定|待查|pass掉",
)
UNKNOWN_EN = (
    rf"(?:can(?:no|')t|cannot|can not|couldn'?t|could not|unable to|not able to|no way to|don'?t know how to|"
    rf"not allowed to|no (?:tool|means|permission)s? to|impossible to|hard to|didn'?t|did not|haven'?t|have not)"
    rf"(?: \w+){{0,2}} {LOOK_EN}\w*(?: (?:that|this|it|into|at))*",
    words("can'?t", "cannot", "unable", "impossible"),
    r"(?:haven'?t|have not|not|didn'?t|did not|yet to)(?: \w+)? (?:looked|checked|checking|tested|tried|verified|run)"
    r"(?: (?:at|into|it|that|this))*",
    r"(?:no|without|lack(?:ing)?|missing|need|insufficient|not enough)(?: the)?(?: \w+)? "
    r"(?:access|permissions?|privileges?|rights|grants?|credentials)",
    r"(?:do not|don'?t|didn'?t) have (?:the |an |any )?(?:answer|info|information|numbers)(?: (?:to|for|on))?",
    r"(?:do not|don'?t|didn'?t|did not) have(?: the| any)?(?: \w+)? (?:access|permissions?|privileges?|rights)(?: (?:to|for|on) (?:any|all|either|some) of (?:these|those|them|it))?",
    r"(?:permission|access)(?: is| was)? denied",
    r"give me (?:a |\d+ |five |ten |two )?(?:minutes?|mins?|sec(?:ond)?s?|moment)(?: (?:for|on|with))?",
    words("(?:above|beyond) (?:my pay ?grade|me)", "over my head", "not my (?:area|department|patch|turf)"),
    words(
        "unknown",
        "unsure",
        "unclear",
        "dunno",
        "idk",
        "skip",
        "pass",
        "n/a",
        "na",
        "not applicable",
        "no idea",
        "no clue",
        "tbd",
        "not sure",
        "not certain",
        "(?:do not|don'?t) (?:really )?know",
        "(?:will|'ll|let me|i'll|need to|have to|going to) (?:check|look|see)(?: (?:it|that|later|into it))*",
        "not yet",
        "later",
        "hard to say",
        "doesn'?t apply",
    ),
)

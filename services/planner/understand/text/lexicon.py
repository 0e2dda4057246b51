"""Closed word classes of both languages, as pattern fragments: numerals, polarity, hedges, function words, interrogatives.

Fragments are joined into patterns by the modules that use them. English words carry their own boundaries.
"""

from __future__ import annotations

from lang import deferred_re as re


def words(*alternatives: str) -> str:
    """Alternatives that stand as whole words, for English; a Chinese character ends a word."""
    return r"(?<![a-z0-9_])(?<![a-z]')(?:" + "|".join(alternatives) + r")(?![a-z0-9_]|'[a-z])"


def pattern(*fragments: str) -> re.Pattern[str]:
    """Any of the fragments."""
    return re.compile("|".join(f"(?:{fragment})" for fragment in fragments))


ZH_DIGITS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "仨": 3,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "甲": 1,
    "乙": 2,
    "丙": 3,
    "丁": 4,
    "戊": 5,
    "大": 1,
}
EN_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "6th": 6,
}
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
EN_CARDINALS = {numeral: value for value, numeral in enumerate(_COUNTED, 1)} | {"couple": 2, "pair": 2}

# What follows a number that counts or measures, so that it is no ordinal.
UNIT = (
    r"\s*(?:%|‰|[个次条台张份时分秒天周月年倍核万亿千百多余块级位项种行节组路副颗]|[kmgt]i?b?(?![a-z])|"
    r"(?:ms|us|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|x|times?|percent|"
    r"sessions?|connections?|rows?|tables?|queries|locks?|backends?|processes|cores?|users?|million|thousand|billion|"
    r"tps|qps|iops|bytes|requests?|transactions?|clients?|files?|slots?|waiters?|deadlocks?|errors?)(?![a-z]))"
)

DENIED_ZH = (
    r"(?:没有?|未|并没有?|也没有?|木有)(?:看|发|查|找|出|碰|遇|观|测|感|听)(?:到|现|见|出来?|察到|觉到?|说)(?:过)?",
    r"没见(?:到|着|过)?",
    r"(?:并|也|都|全|真|完全|暂)?(?:没有|木有|没得)",
    r"不(?:是|存在|符合|对|成立|会|像|高|大|多|慢|满|频繁|明显|严重|算|超)",
    r"(?:没|无)(?:问题|异常|毛病|事|这(?:个)?(?:情况|现象|问题))?",
    r"否(?:认|定)?",
    r"(?:一切|都|很|挺|还|算|比较|完全|基本)?正常(?:的|了)?",
    r"(?:还|挺|都)(?:好|行|可以)",
    r"排除|排掉|否掉|假的|阴性|没(?=$|[\s,])",
    r"是?(?:好|正常|干净|健康|空|清白|没事|没影)的",
    r"没有?(?:哪|什么|啥|谁|任何)(?:一?[个条些台次])?",
    r"不",
)
DENIED_EN = (
    r"(?:did|do|does|have|has|had|is|are|was|were|could)(?:n'?t| not)(?: \w+)? (?:see|seen|seeing|find|found|notice|"
    r"spot|have|show|there|present|happening|the case|true)\w*(?: (?:that|it|any|anything|one))*",
    r"(?:no|without)(?: (?:such|real|obvious|visible|clear|apparent|big|major|other|more|single|further|actual|known|new|any))? (?:sign|trace|evidence|hint|issue|problem|such)s?(?: (?:of|thing)(?: (?:that|it|those))?)?",
    r"(?:not|isn'?t|aren'?t|wasn'?t)(?: \w+)? (?:there|present|seen|the case|happening|true|seeing (?:it|that)|a problem|"
    r"an issue|so|really|at all)",
    words(
        "no",
        "nope",
        "nah",
        "n",
        "nay",
        "negative",
        "false",
        "denied",
        "absent",
        "none",
        "neither(?: of (?:the )?(?:two|three|them|those|these|em))?",
        "nothing",
        "not",
        "isn'?t",
        "aren'?t",
        "wasn'?t",
        "doesn'?t",
        "don'?t",
        "didn'?t",
        "hasn'?t",
        "haven'?t",
        "fine",
        "normal",
        "healthy",
        "clean",
        "clear",
        "good",
        "ok(?:ay)?(?! (?:i|so|yes|yeah|yep|got|we|it|that|then|now|let))",
        "all good",
        "wrong",
    ),
)
CONFIRMED_ZH = (
    r"(?:也|都|全|确实|的确|真|是|肯定|已经)?有(?:的|了|啊|呢|这(?:个)?(?:情况|现象|问题)|出现|发现|看到)?",
    r"(?:可以)?(?:看|查|找|发|遇|碰)(?:到|现|见)了?",
    r"确认(?:有|存在|了|是)?|存在|符合|命中(?!率)|中(?:了|招)|中(?=$|[,\s])|吻合|阳性|中了|没错|属实|成立|肯定",
    r"沾(?:边|上)?了?(?=$|[\s,])|(?:占|齐|凑齐)(?:了|全|活)*(?=$|[\s,])|是(?:的|滴|啊|呀)?|对(?!了)(?:的|啊|呀)?|嗯+(?:呢|啊)?|恩|哎|(?:出现|发生)了?",
)
CONFIRMED_EN = (
    words(
        "yes",
        "y",
        "yep",
        "yeah",
        "yup",
        "yea",
        "ya",
        "aye",
        "sure",
        "true",
        "confirmed?",
        "present",
        "correct",
        "right",
        "indeed",
        "exactly",
        "affirmative",
        "positive",
        "definitely",
        "absolutely",
        "obviously",
        "of course",
        "check(?:s|ed)? out",
        "pan(?:s|ned)? out",
        "there",
        "seen",
        "i see (?:it|that|those|them)",
        "we see (?:it|that|those|them)",
        "i do",
        "we do",
        "it does",
        "it is",
        "they are",
        "happening",
        "found",
        "exists?",
        "appl(?:y|ies)",
        "holds?",
        "match(?:es)?",
        "fits?",
    ),
)
MARKS_YES = "✓✔√👍☑✅"
MARKS_NO = "✗✘❌👎×✕✖"

HEDGE_ZH = (
    r"(?:要|你)?说(?:没有?|有|是|不是)(?:吧|呢)?也(?:没有?|有|算|行|对|是|不是)|半[有真信是在][^,，\s]?半[没疑假不无]\S{0,2}|[似若时]有[似若时][无没]|好像|似乎|貌似|可能|大概|也许|或许|应该|差不多|有一?点儿?|一点点?|略微|稍微|偶尔|有时候?|时不时|勉强|算是|"
    r"[^,，\s]{0,4}(?:也行|也可以|也对|也成)[^,，\s]{0,6}(?:也行|也可以|也对|也成)|一半一半|两可|五五开|"
    r"不太确定|感觉|觉得|估计|八成|看起来|看上去|看着|据说|听说|疑似|隐约|印象中|没准"
)
HEDGE_EN = words(
    "maybe",
    r"(?:sort|kind) of",
    "sorta",
    "kinda",
    "probably",
    "possibly",
    "perhaps",
    "a (?:little|bit)(?: bit)?",
    "slightly",
    "somewhat",
    "sometimes",
    "occasionally",
    "now and then",
    "(?:every )?once in a while",
    "on and off",
    "i (?:think|guess|believe|suppose|assume)",
    "seems?(?: like| to)?",
    "seemingly",
    "appears?(?: to)?",
    "apparently",
    "looks? like",
    "might",
    "may",
    "could",
    "partly",
    "partially",
    "half",
    "borderline",
    "not (?:really|entirely|completely|totally|100%|quite|too) sure",
    "supposedly",
    "i'd say",
    "more or less",
    "ish",
    "not exactly",
    "hard to tell",
    "should be",
    "as far as i (?:can )?(?:tell|know|see)",
    "yes and no",
    "either way",
    "fifty[- ]fifty|50[/-]50",
    "half and half",
    "on the fence",
)

# Words without content of their own: what is left of a clause after these says something.
FUNCTION_ZH = (
    r"[两二三四五六七八九](?:个|样|条|项)(?:里头?|里面|当中|之中|中)|这边|那边|这里|[的了吧呢啊呀哦哈嘛么吗也就还才都又再很真挺太我你您他她它咱们这那此该其被把给和与跟及在从于对个项条点件上下里中过着得地来去到看查"
    r"是会能要想说]|这边|这里|那边|现在|目前|刚刚?|刚才|已经|确实|的确|一下|情况|现象|结果|而且|另外|然后|所以|因为|不过|但是?|"
    r"对了|同上|一样|以后|之后|这个|那个|哪个|选项?|选择|回答|答案|分别|依次|检查|确认|大量|很多|不少|好多|比较|非常|特别|明显|一直|大家|先"
)
FUNCTION_EN = words(
    "a|an|the|this|that|these|those|it|its|it's|is|are|was|were|be|been|being|am|i|i'm|we|you|he|they|them|my|our|your",
    "s|to|on|for|of|in|at|by|from|with|as|and|or|nor|so|then|also|too|well|now|just|still|already|again|here|there|there's",
    "about|regarding|either|any|have|has|had|i've|we've|do|does|did|got|get|one|ones|item|items|option|options|number|no\\.|answer|answers",
    "checked|looked|looks|check|look|see|saw|seen|say|said|please|pls|actually|really|very|lots?|plenty|many|much|respectively",
    "anyway|anyhow|lol|haha|hi|hey|ok|okay|sorry|oops|wait|hmm+|uh|um|well|but|though|because|cause|since|only|all|both|each|every|even|yet|tho|though|same(?: here| again)?|ditto|likewise",
)

INTERROGATIVE_ZH = (
    r"第几|为什么|为何|为啥|凭什么|干嘛|(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)|(?<![没好十百千这那头前后过有])几(?=[个次条种步轮天成项单起桩件张台套份回])|多(?=久|大|高|少|长)|"
    r"吗|么[?。!]?$|呢[?。!]?$|是否|能否|可否|是不是|有没有|会不会|能不能|要不要|对不对|行不行|可不可以|还是不是|够不够|有无|(?:过|了|好|到|完|成)没(?:有)?$|(?:能|会|可以|还|够|算|要).{1,14}不$"
)
WH_ZH = r"第几|为什么|为何|为啥|凭什么|干嘛|(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)|(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])|多(?=久|大|高|长)"
WH_EN = words("why", "how", "what", "what's", "whats", "which", "where", "where's", "when", "who", "whose", "how's")
AUXILIARY_EN = (
    r"^(?:(?:so|and|but|ok|okay|hey|then|also|well|please|now|hmm+)[, ]+)*"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|am|may|might|isn't|aren't|doesn't|don't|"
    r"didn't|shouldn't|won't|any)(?![\w'])"
)

"""Questions: whether a clause asks, and for what.

The kind is decided by what the question is about (the assistant's own reasoning, its causes, what was said, closed
records, how to act, what leads to what), not by whole phrases.
"""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Group, QuestionKind, QuestionStep, Reference, SessionView
from services.planner.understand.items.references import open_list, terms_of
from services.planner.understand.text.clauses import Sentence
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.lexicon import AUXILIARY_EN, INTERROGATIVE_ZH, WH_EN, pattern, words
from services.planner.understand.text.numerals import canonical_id
from services.planner.understand.text.segments import segments_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import compile_words

_ASKS = pattern(INTERROGATIVE_ZH, rf"^(?:\W|and |so |ok |but |then |also |sorry |hey |well )*{WH_EN}", AUXILIARY_EN)
_WH = compile_words(
    "questions.wh",
    r"(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)",
    r"(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])",
    r"多(?=久|大|高|长)",
)
_NO_QUESTION = re.compile(r"(?:不是|没有?|不算)(?:什么|啥)(?!(?:意思|问题|原因|时候|地方)?[?？吗么]$)")
_REQUEST = pattern(
    r"^(?:请|麻烦|帮我?|给我?|再|先|你)*(?:列(?:一下|出|举)|统计|数(?:一下|数)|汇总|总结|回顾|解释|说明|说(?:说|一下|下)|讲(?:讲|一下)?|展示|"
    r"显示|查询|查一下|看一?下?(?=进[展度]|历史|工单)|告诉|介绍|复述|梳理|盘点|给(?:我|个)(?:看|个|一|总|汇|建|命|sql)|来(?:个|一)|找(?:出|一下))|"
    r"^按.{1,10}(?:统计|汇总|分组|列出)|(?:命令|语句|sql|步骤|脚本).{0,3}(?:贴|发|给|来|甩)(?:一下|下|我|个|过来|出来)?$|^(?:贴|发|给|来|甩)(?:我|一?下|个|一?条|出来)+.{0,8}(?:命令|语句|sql|步骤|脚本)$|^(?:继续|接着(?:来|说)?|然后呢)$|^(?:历史|对话)(?:记录)?$",
    r"^(?:a |the |quick |short |brief )*(?:summary|status|recap|update|overview|progress)(?: so far| now| report)*(?: please| pls)?$|"
    r"^(?:please )?(?:go on|continue|carry on)$",
    r"^(?:\W|ok |and |now |please |pls |just |so |also |can you |could you |would you )*(?:show|list|tell|explain|count|summari[sz]e|"
    r"recap|describe|give|walk|remind|display|help me (?:understand|check|see)|remind|break down|group|sum up|elaborate)\b",
)
# What EXPLAIN printed is a fact: it is the command's name, and asks nothing.
_SHOWN_PLAN = re.compile(
    r"^(?:用|跑了?|看了?|做了?|我|刚|the |i ran |we ran |ran )*(?:explain|执行计划)(?: ?\(?(?:analy[sz]e|buffers|verbose|[, ])+\)?| plan| output| 结果| 输出)*[\s,:]*"
    r"(?:里面?|中|显示|结果|走|是|用|变|还是|出来|看(?:到|见|出|走|是|起来)|发现|说|有|"
    + words(
        r"says?|said|shows?|showed|showing|gives?|gave|has|had|reports?|reported|prints?|printed|is|was|now|still|uses?|used|chose|picks?|picked|switched|went|goes|displays?"
    )
    + r")"
)
_TICKETS = compile_words("questions.tickets")
# Of what was diagnosed here: how long it took, how many there were.
_DIAGNOSED = compile_words("questions.diagnosed", r"(?:找|查|定位|诊断).{0,4}(?:最久|最慢|最长)")
_SUPPORT = compile_words("questions.support", words(r"back\w* (?:that|this|it|up)"), r"说明.{0,6}(?:结论|判断)")
_WHY = compile_words("questions.why", r"(?:什么|啥)(?:理由|道理|意义|用意|意思.{0,3}查)")
_CAUSES = compile_words("questions.causes")
_PROGRESS = compile_words(
    "questions.progress",
    words(
        r"how (?:is|are|'s) (?:it|we|things|this) (?:going|doing|looking)",
        r"what (?:does|do) (?:that|this|it|all (?:that|this)|these) (?:mean|tell|say|suggest|leave)",
    ),
    r"怎么样了?$",
    r"咋样了?$",
    r"还(?:差|剩|要|需要?|有)(?:多少|多久|几|什么|哪些?)",
    r"查(?:出|明白|清楚).{0,4}(?:没|吗|了)",
    r"离.{0,6}(?:多远|还)",
)
_PAST = compile_words(
    "questions.past",
    words(
        r"(?:did|have|had|has) (?:we|i|you|been)(?: \w+)? (?:check|say|said|tell|told|confirm|den|look|try|tried|cover|rule|ask|answer|mention|report|establish|record|note|done|go)\w*",
        r"(?:was|were|been|already|previously)(?: \w+)? (?:check|said|confirm|deni|answer|ask|record|note|cover|look)\w*",
    ),
    r"(?:检查|查|确认|否认|否定|看|问|说|讲|提|答|告诉|记|报|排查|反馈|做)(?:过|了)",
    r"记录(?!数)",
    r"目前为止.{0,6}(?:查|说|问|确认)",
)
_RELATE = compile_words("questions.relate", r"跟.{1,12}(?:有关|相关)")
_ACT = pattern(
    r"(?:怎么|咋|如何|怎样|用什么|哪条|哪个|什么)(?:去|样)?(?:看|查|确认|检查|验证|执行|跑|操作|判断有|测|解决|处理|修|改|优化|调|弄|搞|做|避免|预防|恢复|回滚|用|命令|sql|语句|办|获取|监控|统计.{0,4}命令|治|缓解|止血|清理|杀)|"
    r"(?:哪儿?|哪里|什么地方|啥地方)(?:能|可以|去|才能)?(?:看|查|找|瞧|瞅)|怎么办|咋办|咋整|咋弄|命令|解决(?:方案|办法|方法)|办法|方案|你(?:能|会|可以)(?:做|干|帮)|能(?:帮|做)(?:我)?(?:什么|啥)|有什么功能|怎么用|使用说明|帮助|该(?:怎么|做什么|干什么|先)|要(?:怎么|做什么)|"
    r"什么意思|是什么|是啥|啥意思|什么叫|何为|指(?:的是)?什么|含义|定义|风险|先(?:做|干)(?:什么|啥)|要不要(?:重启|杀|回滚|扩)|能不能(?:重启|杀|回滚|直接)|可以(?:重启|杀|直接)",
    words(
        r"how (?:do|can|should|would|to|could|does one)(?: (?:i|we|you|one))?(?: \w+)? (?:check|see|look|verify|find|run|fix|solve|tell|know|get|measure|test|confirm|do|use|stop|resolve|undo|prevent|avoid|clean|kill|read|handle|mitigate|repair|recover|query|monitor|inspect|determine|reduce)\w*|"
        r"what (?:should|can|do|must|shall) (?:i|we|you)(?: \w+)? (?:do|run|check|try|look|type|use|execute|change)\w*|which (?:command|query|view|sql|setting|table do i)|what(?:'s| is)? the (?:command|query|sql|fix|remedy|solution|syntax)|"
        r"fix|remedy|solution|workaround|command|what can you do|what are you able|your (?:features|abilities)|how do you work|how does this work|usage|what (?:is|are|does|'s) (?:an? )?[\w ]+(?: mean)?|"
        r"what's (?:an? )?|meaning|define|definition|stand for|should (?:i|we) (?:restart|kill|reboot|vacuum|run|do|just)|can (?:i|we) (?:restart|kill|just|safely)|is it safe|safe to|where (?:do|can|should|would) (?:i|we|one|you) (?:look|find|see|check|run)|help"
    ),
)
_DEFINE = pattern(
    r"什么意思|是个?(?:什么|啥)(?:东西|意思|玩意儿?)?$|啥意思|什么叫|何为|指(?:的是)?什么|含义|定义|(?:什么|啥)(?:是|叫)(?!不)",
    words(r"what (?:is|are) (?:an? )[\w ]+|what does [\w ]+ (?:mean|stand for)|meaning|define|definition"),
)
_YOU = compile_words("questions.you", words(r"#?\d"), r"第[一二三四五\d]")
_LEAD_IN = compile_words(
    "questions.lead_in", r"^(?:根据|按照?|依据|基于|对于|关于|鉴于|综合|结合|从|就|想问|请问|我想|话说|那|现在|目前)"
)
# What a question in general supposes: "dead tuples piling up, ...?"
_WHENEVER = re.compile(
    r"一(?:旦|多|高|大|慢|满|长|涨|上来)|^(?:当|每当|一般)|(?:多|满|大|长)了(?:以后|之后|的话)?$|^(?:when(?:ever)?|once) "
)
_SUBJECT_NOISE = compile_words(
    "questions.subject_noise",
    r"(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)",
    r"(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])",
    r"多(?=久|大|高|长)",
)


_NUMBER = re.compile(r"(?<![\d.#a-z-])(\d{1,2})(?![\d.%])")


# "那我该怎么办" goes on from what was said and points at nothing in it.
_POINTS = compile_words(
    "questions.points",
    r"这(?!下|时候?|会儿?|样|么)",
    r"那(?!我|咱|你|就|还|现在|目前|眼下|接下来|接着|下一?步|之后|以后|然后|到底|究竟|应该|应当|该|要不?|怎么?办|咋|怎么(?:处理|解决|修|弄|做|搞)|如何(?:处理|解决|修)|有没有|有什么|么|样)",
)


def asks(clause: str, asked_mark: bool) -> bool:
    """Whether a normalised clause asks for something; `asked_mark`: its sentence ends with a question mark."""
    return bool(_ASKS.search(clause) or _REQUEST.search(clause)) or (asked_mark and len(clause) > 1)


def leads_in(clause: str, sentence: Sentence) -> bool:
    """Whether a clause only leads in to the question that its sentence ends with: "going by the checks so far, ..."."""
    last = sentence.clauses[-1]
    asked = asks(last.text, last.asks) and not has_wh(clause)
    if asked and _WHENEVER.search(clause):
        return True
    return asked and not is_technical(clause) and bool(_LEAD_IN.search(clause))


def tells_of_plan(clause: str) -> bool:
    """Whether a normalised clause says what EXPLAIN printed, rather than asking for an explanation."""
    return bool(_SHOWN_PLAN.search(clause)) and not has_wh(clause)


def has_wh(clause: str) -> bool:
    """Whether it asks with an interrogative word, not for a yes or no. "不是什么日志" denies."""
    return bool(_WH.search(_NO_QUESTION.sub("", clause)))


def kind_of(clause: str, view: SessionView) -> QuestionKind | None:
    """What the question asks for; None when nothing tells."""
    # Ordered: the more particular subject first.
    if _DIAGNOSED.search(clause):
        return QuestionKind.DATA
    if _TICKETS.search(clause):
        return QuestionKind.DATA
    if _WHY.search(clause) or _SUPPORT.search(clause):
        return _why(clause, view)
    if _DEFINE.search(clause) and not (_CAUSES.search(clause) or _PROGRESS.search(clause) or _PAST.search(clause)):
        return QuestionKind.HELP
    past = _PAST.search(clause) is not None
    if past and not _CAUSES.search(clause):
        return QuestionKind.HISTORY
    if _CAUSES.search(clause):
        return QuestionKind.HYPOTHESES
    if _PROGRESS.search(clause) and not re.search(
        words("how (?:do|should|to|can)") + "|怎么(?:看|查|解决|处理|修)", clause
    ):
        return QuestionKind.PROGRESS
    if _ACT.search(clause):
        return QuestionKind.HELP
    if _RELATE.search(clause):
        return QuestionKind.RELATIONS
    return None


def of_diagnosis(kind: QuestionKind | None, clause: str) -> bool:
    """Whether a question of this kind is about the diagnosis even when it names nothing of the field."""
    if kind is not None and (_NUMBER.search(clause)):
        return True
    return kind in (QuestionKind.HISTORY, QuestionKind.HYPOTHESES, QuestionKind.REASONING)


def _why(clause: str, view: SessionView) -> QuestionKind | None:
    """A why is about the assistant's reasoning, unless nothing was said yet and it bewails the database."""
    if _SUPPORT.search(clause) or _YOU.search(clause):
        return QuestionKind.REASONING
    begun = view.hypotheses or view.evidence or view.pending or view.history
    return QuestionKind.REASONING if begun else None


def question(kind: QuestionKind, clause: str, words_said: str, view: SessionView) -> QuestionStep:
    """The step of a question with what it is about."""
    return QuestionStep(kind, subject_of(clause, view), words_said)


def subject_of(clause: str, view: SessionView) -> Reference | None:
    """What a question is about: an id, an ordinal, "this", or words with content."""
    asked = open_list(view)
    for segment in segments_of(clause):
        for token in segment.refs:
            if token.kind is Kind.ID:
                return Reference(id=canonical_id(token.text))
            if token.kind is Kind.ORDINALS and asked.find(token.numbers[0]):
                return asked.at(token.numbers[0])
            if token.kind is Kind.LAST and asked.items:
                return Reference(group=Group.LAST, list=asked.list)
    for number in _NUMBER.finditer(clause):
        if asked.find(int(number[1])):
            return asked.at(int(number[1]))
    rest = _SUBJECT_NOISE.sub(" ", clause)
    if terms_of(rest) and is_technical(rest):
        return Reference(words=" ".join(rest.split()))
    if _POINTS.search(clause):
        return Reference(group=Group.JUST_MENTIONED)
    return None

"""Questions: whether a clause asks, and for what.

The kind is decided by what the question is about (the assistant's own reasoning, its causes, what was said, closed
records, how to act, what leads to what), not by whole phrases.
"""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Group, QuestionKind, QuestionStep, Reference, SessionView
from services.planner.understand.answers import segments_of
from services.planner.understand.clauses import Sentence
from services.planner.understand.domain import is_technical
from services.planner.understand.lexicon import AUXILIARY_EN, INTERROGATIVE_ZH, WH_EN, WH_ZH, pattern, words
from services.planner.understand.numerals import canonical_id
from services.planner.understand.references import open_list, terms_of
from services.planner.understand.tokens import Kind

_ASKS = pattern(INTERROGATIVE_ZH, rf"^(?:\W|and |so |ok |but |then |also |sorry |hey |well )*{WH_EN}", AUXILIARY_EN)
_WH = pattern(WH_ZH, WH_EN)
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
_TICKETS = pattern(
    r"工单|故障单|案例|案子|历史(?:故障|问题|事件)|同类(?:故障|问题)|故障(?:数|次|记录)|记录数|单子|事故",
    words("tickets?|incidents?|(?:past |closed )?cases|records|outages|postmortems?"),
)
# Of what was diagnosed here: how long it took, how many there were.
_DIAGNOSED = pattern(
    r"(?:找|查|定位|诊断).{0,4}(?:最久|最慢|最长)|诊断会话|结案的会话|(?:结案|诊断)了多少",
    words(
        "(?:longest|slowest) to (?:find|diagnose)", "diagnosis sessions", "closed sessions", "sessions (?:were )?closed"
    ),
)
_COUNT = pattern(
    r"多少|几(?:个|次|起|条|张|单)|统计|数量|次数|列出|列一下|排名|排序|占比|分布|按.{0,8}(?:分|汇|统|排|列)|汇总|最近|去年|上(?:个)?[月周季]|今年|本[月周]|查一?下|有没有|哪些|找|给我",
    words(
        r"how many|how often|count\w*|number of|list|show|group\w*|statistics|most|top|average|per|last (?:year|month|week|quarter)|this (?:year|month|quarter)|any|which|find|give"
    ),
)
_SUPPORT = pattern(
    r"支持|支撑|证明|依据|根据什么|证据|凭|佐证|说明.{0,6}(?:结论|判断)|得出|推(?:断|出|测)|怎么(?:算|判断|知道|看出|得)|哪来|由来",
    words(
        r"support\w*|back\w* (?:that|this|it|up)|evidence|based on|prove\w*|justif\w*|basis|rationale|reasoning|argument\w*|proof"
    ),
)
_WHY = pattern(
    r"为什么|为何|为啥|凭什么|干嘛|(?:什么|啥)(?:理由|道理|意义|用意|意思.{0,3}查)|怎么(?:会|就)(?:是|得|认|觉|排|算)|理由|原理|咋(?:会|就)是|有(?:什么|啥)(?:用|意义|必要)|怎么(?:得出|推|想|判断|算出|知道)",
    words(
        r"why|how come|what makes (?:you|it|that)|what made|how (?:did|do|can|are|would) you|reason|reasons|rationale|what for|explain|the point of|justify|walk me through|so sure|that sure"
    ),
)
_CAUSES = pattern(
    r"原因|根因|假设|嫌疑|可能性?|概率|几率|把握|置信度?|排除|怀疑(?:对象|谁|什么)|罪魁|元凶|最(?:像|可能|有可能)|第二(?:可能|名)|候选",
    words(
        r"causes?|hypothes[ei]s|suspects?|culprits?|likel\w*|probab\w*|odds|chances?|confiden\w*|candidates?|ruled out|rule out|possib\w*|theor(?:y|ies)|"
        r"explanations?|what else (?:could|might|can)|contenders?|ranking|top (?:three|3|two|five)|certain|how sure|leader|excluded|eliminated|in the running|out of the question|off the (?:table|hook)"
    ),
)
_PROGRESS = pattern(
    r"进[展度]|到(?:哪|什么地步|什么程度|第?几)|走到|查到哪|怎么样了?$|咋样了?$|什么情况了|结论|结果(?:是|如何|怎么)|还(?:差|剩|要|需要?|有)(?:多少|多久|几|什么|哪些?)|"
    r"多久(?:能|才|可以)|快(?:好|完|出|查)|下一?步|接下来|现在(?:的)?(?:状态|情况|局面)|目前(?:的)?(?:状态|情况|判断|局面)|有(?:头绪|眉目|思路|谱)|查(?:出|明白|清楚).{0,4}(?:没|吗|了)|"
    r"总体|整体|总结|定位(?:到|了|出)|离.{0,6}(?:多远|还)|搞定|说明(?:什么|啥|了)|意味|能(?:得出|看出|判断)|得出|搞清楚",
    words(
        r"progress|status|so far|how far|where (?:are|do) we|where (?:is|does) (?:this|that|it)|how (?:close|much (?:longer|more))|conclu\w*|verdict|next|what now|any (?:idea|luck|news)|"
        r"getting (?:anywhere|closer)|any closer|how (?:is|are|'s) (?:it|we|things|this) (?:going|doing|looking)|how's it (?:going|looking)|(?:do|what do) we know|"
        r"what (?:does|do) (?:that|this|it|all (?:that|this)|these) (?:mean|tell|say|suggest|leave)|nearly (?:there|done)|almost (?:there|done)|are we (?:there|done)|narrow\w*|"
        r"stand|left to|remaining|summar\w*|overview|bottom line|the picture|update"
    ),
)
_PAST = pattern(
    r"(?:检查|查|确认|否认|否定|看|问|说|讲|提|答|告诉|记|报|排查|反馈|做)(?:过|了)|都(?:检查|查|问|说|看|确认|做|记)|说的|已经?|历史|回顾|记录(?!数)|之前|前面|刚才|复述|目前为止.{0,6}(?:查|说|问|确认)|梳理|已(?:确认|否认|知|查)",
    words(
        r"(?:did|have|had|has) (?:we|i|you|been)(?: \w+)? (?:check|say|said|tell|told|confirm|den|look|try|tried|cover|rule|ask|answer|mention|report|establish|record|note|done|go)\w*|"
        r"what (?:i|we) (?:said|told|checked|reported|confirmed|denied|answered)|(?:was|were|been|already|previously)(?: \w+)? (?:check|said|confirm|deni|answer|ask|record|note|cover|look)\w*|"
        r"recap|history|transcript|repeat|remind|my answers|things? checked|checked (?:so far|already|before|until now)|i (?:said|say|told|gave)|confirmed so far|on record"
    ),
)
_RELATE = pattern(
    r"导致|引起|造成|引发|带来|影响|后果|关系|关联|有关|相关|联系|对应|触发|诱因|症状|表现(?:出|为|是)|连带|牵连|跟.{1,12}(?:有关|相关)|会(?:怎么?样|出什么|有什么)",
    words(
        r"causes?|caused|causing|leads?|lead to|result in|results? in|trigger\w*|affects?|affect|impact\w*|relat\w*|connect(?:ed|ion) (?:to|with|between)|linked?|effects?|consequences?|symptoms?|"
        r"responsible for|behind|produce\w*|associated|correlat\w*|implies|imply|point(?:s|ing)? to|tied to|harm\w*|hurt\w*|matters?|side effects?|mean for"
    ),
)
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
_YOU = pattern(
    r"你|结论|判断|推荐|建议|排(?:第|在|名)|第[一二三四五\d]|让我|要我|查这|看这|问(?:这|我|的)|这[一个]?(?:项|步|条|题)?|那[一个]?(?:项|步|条)?|它|根因|原因|概率|假设|可能|不是|重要|优先",
    words(
        r"you|your|me|that|this|it|conclusion|hypothesis|rank\w*|first|second|top|leading|lead|ask\w*|question|matter\w*|relevant|important|number|item|sure|certain|confiden\w*|suspect\w*|not|rather|still|ruled|likely|#?\d"
    ),
)
_LEAD_IN = re.compile(
    r"^(?:根据|按照?|依据|基于|对于|关于|鉴于|综合|结合|从|就|想问|请问|我想|话说|那|现在|目前)|"
    + words(
        r"based on|given|going by|considering|according to|with (?:all|what)|from|so far|by the way|one question|question|just"
    )
)
# What a question in general supposes: "dead tuples piling up, ...?"
_WHENEVER = re.compile(
    r"一(?:旦|多|高|大|慢|满|长|涨|上来)|^(?:当|每当|一般)|(?:多|满|大|长)了(?:以后|之后|的话)?$|^(?:when(?:ever)?|once) "
)
_SUBJECT_NOISE = pattern(
    WH_ZH,
    WH_EN,
    r"导致|引起|造成|引发|带来|影响|后果|关系|关联|有关|相关|联系|可能|原因|根因|之间|问题|支持|结论|一般|通常|会不会|吗|么|呢|出现|重要|要|解释|说明|列出|统计|推荐|概率|排|查|先",
    words(
        r"causes?|lead|leads|result|related|relation|between|usually|possible|likely|tell|me|show|explain|about|mean|matter|would|could|can|will|does|typically|make|makes|think|not|no|far|give|some|any|support|supports|conclusion|likely|happen|ask|asking|first|need|know|why|kind|problems?|issues?"
    ),
)


_GO_ON = pattern(r"^(?:继续|接着|然后呢)", words("go on|continue|carry on"))
_ID = re.compile(r"(?<![\w-])(?:p|rc)-\d{4,}(?!\w)")
_NUMBER = re.compile(r"(?<![\d.#a-z-])(\d{1,2})(?![\d.%])")


# "那我该怎么办" goes on from what was said and points at nothing in it.
_POINTS = re.compile(
    r"[这那][个些项条]|这(?!下|时候?|会儿?|样|么)"
    r"|那(?!我|咱|你|就|还|现在|目前|眼下|接下来|接着|下一?步|之后|以后|然后|到底|究竟|应该|应当|该|要不?|怎么?办|咋|怎么(?:处理|解决|修|弄|做|搞)|如何(?:处理|解决|修)|有没有|有什么|么|样)"
    r"|它|" + words("this|that|it|these|those")
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
        return QuestionKind.REASONING if _SUPPORT.search(clause) or _WHY.search(clause) else QuestionKind.DATA
    if _WHY.search(clause) or _SUPPORT.search(clause):
        return _why(clause, view)
    if _DEFINE.search(clause) and not (_CAUSES.search(clause) or _PROGRESS.search(clause) or _PAST.search(clause)):
        return QuestionKind.HELP
    past = _PAST.search(clause) is not None
    if past and not _CAUSES.search(clause) and not re.search(r"下一?步|接下来|能?得出|结论|next|conclu", clause):
        return QuestionKind.HISTORY
    if _RELATE.search(clause) and _general(clause):
        return QuestionKind.RELATIONS
    if _CAUSES.search(clause) and not re.search(r"下一?步|还(?:差|要|需)", clause):
        return QuestionKind.HYPOTHESES
    if _PROGRESS.search(clause) and not re.search(
        words("how (?:do|should|to|can)") + "|怎么(?:看|查|解决|处理|修)", clause
    ):
        return QuestionKind.PROGRESS
    if _ACT.search(clause):
        return QuestionKind.HELP
    if _RELATE.search(clause):
        return QuestionKind.RELATIONS
    return QuestionKind.PROGRESS if _GO_ON.search(clause) else None


def of_diagnosis(kind: QuestionKind | None, clause: str) -> bool:
    """Whether a question of this kind is about the diagnosis even when it names nothing of the field."""
    if kind is not None and (_NUMBER.search(clause) or _ID.search(clause)):
        return True
    return kind in (QuestionKind.HISTORY, QuestionKind.HYPOTHESES, QuestionKind.REASONING)


def _general(clause: str) -> bool:
    """Whether it asks what leads to what, and not which cause this case has."""
    this_case = re.search(
        r"(?:这次|本次|当前|现在|目前|我们这?|到底|究竟).{0,8}(?:原因|导致|引起|造成)|是(?:什么|哪个?)(?:原因)?(?:导致|引起|造成)的|"
        + words(
            "root causes?|the causes?|likely causes?|possible causes?|which causes?|what causes are|is causing (?:this|it|that|our)|what's causing (?:this|it)|caused (?:this|it)"
        ),
        clause,
    )
    return this_case is None


def _why(clause: str, view: SessionView) -> QuestionKind | None:
    """A why is about the assistant's reasoning, unless nothing was said yet and it bewails the database."""
    if _TICKETS.search(clause) or _SUPPORT.search(clause) or _YOU.search(clause):
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

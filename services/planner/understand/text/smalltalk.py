"""Talk beside the diagnosis, a new start, the short commands, and text that poses as an instruction."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import (
    CorrectionStep,
    Group,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    ResetStep,
    SmalltalkKind,
)
from services.planner.understand.text.word_lists import words


def pattern(*fragments: str) -> re.Pattern[str]:
    """Any of the fragments."""
    return re.compile("|".join(f"(?:{fragment})" for fragment in fragments))


_ADDRESS = r"(?:[\s,.!~、啊呀哈哦呢啦嘛吧了的]|there|all|everyone|folks|team|guys|again|so much|very much|a lot|a ton|大家|各位|老师|同学|助手|小助手|dbdiag|bot|buddy|mate|man|你|您|们|much appreciated|appreciated|got it|for (?:the|your|all the) (?:help|info|answer|work|support)|for that|very helpful|that helped|everybody|朋友)*"
_GREETING = re.compile(
    rf"^{_ADDRESS}(?:hi+|hello+|hey+|yo|howdy|greetings|good (?:morning|afternoon|evening|day)|morning|你好|您好|哈喽|哈罗|嗨|早上好|早安|早|下午好|晚上好|中午好|大家好|在吗|在不在|在么|有人吗|are you (?:there|up)|anyone (?:there|here)|how are you(?: doing)?|what's up|sup|how's it going|nice to meet you)+{_ADDRESS}$"
)
_THANKS = re.compile(
    rf"^{_ADDRESS}(?:非常|十分|太|多|真是?|真的)*(?:thanks?(?: you)?|thank u|thx|ty|tysm|cheers|much obliged|great|awesome|nice|cool|perfect|good job|well done|nice work|brilliant|appreciate (?:it|that)|got it|understood|ok(?:ay)?|alright|will do|谢谢?|感谢|感激|多谢|谢啦|辛苦|好的?|收到|明白|了解|知道了|好嘞|行|可以|ok|厉害|不错|牛|赞|棒|麻烦你|学到了|懂了)(?:{_ADDRESS}(?:thanks?|you|谢谢|感谢|辛苦|了解|好的?|收到|ok|great|help|it|that|good))*{_ADDRESS}$"
)
_FAREWELL = re.compile(
    rf"^{_ADDRESS}(?:那|就|我|先|今天|好的?|ok|and|that's (?:it|all)(?: for (?:now|today))?|i'm|gotta|have to|i have to)*{_ADDRESS}(?:[\s,.!]|再见|拜拜|回见|下次见|回头见|明天见|晚安|先这样|就这样|下班|撤了|走了|bye+|goodbye|bye bye|see (?:you|ya)(?: (?:later|tomorrow|soon))?|good ?night|later|talk (?:to you )?later|ttyl|cya|take care|go now|signing off|logging off|that's (?:it|all)(?: for (?:now|today))?|have a (?:good|nice) (?:one|day|night|evening))+{_ADDRESS}$"
)
_RESET = pattern(
    r"重新(?:开始|来|诊断|排查|开个|开一个|起一个|开头)(?!报|出|抛|慢|卡|跑|执行|变|写|连)|从头(?:再)?(?:来|开始|排查|诊断|弄)|重来|推倒重|清(?:空|除|掉)(?:所有|全部|一下|之前|会话|上下文|对话|记录|重|诊断)|"
    r"(?:换|开|新建|新开|来|起)(?:一?个|一?)?(?:新的?|别的|另一?个|另外一?个)?(?:问题|故障|case|会话|诊断|话题|案子|对话|session)|新(?:的)?(?:问题|故障|case|会话|诊断|案子|对话)(?:来了|开始)?$|"
    r"(?:结束|放弃|关掉)(?:这|当前|本)(?:次|个|轮)(?:诊断|会话|排查|case)|重置|另起炉灶|(?:前面|之前|以上|上面|刚才)(?:说)?的?(?:全部?|都|统统)?(?:作废|不算|忘|清)|(?:现在|改)(?:来)?看(?:另外?|别的)一?[个台套](?:库|实例|集群|机器|系统)",
    r"(?:start|begin|kick|go)(?:ing)?(?: this| it| the \w+| everything| all)? (?:over|again|afresh|anew|fresh|from (?:scratch|zero|the (?:top|beginning|start)))|from (?:scratch|zero|square one)|"
    r"(?<![\w'])(?:new|another|different|separate|fresh|next) (?:case|issue|session|problem|incident|diagnosis|conversation|topic|start|investigation|one now)(?![\w'])|"
    r"^(?:please |let's |lets |can (?:we|you) |could (?:we|you) |ok |now |just )*(?:reset|restart (?:the |this |our )?(?:diagnosis|session|conversation|case|chat|investigation|over|please)|restart$|start over|clear (?:the |this |all |everything|it)|wipe)|"
    r"(?:reset|clear|wipe|drop|discard|forget|throw away) (?:everything|all|the (?:session|case|diagnosis|conversation|evidence|context|slate|state)|this (?:session|case))|clean slate|square one|do[- ]?over",
)
_RESET_NOT = re.compile(
    r"(?:别|不用|不要|无需|不必)(?:再)?(?:重|从头|清)|don't (?:start|reset|wipe)|(?:重启|restart\w*) ?(?:了|过|后|the (?:db|database|server|instance|app)|postgres)|began|started after|started again after|又(?:开始|慢)|报错|计数|stat_reset"
)
_ROLE = r"(?:system|assistant|developer|admin|administrator|root|dbdiag|ai|bot|系统|助手|管理员|开发者|机器人)(?: ?(?:prompt|message|notice|override|instruction|note|update|提示|消息|通知|指令|公告))?"
# One expression each: together they cannot be searched for by what they begin with, which is slow on long texts.
_POSED = tuple(
    re.compile(expression, re.MULTILINE)
    for expression in (
        rf"(?:^|(?<=[.。!?;,\n\s]))[\[<(#*{{【《\"'|/]{{0,9}}\s{{0,9}}{_ROLE}\s*[\]>)}}】》\"'|]*\s*[:=>].*?(?=——|[,.。!\s](?:anyway|btw|by the way|反正|话说回来|言归正传|说正事)(?![a-z])|$)",
        r"<\|?/?(?:im_start|im_end|system|assistant|user|s|inst)\|?>"
        r".*?(?:</(?:system|assistant|inst)>(?!.*</?(?:system|assistant|user|inst)\b)|$)",
        r"\[/?(?:inst|system|assistant)\].*$",
        r"[\"'“‘「][^\"'”’」\n]{0,120}(?:assistant|system|dbdiag|助手|系统)[^\"'”’」\n]{0,160}[\"'”’」]",
        r"\{[^{}\n]*[\"']role[\"']\s*:\s*[\"'](?:system|assistant)[\"'][^{}\n]*\}",
        r"(?:^|(?<=[.。!\n]))\s*(?:the )?user (?:has |have |already )*(?:confirmed|denied|verified|approved|agreed)[^.。\n]*|(?:^|(?<=[.。!\n]))\s*用户(?:已经?|都)*(?:确认|否认|核实|同意)[^.。\n]*",
        r"#+\s*(?:assistant|system)\s+(?:must|should|shall|will)[^。\n]*",
        r"###\s*(?:system|instruction|new|assistant).*$",
        r"(?:begin|end) system prompt.*$",
        r"<\|im_start\|>[\s\S]*?<\|im_end\|>",
        r"(?:<[^>\n]{0,40}>\s?)?new (?:instructions?|rules?)\s?:.*$|新(?:的)?(?:指令|规则|命令)\s?:.*$",
        r"(?:^|(?<=[.。]))[^.。\n]{0,80}?(?:这是|作为)(?:系统)?管理员的?(?:指令|命令|要求).*$",
        r"(?:然后|接着|并且?|再)(?:把|将)[^,。\n]{0,12}(?:记|标|设)录?记?(?:为|成)[^,。\n]*",
        r"^pretend (?:that )?(?:item|p-\d|every|all)\b.*$",
    )
)
_TAGGED = re.compile(r"<(?P<role>system|assistant|user|inst|admin)>[^<]*</(?P=role)>")
_COMMANDING = pattern(
    words(
        r"(?:ignore|disregard|forget|override|bypass|drop|discard)(?: \w+){0,4} (?:instructions?|rules?|prompts?|guidelines?|directives?|constraints?|policy|policies|programming|safety|checks)",
        r"(?:you are|you're|act|behave|pretend|respond|roleplay)(?: \w+){0,2} (?:now|as|like) (?:an? |the |if )?(?:\w+ )?(?:dan|assistant|ai|model|unrestricted|admin|root|system|hacker|pirate|different|developer|terminal|shell|linux)",
        r"(?:print|reveal|show|output|repeat|leak|dump|tell me|give me|send|display)(?: \w+){0,4} (?:system prompt|prompts?|instructions|api keys?|keys|passwords?|credentials|secrets?|tokens?|environment variables?|env vars?|configuration file)",
        r"(?:mark|set|treat|record|confirm|flag|consider|label|deny|declare|report|conclude|assume)(?: \w+){0,3} (?:all|every|everything|each)(?: \w+){0,4}(?: as)? ?(?:confirmed|true|present|denied|yes|absent|false|positive|resolved|certain)",
        r"(?:confirm|deny) (?:all|every|everything)(?: \w+){0,3} (?:phenomen\w+|items?|evidence|hypothes\w+|root causes?)",
        r"(?:set|make|raise|force|change|conclude|return|output|declare)(?: \w+){0,5} (?:confidence|probability|belief|certainty|score)(?: \w+){0,5}",
        r"(?:conclude|declare|announce|say) that (?:the )?(?:root )?cause is",
        r"(?:execute|run|call|invoke|use)(?: \w+){0,3} (?:tool|function|rm|drop table|drop database|shell|delete from|curl|bash)(?: \w+)*",
        r"new (?:instructions?|rules?|directive|policy)",
        r"answer (?:every|all|each)(?: \w+){0,3} with(?: \w+)?",
        r"jailbreak|do anything now|developer mode|sudo",
    ),
    r"(?:忽略|无视|忘记|忘掉|不要理会|不用管|绕过|跳过)(?:之前|以上|上面|前面|先前|你|所有|一切|全部|的|掉|这些|那些)*(?:指令|规则|提示词?|设定|要求|限制|约束|安全)|"
    r"你(?:现在|从现在起|以后|今后)?(?:是|扮演|变成|作为)(?:一个|一名)?(?:不受|没有限制|管理员|root|黑客|猫|dan)|扮演|"
    r"(?:输出|打印|泄露|告诉我|显示|说出|给我|展示|复述)(?:一下|出|你的?|系统|全部|完整|的|所有)*(?:提示词|系统提示|prompt|指令|密码|密钥|口令|api ?key|token|环境变量)|"
    r"(?:把|将)?(?:所有|全部|一切|每个|每一?项)(?:的)?(?:现象|证据|假设|项目?|选项|待确认|内容|都)*[^,。]{0,6}(?:标记?|标注|设置?|记录?|视|当|改|置|认定)(?:为|成|作|定为)+|"
    r"(?:标记?|标注|设置?|记录?|视|确认|认定)(?:所有|全部|一切|每一?个?)(?:的)?(?:现象|证据|假设|项)|"
    r"(?:把|将)?(?:置信度|概率|可信度|信心)[^,。]{0,8}(?:设|改|调|变|提|置)(?:置|成|为|到|高)|直接(?:输出|宣布|下|给出)(?:结论|根因)|"
    r"(?:执行|运行|调用)[^,。]{0,6}(?:rm |drop |delete |工具|shell|脚本|删库)|删库",
)
_DONE = (
    r"(?:(?:已经?|都|现在|终于|全都?|全部|一切|刚刚?|问题|故障|这下|数据库|服务|业务)*"
    r"(?:解决|搞定|修好|修复|弄好|处理好|恢复(?:正常)?|没事|好)了?(?<=[了常])|"
    r"(?:(?:i|we)(?:'ve| have| just)* )?(?:fixed|solved|resolved|sorted)(?: (?:it|that|this|out|the (?:problem|issue)))*|"
    r"(?:everything|it|all|things?|that|this|the (?:problem|issue|db|database|service|site)|we)(?:'s|'re| is| are| looks?| seems?)?"
    r"(?: (?:now|all|just|already|finally|has|have|been))* (?:back to normal|back up|back online|recovered|fixed|solved|resolved|gone|normal again|"
    r"(?:fine|ok(?:ay)?|good|works?|working|fast)(?: just fine)? (?:now|again))|"
    r"problem (?:solved|gone|fixed)|all good now|that (?:fixed|did|solved) it|works? again)"
)
_ACTED = (
    r"(?:(?:我|我们|刚|刚刚|把它?|它|直接)*(?:杀|kill|重启|回滚|扩容|停|取消|清理|调整?|改)(?:掉|完|好)?了?(?:它|那个会话|那个)?(?:之后|以后|后)?(?:就|才)?|"
    r"(?:(?:i|we)(?:'ve| have| just)* )?(?:killed|restarted|rebooted|cancelled|canceled|stopped|rolled back|terminated|reverted)"
    r"(?: (?:it|that|this|them|the (?:session|query|job|deploy|release)))?(?: and)?)"
)
_THANKED = r"(?:[\s,.!]|谢谢?|感谢|多谢|辛苦了?|你|您|啦|了|thanks?(?: you| a lot| so much)?|thx|cheers|great|nice|super|perfect|now|yay|and)*"
_GOOD_NEWS = re.compile(rf"(?:{_ACTED}[\s,]*)?{_DONE}{_THANKED}(?:{_DONE}{_THANKED})?")
# Talk is short; a longer text that begins so is about something.
_TALK_LENGTH = 80
_COMMANDS: dict[str, PlanStep] = {
    "/undo": CorrectionStep(Reference(group=Group.LAST_TURN), retract=True),
    "/reset": ResetStep(),
    "/status": QuestionStep(QuestionKind.PROGRESS, text="/status"),
    "/why": QuestionStep(QuestionKind.REASONING, text="/why"),
    "/history": QuestionStep(QuestionKind.HISTORY, text="/history"),
    "/help": QuestionStep(QuestionKind.HELP, text="/help"),
}


_COMMAND = re.compile(r"/[a-z][a-z_-]*")


def command(message: str, anything_said: bool) -> PlanStep | None:
    """The step of a short command such as `/undo`; help for one that does not exist; None for anything else."""
    word = message.strip().lower()
    if word == "/undo" and not anything_said:
        return QuestionStep(QuestionKind.HISTORY, text=message.strip())
    if word not in _COMMANDS and _COMMAND.fullmatch(word):
        return QuestionStep(QuestionKind.HELP, text=message.strip())
    return _COMMANDS.get(word)


def talk(clause: str) -> SmalltalkKind | None:
    """The kind of talk a normalised text is when it is nothing else."""
    text = clause.strip(" .!~,?")
    if len(text) > _TALK_LENGTH:
        return None
    for expression, kind in (
        (_GREETING, SmalltalkKind.GREETING),
        (_FAREWELL, SmalltalkKind.FAREWELL),
        (_THANKS, SmalltalkKind.THANKS),
    ):
        if text and expression.match(text):
            return kind
    return SmalltalkKind.THANKS if _GOOD_NEWS.fullmatch(text) else None


def resets(sentence: str) -> bool:
    """Whether a normalised sentence asks for a new case."""
    return bool(_RESET.search(sentence)) and not _RESET_NOT.search(sentence)


def posed(text: str) -> list[tuple[int, int]]:
    """The spans of normalised text that pose as the system or as an assistant, each to the end of its line."""
    spans = sorted(match.span() for expression in _POSED for match in expression.finditer(text))
    tags = [match.span() for match in _TAGGED.finditer(text)]
    return sorted({*tags, *(span for span in spans if not any(start <= span[0] < end for start, end in tags))})


def commands_assistant(clause: str) -> bool:
    """Whether a clause orders the assistant to change its rules, its evidence or its belief, or to give away secrets."""
    return bool(_COMMANDING.search(clause))

"""The patterns that separate observations from actions, guesses, conclusions and normal findings."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Reports of who told whom: the rest of the sentence may be an observation.
TOLD = re.compile(
    r"^(?:(?:接到|收到|接|据)?(?:[\u4e00-\u9fff]{0,6}?)(?:业务|用户|客户|开发|应用|前端|运营|监控|值班|系统|现场|平台)(?:方|侧|人员|同事|团队)?"
    r"(?:反馈|报告|反映|投诉|反应|告警|报警|提示|显示|上看|发现)|(?:接到|收到)[^,，:：]{0,12}?(?:告警|报警|反馈|工单)|告警|报警|现象|故障现象|问题现象)"
    r"\s*(?:[:：,，]|显示|说|称|提示|发现|为|是)?\s*(?P<seen>.{4,})$"
    r"|^(?:we |i )?(?:got |received )?(?:an? )?(?:alert|alarm|page|paged|alerted|users?|customers?|monitoring|the monitor|application team)\s*"
    r"(?:fired|said|says|reported|reports?|complained|showed|shows)?\s*(?:that|about|at [\d:]+(?: utc)?)?\s*[:,]?\s+(?P<seen_en>.{8,})$",
    re.IGNORECASE,
)
# What a part of the text is about: the mention of things, or what is no observation.
HEADING = re.compile(
    r"^(?:故障|问题|异常)?(?:现象|表现|分析|原因分析|排查|排查过程|分析过程|过程|背景|检查结果|结果)\s*[:：]\s*|^(?:symptoms?|observations?|analysis|findings?|timeline)\s*:\s*",
    re.IGNORECASE,
)
OTHER_HEADING = re.compile(
    r"^(?:应急|临时|后续|最终|故障)?(?:处理|处置|处理过程|处理措施|处理方法|解决|解决方案|解决办法|恢复|恢复方法|措施|规避措施|建议|优化建议|结论|根因|原因|总结|改进)\s*[:：]"
    r"|^(?:actions?|fix|fixes|resolution|mitigation|conclusion|root cause|cause|recommendations?|next steps?|remedy|lessons)\s*:",
    re.IGNORECASE,
)
# Where somebody looked, and what was seen there.
LOOKED = re.compile(
    r"^(?:我们|dba|运维|现场)?\s*(?P<method>(?:通过|使用|利用|用|从|在)?\s*(?:查看|检查|查询|登录|登陆|通过|使用|执行|运行|观察|分析|抓取|对比|统计|核对|排查|翻看|查|看|巡检|监控|确认|从|explain|用|利用)"
    r"[^。]{0,90}?)\s*(?:[,，:：]\s*)?(?:可以|能|就|也|均|都)?(?:发现|看到|看出|显示|可见|得知|观察到|返回|提示|结果(?:为|是|显示)?)"
    r"\s*(?:了)?\s*[,，:：]?\s*(?P<seen>.{4,})$"
    r"|^(?P<method_tells>[A-Za-z_][\w.%]*(?:\s?(?:视图|表|命令|输出|日志))?)\s*(?:显示|中显示|里显示|提示)\s*[,，:：]?\s*(?P<seen_tells>.{4,})$"
    r"|^(?P<method_within>(?:在|从|查看|检查|查询|看)[^,，:：。]{1,40}?)(?:里面|里|中)(?:有)?\s*(?P<seen_within>[^,，]{4,}.*)$"
    r"|^(?P<method_in>(?:pg_|v\\$|top|iostat|vmstat)[\w.]*(?:\s*(?:视图|表|命令|输出))?)\s*(?:中|里|上|的输出)(?:的|,|，|:|：)?\s*(?P<seen_in>.{4,})$"
    r"|^(?P<method_comma>(?:查看|检查|查询|登录|观察|分析|抓取|统计|核对|执行|运行|看)[^,，:：。]{1,60})[,，:：]\s*(?P<seen_comma>.{4,})$"
    r"|^(?:we |i |dba |the dba )?(?P<method_en>(?:checked|checking|looked at|looking at|looking into|queried|querying|ran|running|inspected|examined|reviewed)\s.{2,80}?)"
    r"\s*(?:,|:|;| and| -| –)\s*(?:and |we |it |i |which |there )*(?:found|saw|see|noticed|shows?|showed|showing|revealed|got|were|was|returned)?\s*(?:that |out )?(?P<seen_en>.{6,})$"
    r"|^(?P<method_shows>[^,，。]{3,60}?) (?:showed|shows|show|revealed|reveals|reported|reports|indicated|indicates|says|told us|confirmed)(?: that| us)? (?P<seen_shows>.{6,})$",
    re.IGNORECASE,
)
FOUND = re.compile(
    r"^(?:我们|dba|进一步|继续)?\s*(?:发现|看到|观察到|可以看到|可见|显示|存在)\s*(?:了)?[,，:：]?\s*(?=\S{3})"
    r"|^(?:we |i )?(?:found|saw|noticed|observed|see|could see)(?: that| out)?\s+",
    re.IGNORECASE,
)
GUESS = _any(
    r"怀疑|猜测|疑似|推测|估计[是为]?|也许|或许|可能(?:是|与|跟|和|由|存在|有关|导致|因为)|应该是|初步(?:判断|认为|分析)|有可能",
    r"\b(?:suspect|suspected|maybe|might|perhaps|probably|possibly|could be|may be|i think|we think|we guess|likely|hypothesis|assum)",
)
CONCLUSION = _any(
    r"^(?:因此|所以|综上|由此|可见|故|从而|于是|总结|结论|说明|表明|判断|定位|确认|最终|得出|证明|也就是说|即|至此)",
    r"根因|根本原因|原因(?:是|为|在于|如下|[:：]|就是)|(?:的|主要|直接)原因$|判断(?:为|是)|定位(?:到|为|是)|确认(?:为|是)|得出结论|可以判断|由此可|问题出在|罪魁",
    r"\b(?:root cause|conclusion|concluded?|therefore|thus|hence|so the|which means|this means|explains?|the cause|caused by|because of|the reason|culprit|turned out|it was the|that is why|that's why)\b",
)
ADVICE = _any(
    r"建议|需要(?!\s*\d)|应当|应该|后续|(?<!执行)(?<!查询)计划(?!任务|中|由|从|是|里|显示|走|变|选)|准备|下一步|待(?:确认|观察|优化)|打算|拟|可考虑|考虑|必要时|避免|优化方案|整改|预防|请(?!求)",
    r"\b(?:should|recommend|recommended|plan to|planned|need to|needs to|will|todo|next step|must|consider|let's|please|to prevent (?!wraparound)|going to|suggest|advise)\b",
)
PROCESS = _any(
    r"^(?:与|和|跟|同|向|找)[^,，]{1,12}(?:确认|沟通|核对|了解|核实|对接|询问)",
    r"^(?:dba|运维|现场|我们|值班人员)?\s*(?:已经?|立即|马上)?(?:联系|通知|沟通|拉群|介入|开始|协调|反馈给|上报|升级(?:给|到)|对接|组织|召集|开会|跟进|转给|咨询|询问|告知|提单|提交工单|接手|继续(?:排查|分析|观察)|持续观察|观察)",
    r"^(?:登录|登陆|连接(?!\s*\d|数|池)|进入)[^,，]{0,20}$|^.{0,10}(?:排查|分析|处理)(?:如下|过程)?$|^(?:排查|分析|处理|定位)过程",
    r"^(?:we |i |the team |dba |support )?(?:contacted|called|asked|told|informed|escalated|opened|joined|started (?!with|after|when|right|at|since|from)|paged|notified|logged in|began (?!with|after|when|right|at|since|from)|met|discussed|waited|continued|kept watching|investigat)",
)
_DOING = (
    r"(?:重启|kill|杀掉?|杀死|终止|中断|回滚|回退|扩容|缩容|调整|调大|调小|修改|增加|添加|新增|创建|新建|重建|删除|清理|清空|手动|手工|升级|切换|切主|倒换|临时(?!文件|表)|"
    r"停止|停掉|停用|启动|开启|打开|关闭|禁用|启用|优化|执行(?!计划|时间|耗时|效率|次数)|运行(?!时间|中)|收集|更新|释放|下线|下掉|限流|迁移|隔离|拆分|改写|改成|改为|设置|配置|替换|修复|恢复|加(?:了|上|索引)|取消|强制|reindex|vacuum|analyze)(?!不|未|失败|慢|缓慢|超时|卡|中断|报错|进程|任务|操作|线程|.{0,12}(?:报|显示|正在|一直))"
)
ACTION = re.compile(
    rf"^(?:已经?|立即|马上|先|紧急|尝试|我们|dba|运维|现场|业务|开发|随即|遂|将|把|对|对[^,，]{{1,20}}|将[^,，]{{1,20}}|把[^,，]{{1,20}})*\s*{_DOING}"
    r"|^(?:we |i |dba |the dba |the team |team |so |after that |as a workaround |temporarily |immediately |manually )*"
    r"(?:restart(?:ed|ing)?|kill(?:ed|ing)?|reboot\w*|terminat\w+|cancel\w*|increas(?:ed|ing) (?:the )?\w+ (?:to|from)|raised|added|adding|created|creating|dropped the|removed|ran (?:vacuum|analyze|reindex)|"
    r"running (?:vacuum|analyze|reindex)|reindex\w*|vacuumed|analyzed|rolled back|failed over|promoted|set |setting |changed|scaled|upgraded|disabled|enabled|deployed|applied|fixed|moved|"
    r"rewrote|tuned|stopped|paused|switched|rebuilt|reverted|freed|deleted|truncated|bumped|lowered|reduced the|executed|adjusted)\b",
    re.IGNORECASE,
)
AFTER_DOING = re.compile(
    rf"{_DOING}.{{0,40}}?(?:之?后|以后)[,，]?\s*(?P<effect>.+)$|^after (?:restart|kill|add|creat|runn|drop|set|chang|rais|vacuum|analyz|disabl|enabl|reindex|increas)\w*\s.{{0,60}}?,\s*(?P<effect_en>.+)$",
    re.IGNORECASE,
)
NORMAL = _any(
    r"(?<![不非未])(?<!恢复)(?<!无法)(?<!不能)正常(?!关闭|退出|水平|值|情况)|(?:在|处于|属于)正常|无(?:明显)?异常|未见(?:明显)?异常|没有(?:明显)?异常|未(?:发现|见)|没有?(?:发现|看到|见到)|没问题|无问题",
    r"(?:没有|无|未见|不存在|未出现)(?:明显的?|任何|大量)?(?:锁(?!超时)|阻塞|慢|报错|错误|告警|等待|死锁|延迟|长事务|丢包|抖动|波动|瓶颈|问题|变化|压力|变更|泄漏|积压|swap|\s*swap)",
    r"^(?:cpu|内存|io|磁盘|网络|负载)?[^,，]{0,8}(?:不高|很低|较低|充足|空闲)$|(?:排除|可排除)|远?未(?:到|达到?|超过?)(?:上限|阈值|瓶颈)",
    r"\b(?:normal(?!ly)|fine|healthy|as usual|unchanged|nothing (?:unusual|suspicious|wrong|special|abnormal|in)|looks? (?:ok|good|fine)|is ok|are ok|were ok|was ok|ruled out|in the clear|not the (?:problem|issue))\b",
    r"\bno (?:locks?|lock waits?|errors?|blocking|blockers?|slow quer\w+|deadlocks?|long[- ]running \w+|issues?|problems?|spikes?|changes?|sign|swap\w*|evidence|other)\b|\bdid not find|\bdidn't find|\bcould not find any|\bwithout (?:any )?errors\b",
)
OVER = _any(
    r"^(?:业务|系统|数据库|服务|应用|故障|问题|一切|均|都|全部|现已|目前|逐渐|逐步|随即|已)*\s*(?:恢复|解决|好转|消除|关闭工单|处理完毕|恢复正常)[^,，]{0,6}$|^(?:目前|现在)?(?:已)?(?:恢复|解决)",
    r"^(?:the )?(?:issue|problem|service|system|incident|everything|all|things|it|business|application|database)?\s*(?:is|was|has been|have|are|went)?\s*(?:now )?(?:resolved|recovered|back to normal|restored|closed|mitigated|solved)\b",
)
TURN = re.compile(
    r"[,，;；]?\s*(?:但是|但|不过|然而|却|只是|而(?=[\u4e00-\u9fffA-Za-z]))\s*[,，]?|,?\s+(?:but|however|yet|while|whereas|although)\b,?\s*",
    re.IGNORECASE,
)
COMMA = re.compile(r"(?<!\d)[,，](?!\d)|[,，](?=[^\d])|\s+(?:and|while)\s+(?=the\s|there\s)", re.IGNORECASE)
# An action on the database whose effect tells something of the fault; a restart's does not.
TELLING_ACTION = _any(
    r"analyze|reindex|vacuum|索引|参数|槽|统计信息|并行|work_mem|\bset\b|enabl|disabl|\bindex|prewarm|预热|会话|session|kill"
)
# A clause that says of the one before it that it was all right.
ALL_RIGHT = _any(
    r"^(?:远?未(?:到|达)|(?:仍|都|均)?在正常|属于正常|并不高|不算高|符合预期)",
    r"^(?:which is|that is|still) (?:normal|fine|expected|ok)",
)
# A clause that goes on with the one before it.
GOES_ON = _any(
    r"^(?:导致|从而|以致|致使|使得|引起|造成|远超|超过|超出|高于|低于|达到|其中|主要|多数|大部分|平均|最[长大高多]|占|共|约|均|都|全部|且|并|而且|持续|平时|日常|正常(?:值|水平|情况)|预期|比|较|从|由|等待|说明|影响|其|该|这|它|原|上限|阈值|报错|报|提示|错误)",
    r"^(?:which|mostly|mainly|most|all|up from|down from|compared|instead|including|usually|normally|causing|leading|so|each|average|the oldest|the longest|waiting|with|where|as|because|since|up to|about|while|when|then|for|after|before|it|they|than|rather|and)\b",
)

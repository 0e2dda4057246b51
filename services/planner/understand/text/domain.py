"""What the talk is about: words of databases and hosts, words of the diagnosis itself, and complaints without content."""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.understand.text.lexicon import (
    FUNCTION_EN,
    FUNCTION_ZH,
    HEDGE_EN,
    HEDGE_ZH,
    pattern,
    words,
)
from services.planner.understand.text.word_lists import compile_words

_ZH_TECH = (
    r"数据库|库|表|索引|查询|语句|事务|锁|连接|会话|缓[冲存]|内存|磁盘|硬盘|日志|复制|备[库机]|主[库从]|从库|同步|归档|写入|读取|提交|"
    r"回滚|执行计划|统计信息|死元组|膨胀|清理|真空|检查点|等待|阻塞|超时|延迟|负载|吞吐|利用率|使用率|命中率|进程|线程|分区|序列|"
    r"字段|参数|配置|权限|网络|带宽|端口|服务器|主机|机器|实例|集群|节点|应用|业务|接口|报表|订单|报错|错误|告警|监控|慢|卡|崩|宕|"
    r"挂|满|响应|性能|并发|扫描|排序|临时文件|复制槽|快照|升级|重启|发布|上线|迁移|备份|恢复|抖动|飙|打满|槽|钱|缓慢|空间|容量|"
    r"发版|发布|变更|割接|下线|网卡|目录|队列|句柄|挂载|系统盘|数据盘|根分区|机房|链路|丢包|内核|上游|下游|压测|跑批|流量|请求|任务|作业|触发器|函数|视图|主键|外键|游标|用户|账号|密码|认证|证书|域名|解析|时间|凌晨|高峰"
)
_EN_TECH = words(
    r"db|dbs|database\w*|postgres\w*|pg\w*|p?sql|xacts?|await|quer(?:y|ies)|statements?|tables?|index(?:es)?|indices|rows?|tuples?|vacuum\w*|"
    r"autovacuum\w*|analy[sz]e\w*|bloat\w*|locks?|locked|locking|deadlocks?|wait\w*|block\w*|transactions?|commit\w*|"
    r"rollback\w*|sessions?|connect\w*|pool\w*|pgbouncer|backends?|process\w*|cpu|memory|mem|ram|oom|swap\w*|disks?|ssd|io|i/o|"
    r"iops|iowait|wal|checkpoint\w*|replica\w*|replication|standby|primary|slot\w*|lag\w*|archiv\w*|logs?|errors?|fatal|"
    r"timeouts?|timed|latency|slow\w*|hang\w*|hung|stuck|freez\w*|crash\w*|restart\w*|down|full|buffers?|cache\w*|hit|temp|"
    r"sort\w*|scan\w*|seq|plan|plans|planner|stat|stats|statistics|joins?|insert\w*|update\w*|delete\w*|select\w*|writes?|reads?|"
    r"load|throughput|tps|qps|network|host|server\w*|node\w*|cluster\w*|app|apps|application\w*|api|reports?|batch|jobs?|"
    r"deploy\w*|release\w*|upgrade\w*|migrat\w*|backup\w*|restore\w*|config\w*|parameter\w*|setting\w*|permission\w*|auth\w*|"
    r"password|ssl|tls|dns|partition\w*|sequence\w*|trigger\w*|function\w*|extension\w*|schema\w*|ddl|alter|users?|"
    r"orders?|prod|production|spikes?|saturat\w*|utili[sz]ation|usage|gb|tb|mb|ms|percent|partial|xid|wraparound|toast|"
    r"dmesg|iostat|vmstat|syslog|journalctl|htop|inodes?|kernel|nics?|queues?|volumes?|mounts?|packets?|daemons?|downstream|upstream|"
    r"work_mem|shared_buffers|max_connections|\w+_\w+|idle|active|clients?|requests?|response\w*|performance|dead|growing|grow\w*"
)
TECH = compile_words("text.tech", words(r"\w+_\w+"), r"\d+(?:\.\d+)?\s*(?:%|ms|[kmgt]b)")
DIAGNOSIS = compile_words("text.diagnosis", r"第[一二三四五\d]")
# A complaint without anything to match: names of "the system", and that it is bad.
_EMPTY_SUBJECT = (
    r"数据库|数据|(?:线上|生产|测试|核心|主|业务|我们的?|咱们的?|这个|那个|整个)?库|系统|服务|线上|生产(?:环境)?|环境|业务|应用|平台|它|"
    r"老板|客户|用户|领导|postgres(?:ql)?|pg|db"
)
_EMPTY_COMPLAINT = (
    r"(?:出|有)?(?:点|了|些|个)?(?:问题|毛病|状况|异常|故障|事儿?)(?:了)?|不(?:对劲|太?对|正常|太?行|好用|太好|稳定?|大好|舒服)|"
    r"好|超|巨|贼|太|老|慢|卡顿?|坏|崩|挂|炸|怪(?:怪的)?|奇怪|告警|报警|求助|救命|帮忙?|帮帮?|看看|看一?下|急|在?投诉|抱怨|催|难用|抽风|出事|怎么回事|咋回事|"
    r"怎么办|咋办|老是|总是|突然|今天|今早|昨天|刚刚?|最近|又|开始|变|得|响应|性能|帮我|麻烦|有点|好像|似乎|感觉"
)
_EMPTY_EN = words(
    r"db|database|databases|postgres|postgresql|pg|system|server|service|prod|production|everything|something|things?|stuff|site|app|"
    r"users?|customers?|boss|slow|slower|slowish|sluggish|broken|weird|strange|odd|off|wrong|bad|badly|down|problems?|issues?|trouble|acting|up|"
    r"behaving|misbehaving|funny|crashed|dying|dead|sick|unhappy|help|please|pls|urgent|asap|complaining|performance|"
    r"feels?|seems?|going|goes|gone|went|working|work|works|today|tonight|suddenly|again|having|not|isn't|doesn't|quite|right|"
    r"since|this|morning|yesterday|hi|hello|paged|alert|alerts|alerting|alarm|got|acts|running|poorly|terrible|awful|can|could|need"
)
_EMPTY = pattern(
    HEDGE_ZH,
    HEDGE_EN,
    _EMPTY_COMPLAINT,
    _EMPTY_SUBJECT,
    _EMPTY_EN,
    FUNCTION_EN,
    FUNCTION_ZH,
    r"[\s,.:;!?…'\"()<>~*/#@&=+|_-]",
    r"\d",
)
# The longest first: "怎么样" before "怎么".
_ASKING = compile_words(
    "text.asking",
    r"(?<![没不])(?<!没有)(?:怎么|怎样|咋|如何|哪|什么|啥|谁|多少)",
    r"(?<![没好十百千这那头前后过有])几(?=[个次条种步轮成项单起桩件张台套份回])",
    r"多(?=久|大|高|长)",
    r"^(?:(?:so|and|but|ok|okay|hey|then|also|well|please|now|hmm+)[, ]+)*(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|am|may|might|isn't|aren't|doesn't|don't|didn't|shouldn't|won't|any)(?![\w'])",
)
_GENITIVE = re.compile(r"(?<=[a-z])'(?:s|re|d|ll|ve)(?![a-z])")
_LETTERS = re.compile(r"[^\W\d_]", re.UNICODE)


def is_technical(text: str) -> bool:
    """Whether normalised text speaks of databases, hosts or their measurements."""
    return bool(TECH.search(_GENITIVE.sub(" ", text)))


def is_vague(text: str) -> bool:
    """Whether a normalised statement complains and says nothing that could be matched."""
    return not _LETTERS.search(_EMPTY.sub("", text))


def is_foreign(question: str) -> bool:
    """Whether a normalised question is about something of neither databases nor this diagnosis."""
    if is_technical(question) or DIAGNOSIS.search(question):
        return False
    return bool(_LETTERS.search(_EMPTY.sub("", _ASKING.sub("", question))))


def has_letters(text: str) -> bool:
    """Whether there is a word in it at all, in any script."""
    return bool(_LETTERS.search(text))

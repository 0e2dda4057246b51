"""What looks, catalogue, settings and the lab say, each beside what it is in Chinese; see `error_pairs.py`."""

from __future__ import annotations

LOOKS = (
    # Hosts, JVMs, other machines.
    (
        "{program} of process {pid}: {why}; is it a JVM, and is this its user or root?",
        "进程 {pid} 的 {program}：{why}；它是 JVM 吗，运行采集的是它的用户或 root 吗？",
    ),
    ("no JVM that this user may see runs {name}", "这个用户看得到的 JVM 里没有运行 {name} 的"),
    ("no thread dump: no line in it begins a thread", "不是线程转储：没有一行是线程的开头"),
    ("it wrote no samples", "它没有给出采样"),
    ("no process used the CPU", "没有进程在用 CPU"),
    ("{name} is not among {known}", "{name} 不在 {known} 之中"),
    ("{source} is read only on the host that the collector runs on", "{source} 只能在采集服务所在的主机上读"),
    ("groups: there are none, or more than can be fetched", "控制组：一个也没有，或多得取不完"),
    ("keeping a copy of /proc/{name} here: {why}", "在本机存 /proc/{name} 的副本：{why}"),
    (
        "{program} or what it is run by (env, timeout) is not there",
        "那边没有 {program}，或没有运行它要用的 env、timeout",
    ),
    ("{program} did not end there in {seconds} s", "那边的 {program} 在 {seconds} 秒内没有结束"),
    ("running {program} there: {why}", "在那边运行 {program}：{why}"),
    # Prometheus.
    (
        "asking {target}: its authority {path} cannot be read: {why}",
        "向 {target} 提问：CA 文件 {path} 读不了：{why}",
    ),
    ("no whole answer within {seconds} s", "{seconds} 秒内没有完整的答复"),
    ("the answer is larger than {count} bytes", "答复超过 {count} 字节"),
    ("{count} series, more than {most}: its labels mean too much", "{count} 条指标，多于 {most}：标签圈得太宽"),
    ("it answered, but not as a Prometheus does", "有答复，但不像 Prometheus"),
    ("it answered with a sample that is no number", "答复里有不是数的采样"),
    ("{where}: it answers packed, which was not asked for", "{where}：答复是压缩的，没有要求它压缩"),
    ("{where}: the login was refused (status {status})", "{where}：登录被拒（状态 {status}）"),
    ("{where}: status {status}, not the API of a Prometheus", "{where}：状态 {status}，不是 Prometheus 的接口"),
    (
        "{check}: no series has {labels}; does its exporter run?",
        "{check}：没有带 {labels} 的指标；它的 exporter 在运行吗？",
    ),
    ("{column}: more than one series for {where}", "{column}：{where} 有不止一条指标"),
    # Calls and records.
    ("collecting: {name} is empty", "采集：{name} 是空的"),
    (
        "collecting: {count} checks were asked for; 1 to {most} can be",
        "采集：要求了 {count} 项检查，可以要 1 到 {most} 项",
    ),
    ("collecting: time_budget_seconds is below zero", "采集：time_budget_seconds 小于零"),
    ("collecting: {check} is no check of the catalogue", "采集：检查目录里没有 {check}"),
    ("collecting: {check} has no parameter {name}", "采集：{check} 没有参数 {name}"),
    ("collecting: {name} of {check} does not match {pattern}", "采集：{check} 的 {name} 不符合 {pattern}"),
    ("listing checks: {category} is no category of the routing", "列检查：路由里没有类别 {category}"),
    ("looking for evidence {ref} of session {session}: it is not there", "会话 {session} 没有证据 {ref}"),
    ("the output {ref} is not kept in {folder}", "{folder} 里没有存输出 {ref}"),
    ("{name} is no reference to an output", "{name} 不是输出的编号"),
    ("{name} is no name of an index", "{name} 不是索引的名字"),
    # A catalogue with an error.
    (
        "a check has one look: SQL for a database; a source or an argv for a host; or PromQL",
        "一项检查只有一种看法：数据库用 SQL，主机用 source 或 argv，或者用 PromQL",
    ),
    ("each query names the target's series by $series", "每条查询用 $series 指明目标的指标"),
    ("a range has steps", "区间要有步长"),
    ("the default {value} does not match {pattern}", "默认值 {value} 不符合 {pattern}"),
    (
        "{phenomenon} speaks of {names}, which is no signal of the check",
        "{phenomenon} 提到的 {names} 不是这项检查的信号",
    ),
    ("{text} is no expression: {why}", "{text} 不是表达式：{why}"),
    ("{text} calls what is no function: {name}", "{text} 调用的 {name} 不是函数"),
    ("{text} has a constant that is no number, truth or text", "{text} 里有既不是数、真假也不是文本的常量"),
    ("{text} has {part}, which is not part of the language", "{text} 里的 {part} 不属于表达式语言"),
    ("{part} is not part of the language", "{part} 不属于表达式语言"),
    ('{text} is no range of versions such as ">=14,<17"', '{text} 不是 ">=14,<17" 这样的版本范围'),
    # Settings and snapshots.
    ("settings: {why}", "设置：{why}"),
    (
        "unknown setting {key} (from {place}); the nearest known one is {nearest}",
        "没有设置项 {key}（来自 {place}）；最接近的是 {nearest}",
    ),
    (
        "{bind} is no address; expected host:port, as in 127.0.0.1:50051, or unix:/path",
        "{bind} 不是地址；应是 host:port，如 127.0.0.1:50051，或 unix:/path",
    ),
    ("that is no URL; expected one like http://127.0.0.1:11434/v1", "这不是网址；应像 http://127.0.0.1:11434/v1"),
    (
        "llm_base_url is set and no model is named; set agent_model and response_model as well",
        "设置了 llm_base_url 却没有指明模型；agent_model 和 response_model 也要设置",
    ),
    (
        "opening the snapshot store: {kind}:// is no kind of store; give a folder, postgresql://... or "
        "s3://bucket/prefix",
        "打开快照库：没有 {kind}:// 这种库；请给目录、postgresql://... 或 s3://bucket/prefix",
    ),
    (
        "opening the snapshot store: {package} is not installed; install dbdiag[{extra}]",
        "打开快照库：没有安装 {package}；请安装 dbdiag[{extra}]",
    ),
    ("removing {path}: {why}; see to its permissions", "删除 {path}：{why}；请看一下它的权限"),
    (
        "looking for snapshot {text}: {count} begin like this; write more of its digits",
        "找快照 {text}：有 {count} 个这样开头，请多写几位",
    ),
    (
        "rolling back: no reason is given; say why, it is kept with the snapshots",
        "回退：没有给原因；请写明，它和快照一起保存",
    ),
    (
        "rolling back in {place}: nothing was published before the current snapshot",
        "在 {place} 回退：当前快照之前没有发布过别的",
    ),
    ("removing snapshot {snapshot}: it is the current one", "删除快照 {snapshot}：它是当前的快照"),
    # Faults made on purpose.
    (
        "the fault {name} is in already; `dbdiag faults clear` ends it",
        "故障 {name} 已经在了；`dbdiag faults clear` 结束它",
    ),
    (
        "ending the fault {name}: its holder did not end it within {seconds} s",
        "结束故障 {name}：造它的进程在 {seconds} 秒内没有结束它",
    ),
    (
        "this fault restarts the server or makes a standby: only the embedded server can have it",
        "这个故障要重启服务器或建备库：只能在内置的服务器上造",
    ),
    (
        "faults are made only as superuser in a database that is marked as disposable; if all that is on "
        "this server may be lost, mark it: {sql}",
        "只有超级用户能造故障，而且数据库要标明可以丢弃；如果这台服务器上的一切都可以丢，就标上：{sql}",
    ),
    (
        "a demo server of {folder} runs already; end it or choose another --data-dir",
        "{folder} 的演示库已经在运行；请结束它，或换一个 --data-dir",
    ),
    ("running {program}: {why}", "运行 {program}：{why}"),
    ("starting the demo database: {why}", "启动演示库：{why}"),
)

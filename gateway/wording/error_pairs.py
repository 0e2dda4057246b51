"""Messages that still are English sentences in the code, each beside its Chinese. Values stand in braces.

The first pair that fits is taken, so the more exact ones come first.
"""

from __future__ import annotations

PAIRS = (
    ("it is no text in UTF-8", "不是 UTF-8 文本"),
    (
        "the package {package} is not installed; the extra `{extra}` brings it",
        "没有安装 {package}；装上可选依赖 `{extra}` 就有",
    ),
    (
        "{session} was begun and not finished; `dbdiag {verb} --resume {again}` goes on with it",
        "{session} 开始了，没有做完；`dbdiag {verb} --resume {again}` 接着做",
    ),
    ("there is no report and no evidence pack in {folder}", "{folder} 里没有报告，也没有证据包"),
    ("there is no diagnosis {session} in {folder}", "{folder} 里没有诊断 {session}"),
    ("there is no unfinished collection {session} in {folder}", "{folder} 里没有未完成的采集 {session}"),
    ("there is no session {session} in this data folder", "这个数据目录里没有会话 {session}"),
    ("it is no evidence pack", "它不是证据包"),
    ("it is no report of a diagnosis", "它不是诊断报告"),
    ("it is no report of a diagnosis: {parts} is not there", "它不是诊断报告：缺了 {parts}"),
    ("it is no trace of a diagnosis", "它不是诊断的轨迹"),
    ("it is of the format {found}; this dbdiag reads {known}", "它的格式是 {found}，这个版本的 dbdiag 只读 {known}"),
    ("reading a trace: it does not begin with a case: {why}", "读轨迹：开头不是一次诊断：{why}"),
    ("reading a trace: a step is damaged: {why}", "读轨迹：有一步损坏了：{why}"),
    ("reading a trace: a proposal is damaged: {why}", "读轨迹：有一个建议损坏了：{why}"),
    ("replaying: the trace ends before the diagnosis does", "重放：轨迹在诊断结束之前就断了"),
    ("replaying: the record has {one}, now it is {other}", "重放：记录里是 {one}，现在得到的是 {other}"),
    ("planning by a model: none is configured; {wanted}", "要用模型规划，但没有配置模型：{wanted}"),
    (
        "set DBDIAG_LLM_BASE_URL and DBDIAG_AGENT_MODEL, or leave --planner out",
        "设置 DBDIAG_LLM_BASE_URL 和 DBDIAG_AGENT_MODEL，或不写 --planner",
    ),
    (
        "no server of the lab runs for {folder}; give --dsn, or the --data-dir it was started with",
        "{folder} 没有在运行的演示库；请给 --dsn，或启动它时用的 --data-dir",
    ),
    ("{why} (see `{command} --help`)", "{why}（用法见 `{command} --help`）"),
    ("name what to investigate: either --target or --dsn", "说明看哪里：--target 和 --dsn 二选一"),
    (
        "--standby-dsn goes with --dsn; of a target its standby stands in the targets file",
        "--standby-dsn 和 --dsn 一起用；目标的备库写在目标文件里",
    ),
    (
        "what a running collector may look at stands in its own targets file: give --target alone",
        "运行中的采集服务能看什么写在它自己的目标文件里：只给 --target",
    ),
    (
        "give a statement, or --json to read JSON lines from standard input",
        "给一条语句，或用 --json 从标准输入读 JSON 行",
    ),
    ("reading line {number} of standard input: {why}", "读标准输入第 {number} 行：{why}"),
)
# The commonest messages of the command line's parser and of the system.
OTHERS = (
    ("No such option {name}.", "没有选项 {name}。"),
    ("No such option {name}. Did you mean {other}?", "没有选项 {name}，是不是 {other}？"),
    ("No such command {name}.", "没有命令 {name}。"),
    ("Missing argument {name}.", "缺少参数 {name}。"),
    ("Missing option {name}.", "缺少选项 {name}。"),
    ("Option {name} requires an argument.", "选项 {name} 要带一个值。"),
    ("Got unexpected extra argument ({name})", "多了参数 {name}"),
    ("Got unexpected extra arguments ({names})", "多了参数 {names}"),
    ("Invalid value for {name}: {why}", "{name} 的值不对：{why}"),
    ("{value} is not in the range {range}.", "{value} 不在 {range} 之内。"),
    ("{value} is not one of {known}.", "{value} 不是 {known} 之一。"),
    ("{value} is not a valid integer.", "{value} 不是整数。"),
    ("{value} is not a valid float.", "{value} 不是数。"),
    ("File {name} does not exist.", "文件 {name} 不存在。"),
    ("File {name} is a directory.", "{name} 是目录，不是文件。"),
    ("Directory {name} does not exist.", "目录 {name} 不存在。"),
    ("Directory {name} is a file.", "{name} 是文件，不是目录。"),
    ("Permission denied", "没有权限"),
    ("Operation not permitted", "不允许这样做"),
    ("Not a directory", "不是目录"),
    ("Is a directory", "是个目录"),
    ("No such file or directory", "没有这个文件或目录"),
    ("Read-only file system", "文件系统是只读的"),
    ("No space left on device", "磁盘满了"),
    ("Connection refused", "连接被拒"),
    ("reading {file}: {why}", "读 {file}：{why}"),
)

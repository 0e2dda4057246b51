"""What the command line itself says, in Chinese and English, and which of the two to use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

LanguageCode = Literal["zh", "en"]

_ZH = {
    "welcome": "dbdiag · 说说数据库怎么了，一句话就行。/help 看能做什么，Ctrl-D 离开。",
    "starting": "没有在运行的 dbdiag，正在本目录的 {folder} 里自己启动…",
    "started": "已就绪（{seconds:.1f} 秒），数据在 {folder}。",
    "prompt": "你 › ",
    "thinking": "正在看",
    "step_understand": "理解你说的",
    "step_match": "对照已知现象",
    "step_diagnose": "重新计算各根因",
    "step_query": "查结果",
    "step_collect": "自己去看",
    "step_respond": "组织回答",
    "stopped_waiting": "不等了。会话还在，/status 可看现状，也可以继续说。",
    "resuming": "接着会话 {session_id}，已有 {turns} 轮。之前说到：",
    "you": "你",
    "how_to_resume": "会话 {session_id} 已保存。继续：{command}",
    "goodbye": "再见。",
    "how_to_close": "怎么关闭：/close RC-0001 做了什么有用，或者 /close 用一句话说新的根因",
    "closed": "已关闭，定为 {cause}。提案 {proposal} 等人接受；在那之前什么都不会学。",
    "closed_preview": "学会后本案例的 {cause}：{before:.0%} → {after:.0%}；{replayed} 个旧案例里 {changed} 个会变。",
    "closed_quarantined": "证据大多是自动采集的，先隔离：接受时要有人担保。",
    "nothing_to_close": "还没有说过什么，没有案例可关闭。",
    "closed_held_out": "它被留作检验，接受后也不会学。",
    "local_help": "另外：/close RC-0001 关闭案例，/exit 离开，Ctrl-C 不再等这次回答，Ctrl-D 离开并保留会话。",
    "unknown_command": "没有 {command} 这个命令。可用：{known}",
    "failed": "没成：{message}",
    "try_again": "会话没受影响，可以再说一次。",
    "up_ready": "dbdiag 已就绪（{seconds:.1f} 秒）",
    "up_page": "页面",
    "up_chat": "对话",
    "up_other_terminal": "（在另一个终端）",
    "up_knowledge": "知识",
    "up_counts": "{phenomena} 个现象，{root_causes} 个根因，{tickets} 张工单（{snapshot}）",
    "up_data": "数据",
    "up_model": "模型",
    "up_no_model": "无（按规则）",
    "up_models": "{names}，在 {host}",
    "up_stop": "按 Ctrl-C 停止。",
}

_EN = {
    "welcome": "dbdiag · Say what is wrong with the database; one sentence will do. /help for more, Ctrl-D to leave.",
    "starting": "No dbdiag is running; starting one here, in {folder} …",
    "started": "Ready ({seconds:.1f} s); data in {folder}.",
    "prompt": "you › ",
    "thinking": "looking",
    "step_understand": "reading what you said",
    "step_match": "comparing with known phenomena",
    "step_diagnose": "weighing the causes",
    "step_query": "looking it up",
    "step_collect": "looking at the system",
    "step_respond": "wording the answer",
    "stopped_waiting": "Stopped waiting. The session is kept: /status shows where it stands, or just go on.",
    "resuming": "Resuming session {session_id}, {turns} turns so far. You were at:",
    "you": "you",
    "how_to_resume": "Session {session_id} is saved. Go on with: {command}",
    "goodbye": "Goodbye.",
    "how_to_close": "To close: /close RC-0001 what helped, or /close the new cause in a sentence",
    "closed": "Closed as {cause}. Proposal {proposal} waits for a person; until then nothing is learned.",
    "closed_preview": "Once learned, {cause}: {before:.0%} → {after:.0%}; {changed} of {replayed} past cases change.",
    "closed_quarantined": "Most of its evidence was collected automatically: whoever accepts it must vouch for it.",
    "nothing_to_close": "Nothing was said yet; there is no case to close.",
    "closed_held_out": "It is kept for checking: even accepted, it never teaches.",
    "local_help": "Also: /close RC-0001 closes the case, /exit leaves, Ctrl-C stops waiting for an answer, "
    "Ctrl-D leaves and keeps the session.",
    "unknown_command": "There is no command {command}. Known: {known}",
    "failed": "That did not work: {message}",
    "try_again": "The session is as it was; you can say it again.",
    "up_ready": "dbdiag is ready ({seconds:.1f} s)",
    "up_page": "page",
    "up_chat": "chat",
    "up_other_terminal": "(in another terminal)",
    "up_knowledge": "knowledge",
    "up_counts": "{phenomena} phenomena, {root_causes} root causes, {tickets} tickets ({snapshot})",
    "up_data": "data",
    "up_model": "model",
    "up_no_model": "none (rules)",
    "up_models": "{names} at {host}",
    "up_stop": "Ctrl-C stops it.",
}

PHRASES: Mapping[LanguageCode, Mapping[str, str]] = {"zh": _ZH, "en": _EN}

_STEPS = (
    ("collect", "step_collect"),
    ("match", "step_match"),
    ("diagnose", "step_diagnose"),
    ("respond", "step_respond"),
    ("decide", "step_understand"),
    ("understand", "step_understand"),
    ("query", "step_query"),
    ("show", "step_query"),
    ("explain", "step_query"),
    ("what_if", "step_query"),
)


def say(language: LanguageCode, key: str, **values: object) -> str:
    """One phrase in `language`, filled in."""
    return PHRASES[language][key].format(**values)


def step_words(language: LanguageCode, step: str, note: str = "") -> str:
    """Words for a step of the turn and what it is at; for one without words, that something is being done."""
    key = next((key for word, key in _STEPS if word in step.lower()), "thinking")
    return f"{say(language, key)} · {note}" if note else say(language, key)


def choose_language(wanted: str | None, environ: Mapping[str, str]) -> LanguageCode:
    """What was asked for, else what the locale says: Chinese where it starts with zh, English elsewhere."""
    if wanted in ("zh", "en"):
        return "zh" if wanted == "zh" else "en"
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"

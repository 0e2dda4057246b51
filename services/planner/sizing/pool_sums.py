"""Whether the connections that somebody counts can be those of the pools: instances times pool size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from lang.objects.named_objects import tables_in
from lang.objects.servers_and_clients import CONNECTIONS, INSTANCES, clients_counted
from lang.objects.settings_said import SETTING, amount_of, values_told
from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.text.word_lists import listed

# In place of an action: whether the pools can hold what is counted.
POOLS = "pools"
_SIZE, _LIMIT = "maximum_pool_size", "max_connections"
_ASKS = listed("pool_sums.asks")
_OF_POOLS = listed("pool_sums.of_pools")
_NUMBER = re.compile(
    r"(?<![\w.:-])\d{2,6}(?![\w%:-]|\.\d|\s*(?:%|[kmg]b|ms|hours?|min|sec|小时|分钟|秒))", re.IGNORECASE | re.ASCII
)
_PER_HOST = re.compile(
    r"(\d{1,5})[^\d.?!,;]{0,24}?(?:per|a|each|/|on each|on every) ?(?:host|node|box|machine|server|vm)\b"
    r"|每(?:台|个)?(?:主机|机器|节点|服务器)[^\d，。]{0,8}(\d{1,5})",
    re.IGNORECASE,
)
_PER_INSTANCE = re.compile(
    r"(\d{1,5})[^\d.?!,;]{0,24}?(?:per|a|each|/) ?(?:pod|instance|replica|container|app)\b"
    r"|每个?(?:pod|实例|副本|容器)[^\d，。]{0,8}(\d{1,5})",
    re.IGNORECASE,
)
_COUNTS = ("n", "cnt", "count", "count(*)", "sessions", "connections", "conns", "num", "total")
_MISTAKEN = (
    *(None, QuestionTopic.RELATED, QuestionTopic.OF_CAUSE, QuestionTopic.COMMON, QuestionTopic.MECHANISM),
    *(QuestionTopic.CERTAINTY, QuestionTopic.IDENTIFICATION, QuestionTopic.OBJECT, QuestionTopic.MEANING),
)


class PoolSum(NamedTuple):
    """What the pools may hold, of what that is the product, and what is there; per: of one host or instance alone."""

    instances: int
    size: int
    seen: int
    limit: int = 0
    per: str = ""

    @property
    def sum(self) -> int:
        """All that the pools may hold."""
        return self.instances * self.size


def with_pool_sums(plan: TurnPlan, said: str, message: str, view: SessionView) -> TurnPlan:
    """The plan with the question how so many connections come from the pools, where their size is known."""
    sentences = [*sentences_of(said)]
    asked = [each for each in sentences if _ASKS.search(each.lower())]
    found = _pool_sum(said, message, asked, view) if asked and not said.startswith("/") else None
    if found is None:
        return plan
    words = next((each for each in asked if str(found.seen) in each or _OF_POOLS.search(each.lower())), asked[-1])
    text = "\n".join((words, " ".join(map(str, found)).strip()))
    step = QuestionStep(QuestionKind.HELP, text=text, topic=QuestionTopic.IDENTIFICATION, action=POOLS)
    return replace(plan, steps=(*(each for each in plan.steps if not _is_mistaken(each, words)), step))


def pool_sum_of(text: str) -> PoolSum | None:
    """The figures behind such a question."""
    instances, size, seen, limit, *per = text.partition("\n")[2].split() or [""] * 4
    return PoolSum(int(instances), int(size), int(seen), int(limit), *per) if seen else None


def _pool_sum(said: str, message: str, asked: Sequence[str], view: SessionView) -> PoolSum | None:
    told = {**_numbers(each.name for each in view.settings if each.kind == SETTING), **_now(said)}
    size, limit = int(told.get(_SIZE, 0)), int(told.get(_LIMIT, 0))
    if not size or not (_OF_POOLS.search(said.lower()) or _OF_POOLS.search("\n".join(asked).lower())):
        return None
    hosts = [int(one or other) for one, other in _PER_HOST.findall(said)]
    if len(hosts) > 1 and min(hosts) < max(hosts):
        return PoolSum(min(hosts), size, max(hosts), limit, "host")
    each = [int(one or other) for one, other in _PER_INSTANCE.findall(said)]
    if more := [count for count in each if count > size]:
        return PoolSum(1, size, max(more), limit, "instance")
    instances = int(told.get(INSTANCES, 0))
    own = {instances, size, limit, instances * size}
    seen = [*_counts_of(asked, own), *_counted(message), *_counts_of([said], own), int(told.get(CONNECTIONS, 0))]
    return PoolSum(instances, size, seen[0], limit) if instances and seen[0] else None


def _counts_of(texts: Sequence[str], own: set[int]) -> list[int]:
    """The largest number of texts that is none of the pools'."""
    found = [int(each) for text in texts for each in _NUMBER.findall(text)]
    return sorted((each for each in found if each not in own), reverse=True)[:1]


def _counted(message: str) -> Iterator[int]:
    """What the column of counts of a pasted table comes to."""
    for table in tables_in(message) if "\n" in message else ():
        at = next((place for place, name in enumerate(table.columns) if name.strip().lower() in _COUNTS), None)
        cells = [row[at].strip() for row in table.rows if at is not None and at < len(row)]
        if cells and all(map(str.isdecimal, cells)):
            yield sum(map(int, cells))


def _now(said: str) -> Mapping[str, float]:
    named = [f"{each.name}={each.value}" for each in values_told(said) if each.value]
    return _numbers((*named, *(f"{name}={count}" for name, count in clients_counted(said))))


def _numbers(told: Iterator[str] | tuple[str, ...]) -> Mapping[str, float]:
    amounts = ((each.partition("=")[0], amount_of(each.partition("=")[2])) for each in told)
    return {name: amount for name, amount in amounts if amount is not None}


def _is_mistaken(step: PlanStep, words: str) -> bool:
    """Whether a step is another reading of the question."""
    match step:
        case QuestionStep(topic=topic, text=text):
            same = is_of(step, words) or plain(words) in plain(text.partition("\n")[0])
            return same and topic in _MISTAKEN
        case ObservationStep(text=text) | ClarifyStep(words=text) | FeedbackStep(words=text):
            return is_question(words) and plain(text) in plain(words) and text.rstrip().endswith(("?", "？"))
    return False

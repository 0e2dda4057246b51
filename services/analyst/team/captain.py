"""The planner: decides which member works next and never writes SQL itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel

from services.analyst.team.state import Action, Agent, Execution, TeamState
from services.chassis.llm import LanguageModel, ModelFailed, Usage

_TEXTS = Path(__file__).parent / "team.yaml"
_PROMPT = Path(__file__).parents[1] / "prompts" / "captain.md"
MOST_MENDS = 2
MOST_RETURNS = 1
_SAME_ERROR = 2
_FAILURES_IN_A_ROW = 3
_SHOWN = 160


class Choice(BaseModel):
    """The captain's choice as a model gives it."""

    next: Literal["semantic_parser", "sql_generator", "result_evaluator", "give_up"]


@dataclass(frozen=True)
class Member:
    """A member of the team as the captain presents it."""

    code: Agent
    name: str
    skills: str


@cache
def members(language: str) -> tuple[Member, ...]:
    """The team in a language."""
    side = "en" if language == "en" else "zh"
    table = yaml.load(_TEXTS.read_text("utf-8"), yaml.CSafeLoader)["members"]
    return tuple(Member(code, each["name"][side], each["skills"][side]) for code, each in table.items())


@cache
def _texts(language: str) -> dict[str, str]:
    side = "en" if language == "en" else "zh"
    table = yaml.load(_TEXTS.read_text("utf-8"), yaml.CSafeLoader)["texts"]
    return {name: each[side] for name, each in table.items()}


class Captain:
    """Keeps the history of a question in its state. model: helps to choose after a failure; rules decide without it."""

    def __init__(self, model: LanguageModel | None = None) -> None:
        self._model = model

    def record_execution(
        self,
        state: TeamState,
        agent: Agent,
        input_summary: str,
        output_summary: str,
        success: bool,
        error_class: str = "",
    ) -> Execution:
        """Adds a step to the history."""
        step = len(state.history) + 1
        shown = (input_summary[:_SHOWN], output_summary[:_SHOWN])
        state.history.append(Execution(step, agent, *shown, success, error_class))
        return state.history[-1]

    def error_pattern(self, state: TeamState) -> dict[str, int]:
        """How often each class of error occurred, such as {"column not found": 2}."""
        return dict(Counter(each.error_class for each in state.history if not each.success))

    def should_change_strategy(self, state: TeamState) -> bool:
        """True if the error that occurred last occurred before, or one agent has failed again and again."""
        failed = [each for each in state.history if not each.success]
        if not failed or state.history[-1].success:
            return False
        if self.error_pattern(state)[failed[-1].error_class] >= _SAME_ERROR * (state.returns + 1):
            return True
        last = state.history[-_FAILURES_IN_A_ROW:]
        return len(last) == _FAILURES_IN_A_ROW and all(
            not each.success and each.agent == last[0].agent for each in last
        )

    def decide(self, state: TeamState) -> Action:
        """The next action by rules.

        A first error is mended; the same error twice goes back to the semantic parser; after more than two mends the
        person is asked whether the question was misread; what still fails after a return is given up.
        """
        if not state.need_result:
            return "finish"
        if state.need_intent:
            return "semantic_parser" if state.reading is None or state.returns else "finish"
        if state.need_sql:
            return "sql_generator"
        if len(state.mends) > MOST_MENDS:
            return "ask"
        if state.exhausted or self.should_change_strategy(state):
            return "semantic_parser" if state.returns < MOST_RETURNS else "give_up"
        return "result_evaluator"

    async def decide_with_llm(self, state: TeamState, usage: Usage) -> Action:
        """The next action; after a failure a model chooses among what the rules leave open."""
        ruled = self.decide(state)
        open_choice = ruled == "result_evaluator" and bool(state.history) and not state.history[-1].success
        if self._model is None or not open_choice:
            return ruled
        prompt = _PROMPT.read_text("utf-8").format(briefing=self.brief(state))
        try:
            choice = await self._model.structured([{"role": "user", "content": prompt}], Choice, usage)
        except ModelFailed:
            return ruled
        if choice.next == "semantic_parser":
            return "semantic_parser" if state.returns < MOST_RETURNS else ruled
        return choice.next if choice.next == "give_up" else ruled

    def brief(self, state: TeamState) -> str:
        """The task, the team, its history and advice, as a captain reads them."""
        say = _texts(state.language)
        lines = [say["task"].format(question=state.question), "", say["team"]]
        for member in members(state.language):
            lines.append(say["member"].format(name=member.name, code=member.code, skills=member.skills))
        lines += ["", say["history"]]
        for each in state.history:
            lines.append(f"{each.step}. [{'✓' if each.success else '✗'}] {each.agent} (Step {each.step})")
            lines.append(say["input"].format(text=each.input_summary))
            lines.append(say["output" if each.success else "error"].format(text=each.output_summary))
        lines += ["", say["advice"], *self._advice(state, say), "", say["choice"]]
        return "\n".join(lines)

    def _advice(self, state: TeamState, say: dict[str, str]) -> list[str]:
        pattern = self.error_pattern(state)
        if not pattern:
            return [say["advice_go_on"]]
        worst = max(pattern, key=pattern.__getitem__)
        key = "advice_go_back" if self.should_change_strategy(state) else "advice_mend"
        return [say[key].format(error=worst, count=pattern[worst])]

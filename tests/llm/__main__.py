"""`make test-llm`: the evaluation with a real language model on this machine, beside the rules alone.

`make test-llm LLM="--sample 20 --cases FILE..."`. It ends with status 1 when any row is worse with the model.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from services.chassis.llm import connect
from services.chassis.settings import LlmSettings
from tests.llm import matching, understanding
from tests.llm.remembering import Remembering
from tests.llm.serving import served
from tests.llm.weights import joined

_CASES = sorted(understanding.HERE.glob("*.jsonl"))
_FALLING = ("wrong", "forced")


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.llm", description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="messages, of those that the rules are unsure of")
    parser.add_argument("--texts", type=int, default=30, help="labelled sentences that the matcher reads")
    parser.add_argument("--cases", type=Path, nargs="+", default=_CASES, help="files of labelled messages")
    parser.add_argument("--world", type=Path, help="the phenomena that these files name, in the world form")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--weights", type=Path, help="another model's GGUF file")
    parser.add_argument("--url", help="an endpoint that serves already, in place of the local model")
    parser.add_argument("--remember", type=Path, help="a file that keeps the model's answers between runs")
    parser.add_argument("--seconds", type=float, default=120.0, help="the time of one answer")
    return parser.parse_args(given)


async def evaluated(options: argparse.Namespace, url: str) -> list[str]:
    """Prints both columns; the rows that are worse with the model."""
    settings = LlmSettings(llm_base_url=url, llm_timeout_seconds=options.seconds, llm_max_retries=0)
    endpoint = connect(settings, "local")
    assert endpoint is not None
    model = Remembering(endpoint, options.remember)
    known = understanding.known_names(options.world)
    unsure, whole = understanding.unsure_cases(options.cases, known)
    cases = understanding.sampled(unsure, options.sample)
    print(f"understanding: of {whole} messages a model is asked about {len(unsure)}; sample {len(cases)}")
    found = await understanding.compared(model, cases, known)
    cost, turns = found.cost, max(len(cases), 1)
    if cases and cost["model_unreachable"] == len(cases):
        raise RuntimeError(f"the model at {url} answered nothing")
    print("\n".join(found.changed))
    worse = printed(found.rules.rows(), found.model.rows())
    tokens = f"{cost['prompt'] / turns:.0f} + {cost['completion'] / turns:.0f} tokens"
    print(f"a turn: {cost['calls'] / turns:.2f} calls, {tokens}, {found.seconds / turns:.1f} s")
    print("came of it:", {name: cost[name] for name in cost if name not in ("calls", "prompt", "completion")})
    worse += await _matched(model, options.texts)
    await model.close()
    return worse


async def _matched(model: Remembering, count: int) -> list[str]:
    """What a model reads wrong is wrong; what the rules read it may put in doubt and not take away."""
    rows = matching.sampled(count)
    print(f"matching: {len(rows)} labelled sentences")
    found = await matching.compared(model, rows)
    print("\n".join(found.changed))
    worse = [name for name in printed(found.rules.rows(), found.model.rows()) if name == matching.NEVER_WORSE]
    cost, texts = found.cost, max(len(rows), 1)
    tokens = f"{cost['prompt'] / texts:.0f} + {cost['completion'] / texts:.0f} tokens"
    print(f"a text: {cost['calls'] / texts:.2f} calls, {tokens}, {found.seconds / texts:.1f} s")
    print(
        "came of it:", {name: cost[name] for name in cost if name not in ("calls", "prompt", "completion")}, flush=True
    )
    return worse


def printed(rules: Mapping[str, float], model: Mapping[str, float]) -> list[str]:
    """Prints a table of both columns; the rows that are worse with the model."""
    print(f"  {'':34}{'rules':>8}{'model':>8}")
    worse = []
    for name, ruled in rules.items():
        falling = any(word in name for word in _FALLING)
        is_worse = model[name] > ruled if falling else model[name] < ruled
        print(f"  {name:34}{ruled:8.3f}{model[name]:8.3f}{'  worse' if is_worse else ''}", flush=True)
        worse += [name] * is_worse
    return worse


def main(given: Sequence[str]) -> int:
    """Runs the evaluation; the status of the process."""
    options, begun = arguments(given), time.perf_counter()
    if options.url:
        worse = asyncio.run(evaluated(options, options.url))
    else:
        weights = options.weights or joined(Path(sys.prefix) / "llm")
        with served(weights, options.threads) as url:
            worse = asyncio.run(evaluated(options, url))
    verdict = f"worse with the model: {', '.join(worse)}" if worse else "no row is worse with the model"
    print(f"{verdict}; {time.perf_counter() - begun:.0f} s in all")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

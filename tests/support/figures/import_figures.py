"""Figures of docs/knowledge.md: `python -m tests.support.figures.import_figures recognition`, or `scale 10000 csv`."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lang import embedding
from services.knowledge.importing.deciding.decisions import PHENOMENON_LIMITS
from services.knowledge.importing.deciding.mentions import anomaly_statement
from services.knowledge.importing.deciding.review import Review
from services.knowledge.importing.importer import import_tickets
from services.knowledge.importing.matching.recognition import PhenomenonRecogniser
from services.knowledge.importing.writing.site import Site
from services.knowledge.library.load import Library, load
from services.knowledge.library.schema import TicketEntry
from services.knowledge.library.shipped_libraries import POSTGRESQL

_AREAS = (
    "订单",
    "库存",
    "支付",
    "会员",
    "结算",
    "物流",
    "广告",
    "风控",
    "报表",
    "账单",
    "搜索",
    "推荐",
    "消息",
    "网关",
)


class RememberingEmbedder:
    """Embeds each text once; the recogniser is built anew for every ticket that is held out."""

    def __init__(self) -> None:
        self._inner, self._known = embedding.load(), dict[str, npt.NDArray[np.float32]]()

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """See Embedder."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(missing, self._inner.embed(missing), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32)


def recognition() -> None:
    """Prints how the labelled anomalies of the shipped tickets are recognised, each ticket held out in turn."""
    library, embedder = load([POSTGRESQL]), RememberingEmbedder()
    total = first = merged = right = 0
    for ticket in library.tickets.values():
        for wanted, best in _held_out(library, ticket, embedder):
            total += 1
            first += bool(best) and best[0][0] == wanted
            scores = [score for _, score in best] + [0.0, 0.0]
            if scores[0] >= PHENOMENON_LIMITS.clear and round(scores[0] - scores[1], 3) >= PHENOMENON_LIMITS.margin:
                merged += 1
                right += best[0][0] == wanted
    print(f"{total} anomalies of {len(library.tickets)} tickets: first {first / total:.3f}")
    print(f"merged {merged}, of these right {right / merged:.3f}")


def _held_out(
    library: Library, ticket: TicketEntry, embedder: RememberingEmbedder
) -> list[tuple[str, list[tuple[str, float]]]]:
    others = {name: other for name, other in library.tickets.items() if other is not ticket}
    site = Site(Path(), replace(library, tickets=others), {}, Review())
    labelled = [anomaly for anomaly in ticket.anomalies if anomaly.phenomenon_id]
    recogniser = PhenomenonRecogniser(site.known_phenomena(), embedder)
    statements = [anomaly_statement(anomaly).text for anomaly in labelled]
    found = recogniser.candidates(statements, [anomaly.observation_method for anomaly in labelled])
    return [
        (str(anomaly.phenomenon_id), [(candidate.id, candidate.score) for candidate in best])
        for anomaly, best in zip(labelled, found, strict=True)
    ]


def scale(count: int, form: str) -> None:
    """Prints how long an import of `count` generated tickets of four anomalies takes, and the same import again.

    In csv and xlsx the anomalies stand in a free text, between steps and conclusions that are none.
    """
    export = _EXPORTS[form](_generated(count))
    with tempfile.TemporaryDirectory() as name:
        for _ in range(2):
            started, worked = time.perf_counter(), time.process_time()
            report = import_tickets(export, form, Path(name), (POSTGRESQL,))
            told = f"{report.new_tickets} new tickets, {report.anomalies} anomalies, {len(report.rejected)} refused"
            spent = f"{time.perf_counter() - started:.1f} s, {time.process_time() - worked:.1f} s of them at work"
            print(f"{form}: {told}, {spent}", flush=True)


def _rows(tickets: list[dict[str, Any]]) -> list[list[str]]:
    rows = [["流程ID", "问题描述", "问题根因", "恢复方法和规避措施", "分析过程"]]
    for ticket in tickets:
        lines = [
            f"{number}. 进一步检查，发现{item['description']}" for number, item in enumerate(ticket["anomalies"], 1)
        ]
        analysis = "\n".join(["09:10 DBA 介入，登录数据库。", *lines, "怀疑与近期变更有关。", "重启后业务恢复正常。"])
        rows.append([ticket["ticket_id"], ticket["description"], ticket["root_cause"], "1. 重启\n2. 观察", analysis])
    return rows


def _as_csv(tickets: list[dict[str, Any]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(_rows(tickets))
    return out.getvalue().encode("gb18030")


def _as_xlsx(tickets: list[dict[str, Any]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("工单")
    for row in _rows(tickets):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _as_json(tickets: list[dict[str, Any]]) -> bytes:
    return json.dumps(tickets, ensure_ascii=False).encode()


_EXPORTS = {"json": _as_json, "csv": _as_csv, "xlsx": _as_xlsx}


def _generated(count: int) -> list[dict[str, Any]]:
    """Recombined words of the shipped tickets, half of the anomalies behind the names of two areas."""
    chance, known = random.Random(1), list(load([POSTGRESQL]).tickets.values())
    seen = [anomaly.model_dump(exclude={"phenomenon_id"}) for ticket in known for anomaly in ticket.anomalies]
    tickets = []
    for number in range(count):
        anomalies = [dict(anomaly) for anomaly in chance.sample(seen, 4)]
        for anomaly in anomalies:
            if chance.random() < 0.5:
                anomaly["description"] = "".join(chance.sample(_AREAS, 2)) + "系统" + anomaly["description"]
        area = chance.choice(_AREAS) if chance.random() < 0.4 else ""
        cause = area + chance.choice(known).root_cause
        tickets.append(
            {"ticket_id": f"S-{number:05d}", "description": "慢", "root_cause": cause, "anomalies": anomalies}
        )
    return tickets


if __name__ == "__main__":
    if sys.argv[1:2] == ["scale"]:
        scale(int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "json")
    else:
        recognition()

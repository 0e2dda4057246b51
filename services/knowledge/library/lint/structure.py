"""Rules between entries: unexplained phenomena, indistinguishable causes, causes without tickets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.library.load import Library, load
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, Strength
from services.knowledge.library.shipped_libraries import locate, names

# How often a phenomenon shows under a cause that does not link it: now and then, for other reasons.
_UNLINKED = 0.1
# Below this one phenomenon is expected to tell two causes apart hardly ever, in bits over all their phenomena.
_APART_BITS = 1.0


def check_structure(report: Report) -> None:
    """Checks links, neighbouring causes, tickets, remedies and `same_as`."""
    _unexplained(report)
    _alike(report)
    _taught(report)
    _remedies(report)
    _same_as(report)


def _unexplained(report: Report) -> None:
    library = report.library
    linked = {link.phenomenon for cause in library.root_causes.values() for link in cause.links}
    for name in sorted(library.phenomena.keys() - linked):
        report.add(Severity.ERROR, "unexplained-phenomenon", (name, "id"))
    for cause in library.root_causes.values():
        if not any(link.strength in (Strength.ALWAYS, Strength.USUALLY) for link in cause.links):
            report.add(Severity.WARNING, "nothing-typical", (cause.id, "links"))


def _alike(report: Report) -> None:
    shares = {cause.id: shares_of(cause, report.rates) for cause in report.library.root_causes.values() if cause.links}
    names = sorted(shares)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            bits = bits_apart(shares[one], shares[other])
            if bits < _APART_BITS:
                severity = Severity.ERROR if bits == 0.0 else Severity.WARNING
                tells = what_tells(shares[one], shares[other])
                face = "causes-alike" if tells else "causes-alike.same"
                report.add(severity, face, (one, "links"), other=other, bits=bits, tells=tells)


def shares_of(cause: RootCauseEntry, rates: Mapping[str, float]) -> dict[str, float]:
    """How often each linked phenomenon shows under a cause; `rates` has the number of each strength."""
    return {link.phenomenon: rates[link.strength] for link in cause.links}


def bits_apart(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The expected information, in bits, that all answers together carry about which of two causes it is.

    The sum of the Jensen-Shannon divergences of the phenomena; both causes are equally likely beforehand.
    """
    return sum(_information(one.get(name, _UNLINKED), other.get(name, _UNLINKED)) for name in one.keys() | other.keys())


def _information(one: float, other: float) -> float:
    if one == other:
        return 0.0
    return _entropy((one + other) / 2) - (_entropy(one) + _entropy(other)) / 2


def _entropy(share: float) -> float:
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


def what_tells(one: Mapping[str, float], other: Mapping[str, float]) -> str | None:
    """The phenomenon that best distinguishes two causes, ties by id; None if no phenomenon does."""
    told = [(-_information(one.get(n, _UNLINKED), other.get(n, _UNLINKED)), n) for n in one.keys() | other.keys()]
    most, name = min(told, default=(0.0, ""))
    return name if most < 0.0 else None


def _taught(report: Report) -> None:
    library = report.library
    tickets = Counter(ticket.root_cause_id for ticket in library.tickets.values())
    for name in library.root_causes:
        if not tickets[name]:
            report.add(Severity.HINT, "no-ticket", (name, "id"))
    for ticket in library.tickets.values():
        cause = library.root_causes.get(ticket.root_cause_id or "")
        if cause is None:
            continue
        expected = {link.phenomenon for link in cause.links if link.strength is not Strength.RARELY}
        seen = {anomaly.phenomenon_id for anomaly in ticket.anomalies if anomaly.phenomenon_id}
        if seen and not seen & expected:
            report.add(Severity.WARNING, "ticket-unlike-cause", (ticket.ticket_id, "anomalies"), cause=cause.id)


def _remedies(report: Report) -> None:
    for cause in report.library.root_causes.values():
        if not cause.solution:
            report.add(Severity.ERROR, "no-remedy", (cause.id, "id"))
        elif cause.verify is None:
            report.add(Severity.WARNING, "no-verification", (cause.id, "solution"))
        for at, step in enumerate(cause.solution):
            if step.risk in ("medium", "high") and step.undo is None:
                report.add(Severity.WARNING, "no-way-back", (cause.id, f"solution.{at}"), risk=step.risk)
        for at, relief in enumerate(cause.relief):
            if relief.risk in ("medium", "high") and (relief.costs is None or relief.not_when is None):
                report.add(Severity.WARNING, "no-price", (cause.id, f"relief.{at}"), risk=relief.risk)


def _same_as(report: Report) -> None:
    """Checks that each `same_as` names an entry of a library read along with this one or shipped with dbdiag."""
    library = report.library
    named = [(entry, at, other) for entry in _entries(library) for at, other in enumerate(entry.same_as)]
    here = {*library.phenomena, *library.root_causes}
    shipped = _shipped_ids() if any(other not in here for _, _, other in named) else frozenset()
    for entry, at, other in named:
        if other not in here | shipped:
            report.add(Severity.WARNING, "same-as-unknown", (entry.id, f"same_as.{at}"), other=other)


def _shipped_ids() -> frozenset[str]:
    libraries = [load([locate(name)]) for name in names()]
    return frozenset(entry.id for library in libraries for entry in _entries(library))


def _entries(library: Library) -> Iterator[PhenomenonEntry | RootCauseEntry]:
    yield from library.phenomena.values()
    yield from library.root_causes.values()

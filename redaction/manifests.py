"""The values of Kubernetes secrets: arbitrary base64, recognised by the manifest around them."""

from __future__ import annotations

from lang import deferred_re as re

_SECRET = re.compile(r"\bkind\\?[\"']?\s{0,3}:\s{0,3}\\?[\"']?Secret\b", re.IGNORECASE)
_VALUE = re.compile(r"(:\s{0,3}(?:\\?[\"'])?)(?!\[)([\w+/]{8,}={0,2}\w*)(?![\w.+/:=-])")
# Characters between a manifest's kind and its fields, at most.
_NEAR = 8_000
_BETWEEN = re.compile(r"\n---[ \t]*(?=\n)")


def without_manifests(text: str) -> str:
    """The text without the values of any secret's manifest."""
    kept: list[str] = []
    place = 0
    for begins, ends in _spans(text):
        kept += [text[place:begins], _VALUE.sub(r"\1[key]", text[begins:ends])]
        place = ends
    return "".join([*kept, text[place:]])


def _spans(text: str) -> list[tuple[int, int]]:
    """The ranges that may be manifests of secrets, disjoint and in order."""
    spans: list[tuple[int, int]] = []
    for found in _SECRET.finditer(text):
        if spans and found.start() < spans[-1][1] - _NEAR // 2:
            continue
        before = [mark.end() for mark in _BETWEEN.finditer(text, max(0, found.start() - _NEAR), found.start())]
        after = _BETWEEN.search(text, found.end(), found.end() + _NEAR)
        begins = max([found.start() - _NEAR, 0, *before, *(ends for _, ends in spans[-1:])])
        spans.append((begins, after.start() if after else min(len(text), found.end() + _NEAR)))
    return spans

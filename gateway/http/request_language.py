"""The language in which a request is answered when something goes wrong.

It is the one that the request asks for in its body, else the first of Chinese and English that its Accept-Language
header names, else English.
"""

from __future__ import annotations

import re

from dbdiag.planner.v1.planner_types import Language
from starlette.datastructures import Headers
from starlette.requests import Request

_NAMED = re.compile(r"\b(zh|en)\b", re.IGNORECASE)


def read_accepted_language(headers: Headers) -> Language:
    """The first of the two languages that the client accepts; English if it names neither."""
    found = _NAMED.search(headers.get("accept-language", ""))
    return Language(found[1].lower()) if found else Language.EN


def prefer_language(request: Request, language: Language | None) -> None:
    """Answers this request in `language`; None leaves the choice as it is."""
    if language is not None:
        request.state.language = language


def choose_language(request: Request) -> Language:
    """The language that was preferred for this request, else the one that its client accepts."""
    return getattr(request.state, "language", None) or read_accepted_language(request.headers)

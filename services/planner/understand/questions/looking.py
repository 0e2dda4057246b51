"""That the assistant is to look for itself: asked for in so many words, or said yes or no to when it offered.

A bare yes is an answer to what was asked where one thing was; beside an offer and several questions it can only be meant
for the offer.
"""

from __future__ import annotations

from lang import deferred_re as re
from services.planner.model import Language, LookStep, SessionView
from services.planner.understand.text import messages
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import compile_words, listed

COMMAND = "/look"
_PART = listed("looking.part")
_ENDS = " \t\n,，。.;；!！?？~、:："

_REQUEST_ZH = listed("looking.request_zh")
_REQUEST_EN = listed("looking.request_en")
# What was pasted or is spoken of is not the live system.
_OTHER = compile_words("questions.other", r"\b(?:logs?|paste\w*|screenshots?|output|attached|below|above)\b")

_YES_ZH = listed("looking.yes_zh")
_YES_EN = listed("looking.yes_en")
# A whole message that says no more than "please look" asks for it, offered or not, once there are questions to look at.
_TO_LOOK = compile_words("questions.to_look", r"\blook\b", r"\bcheck (?:it|yourself)\b")
_BARE_YES = listed("looking.bare_yes")
_NO = listed("looking.declines")
_LONGEST = 60
# A request is said, not found somewhere in what was pasted.
_MOST = 500


def asked_to_look(message: str, view: SessionView) -> tuple[LookStep, str] | None:
    """The step, and the rest of the message; None where it does not say whether to look."""
    reading = read(message)
    said = reading.normal.strip(_ENDS)
    if said == COMMAND or said.startswith(f"{COMMAND} "):
        return LookStep(words=message.strip()[len(COMMAND) :].strip()), ""
    if view.look_offered and len(said) <= _LONGEST:
        if _NO.fullmatch(said):
            return LookStep(True, message.strip()), ""
        if _accepts(said, view):
            return LookStep(False, message.strip()), ""
    if (view.pending or view.options) and len(said) <= _LONGEST and _says_look(said):
        return LookStep(False, message.strip()), ""
    for part in _PART.finditer(reading.normal if len(message) <= _MOST else ""):
        if _requests(part[0].strip(_ENDS)):
            return _with_rest(reading, part)
    return None


def _with_rest(reading: messages.Message, part: re.Match[str]) -> tuple[LookStep, str]:
    before, after = reading.words(0, part.start()), reading.words(part.end(), len(reading.normal))
    rest = " ".join(piece for piece in (before.rstrip(" ,，、"), after.strip(_ENDS)) if piece)
    return LookStep(False, reading.words(*part.span())), rest


def _says_look(said: str) -> bool:
    return bool(_TO_LOOK.search(said) and (_YES_ZH.fullmatch(said) or _YES_EN.fullmatch(said)))


def _accepts(said: str, view: SessionView) -> bool:
    if _BARE_YES.fullmatch(said):
        return len(view.options or view.pending) > 1
    return bool(_YES_ZH.fullmatch(said) or _YES_EN.fullmatch(said))


def _requests(said: str) -> bool:
    asked = _REQUEST_ZH.fullmatch(said) or _REQUEST_EN.fullmatch(said)
    return bool(asked) and len(said) <= _LONGEST and not _OTHER.search(said)


def language_of(message: str, view: SessionView) -> Language:
    """The language to answer in; a command has none of its own."""
    told = message.strip()[len(COMMAND) :] if message.strip().lower().startswith(COMMAND) else message
    return messages.language_of(told, view.language) if told.strip() else view.language or Language.EN

"""Checks the requests to the matcher."""

from __future__ import annotations

from services.chassis.errors import InvalidInput
from services.matcher.model import LikenRequest, MatchPhenomenaRequest, Observation, SearchPhenomenaRequest

MAX_CHARACTERS = 20_000
MAX_MESSAGE = 200_000
MAX_OBSERVATIONS = 50
MAX_LIMIT = 50


def check_match(request: MatchPhenomenaRequest) -> None:
    """Raises InvalidInput for a request to match that is empty, too long or out of range."""
    observations = request.observations
    if not (observations or request.message.strip()):
        raise InvalidInput("empty_text.no_observation")
    _check_message(request.message)
    if request.language not in ("", "zh", "en"):
        raise InvalidInput("invalid_request.match_language", language=repr(request.language))
    _check_limit(request.max_candidates)
    if len(observations) > MAX_OBSERVATIONS:
        raise InvalidInput("invalid_request.observation_count", count=len(observations), most=MAX_OBSERVATIONS)
    for number, observation in enumerate(observations):
        text, certainty = observation.text, _certainty(observation)
        if not text.strip():
            raise InvalidInput("empty_text.observation", number=number)
        if len(text) > MAX_CHARACTERS:
            raise InvalidInput("text_too_long.observation", number=number, length=len(text), most=MAX_CHARACTERS)
        if not 0 < certainty <= 1:
            raise InvalidInput("invalid_request.certainty", number=number, certainty=certainty)


def check_liken(request: LikenRequest) -> None:
    """Raises InvalidInput for a message that is too long."""
    for message in request.messages:
        _check_message(message)


def check_search(request: SearchPhenomenaRequest) -> None:
    """Raises InvalidInput for a request to search that is empty, too long or out of range."""
    _check_limit(request.limit)
    if not request.text.strip():
        raise InvalidInput("empty_text.search")
    if len(request.text) > MAX_CHARACTERS:
        raise InvalidInput("text_too_long.search", length=len(request.text), most=MAX_CHARACTERS)


def _check_message(text: str) -> None:
    if len(text) > MAX_MESSAGE:
        raise InvalidInput("text_too_long.message", length=len(text), most=MAX_MESSAGE)


def _check_limit(given: int) -> None:
    if given > MAX_LIMIT:
        raise InvalidInput("invalid_request.candidate_limit", count=given, most=MAX_LIMIT)


def _certainty(observation: Observation) -> float:
    return 1.0 if observation.certainty is None else observation.certainty

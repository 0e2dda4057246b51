from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from gateway.cli.chat.events import Chunk, Event, Final, Problem, Progress, parse

TEXT = st.text(max_size=40)
EVENTS = st.one_of(
    st.builds(Progress, TEXT),
    st.builds(Chunk, TEXT),
    st.builds(Final, st.fixed_dictionaries({"message": TEXT})),
    st.builds(Problem, st.fixed_dictionaries({"detail": TEXT})),
)


def _written(event: Event) -> bytes:
    match event:
        case Progress(step):
            name, data = "progress", {"step": step}
        case Chunk(text):
            name, data = "chunk", {"text": text}
        case Final(body):
            name, data = "final", dict(body)
        case Problem(body):
            name, data = "error", dict(body)
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


@given(st.lists(EVENTS, max_size=6), st.integers(1, 17))
def test_events_survive_any_cut(events: list[Event], width: int) -> None:
    """However the bytes of a stream are cut, also inside a character, the same events come out."""
    content = b"".join(_written(event) for event in events)
    pieces = [content[at : at + width] for at in range(0, len(content), width)]
    assert list(parse(pieces)) == events


def test_comments_and_strangers_are_passed_over() -> None:
    """Keep-alive comments and events of another name yield nothing; carriage returns do not matter."""
    stream = b': ping\r\n\r\nevent: news\r\ndata: {}\r\n\r\nevent: chunk\r\ndata: {"text": "a"}\r\n\r\n'
    assert list(parse([stream])) == [Chunk("a")]

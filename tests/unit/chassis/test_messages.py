"""Messages: rendered in any language, nested, and the same on the other side of a wire."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput, NotFound
from services.chassis.messages import Message, from_plain, table, to_plain

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
DETAILS = st.recursive(
    st.one_of(TEXTS, st.integers(-(2**40), 2**40)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["words", "peer"]), inner, max_size=2).map(lambda d: Message("verbatim", d)),
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(table())), st.dictionaries(st.sampled_from(["words", "why", "n"]), DETAILS))
def test_a_message_survives_the_wire(key: str, details: dict[str, object]) -> None:
    """A message read back from its plain data is the same message."""
    message = Message(key, details)  # type: ignore[arg-type]
    assert from_plain(to_plain(message)) == message


def test_a_nested_message_is_in_the_language_of_the_outer_one() -> None:
    """What a message quotes of another error is rendered in the reader's language."""
    inner = InvalidInput("deadline_required")
    outer = NotFound("call_failed", peer="engine", words=inner.as_message)
    assert outer.text("en") == "calling engine: every call needs a deadline; set a timeout and call again"
    assert outer.text("zh") == "调用 engine：每个调用都要有期限；请设置超时后再调"


def test_the_reason_is_the_key_without_its_variant() -> None:
    """Callers rely on the reason; the variant only chooses the text."""
    assert InvalidInput("invalid_setting.line", path="a", line=1, problem="x").reason == "invalid_setting"
    assert InvalidInput("words of another program").reason == "invalid_request"


def test_other_words_are_shown_as_they_are() -> None:
    """A sentence of another program, or a key of a newer build, is shown in every language."""
    assert InvalidInput("the disk {is} full").text("zh") == "the disk {is} full"
    assert Message("not_known_here", {"path": "a"}).text("zh") == "not_known_here path=a"


def test_an_empty_list_is_named() -> None:
    """A list with nothing in it reads as `none`."""
    assert Message("verbatim", {"words": ()}).text("en") == "none"
    assert Message("verbatim", {"words": ("a", "b")}).text("zh") == "a、b"

"""A bound, and its negation, decides by the side of the limit that it leaves open."""

from __future__ import annotations

from tests.support.cases import for_each
from tests.support.hearing import Evidence, Judged

# Subject in Chinese and in English, unit, phenomenon, limit in the unit, and whether more is worse.
SUBJECTS = {
    "DISK": ("磁盘使用率", "disk usage", "%", 90, True),
    "LATENCY": ("磁盘延迟", "disk latency", " ms", 10, True),
    "LAGS": ("备库延迟", "replica lag", " s", 60, True),
    "LONG_TX": ("最长事务", "long transaction", " h", 1, True),
    "CACHE": ("缓存命中率", "cache hit", "%", 90, False),
}
FORMS = {
    "over": [
        "{zh}超过 {v}",
        "{zh}超过了{v}",
        "{zh}高于{v}",
        "{zh}在{v}以上",
        "有超过{v}的{zh}",
        "{en} over {v}",
        "{en} is above {v}",
        "{en} is more than {v}",
        "{en} exceeds {v}",
        "{en} > {v}",
    ],
    "under": [
        "{zh}不到{v}",
        "{zh}低于 {v}",
        "{zh}在{v}以下",
        "{zh}没有超过{v}",
        "{zh}没超过 {v}",
        "{zh}不超过{v}",
        "{zh}从没超过{v}",
        "{zh}一直没有高于{v}",
        "没有超过 {v} 的{zh}",
        "没有{v}以上的{zh}",
        "没有{zh}超过{v}",
        "{zh}没到{v}",
        "{zh}还没达到{v}",
        "{en} under {v}",
        "{en} is below {v}",
        "{en} is not over {v}",
        "{en} isn't above {v}",
        "{en} is never over {v}",
        "{en} has never exceeded {v}",
        "{en} has not been over {v}",
        "{en} is no more than {v}",
        "no {en} over {v}",
        "no {en} of more than {v}",
        "there is no {en} above {v}",
        "{en} hasn't reached {v}",
        "{en} did not hit {v}",
        "{en} < {v}",
    ],
    "not under": [
        "{zh}没低于{v}",
        "{zh}不低于{v}",
        "{zh}从来没有低于 {v}",
        "{en} is not below {v}",
        "{en} never under {v}",
        "{en} isn't less than {v}",
        "{en} is no less than {v}",
    ],
}


@for_each("factor", [0.5, 1, 2])
@for_each("subject", SUBJECTS)
@for_each(("side", "form"), [(side, form) for side, forms in FORMS.items() for form in forms])
def test_a_bound_decides_where_all_it_leaves_open_is_on_one_side(
    side: str, form: str, subject: str, factor: float, evidence: Judged
) -> None:
    """Above the limit confirms, below it denies, and what leaves both sides of the limit open says neither."""
    chinese, english, unit, limit, more_is_worse = SUBJECTS[subject]
    message = form.format(zh=chinese, en=english, v=f"{limit * factor:g}{unit}")
    opens_up = side != "under"
    decided = factor >= 1 if opens_up else factor <= 1
    expected = {subject: "confirmed" if opens_up is more_is_worse else "denied"} if decided else {}
    assert evidence(message) == expected


@for_each(
    ("message", "expected"),
    [
        ("没有死锁，连接数超过 95%", {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied", "CONNECTIONS": "confirmed"}),
        (
            "no deadlocks, connections over 95%",
            {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied", "CONNECTIONS": "confirmed"},
        ),
        ("没有死锁和超过 1 小时的长事务", {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied", "LONG_TX": "denied"}),
        ("cpu 超过 95%，磁盘没超过 60%", {"CPU": "confirmed", "DISK": "denied"}),
        ("cpu is over 95% but the disk isn't over 60%", {"CPU": "confirmed", "DISK": "denied"}),
        ("不是没有超过 2 小时的长事务", {"LONG_TX": "confirmed"}),
        ("not only is the cpu over 95%", {"CPU": "confirmed"}),
    ],
)
def test_a_negation_turns_the_bound_of_its_own_subject_only(message: str, expected: Evidence, evidence: Judged) -> None:
    """Beside another subject's negation a bound stays as it is."""
    assert evidence(message) == expected


@for_each("message", ["磁盘没有超过 90% 吗", "有没有超过 1 小时的长事务", "is the disk over 90%?"])
def test_a_bound_that_is_asked_for_is_no_evidence(message: str, evidence: Judged) -> None:
    """A question about a bound decides nothing."""
    assert evidence(message) == {}


@for_each("message", ["cpu 不是 97%", "the cpu is not 97%", "cpu isn't at 97%", "磁盘没有 97%"])
def test_a_denied_amount_is_no_amount(message: str, evidence: Judged) -> None:
    """That a value is not so much does not say what it is."""
    assert evidence(message) == {}

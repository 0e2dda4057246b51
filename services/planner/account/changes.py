"""What had changed before the trouble began, by the kinds of the vocabulary, with its time and its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.moments import Moment, moment_in, moments_in
from services.planner.account.terms import Term, find_terms, has_mark, terms
from services.planner.account.told import Said
from services.planner.model import Language, TurnResults, Verdict

_BELITTLED = re.compile(r"hours? apart|\bjust (?:css|frontend)|only css|unrelated|irrelevant|没关系|无关|对不上")
_SETTING = re.compile(r"(?<![\w.])(?P<name>[a-z]+(?:_[a-z]+)+)(?![\w(])")
_FROM_TO = re.compile(
    r"(?:从|from)\s*(?P<before>\d+(?:\.\d+)?\s?[A-Za-z%]*)\s*"
    r"(?:调到|改到|改成|改为|加到|降到|调成|到|to|->|→)\s*(?P<after>\d+(?:\.\d+)?\s?[A-Za-z%]*)",
    re.IGNORECASE,
)
_ROWS = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s*(?P<scale>万|亿|k|m|mio|million|thousand)?\s*(?:条|行|rows?|records?)", re.IGNORECASE
)
_SCALES = {"万": 10_000, "亿": 100_000_000, "k": 1000, "thousand": 1000, "m": 1e6, "mio": 1e6, "million": 1e6}
_IDENTIFIER = re.compile(r"(?<![\w.\"'-])[a-z]+(?:_[a-z0-9]+)+(?![\w(=])")
_KIND_BY_NAME = "began"
# Who tells the case did it: then it was done against the trouble, unless it was before.
_BY_US = re.compile(r"\b(?:i|we)\b|我|咱")
# What takes back a change is none.
_UNDOES = "rolled_back"


class Change(NamedTuple):
    """What had changed before. told: its words; rows, table, setting: where they were told."""

    kind: str
    when: Moment | None
    table: str = ""
    rows: str = ""
    setting: str = ""
    before: str = ""
    after: str = ""
    turn: int = 0
    told: str = ""

    def say(self, language: Language) -> str:
        """The change in words, with its time and its details."""
        return self._in_zh() if language is Language.ZH else self._in_en()

    def _in_zh(self) -> str:
        when = self.when.say(Language.ZH) if self.when is not None else ""
        moved = f"{self.setting} 从 {self.before} 改为 {self.after}" if self.before and self.after else self.setting
        rows = f"{_in_wan(self.rows)} 行" if self.rows else ""
        details = "，".join(each for each in (self.table, rows, moved) if each)
        term = terms("changes")[self.kind]
        told = (f"{when}{'的' if term.known.get('noun') else ' '}" if when else "") + term.zh
        return f"{told}：{details}" if details else told

    def _in_en(self) -> str:
        name = terms("changes")[self.kind].en
        if self.setting:
            name = f"a change of {self.setting}"
            name += f" from {self.before} to {self.after}" if self.before and self.after else ""
        rows = (
            f" of {self.rows} rows" if self.rows and self.kind == "import" else f" ({self.rows})" if self.rows else ""
        )
        table = f" in {self.table}" if self.table else ""
        return f"{name}{rows}{table}{self.when.after_words() if self.when is not None else ''}"

    def fits(self, since: Moment | None, causes: Iterable[str]) -> bool:
        """Whether it was in the hour in which the trouble began, and one of these causes may come of it."""
        timed = self.when is not None and since is not None and bool(since.clock)
        hour = since.clock[:2] if since is not None else ""
        same = timed and self.when is not None and self.when.clock[:2] == hour
        return same and any(explains(self, each) for each in causes)


def changes_told(told: Sequence[Said], results: TurnResults, until: int) -> list[Change]:
    """What had changed before, by what was told up to a turn; what is denied, by words or on record, is none."""
    found: dict[str, Change] = {}
    for said in told:
        for each in find_terms("changes", said.text):
            name = each.term.name
            belittled = _BELITTLED.search(said.sentence.lower()) is not None
            denied = has_mark("untold", said.text[: each.first]) or _is_denied(each.term, results)
            own = said.turn > told[0].turn and told_by_us(said.text)
            if (said.turn >= until or own) and not moment_before(said):
                continue
            if (
                denied
                or any(verb.term.name == _UNDOES for verb in find_terms("verbs", said.text))
                or belittled
                or has_mark("intends", said.text[: each.first][-16:])
            ):
                continue
            new = _change(name, said)
            found[name] = _joined(found[name], new) if name in found else new
    return list(found.values())


def told_by_us(words: str) -> bool:
    """Whether whoever tells the case names themselves as those who did it."""
    return _BY_US.search(words.lower()) is not None


def moment_before(said: Said) -> bool:
    """Whether a sentence tells of a time before today, or of the small hours."""
    days = [moment.day for _, _, moment in moments_in(said.sentence)]
    return any(day and day not in ("morning", "noon", "afternoon", "evening") for day in days)


def _is_denied(term: Term, results: TurnResults) -> bool:
    name = re.compile(term.known[_KIND_BY_NAME], re.IGNORECASE)
    told = [
        each for each in results.seen if each.name.en.startswith(("Began", "It began")) and name.search(each.name.en)
    ]
    return any(each.verdict is Verdict.DENIED for each in told) and not any(
        each.verdict is Verdict.CONFIRMED for each in told
    )


def _change(kind: str, said: Said) -> Change:
    words = said.sentence
    moved, rows = _FROM_TO.search(words), _ROWS.search(words)
    setting = _SETTING.search(words.lower())
    tables = [each[0] for each in _IDENTIFIER.finditer(words) if kind in ("import", "purge", "migration")]
    is_setting = kind == "setting" and setting is not None
    return Change(
        kind,
        moment_in(said.text) or moment_in(words),
        next(iter(tables), ""),
        number_of_rows(rows["number"], rows["scale"]) if rows is not None and kind in ("import", "purge") else "",
        setting["name"] if is_setting and setting is not None else "",
        moved["before"].strip() if moved is not None and is_setting else "",
        moved["after"].strip() if moved is not None and is_setting else "",
        said.turn,
        words,
    )


def _joined(one: Change, other: Change) -> Change:
    """Two tellings of a change as one: what the first leaves open the second tells."""
    merged = [mine or theirs for mine, theirs in zip(one, other, strict=True)]
    return Change(*merged)._replace(told=f"{one.told}\n{other.told}")  # type: ignore[arg-type]


def number_of_rows(digits: str, scale: str | None) -> str:
    """A number with its scale, written out."""
    number = float(digits) * _SCALES.get((scale or "").lower(), 1)
    return f"{number:,.0f}"


def _in_wan(rows: str) -> str:
    """A number of rows as it is told in Chinese."""
    number = int(rows.replace(",", ""))
    return f"{number // 10_000} 万" if number and not number % 10_000 else rows


def explains(change: Change, cause: str) -> bool:
    """Whether a cause of this name may come of such a change."""
    return re.compile(terms("changes")[change.kind].known["of"], re.IGNORECASE).search(cause) is not None


def is_on_record(change: Change, results: TurnResults) -> bool:
    """Whether the record has it that the trouble began with such a change."""
    began = re.compile(terms("changes")[change.kind].known[_KIND_BY_NAME], re.IGNORECASE)
    return any(
        each.verdict is Verdict.CONFIRMED and "egan " in each.name.en and began.search(each.name.en) is not None
        for each in results.seen
    )

"""What happened, in the terms of the record: what was hurt and how, what had changed before, what is meant to be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.figures import thing_in_words
from services.planner.account.moments import Moment, moment_in, moments_in
from services.planner.account.terms import Term, find_terms, has_mark, listed, mark_before, terms
from services.planner.account.told import Said
from services.planner.model import Language, TurnResults, Verdict

_BELITTLED = re.compile(r"hours? apart|\bjust (?:css|frontend)|only css|unrelated|irrelevant|没关系|无关|对不上")
_SETTING = re.compile(r"(?<![\w.])(?P<name>[a-z]+(?:_[a-z]+)+)(?![\w(])")
_FROM_TO = re.compile(
    r"(?:从|from)\s*(?P<before>\d+(?:\.\d+)?\s?[A-Za-z%]*)\s*(?:调到|改到|改成|改为|加到|降到|调成|到|to|->|→)\s*(?P<after>\d+(?:\.\d+)?\s?[A-Za-z%]*)",
    re.IGNORECASE,
)
_ROWS = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s*(?P<scale>万|亿|k|m|mio|million|thousand)?\s*(?:条|行|rows?|records?)", re.IGNORECASE
)
_EACH = re.compile(
    r"(?:每(?:批|次|一批)\s*|batches of |chunks? of )(?P<number>\d+)\s*(?P<scale>万|k)?|(?P<number_at>\d+)\s*(?P<scale_at>万|k)?\s*(?:rows )?(?:at a time|per batch|a batch)",
    re.IGNORECASE,
)
_SCALES = {"万": 10_000, "亿": 100_000_000, "k": 1000, "thousand": 1000, "m": 1e6, "mio": 1e6, "million": 1e6}
_IDENTIFIER = re.compile(r"(?<![\w.\"'-])[a-z]+(?:_[a-z0-9]+)+(?![\w(=])")
# What may stand between neighbouring things.
_FILLER = re.compile(r"[那个的里这\s]")
# These tell nothing beside another thing.
_BESIDE = ("app", "database", "connection", "site")
_BETWEEN = 3  # Neighbouring things are parted by no more than this.
_KIND_BY_NAME = "began"
# What takes back a change is none.
_UNDOES = "rolled_back"


class Hurt(NamedTuple):
    """What users saw: the things in their order, and what was wrong with them."""

    things: tuple[str, ...]
    trouble: str
    turn: int = 0

    def say(self, language: Language) -> str:
        """It in words, as a clause."""
        named = [_term(each) for each in self.things]
        told = terms("troubles")[self.trouble].say(language)
        if language is Language.ZH:
            return f"{thing_in_words(named, language)}{told}"
        what = named[0].known["alone"] if len(named) == 1 else f"the {thing_in_words(named, language)}"
        return f"{what} {told}"


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


class Plan(NamedTuple):
    """What somebody means to do so that it stays away."""

    kind: str
    rows: str = ""
    turn: int = 0

    def say(self, language: Language) -> str:
        """The plan in words."""
        zh = language is Language.ZH
        rows = (f"（每批 {self.rows} 行）" if zh else f" ({self.rows} rows each)") if self.rows else ""
        return terms("plans")[self.kind].say(language).format(rows=rows)


def _term(name: str) -> Term:
    if name == "disk":
        disk = listed("disk")
        return Term(name, disk["en"], disk["zh"], disk)
    return terms("things")[name]


def hurts_told(told: Sequence[Said]) -> list[Hurt]:
    """What was hurt, by the messages in their order; a trouble without a thing is of that named before it."""
    found: list[Hurt] = []
    carried: tuple[str, ...] = ()
    for said in told:
        things = _things_in(said.text)
        carried = things or carried
        for each in find_terms("troubles", said.text):
            if has_mark("untold", said.text[: each.first][-20:]):
                continue
            named = _whose(each.term.name, things, carried)
            if named:
                found.append(Hurt(named, each.term.name, said.turn))
    return _strongest(found)


def _whose(trouble: str, things: tuple[str, ...], carried: tuple[str, ...]) -> tuple[str, ...]:
    """What a trouble is of: always the same, else what its clause names, else what was named before."""
    always = str(listed("of").get(trouble, ""))
    if always and trouble not in listed("open"):
        return (always,)
    return things or ((always,) if always else carried)


def _things_in(words: str) -> tuple[str, ...]:
    """The things that a clause names side by side; those that stand for anything only where nothing else is named."""
    found = [*find_terms("things", words)]
    special = [each for each in found if each.term.name not in listed("general")]
    if not special:
        return (found[-1].term.name,) if found else ()
    first = found.index(special[0])
    run = [found[first]]
    for each in found[first + 1 :]:
        if _FILLER.sub("", words[run[-1].last : each.first]) or len(run) > _BETWEEN:
            break
        run.append(each)
    return tuple(dict.fromkeys(each.term.name for each in run if each.term.name not in _BESIDE))


def _strongest(found: Iterable[Hurt]) -> list[Hurt]:
    """What tells most, each thing once: the first in the vocabulary, and nothing of a part of what is told."""
    order = [*terms("troubles")]
    kept: list[Hurt] = []
    for each in sorted(found, key=lambda one: (order.index(one.trouble), -len(one.things))):
        if not any({*each.things} <= {*one.things} or {*one.things} <= {*each.things} for one in kept):
            kept.append(each)
    return kept


def changes_told(told: Sequence[Said], results: TurnResults, until: int) -> list[Change]:
    """What had changed before, by what was told up to a turn; what is denied, by words or on record, is none."""
    found: dict[str, Change] = {}
    for said in told:
        for each in find_terms("changes", said.text):
            name = each.term.name
            belittled = _BELITTLED.search(said.sentence.lower()) is not None
            denied = has_mark("untold", said.text[: each.first]) or _is_denied(each.term, results)
            if said.turn >= until and not moment_before(said):
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
        _number(rows["number"], rows["scale"]) if rows is not None and kind in ("import", "purge") else "",
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


def _number(digits: str, scale: str | None) -> str:
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


def plans_told(told: Sequence[Said]) -> list[Plan]:
    """What somebody means to do against its coming back; what is only asked is no plan."""
    found: dict[str, Plan] = {}
    for said in told:
        if not has_mark("intends", said.sentence) or mark_before("untold", said.text, len(said.text)):
            continue
        for each in find_terms("plans", said.text):
            rows = _EACH.search(said.sentence)
            number = rows and _number(rows["number"] or rows["number_at"], rows["scale"] or rows["scale_at"])
            found[each.term.name] = Plan(each.term.name, number or "", said.turn)
    return list(found.values())


def since_told(told: Sequence[Said], changes: Sequence[Change]) -> Moment | None:
    """Since when the trouble is there, by the first clause that dates it; a later one may add the time of the day."""
    dated = [
        (each, moment) for each in told if (moment := moment_in(each.text)) and not has_mark("uneventful", each.text)
    ]
    begins = [each for each in dated if _tells_begin(each[0])]
    free = [each for each in dated if not any(each[0].text in one.told for one in changes)]
    of_trouble = [each for each in free if any(find_terms("troubles", each[0].sentence))]
    first = next(iter([*begins, *of_trouble]), None)
    if first is None or first[1].clock:
        return first[1] if first is not None else None
    later = next((moment for _, moment in begins if moment.clock), None)
    return later._replace(day=later.day or first[1].day) if later is not None else first[1]


_BEGINS = re.compile(
    r"\b(?:since|from|started|began|first (?:errors?|alerts?|complaints?)|went bad)\b|开始|从(?!库)|自(?!己|动)|起(?:就|，|$)|突然|第一个"
)


def _tells_begin(said: Said) -> bool:
    return _BEGINS.search(said.text.lower()) is not None

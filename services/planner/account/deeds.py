"""What was done against the trouble: by the names of actions, with the person's objects, values and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.account.changes import Change, told_by_us
from services.planner.account.moments import Moment, moment_in
from services.planner.account.terms import find_terms, has_mark, terms
from services.planner.account.told import Said
from services.planner.model import Language, Treatment
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.actions import action_named
from services.planner.treatment.sentences import tells_own_deed

_SETTING = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z]+(?:_[A-Za-z]+)+|(?-i:[a-z]+(?:[A-Z][a-z]+)+))\s*"
    r"(?:=|:|\bto\b|从[^，。]{1,16}?(?:改成|改回|调到|改到)|(?:又|已经?|都)?(?:改|调|设)[成回到为]了?)\s*"
    r"[\"']?(?P<value>-?\d+(?:\.\d+)?\s?(?:ms|s|min|h|d|[kmgt]i?b?|%)?|true|false|on|off)(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
# "Set it back to 16MB": of the setting that had this value before.
_SET_BACK = re.compile(r"改回|调回|还原|\b(?:set|put|changed|back)\b")
_FUNCTION = re.compile(r"\b(?:pg_\w+|kill)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w.'\"/-])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w(=])")
_DELETES = frozenset(("drop", "drop_data", "delete_wal"))
_ROLLBACK = "roll_back_release"
# The tables of statements that are run one after the other.
_BY_TABLE = ("analyze", "vacuum", "vacuum_freeze", "vacuum_full", "reindex")
_STATED = re.compile(
    r"\b(?:ANALYZE|VACUUM|REINDEX(?: TABLE| INDEX)?)\s+(?:\([^)]*\)\s*)?"
    r"([A-Za-z]\w*(?:\.\w+)?)(?=\s*(?:;|,|$|[^\w\s]))",
    re.IGNORECASE,
)
_BYTES_FROM, _GIB = 2**20, 2**30
# What a server acknowledges by this name is told as it is.
_STATEMENT = re.compile(r"[A-Z]+(?: [A-Z]+)*$")
# Actions that name nothing of their own, so that what else was told of them goes before.
_BARE = frozenset(("drop", "stop", "set_parameter", "switch_setting", "switch_feature", "reload", "retry"))


class Setting(NamedTuple):
    """A setting with the value that it was given, and the one before where that is known."""

    name: str
    value: str
    before: str = ""

    def say(self, language: Language) -> str:
        """That it was set, with its values."""
        if language is Language.ZH:
            return f"把 {self.name} {f'从 {self.before} ' if self.before else ''}改为 {self.value}"
        return (
            f"changed {self.name} from {self.before} to {self.value}"
            if self.before
            else f"set {self.name} to {self.value}"
        )


class Deed(NamedTuple):
    """Something that was done. action: of the list of actions, or "": then verb and object are terms of the record."""

    turn: int
    action: str = ""
    verb: str = ""
    thing: str = ""
    objects: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    when: Moment | None = None
    told: str = ""

    def compose(self, language: Language) -> str:
        """A deed that no action has a name for, in words."""
        if not self.verb:
            return ""
        verb, thing = terms("verbs")[self.verb].say(language), terms("objects")[self.thing].say(language)
        names = "".join(f" {each}" for each in self.objects)
        return f"{verb}{thing}{names}" if language is Language.ZH else f"{verb} {thing}{names}"

    @property
    def key(self) -> tuple[str, ...]:
        """By this a deed that is told twice is one."""
        return (self.action,) if self.action and self.action not in _BARE else (self.verb, self.thing, *self.objects)


def deeds_told(
    told: Sequence[Said], treatments: Iterable[Treatment], changes: Sequence[Change], first: int
) -> list[Deed]:
    """What was done, oldest first and once. first: the turn of the first message, which tells what led to it."""
    told = [each for each in told if each.turn > first and not _is_of_change(each, changes)]
    known = [_known(each, told, changes) for each in treatments if _is_of_case(each, told, changes)]
    own = [deed for said in told for deed in _in_clause(said, told, changes)]
    named = [each for each in known if each.action not in _BARE or each.settings]
    bare = [each for each in known if each not in named and action_named(each.action) is not None]
    stated = [each for each in named if action_named(each.action) is None]
    named = [each for each in named if each not in stated]
    found: dict[tuple[str, ...], Deed] = {}
    for each in sorted([*named, *own], key=lambda deed: deed.turn):
        if not any(_same(each, one) for one in named if one is not each):
            found.setdefault(each.key, each)
    turns = {each.turn for each in found.values()}
    for each in (*bare, *(each for each in stated if _STATEMENT.match(each.action))):
        if each.turn not in turns:  # Beside what tells more it tells nothing.
            found.setdefault((each.action,), each)
    return sorted(found.values(), key=lambda deed: deed.turn)


def _same(own: Deed, known: Deed) -> bool:
    """Whether what the clause tells is an action that is on record by the same words."""
    if own.action or own.turn != known.turn:
        return False
    shared = bool({*own.settings} & {*known.settings}) if own.settings else False
    return shared or (bool(own.verb) and (known.told in own.told or own.told in known.told))


def _is_of_case(done: Treatment, told: Sequence[Said], changes: Sequence[Change]) -> bool:
    """Whether what is on record was done against the trouble: no part of what led to it, and no rollback by itself."""
    words = done.words.strip(" 。.,，")
    if any(words in each.told for each in changes):
        return False
    of_release = any(each.kind in ("release", "migration") for each in changes)
    sentence = next((each.sentence for each in told if each.turn == done.turn and words in each.text), words)
    purged = any(each.kind == "purge" for each in changes)
    if done.action in _DELETES and purged and not told_by_us(sentence):
        return False  # "The script deleted 5 million rows, in one DELETE".
    named = any(each.term.name in ("release", "app") for each in find_terms("objects", sentence))
    return done.action != _ROLLBACK or of_release or named


def _is_of_change(said: Said, changes: Sequence[Change]) -> bool:
    return any(said.text in each.told and said.turn == each.turn for each in changes)


def _known(done: Treatment, told: Sequence[Said], changes: Sequence[Change]) -> Deed:
    """What is on record as done, with its time and the values of its clause."""
    words = done.words.strip(" 。.,，")
    said = next((each for each in told if each.turn == done.turn and (words in each.text or each.text in words)), None)
    sentence = said.sentence if said is not None else words
    settings = () if action_named(done.action) is None else tuple(_settings(sentence, changes))
    whole = "\n".join(each.text for each in told if each.turn == done.turn)
    stated = tuple(name for name in _STATED.findall(whole) if done.action in _BY_TABLE)
    objects = () if settings else tuple(dict.fromkeys((*done.objects, *stated)))
    return Deed(done.turn, done.action, "", "", objects, settings, _time(said), words)


def _time(said: Said | None) -> Moment | None:
    """The time of the day of a clause, else of its sentence."""
    if said is None:
        return None
    told = moment_in(said.text) or moment_in(said.sentence)
    return told if told is not None and told.clock else None


def _in_clause(said: Said, told: Sequence[Said], changes: Sequence[Change]) -> Iterator[Deed]:
    """What a clause tells as done by its verb and its object, or by the settings that it gives a value."""
    words = said.text
    if is_question(words) or has_mark("intends", words) or has_mark("untold", words):
        return
    goes_on = any(each.turn == said.turn and _tells_deed(each) for each in told[: told.index(said) + 1])
    own = _tells_deed(said)
    settings = tuple(_settings(words, changes)) if own or goes_on else ()
    if settings:
        yield Deed(said.turn, "", "", "", (), settings, _time(said), words)
        return
    if not (own or (goes_on and moment_in(words) is not None)):
        return
    for verb, thing in _pairs(words):
        names = tuple(each[0] for each in _NAME.finditer(words) if not _FUNCTION.match(each[0]))
        yield Deed(said.turn, "", verb, thing, names[:1], (), _time(said), words)


def _tells_deed(said: Said) -> bool:
    """Whether a sentence tells that somebody did something."""
    return tells_own_deed(said.text) or tells_own_deed(said.sentence) or has_mark("did", said.sentence)


def _pairs(words: str) -> Iterator[tuple[str, str]]:
    """The first verb of a clause with the object that stands nearest to it."""
    verb = next(find_terms("verbs", words), None)
    things = [each for each in find_terms("objects", words) if verb is None or not _overlaps(each, verb)]
    if verb is not None and things:
        nearest = min(things, key=lambda each: min(abs(each.first - verb.last), abs(verb.first - each.last)))
        yield verb.term.name, nearest.term.name


def _overlaps(one: object, other: object) -> bool:
    first, last = one[1:], other[1:]  # type: ignore[index]
    return bool(first[0] < last[1] and last[0] < first[1])


def _settings(words: str, changes: Sequence[Change]) -> Iterator[Setting]:
    """The settings that words give a value, with the value that a change had given them."""
    for found in _SETTING.finditer(words):
        name, value = found["name"], _value(found["value"])
        changed = next((each for each in changes if each.setting == name.lower() and each.after), None)
        before = changed.after if changed is not None and changed.after != value else ""
        yield Setting(name, value, before)
    if not _SETTING.search(words) and _SET_BACK.search(words.lower()):
        back = (each for each in changes if each.before and each.before.lower() in words.lower())
        yield from (Setting(each.setting, each.before, each.after) for each in back)


def _value(told: str) -> str:
    """A value as it was told; many bytes in a larger unit."""
    told = told.strip()
    if told.isdigit() and int(told) >= _BYTES_FROM and not int(told) % _BYTES_FROM:
        number = int(told)
        return f"{number // _GIB}GB" if not number % _GIB else f"{number // _BYTES_FROM}MB"
    return told


def undoes(deed: Deed, change: Change) -> bool:
    """Whether a deed takes back what had changed: a release that is rolled back, a setting that is set back."""
    if change.kind == "setting":
        return any(each.name.lower() == change.setting and each.before for each in deed.settings)
    if change.kind in ("release", "migration") and deed.action == _ROLLBACK:
        return True
    of_kind = {
        "release": ("release", "app"),
        "migration": ("migration", "view", "index", "table"),
        "twice": ("cron", "import", "job"),
        "import": ("import",),
        "network": ("network", "pool"),
    }
    return deed.verb in ("rolled_back", "removed", "stopped") and deed.thing in of_kind.get(change.kind, ())

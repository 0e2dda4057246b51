"""One answer's voice: its language, its phrase table, how numbers are said, and the last touch on the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from services.planner.model import Language, Text, Verdict

Phrases = Mapping[str, str | list[str]]
_TEXTS = Path(__file__).parent / "texts"
_STATEMENTS = Path(__file__).with_name("statements.yaml")
# The database that texts are about where none is known.
_USUAL = "postgresql"

_COMMA = re.compile(r"[，、；]|[,;](?=\s)")
_SENTENCE = re.compile(r"\S.*?(?:[。！？]|[.!?](?=\s|$)|$)", re.DOTALL)
_QUOTES = re.compile(r"[“\"]")
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"")

# What is not ours to touch: fenced and inline code, and words in quotes.
_KEPT = re.compile(r"(```.*?```|`[^`\n]*`|“[^”\n]*”|\"[^\"\n]*\")", re.DOTALL)
_HAN = r"[\u4e00-\u9fff]"
_RULES_ZH = (
    (re.compile(rf"({_HAN})([A-Za-z0-9])"), r"\1 \2"),
    (re.compile(rf"([A-Za-z0-9%])({_HAN})"), r"\1 \2"),
    (re.compile(rf"(?<={_HAN}) (?={_HAN})"), ""),
    (re.compile(r"(?<=[）。；，：]) (?=\S)"), ""),
)
_RULES = (
    (re.compile(r"([。！？；，、：])\1+"), r"\1"),
    (re.compile(r"[；，、：。]+([。！？])"), r"\1"),
    (re.compile(r"[。；，、：]+([；，、）])"), r"\1"),
    (re.compile(r"(?<!\.)\.\.(?!\.)"), "."),
    (re.compile(r"[.,;:]+([;,)])"), r"\1"),
    (re.compile(r"[,;:]+(\.(?:\s|$))"), r"\1"),
)
_WORTH_COMPARING = 8


@cache
def load_phrases(language: Language, engine: str = "") -> Phrases:
    """Loads the phrases of a language: key -> text, or a list of alternating wordings.

    engine: the database of the case, whose own phrases stand in place of the others.
    """
    tongue = "zh" if language is Language.ZH else "en"
    files = sorted((*_TEXTS.glob(f"{tongue}.yaml"), *_TEXTS.glob(f"*.{tongue}.yaml")))
    files += sorted(_TEXTS.glob(f"{engine}/{tongue}.yaml")) if engine else []
    phrases: dict[str, str | list[str]] = {}
    for file in files:
        phrases |= yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return phrases


@cache
def load_statements(engine: str = "") -> Mapping[str, str]:
    """The statements that answers show of no step and no check, for a database."""
    every: Mapping[str, Mapping[str, str]] = yaml.load(_STATEMENTS.read_bytes(), yaml.CSafeLoader)
    return every.get(engine) or every[_USUAL]


_VERDICTS: dict[Verdict | None, str] = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "cannot"}

_RECOGNISED = 60


@dataclass(frozen=True)
class Voice:
    """Renders phrases. `turn` and `previous` (the last answer) select among the wordings of a phrase.

    earlier: the answers before that; objects: the name that fills each kind of blank; choices: the names that fit,
    where several do. engine: the database of the case, where its library is for one.
    """

    language: Language
    turn: int = 0
    previous: str = ""
    objects: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    earlier: tuple[str, ...] = ()
    engine: str = ""

    @property
    def phrases(self) -> Phrases:
        """The phrases in this language, for this database."""
        return load_phrases(self.language, self.engine)

    def shown(self, statement: str, **values: str) -> str:
        """A statement to run in the database of the case, as code."""
        text = load_statements(self.engine).get(statement, "")
        return f"```sql\n{text.format(**values).strip()}\n```" if text else ""

    def say(self, phrase: str, **values: object) -> str:
        """A phrase with its values. Wordings alternate by turn and avoid the one in the last answer."""
        wordings = self.phrases[phrase]
        if isinstance(wordings, str):
            return wordings.format(**values)
        said = [wording.format(**values) for wording in wordings]
        turned = [said[(self.turn + at) % len(said)] for at in range(len(said))]
        return next((wording for wording in turned if wording not in self.previous), turned[0])

    def known(self, phrase: str) -> list[str]:
        """A phrase; nothing where there is none."""
        return [self.say(phrase)] if self.has(phrase) else []

    def has(self, phrase: str) -> bool:
        """Whether there is a phrase of this name."""
        return phrase in self.phrases

    def once(self, phrase: str, **values: object) -> str:
        """A phrase; empty if the last answer contained it."""
        said = self.say(phrase, **values)
        return "" if said in self.previous else said

    def has_said(self, phrase: str, text: str = "") -> bool:
        """Whether a text, or else the last answer, has a phrase without values, in any of its wordings."""
        said = self.phrases[phrase]
        wordings = [said] if isinstance(said, str) else said
        return any(polish(each, self.language) in (text or self.previous) for each in wordings)

    def was_told(self, text: str) -> bool:
        """Whether one of the last answers had a text."""
        told = polish(text, self.language)
        return any(told in answer for answer in (self.previous, *self.earlier))

    def name(self, text: Text, otherwise: str = "") -> str:
        """A name in this language, else in the other, else `otherwise`."""
        return text.say(self.language) or otherwise or self.say("unnamed")

    def percent(self, share: float) -> str:
        """A probability without decimals, never 0 or 100."""
        sign = "%" if self.language is Language.ZH else " %"
        if not share >= 0.005:
            return f"<1{sign}"
        return f">99{sign}" if share >= 0.995 else f"{min(max(round(share * 100), 1), 99)}{sign}"

    def bits(self, bits: float) -> str:
        """A weight of evidence in bits, with its sign."""
        return self.say("bits", bits=f"{bits:+.1f}")

    def quoted(self, text: Text, otherwise: str = "") -> str:
        """A name for use in a list: quoted if it contains a comma."""
        name = self.name(text, otherwise)
        return self.say("quoted", words=name) if _COMMA.search(name) and not _QUOTES.search(name) else name

    def marked(self, text: Text, otherwise: str = "") -> str:
        """A name in quotes, unless it contains quotes."""
        name = self.name(text, otherwise)
        return name if _QUOTES.search(name) else self.say("quoted", words=name)

    def listed(self, names: Iterable[str]) -> str:
        """Joins names by commas, or by semicolons if one contains an unquoted comma."""
        given = [name for name in names if name]
        inner = any(_COMMA.search(_QUOTATION.sub("", name)) for name in given)
        return self.say("semicolon" if inner else "comma").join(given)

    @property
    def stop(self) -> str:
        """The separator between sentences of a paragraph."""
        return "" if self.language is Language.ZH else " "

    def some_sentences(self, text: str, first: int = 0, end: int | None = None) -> str:
        """The sentences of a text from one place to another."""
        return self.stop.join(sentences_in(text)[first:end])

    def names(self, texts: Iterable[Text], most: int = 5) -> str:
        """Joins the names of at most `most` things."""
        return self.listed([self.quoted(text) for text in list(texts)[:most] if text.say(self.language)])


def sentences_in(text: str) -> list[str]:
    """The sentences of a finished text."""
    return [each.strip() for each in _SENTENCE.findall(text)]


def verdict(given: Verdict | None, voice: Voice) -> str:
    """A verdict in a word."""
    return voice.say(_VERDICTS.get(given, "unspecified"))


def polish(text: str, language: Language) -> str:
    """The answer as it is sent: even spacing, no doubled punctuation, no line twice; code and quotations stay."""
    rules = (*_RULES_ZH, *_RULES) if language is Language.ZH else _RULES
    pieces = _KEPT.split(text)
    for at in range(0, len(pieces), 2):
        pieces[at] = _apply(pieces[at], rules)
    joined = "".join(pieces)
    if language is Language.ZH:
        joined = re.sub(rf"(?<=”) (?={_HAN})|(?<={_HAN}) (?=“)", "", joined)
    return _once(joined)


def _apply(piece: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for expression, instead in rules:
        piece = expression.sub(instead, piece)
    return piece


def _once(text: str) -> str:
    """The text without lines of prose that it had before."""
    seen: set[str] = set()
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        mark = line.strip().startswith("```")
        fenced = fenced != mark
        code = mark or line.strip().startswith("`")  # Two steps may have the same statement.
        if not (fenced or code) and len(line) >= _WORTH_COMPARING:
            if line in seen:
                continue
            seen.add(line)
        lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def brief(words: str, most: int = _RECOGNISED) -> str:
    """The person's words, cut where they are longer than it takes to recognise them."""
    words = words.strip()
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"

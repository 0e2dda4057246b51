"""One answer's voice: its language, its phrase table, and how numbers are said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from services.planner.model import Language, Text
from services.planner.speak import en, en_looking, zh, zh_looking

Phrases = Mapping[str, str | tuple[str, ...]]
_TABLES: dict[Language, Phrases] = {
    Language.ZH: {**zh.PHRASES, **zh_looking.PHRASES},
    Language.EN: {**en.PHRASES, **en_looking.PHRASES},
}


_COMMA = re.compile(r"[，、；]|[,;](?=\s)")
_QUOTES = re.compile(r"[“\"]")
_QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"")


@dataclass(frozen=True)
class Voice:
    """Says phrases. `turn` and `previous` (the last answer) choose among the wordings of a phrase."""

    language: Language
    turn: int = 0
    previous: str = ""

    def say(self, phrase: str, **values: object) -> str:
        """A phrase with its values; of several wordings the turn's, or the first that the last answer did not have."""
        wordings = _TABLES[self.language][phrase]
        if isinstance(wordings, str):
            return wordings.format(**values)
        said = [wording.format(**values) for wording in wordings]
        turned = [said[(self.turn + at) % len(said)] for at in range(len(said))]
        return next((wording for wording in turned if wording not in self.previous), turned[0])

    def once(self, phrase: str, **values: object) -> str:
        """A phrase, unless the last answer had it."""
        said = self.say(phrase, **values)
        return "" if said in self.previous else said

    def name(self, text: Text, otherwise: str = "") -> str:
        """A name in this language, or an id where there is none."""
        return text.say(self.language) or otherwise or self.say("unnamed")

    def percent(self, share: float) -> str:
        """A probability without decimals, and never as certain or impossible."""
        sign = "%" if self.language is Language.ZH else " %"
        if not share >= 0.005:
            return f"<1{sign}"
        return f">99{sign}" if share >= 0.995 else f"{min(max(round(share * 100), 1), 99)}{sign}"

    def bits(self, bits: float) -> str:
        """A weight of evidence with its sign."""
        return self.say("bits", bits=f"{bits:+.1f}")

    def quoted(self, text: Text, otherwise: str = "") -> str:
        """A name for a list: in quotes when it has a comma of its own."""
        name = self.name(text, otherwise)
        return self.say("quoted", words=name) if _COMMA.search(name) and not _QUOTES.search(name) else name

    def marked(self, text: Text, otherwise: str = "") -> str:
        """A name in quotes, unless it has quotes of its own."""
        name = self.name(text, otherwise)
        return name if _QUOTES.search(name) else self.say("quoted", words=name)

    def listed(self, names: Iterable[str]) -> str:
        """Names one after the other; when one has a comma outside quotes, by semicolons."""
        given = [name for name in names if name]
        inner = any(_COMMA.search(_QUOTATION.sub("", name)) for name in given)
        return self.say("semicolon" if inner else "comma").join(given)

    @property
    def stop(self) -> str:
        """Between two sentences of one paragraph."""
        return "" if self.language is Language.ZH else " "

    def names(self, texts: Iterable[Text], most: int = 5) -> str:
        """Names of several things, at most `most`."""
        return self.listed([self.quoted(text) for text in list(texts)[:most] if text.say(self.language)])

"""Vocabularies of several files, libraries or snapshots as one: a subject that several have gets the terms of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

from lang.vocabulary import Action, Event, Facility, Quantity, State, Subject, Terms, Vocabulary

KINDS = tuple(Vocabulary.model_fields)
_Subject = TypeVar("_Subject", bound=Subject)


def subjects_by_place(vocabulary: Vocabulary) -> Iterator[tuple[str, Subject]]:
    """Every subject with its path in the document, such as `quantities.3`."""
    for kind in KINDS:
        for at, subject in enumerate(getattr(vocabulary, kind)):
            yield f"{kind}.{at}", subject


def make_vocabulary(subjects: Iterable[Subject]) -> Vocabulary:
    """The vocabulary of these subjects, of which no two have one id. Subjects stand in id order, terms are sorted."""
    ordered = [unite(subject, subject) for subject in sorted(subjects, key=lambda subject: subject.id)]
    return Vocabulary(
        quantities=tuple(subject for subject in ordered if isinstance(subject, Quantity)),
        events=tuple(subject for subject in ordered if isinstance(subject, Event)),
        states=tuple(subject for subject in ordered if isinstance(subject, State)),
        actions=tuple(subject for subject in ordered if isinstance(subject, Action)),
        facilities=tuple(subject for subject in ordered if isinstance(subject, Facility)),
    )


def unite(one: _Subject, other: Subject) -> _Subject:
    """The first subject with the terms of both, sorted; all else is the first's."""
    changed: dict[str, object] = {}
    for name, own in one:
        others = getattr(other, name, None)
        if isinstance(own, Terms):
            changed[name] = _all_terms(own, others)
        elif isinstance(own, Mapping):
            more = others if isinstance(others, Mapping) else {}
            changed[name] = {key: _all_terms(own.get(key), more.get(key)) for key in sorted({*own, *more})}
    return one.model_copy(update=changed)


def differing_fields(one: Subject, other: Subject) -> list[str]:
    """The fields other than terms in which two subjects of one id differ; `id` where they are of different kinds."""
    if type(one) is not type(other):
        return ["id"]
    fixed = (name for name, own in one if not isinstance(own, Terms | Mapping))
    return [name for name in fixed if getattr(one, name) != getattr(other, name)]


def _all_terms(*several: object) -> Terms:
    known = [terms for terms in several if isinstance(terms, Terms)]
    zh, en = ({*chain.from_iterable(getattr(terms, language) for terms in known)} for language in ("zh", "en"))
    return Terms(zh=tuple(sorted(zh)), en=tuple(sorted(en)))

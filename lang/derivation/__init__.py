"""Subjects and predicates for phenomena whose library states none."""

from lang.derivation.derive import Derived, Described, derive, extend

__all__ = ["Derived", "Described", "derive", "extend"]

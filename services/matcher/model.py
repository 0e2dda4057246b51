"""The matcher's words are its contract's."""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import *

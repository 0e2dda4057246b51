"""The analyst's words are its contract's.

Glossary: a layer is the YAML that gives names to data; a dataset is a layer beside its data; an intent is a question
in ids of a layer; a metric is a named figure, a dimension what figures are split and filtered by.
"""

from __future__ import annotations

from dbdiag.analyst.v1.analyst_types import *

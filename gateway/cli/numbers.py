"""Numbers of the command line, named in plain words when they are none."""

from __future__ import annotations

import click


class WholeNumber(click.IntRange):
    """A whole number within limits."""

    name = "whole number"


class Share(click.FloatRange):
    """A number within limits."""

    name = "number"

"""IP addresses, hidden if the site's policy asks for it."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address, IPv6Address

from lang import deferred_re as re

_FOUR = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_SIX = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:\d{0,3}(?:\.\d{1,3}){3})?(?![\w:])")


def without_addresses(text: str) -> str:
    """The text without IPv4 and IPv6 addresses."""
    text = _SIX.sub(lambda found: "[address]" if _is(IPv6Address, found[0]) else found[0], text)
    return _FOUR.sub(lambda found: "[address]" if _is(IPv4Address, found[0]) else found[0], text)


def _is(kind: type[IPv4Address] | type[IPv6Address], written: str) -> bool:
    try:
        kind(written)
    except AddressValueError:
        return False
    return written not in ("::", "0.0.0.0")

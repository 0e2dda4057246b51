"""The welcome message of `dbdiag up`."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gateway.cli.language import LanguageCode, Texts, choose_language

if TYPE_CHECKING:
    from gateway.settings import GatewaySettings
    from services.knowledge.files import Manifest

say = Texts("up").say
_EVERYWHERE = {"//0.0.0.0:": "//127.0.0.1:", "//[::]:": "//[::1]:"}
_SHORT_ID = 19
# Where the client of models goes when it has a key and no address.
_DEFAULT_ENDPOINT = "https://api.openai.com"


def make_object(settings: GatewaySettings, url: str, seconds: float) -> str:
    """One JSON object: url, where it listens, whether a token is required, seconds to ready, data_dir, knowledge.

    Knowledge is null when none is published.
    """
    manifest = _read_published(settings)
    knowledge = {"snapshot_id": manifest.snapshot_id, **vars(manifest.counts)} if manifest else None
    address = {"url": _reachable(url), "listening": urlsplit(url).netloc, "token_required": settings.token is not None}
    body = address | {"seconds": round(seconds, 3), "data_dir": str(settings.data_dir), "knowledge": knowledge}
    return json.dumps(body, ensure_ascii=False)


def render_welcome(settings: GatewaySettings, url: str, seconds: float) -> str:
    """A few lines: the page, who may come in, how to chat, what is known, the model, where data lie, how to stop."""
    words = choose_language(None, os.environ)
    here = _reachable(url)
    chat = "dbdiag chat" if here.endswith(":8080") else f"dbdiag chat --url {here}"
    rows = [("up_page", f"{here}/"), *_access(settings, url, words)]
    rows.append(("up_chat", f"{chat}  {say('up_other_terminal', words)}"))
    manifest = _read_published(settings)
    if manifest is not None:
        rows.append(("up_knowledge", _render_counts(manifest, words)))
    rows += [("up_model", _model(words)), ("up_data", str(settings.data_dir))]
    lines = [f"  {say(key, words):<9}  {value}" for key, value in rows]
    return "\n".join([say("up_ready", words, seconds=seconds), *lines, say("up_stop", words)])


def _access(settings: GatewaySettings, url: str, words: LanguageCode) -> list[tuple[str, str]]:
    """Where it listens when that is more than the page's address, by which other names, and that a token is needed."""
    listening, names = urlsplit(url).netloc, ", ".join(settings.allowed_hosts)
    rows = [("up_listening", listening)] if _reachable(url) != url else []
    rows += [("up_names", names)] if names else []
    return rows + ([("up_token", say("up_token_required", words))] if settings.token else [])


def _render_counts(manifest: Manifest, words: LanguageCode) -> str:
    counts = manifest.counts
    return say(
        "up_counts",
        words,
        phenomena=counts.phenomena,
        root_causes=counts.root_causes,
        tickets=counts.tickets,
        snapshot=manifest.snapshot_id[:_SHORT_ID],
    )


def _model(words: LanguageCode) -> str:
    """The language models in use, and their host."""
    from services.chassis.settings import LlmServerSettings, load

    settings = load(LlmServerSettings, os.environ)
    named = (settings.agent_model, settings.understand_model, settings.rerank_model, settings.response_model)
    names = list(dict.fromkeys(name for name in named if name))
    if not names or not (settings.llm_base_url or settings.llm_api_key):
        return say("up_no_model", words)
    # The host alone: an address may carry a password.
    host = urlsplit(settings.llm_base_url or _DEFAULT_ENDPOINT).hostname
    return say("up_models", words, names=", ".join(names), host=host)


def _read_published(settings: GatewaySettings) -> Manifest | None:
    from services.chassis.settings import load
    from services.knowledge.files import KnowledgeSettings, SnapshotStore, open_blobs

    place = load(KnowledgeSettings, os.environ).within(settings.data_dir).knowledge_store
    store = SnapshotStore(open_blobs(place), time.time)
    try:
        current = store.current_id()
        return store.manifest(current) if current else None
    finally:
        store.close()


def _reachable(url: str) -> str:
    """The URL by which this machine reaches a gateway that listens on all addresses."""
    for everywhere, here in _EVERYWHERE.items():
        url = url.replace(everywhere, here)
    return url

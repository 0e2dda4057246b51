"""What `dbdiag up` says as soon as it is ready."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gateway.cli.phrases import LanguageCode, choose_language, say

if TYPE_CHECKING:
    from gateway.settings import GatewaySettings
    from services.knowledge.model import Manifest

_EVERYWHERE = {"//0.0.0.0:": "//127.0.0.1:", "//[::]:": "//[::1]:"}
_SHORT_ID = 19
# Where the client of models goes when it has a key and no address.
_DEFAULT_ENDPOINT = "https://api.openai.com"


def as_object(settings: GatewaySettings, url: str, seconds: float) -> str:
    """One JSON object: url, seconds to ready, data_dir, knowledge (null when none is published)."""
    manifest = _published(settings)
    knowledge = {"snapshot_id": manifest.snapshot_id, **vars(manifest.counts)} if manifest else None
    body = {"url": _reachable(url), "seconds": round(seconds, 3), "data_dir": str(settings.data_dir)}
    return json.dumps(body | {"knowledge": knowledge}, ensure_ascii=False)


def for_a_person(settings: GatewaySettings, url: str, seconds: float) -> str:
    """A few lines: where the page is, how to chat, what is known, which model helps, where data lie, how to stop."""
    words = choose_language(None, os.environ)
    here = _reachable(url)
    chat = "dbdiag chat" if here.endswith(":8080") else f"dbdiag chat --url {here}"
    rows = [("up_page", f"{here}/"), ("up_chat", f"{chat}  {say(words, 'up_other_terminal')}")]
    manifest = _published(settings)
    if manifest is not None:
        rows.append(("up_knowledge", _counted(manifest, words)))
    rows += [("up_model", _model(words)), ("up_data", str(settings.data_dir))]
    lines = [f"  {say(words, key):<9}  {value}" for key, value in rows]
    return "\n".join([say(words, "up_ready", seconds=seconds), *lines, say(words, "up_stop")])


def _counted(manifest: Manifest, words: LanguageCode) -> str:
    counts = manifest.counts
    return say(
        words,
        "up_counts",
        phenomena=counts.phenomena,
        root_causes=counts.root_causes,
        tickets=counts.tickets,
        snapshot=manifest.snapshot_id[:_SHORT_ID],
    )


def _model(words: LanguageCode) -> str:
    """The language models that are asked, and the host they are behind."""
    from services.chassis.settings import LlmServerSettings, load

    settings = load(LlmServerSettings, os.environ)
    named = (settings.agent_model, settings.understand_model, settings.rerank_model, settings.response_model)
    names = list(dict.fromkeys(name for name in named if name))
    if not names or not (settings.llm_base_url or settings.llm_api_key):
        return say(words, "up_no_model")
    # The host alone: an address may carry a password.
    host = urlsplit(settings.llm_base_url or _DEFAULT_ENDPOINT).hostname
    return say(words, "up_models", names=", ".join(names), host=host)


def _published(settings: GatewaySettings) -> Manifest | None:
    from services.knowledge.settings import within
    from services.knowledge.shelf import open_shelf
    from services.knowledge.store import SnapshotStore

    store = SnapshotStore(open_shelf(within(settings.data_dir, os.environ).knowledge_store), time.time)
    try:
        current = store.current_id()
        return store.manifest(current) if current else None
    finally:
        store.close()


def _reachable(url: str) -> str:
    """The URL by which this machine reaches a gateway that listens everywhere."""
    for everywhere, here in _EVERYWHERE.items():
        url = url.replace(everywhere, here)
    return url

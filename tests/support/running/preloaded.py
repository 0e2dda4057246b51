"""All that a process of dbdiag imports and reads on its way, once for those that are forked; see forked.py."""

from __future__ import annotations

import asyncio
import gc
import warnings

# All this stays: forks share its memory, and their collections leave it alone.
gc.disable()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import httpx
    import psycopg
    import rich.console
    import rich.markdown
    import sqlalchemy.dialects.sqlite.pysqlite
    import uvicorn.lifespan.off
    import uvicorn.loops.asyncio
    import uvicorn.protocols.http.httptools_impl

    import gateway.analysis.scene
    import gateway.app
    import gateway.cli.ask.ask
    import gateway.cli.ask.batch
    import gateway.cli.knowledge.knowledge
    import gateway.cli.main
    import gateway.cli.tools.understand
    import gateway.cli.up.up
    import gateway.embedded
    import gateway.http.app
    import services.analyst.app
    import services.analyst.execution.__main__
    import services.chassis.server
    import services.collector.app
    import services.engine.app
    import services.knowledge.app
    import services.knowledge.importing.importer
    import services.matcher.app
    import services.planner.app
    from lang import embedding
    from lang.concepts import glossary
    from services.collector.catalogue.reader import shipped
    from services.matcher.reading import topics
    from services.planner.model import SessionView
    from services.planner.planner import Planner
    from services.planner.understand.acts import tagger

__all__ = ["gateway", "httpx", "psycopg", "rich", "services", "sqlalchemy", "uvicorn"]

# What a first question makes of the planner's words, in either language.
for message in ("The report is slow. How do I check the locks?", "报表查询变慢，怎么看锁？"):
    asyncio.run(Planner().decide(SessionView(), message))
# The files of the package, which are the same for every process.
shipped()
embedding.load()
glossary.load()
topics.load()
tagger.shipped()
gc.freeze()
gc.enable()

"""Every query of the MySQL library runs on a real server, where one is installed."""

from __future__ import annotations

from contextlib import closing

import pymysql

from tests.support.servers.mysql import mysql
from tests.support.shipped_libraries import shipped_library


def test_each_query_runs_as_it_stands() -> None:
    """Each gives rows or none, not an error, in a session that may only read."""
    queries = [
        (entry.id, text)
        for entry in shipped_library("mysql").phenomena.values()
        if entry.observe.kind == "sql"
        for text in dict.fromkeys(entry.observe.texts.values())
    ]
    assert len(queries) > 50
    failed = []
    with mysql() as server, closing(server.connect("root", "")) as connection, connection.cursor() as cursor:
        cursor.execute("SET SESSION TRANSACTION READ ONLY")
        for name, text in queries:
            try:
                cursor.execute(text)
                cursor.fetchall()
            except pymysql.MySQLError as error:
                failed.append((name, str(error)))
    assert failed == []

"""Databases that nobody has described, as people keep them: schools in SQLite, football in SQLite, a shop as CSV."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_SCHOOLS = """
CREATE TABLE schools (CDSCode TEXT NOT NULL PRIMARY KEY, School TEXT, County TEXT, City TEXT, Zip TEXT, Phone TEXT,
    OpenDate DATE, Charter INTEGER, FundingType TEXT, Latitude REAL);
CREATE TABLE frpm (CDSCode TEXT NOT NULL PRIMARY KEY REFERENCES schools (CDSCode), "Academic Year" TEXT,
    "School Type" TEXT, "Charter School (Y/N)" INTEGER, "Enrollment (K-12)" REAL, "Free Meal Count (K-12)" REAL,
    "Percent (%) Eligible Free (K-12)" REAL);
CREATE TABLE satscores (cds TEXT NOT NULL PRIMARY KEY REFERENCES schools (CDSCode), sname TEXT,
    NumTstTakr INTEGER NOT NULL, AvgScrMath INTEGER, NumGE1500 INTEGER);
"""
_FOOTBALL = """
CREATE TABLE Team (id INTEGER PRIMARY KEY, team_api_id INTEGER UNIQUE, team_long_name TEXT, team_short_name TEXT);
CREATE TABLE League (id INTEGER PRIMARY KEY, country_id INTEGER, name TEXT);
CREATE TABLE Country (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE Match (id INTEGER PRIMARY KEY, league_id INTEGER, season TEXT, date TEXT,
    home_team_id INTEGER REFERENCES Team (id), away_team_id INTEGER REFERENCES Team (id),
    home_team_goal INTEGER, away_team_goal INTEGER);
CREATE TABLE Player (id INTEGER PRIMARY KEY, player_name TEXT, birthday TEXT, height REAL, weight INTEGER);
"""


def write_schools(path: Path) -> None:
    """Three tables with the school's code as their key."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_SCHOOLS)
        counties, kinds = ("Alameda", "Fresno", "Kern"), ("High Schools (Public)", "Elementary Schools (Public)")
        for n in range(90):
            code = f"0{1100170109835 + n}"
            school = (code, f"School {n}", counties[n % 3], f"City {n % 20}", f"94{n:03}", f"(510) 555-{n:04}",
                      f"19{60 + n % 39}-08-28", n % 2, ("Directly funded", None)[n % 2], 37.0 + n / 100)  # fmt: skip
            database.execute(f"INSERT INTO schools VALUES ({','.join('?' * 10)})", school)
            frpm = (code, "2014-2015", kinds[n % 2], n % 2, 100.0 + n, 50.0 + n / 2, (50 + n / 2) / (100 + n))
            database.execute(f"INSERT INTO frpm VALUES ({','.join('?' * 7)})", frpm)
            if n % 3:
                database.execute("INSERT INTO satscores VALUES (?,?,?,?,?)", (code, f"School {n}", 80 + n, 400 + n, n))
        database.commit()


def write_football(path: Path) -> None:
    """Matches with two teams each; some links are not declared."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_FOOTBALL)
        for n in range(20):
            database.execute("INSERT INTO Team VALUES (?,?,?,?)", (n + 1, 9000 + n, f"Team {n}", f"T{n:02}"))
            player = (
                n + 1,
                f"Player {n}",
                f"{1980 + n}-02-29 00:00:00"[:10].replace("02-29", "02-28"),
                170.5 + n,
                150 + n,
            )
            database.execute("INSERT INTO Player VALUES (?,?,?,?,?)", player)
        for n in range(4):
            database.execute(
                "INSERT INTO Country VALUES (?,?)", (100 + n, ("Belgium", "England", "France", "Spain")[n])
            )
            database.execute("INSERT INTO League VALUES (?,?,?)", (100 + n, 100 + n, f"League {n}"))
        for n in range(300):
            match = (n, 100 + n % 4, f"{2008 + n % 8}/{2009 + n % 8}", f"20{8 + n % 8:02}-0{1 + n % 9}-11", 1 + n % 20,
                     1 + (n * 7 + 3) % 20, n % 5, n % 4)  # fmt: skip
            database.execute("INSERT INTO Match VALUES (?,?,?,?,?,?,?,?)", match)
        database.commit()


def write_chinese_shop(folder: Path) -> None:
    """Two CSV files with Chinese names, one of them in GBK."""
    stores = "".join(f"M{n:03},{['华东', '华南', '华北'][n % 3]},门店{n}\n" for n in range(12))
    (folder / "门店.csv").write_bytes(("门店编号,区域,门店名称\n" + stores).encode("gbk"))
    days = [f"2024-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(400)]
    rows = "".join(
        f"{n},M{n % 12:03},{day},{n * 3 % 500}.50,{1 + n % 4},{('已支付', '已退货')[n % 2]}\n"
        for n, day in enumerate(days)
    )
    (folder / "订单.csv").write_text("订单编号,门店编号,下单日期,销售金额,数量,状态\n" + rows, "utf-8")

"""What is left out of everything that leaves the collector, and what stays word for word."""

from __future__ import annotations

import json
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from redaction import redact
from redaction.credentials import folded, rules, without_credentials
from tests.support.cases import for_each
from tests.support.examples import examples

FORMS = [
    line.replace("⏎", "\n")
    for line in (Path(__file__).parent / "planted.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
# Kind -> a text with the secret, and the secret.
PLANTED = {
    "url": ("postgresql://app:Hunter2!x@db1:5432/orders?sslmode=require", "Hunter2!x"),
    "url without a password": ("connecting to postgres://db1.internal/orders", "db1.internal"),
    "jdbc": ("jdbc:postgresql://10.0.0.5:5432/orders?user=app&password=Hunter2x", "Hunter2x"),
    "oracle thin": ("jdbc:oracle:thin:scott/Hunter2x@//ora1:1521/ORCL", "Hunter2x"),
    "easy connect": ("sqlplus scott/Hunter2x@ora1:1521/ORCL", "Hunter2x"),
    "sqlalchemy": ("create_engine('postgresql+psycopg://app:Hunter2x@db/orders')", "Hunter2x"),
    "dsn": ("host=db1 port=5432 user=app password=Hunter2x dbname=orders", "Hunter2x"),
    "quoted dsn": ("primary_conninfo = 'host=db1 user=rep password=''Hunter 2x'' port=5432'", "Hunter 2x"),
    "odbc": ("Driver={PostgreSQL};Server=db1;Uid=app;Pwd=Hunter2x;Database=orders", "Hunter2x"),
    "go dsn": ("app:Hunter2x@tcp(10.0.0.5:3306)/orders", "Hunter2x"),
    "bare user and host": ("could not reach app:Hunter2x@db1.internal:5432/orders", "Hunter2x"),
    "mongodb": ("mongodb+srv://app:Hunter2x@cluster0.example.net/test", "Hunter2x"),
    "redis": ("redis://:Hunter2x@cache:6379/0", "Hunter2x"),
    "amqp": ("amqp://svc:Hunter2x@mq:5672/%2f", "Hunter2x"),
    "ftp": ("ftp://ann:Hunter2x@files/backup", "Hunter2x"),
    "pgpass": ("db1:5432:orders:app:Hunter2x", "Hunter2x"),
    "environment": ("PGPASSWORD=Hunter2x psql -h db1", "Hunter2x"),
    "assignment": ("db_password = 'Hunter2x'", "Hunter2x"),
    "sentence": ("the password is Hunter2x", "Hunter2x"),
    "chinese sentence": ("密码是Hunter2x，别外传", "Hunter2x"),
    "json key": ('{"user": "app", "password": "Hunter2x"}', "Hunter2x"),
    "python dict": ("connect({'host': 'db1', 'password': 'Hunter2x'})", "Hunter2x"),
    "yaml": ("auth:\n  username: app\n  secret_key: Hunter2x\n", "Hunter2x"),
    "ampersand inside": ("password=Hunt&er,2x rest", "er,2x"),
    "command line": ("mysql -h db -u root -pHunter2x orders", "Hunter2x"),
    "long option": ("tool --password Hunter2x --verbose", "Hunter2x"),
    "curl": ("curl -u ann:Hunter2x https://example.org/", "Hunter2x"),
    "alter role": ("ALTER ROLE app WITH PASSWORD 'Hunter2x' LOGIN", "Hunter2x"),
    "identified by": ("CREATE USER a IDENTIFIED BY 'Hunter2x'", "Hunter2x"),
    "user mapping": ("CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'app', password 'Hunter2x')", "Hunter2x"),
    "scram": ("SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0$c3RvcmVk:c2VydmVy", "c2VydmVy"),
    "md5 hash": ("md5a3556571e93b0d20722ba62be61e8c2d", "a3556571e93b0d20722ba62be61e8c2d"),
    "mysql hash": ("*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19", "2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"),
    "bcrypt": ("$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW", "EixZaYVK1fsbw1ZfbX3OXe"),
    "shadow": (
        "root:$6$salt$IxDD3jeSOb5eB1CX5LBsqZFVkJdido3OUILO5Ifz5iwMuTS4:19000",
        "IxDD3jeSOb5eB1CX5LBsqZFVkJdido3",
    ),
    "private key": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7x\nabcdef\n-----END RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQEA7x",
    ),
    "cut private key": ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXk"),
    "aws id": ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    "aws secret": ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "wJalrXUtnFEMI/K7MDENG"),
    "github": ("ghp_0123456789abcdefghijABCDEFGHIJ", "0123456789abcdefghij"),
    "slack": ("xoxb-123456789012-abcdefghij", "123456789012-abcdefghij"),
    "model key": ("key sk-proj-abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx"),
    "google": ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "SyA1234567890"),
    "stripe": ("sk_live_abcdefghijklmnop", "abcdefghijklmnop"),
    "aliyun": ("LTAI5tAbCdEfGhIjKlMn", "LTAI5tAbCdEfGhIjKlMn"),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", "eyJzdWIiOiIxMjM0In0"),
    "bearer": ("Authorization: Bearer abcdefghijklmnop.qrs1", "abcdefghijklmnop"),
    "basic": ("Authorization: Basic YXBwOkh1bnRlcjI=", "YXBwOkh1bnRlcjI"),
    "api key header": ("X-Api-Key: abcdef123456", "abcdef123456"),
    "cookie": ("Cookie: sid=abcdef123456; theme=dark", "abcdef123456"),
    "signed url": ("GET https://s3.example.org/b/k?X-Amz-Signature=deadbeef01 200", "deadbeef01"),
    "webhook": ("https://hooks.example.org/services/T000/B000/XXXXabcd1234", "XXXXabcd1234"),
    "e-mail": ("找 zhang.san+dba@mail.example.com 确认", "zhang.san"),
    "mobile": ("电话 13800138001 找值班", "13800138001"),
    "grouped mobile": ("+86 138-0013-8001", "0013"),
    "us phone": ("call (415) 555-0134", "555-0134"),
    "international phone": ("call +44 20 7946 0958 now", "7946"),
    "landline": ("座机 010-62345678", "62345678"),
    "identity card": ("身份证 11010519491231002X", "11010519491231002X"),
    "social security": ("SSN 123-45-6789", "123-45-6789"),
    "card": ("paid with 4111111111111111", "4111111111111111"),
    "grouped card": ("card 5500 0000 0000 0004", "0000 0004"),
    "iban": ("IBAN DE89 3704 0044 0532 0130 00", "0532 0130"),
    "string in sql": ("SELECT * FROM patients WHERE name = 'Zhang Xiaoming' AND x = 1", "Zhang Xiaoming"),
    "quote in a string": ("UPDATE t SET note = 'it''s Zhang Xiaoming' WHERE id = 1", "Zhang Xiaoming"),
    "cut string in sql": ("SELECT * FROM patients WHERE note LIKE 'Zhang Xiaomi", "Zhang Xiaomi"),
    "number in sql": ("select * from salaries where amount > 4455667", "4455667"),
    "list in sql": ("INSERT INTO t VALUES (1, 'Zhang Xiaoming', 4455667)", "Zhang Xiaoming"),
    "dollar quote in sql": ("SELECT $$Zhang Xiaoming$$", "Zhang Xiaoming"),
    "duplicate key": ("DETAIL:  Key (name)=(Zhang Xiaoming) already exists.", "Zhang Xiaoming"),
    "failing row": ("DETAIL:  Failing row contains (1, Zhang Xiaoming, null).", "Zhang Xiaoming"),
    "bound parameters": ("DETAIL:  parameters: $1 = 'Zhang Xiaoming', $2 = NULL", "Zhang Xiaoming"),
    "bad input": ('ERROR:  invalid input syntax for type integer: "Zhang Xiaoming"', "Zhang Xiaoming"),
    "cut json": ('SELECT 1 /* {"a": 1, "password": "Hunter2x', "Hunter2x"),
    "cut call": ("connect(host='db1', password='Hunter2x", "Hunter2x"),
    "quoted name": ('CREATE TABLE "{""client_secret"": ""Hunter2x""}" (id int)', "Hunter2x"),
    "table of a schema": ("seq scan on public.13900139123", "13900139123"),
    "stack trace": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    connect("app", password="Hunter2x")\n'
        "psycopg.OperationalError: connection failed",
        "Hunter2x",
    ),
    "exception with a dsn": (
        "sqlalchemy.exc.OperationalError: (dsn: 'host=db1 user=app password=Hunter2x')",
        "Hunter2x",
    ),
}
# Of these texts are made that come close to every rule.
PIECES = (
    "password",
    "PaſſWord",
    "toKen",
    "ſecret_key",
    "key",
    "sig",
    "pw",
    "=",
    ":",
    ": ",
    " = ",
    "://",
    "@",
    "u:p",
    "/",
    "h:5432",
    " ",
    "\n",
    "\t",
    '"',
    "'",
    "\\",
    "-p",
    "-u ",
    "mysql ",
    "curl ",
    "redis-cli -a ",
    "jdbc:",
    "postgres",
    "host=a ",
    "user=b ",
    "Server=x;",
    "Uid=y;",
    "Pwd=z",
    "Authorization: ",
    "Bearer ",
    "Basic ",
    "Cookie: ",
    "?code=",
    "&token=",
    "bot1234567:",
    "/services/",
    "eyJhbGciOi",
    ".",
    "abcdefgh12",
    "AKIA0123456789ABCDEF",
    "ghp_0123456789abcdefghij",
    "md5",
    "$2b$12$",
    "$6$",
    "*",
    "SCRAM-SHA-256$4096:",
    "密码",
    "是",
    "：",
    "<",
    ">",
    "identified by ",
    "echo x | sudo ",
    "{SSHA}",
    '"auth": ',
    "0123456789abcdef0123456789abcdef",
    "Hunter2x",
    ",",
    ";",
    "is ",
)
PLAIN = [
    'FATAL:  password authentication failed for user "app"',
    "connection authorized: user=app database=orders application_name=psql",
    "connection received: host=10.0.0.5 port=41234",
    "shared_buffers is 17179869184 bytes; pg_wal 34359738368",
    "xid age 1987654321, autovacuum_freeze_max_age = 200000000",
    "password_encryption = scram-sha-256",
    "23 sessions wait_event_type=Lock, all UPDATE orders",
    "看 https://www.postgresql.org/docs/16/runtime-config-wal.html",
    "max_connections=500, work_mem=4MB",
    "LSN 0/16B3748, timeline 3, 10.0.0.5:5432",
    "pid 18234 idle in transaction 21 分钟",
    "slow at 10:30, 99.9% CPU, 1,234,567 rows, 2026-03-01 10:00:00.123+08",
    "autovacuum: VACUUM ANALYZE public.orders (to prevent wraparound)",
    "SELECT count(*) FROM orders WHERE state = $1 AND id < $2 LIMIT 20 OFFSET 150000",
    "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND wait_event_type = 'Lock'",
    "SELECT now() - interval '5 minutes'",
    '{"pid": 18234, "calls": 13958643712, "queryid": 6212345678901234567, "state": "active"}',
    "queryid\tcalls\n6212345678901234567\t13958643712\n",
    'relation "orders" does not exist',
    'duplicate key value violates unique constraint "orders_pkey"',
    "the user asks for the token bucket limit; don't, it's o'clock",
    "archive_command = 'test ! -f /backup/%f && cp %p /backup/%f'",
    "at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)",
    "requested WAL segment 000000010000000A00000042 has been removed, then 000000010000",
    "the password is wrong, 密码是错的; is the token expired?",
    "cpu cfs_quota -1, load 3.21 2.10 1.05, MemAvailable: 22332416 kB",
    "process 4242 still waiting for ShareLock on transaction 1234567 after 1000.123 ms",
    "checkpoint complete: wrote 1234 buffers (7.5%); 0 WAL file(s) added, sync=0.003 s, total=12.345 s",
]


@for_each("kind", PLANTED)
def test_no_planted_secret_stays(kind: str) -> None:
    """As it stands, inside JSON, as a JSON value's text, in a log line and in a table."""
    text, secret = PLANTED[kind]
    forms = (text, f"2026-03-01 10:00:00 LOG:  {text}", json.dumps({"query": text}), json.dumps([text], indent=1))
    left = [form for form in forms if secret in redact(form) or json.dumps(secret)[1:-1] in redact(form)]
    assert left == []
    assert len(PLANTED) > 60


@given(st.from_regex(r"[A-Z][a-z][0-9][A-Z]{2}[a-z0-9]{3,12}", fullmatch=True), st.sampled_from(FORMS))
@settings(max_examples=examples(120), deadline=None)
def test_a_secret_stays_in_no_form(secret: str, form: str) -> None:
    """Any secret, in every form that people and tools give it: alone, in a log, in JSON twice over, in a table."""
    text = form.replace("{s}", secret)
    encoded = json.dumps([{"pid": 1, "query": text}], indent=1)
    forms = (text, f"2026-01-01 LOG:  {text}", encoded, json.dumps(encoded), f"1\tactive\t{text}\t5")
    assert [whole for whole in forms if secret in redact(whole)] == []


@for_each("text", PLAIN)
def test_text_without_secrets_is_unchanged(text: str) -> None:
    """What a diagnosis needs stays word for word, in JSON too."""
    assert redact(text) == text
    assert redact(json.dumps({"line": text}, ensure_ascii=False)) == json.dumps({"line": text}, ensure_ascii=False)


@given(st.lists(st.sampled_from([*(text for text, _ in PLANTED.values()), *PLAIN]), min_size=1, max_size=5))
@settings(deadline=None)
def test_nothing_survives_in_company(texts: list[str]) -> None:
    """Whatever stands beside it, a secret is gone, and a second time changes nothing."""
    for whole in ("\n".join(texts), json.dumps(texts, ensure_ascii=False, indent=1)):
        kept = redact(whole)
        planted = [secret for text, secret in PLANTED.values() if text in texts]
        assert [secret for secret in planted if secret in kept] == []
        assert redact(kept) == kept


def test_json_keys_are_read_too() -> None:
    """A key may be a secret, and may say that a bare number is one."""
    assert redact('{"ann@example.org": 1, "phone": 13800138001, "blks_read": 13800138001}') == (
        '{"[e-mail]": 1, "phone": "[number]", "blks_read": 13800138001}'
    )


@given(st.recursive(st.text(max_size=20) | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=4)))
@settings(deadline=None)
def test_json_stays_json(value: object) -> None:
    """A JSON text is one afterwards."""
    planted = {"rows": [value, PLANTED["string in sql"][0], PLANTED["private key"][0]], "password": "Hunter2x"}
    read = json.loads(redact(json.dumps(planted, indent=1)))
    assert set(read) == {"rows", "password"}
    assert "Hunter2x" not in json.dumps(read)


@for_each("hidden", ["10.1.2.3", "2001:db8::1", "fe80::1ff:fe23:4567:890a", "::ffff:10.1.2.3"])
def test_addresses_are_hidden_by_policy(hidden: str) -> None:
    """IP addresses stay unless the site hides them; times and versions are none."""
    text = f"client {hidden} at 10:30:00 on 18.6.3"
    assert redact(text) == text
    assert redact(text, hide_addresses=True) == "client [address] at 10:30:00 on 18.6.3"


REPEATED = [
    "a",
    "'",
    "\\'",
    "@",
    "a@",
    "a.",
    "1 ",
    "1",
    "password=",
    "host=a ",
    "-----BEGIN PRIVATE KEY-----",
    "://",
    "$$",
]
REPEATED += [
    "select '",
    '""',
    "a:",
    ":1",
    "x-",
    "mysql -",
    "Key (a)=(",
    '"',
    "\n",
    " ",
    "=",
    "server=a;",
    "a_",
    "eyJaaaaaaaa.",
]


@for_each("piece", REPEATED)
def test_time_grows_with_the_length_alone(piece: str) -> None:
    """A text made to overwhelm it takes about four times as long when it is four times as long."""
    small, large = (_seconds(piece * (size // len(piece))) for size in (8_000, 32_000))
    assert large < max(10 * small, 0.25)


def _seconds(text: str) -> float:
    started = time.process_time()
    redact(text)
    return time.process_time() - started


@for_each("number", range(len(rules())))
def test_what_a_rule_finds_has_one_of_its_signs(number: int) -> None:
    """A rule that is passed over for want of its signs would have found nothing, in whatever letters it is written."""
    rule = rules()[number]
    written = [*(text for text, _ in PLANTED.values()), *(form.replace("{s}", "Hunter2x9Z") for form in FORMS)]
    written += [each.swapcase() for each in written] + [
        each.replace("s", "ſ").replace("k", "\u212a") for each in written
    ]
    found = [match[0] for text in written for match in rule.pattern.finditer(text)]
    assert [one for one in found if not any(sign in folded(one) for sign in rule.signs)] == []
    assert all(sign == folded(sign) for sign in rule.signs)


@given(st.lists(st.sampled_from([*PIECES, *(text for text, _ in PLANTED.values())]), min_size=1, max_size=12))
@settings(max_examples=examples(300), deadline=None)
def test_signs_save_time_and_change_nothing(pieces: list[str]) -> None:
    """With every rule tried on every text the same comes out."""
    text = "".join(pieces)
    tried = text
    for rule in rules():
        tried = rule.pattern.sub(rule.instead, tried)
    if "-----" not in text and "ecret" not in text:
        assert without_credentials(text) == tried

"""What is left out of the words of a closed case, and what is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.knowledge.redact import redact
from tests.support.cases import for_each

SECRETS = [
    ("连的是 postgresql://app:Hunter2!@db1:5432/orders?sslmode=require 这个库", "Hunter2!"),
    ("postgres://db1.internal/orders is slow", "db1.internal"),
    ("jdbc:postgresql://10.0.0.5:5432/orders?user=app&password=Hunter2 连不上", "Hunter2"),
    ("jdbc:oracle:thin:@//ora1.internal:1521/ORCL", "ora1.internal"),
    ("mysql -h db -u root -pHunter2 orders", "Hunter2"),
    ('psql "host=db1 port=5432 user=app password=Hunter2 dbname=orders"', "Hunter2"),
    ("host=db1 dbname=orders user=ann", "db1"),
    ("PGPASSWORD=Hunter2 psql", "Hunter2"),
    ("the password is Hunter2", "Hunter2"),
    ("password: 'Hunter 2'", "Hunter 2"),
    ('{"password": "Hunter2"}', "Hunter2"),
    ("密码是Hunter2，别外传", "Hunter2"),
    ("口令：Hunter2", "Hunter2"),
    ("ALTER USER app WITH PASSWORD 'Hunter2'", "Hunter2"),
    ("create user a identified by 'Hunter2'", "Hunter2"),
    ("api_key=abcdef123456", "abcdef123456"),
    ("Authorization: Bearer abcdefghijklmnop.qrs", "abcdefghijklmnop"),
    ("key sk-abcdefghijklmnopqrstuvwx", "sk-abcdefghijklmnopqrstuvwx"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", "eyJzdWIiOiIxMjM0In0"),
    ("找 zhang.san@example.com 确认过", "zhang.san@example.com"),
    ("ask ann+dba@mail.example.org", "ann+dba"),
    ("电话 13800138001 找值班", "13800138001"),
    ("电话:138-0013-8001。", "8001"),
    ("+86 138 0013 8001", "0013"),
    ("call +1 415-555-0134", "555-0134"),
    ("座机 010-62345678", "62345678"),
    ("(415) 555-0134", "555-0134"),
    ("redis://:Hunter2@cache:6379/0", "Hunter2"),
    ("amqp://svc:Hunter2@mq/", "Hunter2"),
]
PLAIN = [
    '密码错误，FATAL: password authentication failed for user "app"',
    "shared_buffers 是 17179869184 字节",
    "pg_wal 占了 34359738368 bytes",
    "xid 年龄 1987654321，autovacuum_freeze_max_age = 200000000",
    "23 个会话 wait_event_type=Lock，都是对 orders 的 update",
    "SELECT * FROM t WHERE id = 12345 AND created_at > '2026-03-01 10:00:00+08'",
    "ALTER SYSTEM SET work_mem = '64MB'; ALTER DATABASE orders SET timezone = 'Asia/Shanghai'",
    "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'orders' AND schemaname IN ('public', 'sales')",
    "update 之后报错 'deadlock detected'，执行了 8000 次",
    "用户说 the password is wrong，密码是错的",
    "看 https://www.postgresql.org/docs/16/runtime-config-wal.html",
    "max_connections=500, work_mem=4MB",
    "LSN 0/16B3748，timeline 3，10.0.0.5:5432",
    "P-0090 有，RC-0001 97%",
    "pid 18234 idle in transaction 21 分钟",
    "slow at 10:30, 99.9% CPU, 1,234,567 rows, 2026-03-01",
    "the user asks for the token bucket limit",
    " 8  0      0 16541756  89092 6280284    0    0     0   192 1561 4152 92  7  0",
]


@for_each(("words", "secret"), SECRETS)
def test_secrets_are_left_out(words: str, secret: str) -> None:
    """Connection strings, passwords, keys, e-mail addresses and phone numbers are gone, and it is counted."""
    kept, left_out = redact(words)
    assert secret not in kept
    assert left_out >= 1
    assert "[" in kept


@for_each("words", PLAIN)
def test_what_a_diagnosis_needs_stays(words: str) -> None:
    """Sizes, ids, settings, times, addresses of pages and statements stay word for word."""
    assert redact(words) == (words, 0)


@given(st.lists(st.sampled_from([*(words for words, _ in SECRETS), *PLAIN]), max_size=4).map("\n".join))
def test_again_changes_nothing_more(words: str) -> None:
    """What was cleaned once is clean, whatever stood beside it."""
    kept, _ = redact(words)
    assert redact(kept).text == kept
    assert not any(secret in kept for text, secret in SECRETS if text in words)

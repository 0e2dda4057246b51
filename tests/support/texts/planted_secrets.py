"""Secrets of many kinds, each in text as tools and people write it; every secret is found by its own letters."""

from __future__ import annotations

from typing import NamedTuple


class Planted(NamedTuple):
    """text holds secret; nothing of either is anybody's. in_sql: it can stand in a comment of a statement."""

    kind: str
    text: str
    secret: str


PLANTED = tuple(
    Planted(*line)
    for line in (
        ("url", "postgresql://app:Zx7Url9Qw@db1.corp:5432/orders", "Zx7Url9Qw"),
        ("url without scheme", "app:Zx7Bare9Qw@db1.corp:5432/orders", "Zx7Bare9Qw"),
        ("jdbc", "jdbc:mysql://db2.corp:3306/shop?user=app&password=Zx7Jdbc9Qw", "Zx7Jdbc9Qw"),
        ("oracle", "jdbc:oracle:thin:scott/Zx7Orcl9Qw@//ora1:1521/ORCL", "Zx7Orcl9Qw"),
        ("dsn", "host=db1 port=5432 user=app password=Zx7Dsn9Qw dbname=orders", "Zx7Dsn9Qw"),
        ("odbc", "Driver={PostgreSQL};Server=db1;Uid=app;Pwd=Zx7Odbc9Qw;Database=orders", "Zx7Odbc9Qw"),
        ("redis", "redis://:Zx7Redis9Qw@cache.corp:6379/0", "Zx7Redis9Qw"),
        ("mongodb", "mongodb+srv://svc:Zx7Mongo9Qw@cluster0.corp/test", "Zx7Mongo9Qw"),
        ("amqp", "amqp://svc:Zx7Amqp9Qw@mq.corp:5672/vhost", "Zx7Amqp9Qw"),
        ("pgpass", "db1.corp:5432:orders:app:Zx7Pgpass9Qw", "Zx7Pgpass9Qw"),
        ("environment", "PGPASSWORD=Zx7Env9Qw psql -h db1", "Zx7Env9Qw"),
        ("command line", "mysqldump -uroot -pZx7Cmd9Qw shop", "Zx7Cmd9Qw"),
        ("long option", "load_tool --password Zx7Opt9Qw --jobs 4", "Zx7Opt9Qw"),
        ("curl", "curl -u ann:Zx7Curl9Qw https://files.corp/", "Zx7Curl9Qw"),
        ("alter role", "ALTER ROLE app PASSWORD 'Zx7Role9Qw'", "Zx7Role9Qw"),
        ("identified by", "CREATE USER a IDENTIFIED BY 'Zx7Ident9Qw'", "Zx7Ident9Qw"),
        ("sql value", "SELECT * FROM customer WHERE name = 'Zx7Value9Qw'", "Zx7Value9Qw"),
        ("sql insert", "INSERT INTO customer (name) VALUES ('Zx7Insert9Qw')", "Zx7Insert9Qw"),
        ("constraint", "Key (email)=(Zx7Key9Qw) already exists.", "Zx7Key9Qw"),
        ("sentence", "the password is Zx7Said9Qw", "Zx7Said9Qw"),
        ("chinese sentence", "数据库密码是Zx7Zh9Qw", "Zx7Zh9Qw"),
        ("json", '{"user": "app", "client_secret": "Zx7Json9Qw"}', "Zx7Json9Qw"),
        ("properties", "spring.datasource.password=Zx7Prop9Qw", "Zx7Prop9Qw"),
        ("yaml", "db:\n  username: app\n  password: Zx7Yaml9Qw", "Zx7Yaml9Qw"),
        ("xml", '<property name="password" value="Zx7Xml9Qw"/>', "Zx7Xml9Qw"),
        ("kubernetes", "kind: Secret\ndata:\n  tls.key: Wng3S3ViZTlRdw==", "Wng3S3ViZTlRdw"),
        ("kubernetes opaque", "apiVersion: v1\nkind: Secret\ndata:\n  dsn: Wng3T3BhcXVlOVF3", "Wng3T3BhcXVlOVF3"),
        ("docker auth", '{"auths": {"r.corp": {"auth": "YXBwOlp4N0RvY2s5UXc="}}}', "YXBwOlp4N0RvY2s5UXc"),
        ("netrc", "machine db1.corp login app password Zx7Netrc9Qw", "Zx7Netrc9Qw"),
        ("htpasswd", "ann:{SHA}Zx7Shahash9QwAbCdEfGhIjKl0=", "Zx7Shahash9Qw"),
        ("aws key id", "AKIAZX7AWSKEY9QWABCD", "ZX7AWSKEY9QW"),
        ("aws secret", "aws_secret_access_key = Zx7Aws9Qw/AbCdEfGhIjKlMnOpQrStUvWxYz01", "Zx7Aws9Qw"),
        ("azure", "AccountKey=Zx7Azure9QwAbCdEfGhIjKlMnOpQrStUv==;EndpointSuffix=core.windows.net", "Zx7Azure9Qw"),
        ("gcp", '"private_key_id": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"', "0a1b2c3d4e5f6071"),
        ("aliyun", "LTAI5tZx7Aliyun9QwAbCd", "Zx7Aliyun9Qw"),
        ("github", "ghp_Zx7Github9QwAbCdEfGhIjKlMnOpQr", "Zx7Github9Qw"),
        ("gitlab", "glpat-Zx7Gitlab9QwAbCdEf", "Zx7Gitlab9Qw"),
        ("slack", "xoxb-123456789012-Zx7Slack9Qw", "Zx7Slack9Qw"),
        ("webhook", "https://hooks.slack.com/services/T00/B00/Zx7Hook9Qw", "Zx7Hook9Qw"),
        ("wechat webhook", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=Zx7Wecom9Qw-11aa", "Zx7Wecom9Qw"),
        ("model key", "sk-proj-Zx7Model9QwAbCdEfGhIj", "Zx7Model9Qw"),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJaeDdKd3QifQ.Zx7Jwt9QwAbCdEf", "Zx7Jwt9Qw"),
        ("bearer", "Authorization: Bearer Zx7Bearer9QwAbCd", "Zx7Bearer9Qw"),
        ("basic", "Authorization: Basic Wng3QmFzaWM5UXc6eA==", "Wng3QmFzaWM5UXc6"),
        ("cookie", "Cookie: sid=Zx7Cookie9Qw; theme=dark", "Zx7Cookie9Qw"),
        ("set-cookie", "Set-Cookie: JSESSIONID=Zx7Setc9Qw; Path=/", "Zx7Setc9Qw"),
        ("api key header", "X-Api-Key: Zx7Apikey9Qw", "Zx7Apikey9Qw"),
        ("signed url", "https://b.s3.corp/k?X-Amz-Signature=Zx7Signed9Qw", "Zx7Signed9Qw"),
        ("private key", "-----BEGIN PRIVATE KEY-----\nZx7Private9QwAbCd\n-----END PRIVATE KEY-----", "Zx7Private9Qw"),
        ("scram", "SCRAM-SHA-256$4096:c2FsdHNhbHQ=$Zx7Scram9Qw=:Zx7Scram9Qx=", "Zx7Scram9Q"),
        ("md5 hash", "md50123abcd4567ef890123abcd4567ef89", "0123abcd4567ef89"),
        ("bcrypt", "$2b$12$Zx7Bcrypt9QwAbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdE", "Zx7Bcrypt9Qw"),
        ("e-mail", "zx7.mail9qw@corp.example", "zx7.mail9qw"),
        ("phone", "13900139123", "13900139123"),
        ("phone abroad", "+44 20 7946 0958", "7946 0958"),
        ("landline", "010-62345678", "62345678"),
        ("identity", "11010519491231002X", "19491231002X"),
        ("card", "6222021234567890128", "6222021234567890128"),
        ("card in groups", "4539 5787 6362 1486", "5787 6362"),
        ("ssn", "078-05-1120", "078-05-1120"),
        ("iban", "DE89370400440532013000", "370400440532013000"),
    )
)

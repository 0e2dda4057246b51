"""Connection strings, passwords, keys, tokens and password hashes, as tools and people write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from lang import deferred_re as re
from redaction.manifests import without_manifests

_SCHEMES = (
    r"postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|amqps?|oracle|sqlserver|mssql|opengauss|gaussdb|kingbase8?|dm|"
    r"clickhouse|cockroachdb|tidb|db2|ftps?|sftp|ldaps?|smtps?|kafka|nats|snowflake|trino|presto|hive2?"
)
# An unquoted value ends at a full stop or bracket, or at a comma that starts something new.
_OPEN = r"(?:[^\s'\"<>()\[\]{}，。；、（）,;&\\]|\\(?![nrt\"'])|[,;&](?!\s|\Z|[\w.-]{1,40}+\s?[=:]))++"
# A truncated value has no closing quote.
_SINGLE = r"'(?:[^'\\\n]|\\.|'')*+(?:'|(?=\n)|\Z)"
_DOUBLE = r"\"(?:[^\"\\\n]|\\.)*+(?:\"|(?=\n)|\Z)"
_ESCAPED = r"\\[\"'](?:[^\"'\\\n]|\\[^\"'])*+\\[\"']"
_DOUBLED = r"''[^'\n]{1,300}+''"
_VALUE = rf"(?:{_DOUBLED}|{_SINGLE}|{_DOUBLE}|{_ESCAPED}|{_OPEN})"
_NAMES = (
    r"pass(?:word|wd|phrase|code)?s?|pwd|pw|psw|pgpassword|sshpass|secret(?:[_-]?(?:access)?[_-]?key)?|"
    r"(?:api|app|access|account|auth|client|encryption|license|master|private|secret|shared|signing|sharedaccess)"
    r"[_-]?(?:key|secret|token)(?:[_-]?id)?|tokens?|credentials?|[_-]signature|sig|jwt|totp|otp|"
    r"(?:sas|session|refresh|id|bearer|csrf|xsrf)[_-]?token|ssl_passphrase_command|phpsessid|jsessionid|session[_-]?id|sessionid"
)
# A name starts after punctuation, or with a capital inside a word.
_BEGINS = r"(?-i:(?<![A-Za-z0-9])|(?<=[a-z])(?=[A-Z]))"
# Words after a name that describe it and are not its value.
_NO_SECRETS = (
    r"null|none|true|false|wrong|incorrect|invalid|expired|correct|right|required|empty|missing|unknown|not|never|the"
)
_NO_SECRETS_ZH = r"错|对的|不|否|没|空的|过期|正确|什么|多少|谁|啥|吗|怎么|如何|哪|明文|加密"
_DSN_NAMES = (
    r"host(?:addr)?|port|dbname|database|user(?:name|id)?|password|passfile|sslmode|sslkey|sslpassword|options|service|"
    r"application_name|connect_timeout|target_session_attrs|channel_binding|client_encoding|replication"
)
_DSN_PAIR = rf"(?:{_DSN_NAMES})\s{{0,3}}=\s{{0,3}}(?:{_DOUBLED}|{_SINGLE}|\\'[^'\\\n]*+\\'|[^\s'\",;)]{{1,300}}+)"


# A pattern is tried only if the folded text contains one of its signs: most texts contain few.
_NAME_SIGNS = ("pass", "pw", "psw", "secret", "key", "token", "credential", "sig", "jwt", "otp", "sess")
_KEY_SIGNS = (
    *(
        "sk-",
        "k_live_",
        "k_test_",
        "akia",
        "asia",
        "aroa",
        "aida",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat_",
    ),
    *("glpat-", "xox", "aiza", "ya29.", "npm_", "pypi-", "ltai", "akid", "hvs.", "dop_v1_", "sg.", "age-secret-key-"),
    *("shpat_", "shpss_", "dapi", "hf_", "eaac"),
)


class _Rule(NamedTuple):
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]


def _rule(
    signs: tuple[str, ...],
    pattern: str,
    instead: str | Callable[[re.Match[str]], str],
    flags: re.RegexFlag = re.IGNORECASE,
) -> _Rule:
    return _Rule(signs, re.compile(pattern, flags), instead)


_DSN_SECRET = re.compile(r"\b(?:ssl)?password\s{0,3}=", re.IGNORECASE)
_DSN_PLACE = re.compile(r"\bhost(?:addr)?\s{0,3}=", re.IGNORECASE)
_DSN_WHO = re.compile(r"\b(?:dbname|user)\s{0,3}=", re.IGNORECASE)
_ODBC_TELLING = re.compile(r";\s?(?:pwd|password|uid|user(?: id)?)\s?=", re.IGNORECASE)
_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|KEY BLOCK)[A-Z ]{0,20}-----")
_KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,60}-----")


def _without_value(found: re.Match[str]) -> str:
    """Keeps the name and the value's quotes, so that JSON stays JSON."""
    quote = next((sign for sign in ('\\"', "\\'", '"', "'") if found["value"].startswith(sign)), "")
    if not quote and found["quote"] == '"':
        quote = '"'
    return f"{found['name']}{quote}[password]{quote}"


def _without_place(found: re.Match[str]) -> str:
    """Removes a password, or a host and user; a server's log line that names only user and database is kept."""
    pairs = found[0]
    leads_in = _DSN_SECRET.search(pairs) or (_DSN_PLACE.search(pairs) and _DSN_WHO.search(pairs))
    return "[connection string]" if leads_in else pairs


_CASED = re.RegexFlag(0)
RULES = (
    _rule(("=",), rf"\b{_DSN_PAIR}(?:(?:\s{{1,3}}|;\s?){_DSN_PAIR})++", _without_place),
    _rule(
        (";",),
        r"\b(?:driver|server|data source|host|addr(?:ess)?|provider|network address|dsn)\s?=[^;\n\"']{1,200}"
        r"(?:;\s?[\w ]{1,40}=(?:\{[^}\n]{0,200}\}|[^;\n\"']{0,200})){1,30}+;?",
        lambda found: "[connection string]" if _ODBC_TELLING.search(found[0]) else found[0],
    ),
    _rule(
        _NAME_SIGNS,
        rf"(?P<name>(?<!\[){_BEGINS}(?:{_NAMES})\b(?P<quote>\\?[\"']?)\s{{0,5}}(?:=>|:=|=|:|：|\bis\b)\s{{0,5}}+)"
        rf"(?!\[|\\?[\"']\[|(?:{_NO_SECRETS})(?![\w-]))(?P<value>{_VALUE})",
        _without_value,
    ),
    _rule(
        ("://", ":@"),
        rf"\b(?:jdbc:)?(?:{_SCHEMES})(?:\+\w{{1,30}}+)?(?::\w{{1,30}}+){{0,3}}:(?://|@)[^\s'\"，。；、）)<>]++",
        "[connection string]",
    ),
    _rule(("jdbc:",), r"\bjdbc:[a-z0-9:+]{2,40}//[^\s'\"，。；、）)<>]++", "[connection string]"),
    _rule(
        ("://",),
        r"\b[a-z][a-z0-9+.-]{1,30}+://[^\s/@:'\"]{0,200}+:[^\s@'\"]{1,300}+@[^\s'\"，。；、）)<>]++",
        "[connection string]",
    ),
    _rule(
        ("@tcp(", "@unix("),
        r"(?<![\w.-])[\w.-]{1,64}+:[^\s@'\"/]{1,200}+@(?:tcp|unix)\([^)\s]{0,200}\)(?:/[^\s'\"]*+)?",
        "[connection string]",
    ),
    _rule(
        ("@",),
        r"(?<![\w./-])[\w.-]{1,64}+:[^\s:@/'\"]{1,200}+@[\w.-]{1,200}+:\d{2,5}(?:/[^\s'\"]*+)?",
        "[connection string]",
    ),
    _rule(
        ("@",),
        r"(?<![\w./-])\w{1,30}+/[^\s/@'\"]{1,100}+@(?://)?[\w.-]{1,200}+(?::\d{2,5})?/\w{1,60}",
        "[connection string]",
    ),
    _rule(("@",), r"(?<=\s)[\w.-]{1,30}+/[^\s/@'\"]{1,100}+@\w[\w.]{0,60}+(?=\s|$)", "[connection string]"),
    _rule(
        (":",),
        r"(?<!\S)(?![0-9a-f:]++(?!\S))[^:\s]{1,100}+:(?:\d{2,5}|\*):[^:\s]{1,64}+:[^:\s]{1,64}+:[^\s'\"]++",
        "[connection string]",
        re.I | re.M,
    ),
    _rule(
        ("密码", "口令", "密钥", "令牌", "凭据", "暗号"),
        rf"((?:密码|口令|密钥|令牌|凭据|暗号)\s{{0,3}}(?:是|为|[:：=])\s{{0,3}}+)(?!\[|{_NO_SECRETS_ZH}){_VALUE}",
        r"\1[password]",
    ),
    _rule(
        ("identified", "password"),
        rf"(\b(?:identified\s{{1,3}}(?:with\s{{1,3}}\S{{1,40}}\s{{1,3}})?(?:by|as)(?:\s{{1,3}}password)?|password)\s{{1,3}})[eEnN]?(?:{_SINGLE}|{_DOUBLE})",
        r"\1[password]",
    ),
    _rule(_NAME_SIGNS, rf"((?<!\S)--?(?:{_NAMES}|requirepass|masterauth)\s{{1,3}}+)(?!\[|-){_VALUE}", r"\1[password]"),
    _rule(
        ("requirepass", "masterauth", "password", "passwd", "密码", "口令"),
        rf"((?<!\S)(?:requirepass|masterauth|password|passwd|密码|口令)\s{{1,3}}+)(?!\[)"
        rf"(?=[^\s\d]{{0,100}}+\d)(?=\S{{0,100}}[A-Za-z])(?=\S{{6}}){_OPEN}",
        r"\1[password]",
    ),
    _rule(
        ("redis-cli", "sqlcmd", "sshpass", "useradd", "usermod", "mongo", "isql", "bcp"),
        rf"(\b(?:redis-cli|sqlcmd|sshpass|useradd|usermod|mongo|mongosh|mongodump|isql|bcp)\b[^\n]{{0,300}}?\s-[pPa]\s{{0,2}}+)"
        rf"(?!\[)(?=\S)(?!-){_VALUE}",
        r"\1[password]",
    ),
    _rule(
        ("echo",),
        r"(\becho\s{1,3}+)(?!\[)[^\s|]{1,200}+(\s{0,3}\|\s{0,3}(?:sudo|passwd|chpasswd|docker|openssl|gpg)\b)",
        r"\1[password]\2",
    ),
    _rule(
        _NAME_SIGNS,
        rf"(<(?:[\w.:-]{{0,60}}[_.:-])?(?:{_NAMES})(?:\s[^<>]{{0,100}})?>)(?!\[|<)[^<>]{{1,300}}",
        r"\1[password]",
    ),
    _rule(
        _NAME_SIGNS,
        rf"(\b(?:name|key)\s?=\s?[\"'][\w.-]{{0,60}}(?:{_NAMES})[\"']\s{{1,9}}value\s?=\s?[\"'])(?!\[)[^\"'<>]{{1,300}}",
        r"\1[password]",
    ),
    _rule(
        ("mysql", "mariadb", "sshpass", "mongo", "redis-cli", "sqlcmd", "bcp", "isql"),
        rf"(\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|mongo|mongosh|redis-cli|sqlcmd|bcp|isql)\b[^\n]{{0,300}}?\s-[pPaw])(?!\[)(?=\S)(?!\s|-|ort){_VALUE}",
        r"\1[password]",
    ),
    _rule(("-u",), rf"((?<!\S)(?:-u|--user)\s{{0,2}}[\"']?[\w.@-]{{1,64}}:)(?!\[){_OPEN}", r"\1[password]"),
    _rule(
        ("authorization",),
        r"(\b(?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:basic|bearer|digest|token|apikey|negotiate)\s{1,3})?)(?!\[|basic\b|bearer\b)[^\s'\",;]++",
        r"\1[key]",
    ),
    _rule(("bearer", "basic"), r"(\b(?:bearer|basic)\s{1,3}+)(?!\[)(?=[\w.~+/-]*[\d=])[\w.~+/=-]{8,}+", r"\1[key]"),
    _rule(("cookie",), r"(\b(?:set-)?cookie\s{0,3}:\s{0,3}+)(?!\[)[^\r\n'\"]++", r"\1[key]"),
    _rule(
        ("?", "&"),
        r"([?&](?:sig|signature|x-amz-signature|x-amz-credential|x-amz-security-token|key|code|access_token|token)=)(?!\[)[^\s&'\"]++",
        r"\1[key]",
    ),
    _rule(
        ("://",), r"(https?://[\w.-]{1,200}/(?:services|hooks|webhook|bot)[\w.-]{0,40}/)(?!\[)[^\s'\"]++", r"\1[key]"
    ),
    _rule(("/bot",), r"(https?://[\w.-]{1,200}/bot)(?!\[)\d{5,}:[\w-]++", r"\1[key]"),
    _rule(("eyj",), r"\beyJ[\w-]{8,2000}+\.[\w-]{8,}+(?:\.[\w-]*+)?", "[key]", _CASED),
    _rule(
        _KEY_SIGNS,
        r"\b(?:sk-[\w-]{16,}+|[spr]k_(?:live|test)_\w{10,}+|(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}|gh[pousr]_\w{20,}+|github_pat_\w{20,}+|"
        r"glpat-[\w-]{15,}+|xox[abeoprs]-[\w-]{10,}+|AIza[\w-]{30,}+|ya29\.[\w-]{20,}+|npm_\w{30,}+|pypi-[\w-]{30,}+|LTAI\w{12,}+|AKID\w{13,}+|"
        r"hvs\.[\w-]{20,}+|dop_v1_\w{40,}+|SG\.[\w-]{16,}+\.[\w-]{16,}+|AGE-SECRET-KEY-\w{20,}+|shp(?:at|ss)_\w{20,}+|dapi[0-9a-f]{32}|hf_\w{30,}+|EAAC\w{30,}+)",
        "[key]",
        _CASED,
    ),
    _rule(("scram-sha-",), r"SCRAM-SHA-\d{1,3}\$\d{1,7}:[^\s'\",]++", "[password hash]"),
    _rule(("md5",), r"\bmd5[0-9a-f]{32}(?![^\W_])", "[password hash]"),
    _rule(("$2",), r"\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{20,53}", "[password hash]", _CASED),
    _rule(("$",), r"\$(?:1|5|6|7|y|apr1|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,20})\$[^\s:'\"]{8,}+", "[password hash]"),
    _rule(("*",), r"(?<![\w*])\*[0-9A-F]{40}\b", "[password hash]", _CASED),
    _rule(('"auth',), r"(\\?\"auth\\?\"\s{0,3}:\s{0,3}\\?\")(?!\[)[\w+/=-]{8,}+", r"\1[key]"),
    _rule(("}",), r"\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\}[\w+/=$.]{8,}+", "[password hash]"),
)


def without_credentials(text: str) -> str:
    """The text without credentials."""
    seen = folded(text)
    if "-----begin" in seen:
        text = _without_key_files(text)
        seen = folded(text)
    if "secret" in seen and "data" in seen:
        text = without_manifests(text)
        seen = folded(text)
    for rule in RULES:
        if any(sign in seen for sign in rule.signs):
            kept = rule.pattern.sub(rule.instead, text)
            if kept != text:
                text, seen = kept, folded(kept)
    return text


def folded(text: str) -> str:
    """The text case-folded for the search of signs, as a case-insensitive pattern sees it."""
    return text.lower() if text.isascii() else text.casefold().replace("ı", "i")


def _without_key_files(text: str) -> str:
    """The text without private keys; a truncated key extends to the end of the text."""
    kept: list[str] = []
    place = 0
    while (begins := _KEY_BEGINS.search(text, place)) is not None:
        kept += [text[place : begins.start()], "[key]"]
        ends = _KEY_ENDS.search(text, begins.end())
        place = ends.end() if ends is not None else len(text)
    return "".join([*kept, text[place:]])

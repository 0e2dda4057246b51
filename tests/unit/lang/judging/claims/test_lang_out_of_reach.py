"""What a person says they cannot reach is heard in both languages; what a system cannot reach is not."""

from __future__ import annotations

from lang.judging.out_of_reach import reachable_in
from tests.support.cases import for_each


def out(message: str) -> set[str]:
    """What a message says is out of reach; a view by its name."""
    return {each.name if each.thing == "view" else each.thing for each in reachable_in(message) if not each.within}


def within(message: str) -> set[str]:
    """What a message says can be reached again."""
    return {each.thing or "all" for each in reachable_in(message) if each.within}


@for_each(
    ("message", "things"),
    [
        (
            "how do i look at that? i only have a readonly login, cant see the server itself or the PG log, thats it",
            {"writes", "host", "server_log"},
        ),
        ("cant look at the server log, only the dba can", {"server_log"}),
        ("i cant look at cpu, no shell on that box, only psql", {"host"}),
        ("i JUST said i have no shell", {"host"}),
        ("cant df the box, no ssh from home, only psql", {"host"}),
        ("did u get that im readonly?", {"writes"}),
        ("cant look at pg_locks btw, no rights on that for me", {"pg_locks"}),
        ("cant see that, no pg_stat_statements here", {"pg_stat_statements"}),
        ("no access to the primary from here, I'm on the replica", {"primary"}),
        ("I don't have access to grafana or the host", {"monitoring", "host"}),
        ("cant look at tps, grafana is down for me", {"monitoring"}),
        ("we have no standby", {"standby"}),
        ("日志在运维那边 看不了, grep 跑不了, 我能连 psql", {"server_log"}),
        ("跟你说了日志在运维那边我看不了，grep 跑不了", {"server_log"}),
        ("我没有服务器权限 top 那些看不了 只能连psql", {"host"}),
        ("我看不了机器,只能连库", {"host"}),
        ("主库那个视图我没权限看，看不了", {"primary"}),
        ("我没权限上主库 wal速率看不了", {"primary"}),
        ("那个DDL的查不了 我在主库没权限", {"primary"}),
        ("DDL 那个我看不了，备库上我只有只读账号", {"writes"}),
        ("云控制台我没权限啊看不了，账号在运维老王那", {"monitoring"}),
        ("监控我没权限看不了", {"monitoring"}),
        ("pg_stat_statements没装，看不了", {"pg_stat_statements"}),
        ("都说了没 psql, 这个 sql 我现在跑不了", {"database"}),
        ("就一台，压根没备库", {"standby"}),
        ("服务器我登不上", {"host"}),
        ("看不了日志", {"server_log"}),
        ("磁盘我没权限看 等运维", {"host"}),
        ("i cant look at cpu", {"host"}),
        ("主机上有啥在跑我看不了，top权限只能看个大概", {"host"}),
    ],
)
def test_what_is_out_of_reach_is_heard(message: str, things: set[str]) -> None:
    """The host, the log, monitoring, the other server, a view, and that a login only reads."""
    assert out(message) == things


@for_each(
    "message",
    [
        "the app can't reach the primary",
        "应用连不上主库",
        "clients cannot connect to the server",
        "psql也进不去，报 too many clients",
        "cant see any errors in the log",
        "日志里看不到报错",
        "主库上看不到长事务",
        "where do i look, in the log?",
        "if i have no shell, what then",
        "报错说没权限",
        "报表库只读的，是个备机",
        "no replica lag at all",
        "没有备库延迟",
        "the log shows nothing, cpu is at 95% on the host",
        "i can look at the log",
        "cant log in to the shop, password page spins",
        "我没说看不了日志",
        "the master has no load, only the replica is slow",
        "server is down",
        "no disk problem, cpu is fine",
        "磁盘看不到异常",
        "备库上也跑不了 DDL 吧",
        "the primary is down",
        "主机没挂，监控没报警",
    ],
)
def test_what_the_system_cannot_do_is_no_limit(message: str) -> None:
    """A fault, a question, a finding and a supposition say nothing of what the person can reach."""
    assert out(message) == set()


@for_each(
    ("message", "things"),
    [
        ("运维给我开了权限", {"all"}),
        ("got access now", {"all"}),
        ("ok i can see the log now", {"server_log"}),
        ("i can finally ssh to the box", {"host"}),
        ("they gave me access to the primary", {"primary"}),
        ("日志能看了", {"server_log"}),
        ("控制台看不了。主机我能上，iostat给你贴一个", {"host"}),
        ("主库权限开了", {"primary"}),
        ("有权限了", {"all"}),
        ("没有权限了", set()),
        ("can i get access to the log?", set()),
        ("if i got access to the box", set()),
        ("dont have access to the box now", set()),
        ("还没给我开权限", set()),
        ("能看到日志了吗", set()),
        ("i only have a readonly login", set()),
        ("主机上有啥在跑我看不了，top权限只能看个大概", set()),
    ],
)
def test_a_limit_is_taken_back(message: str, things: set[str]) -> None:
    """Of what is named, else of all; asked for or wished for it is not there yet."""
    assert within(message) == things


@for_each(
    "message",
    [
        "no pg_basebackup or snapshot or anything like that running",
        "no pg_dump running",
        "no server errors",
        "no top process stands out",
        "cant look at the log of node2, the machine has no power",
        "can't get to the log of the old primary",
    ],
)
def test_what_is_not_there_is_no_limit(message: str) -> None:
    """A no to what may run, and a log of another machine, take nothing out of reach here."""
    assert reachable_in(message) == ()


@for_each("message", ["no pg_stat_statements here", "no shell on that box", "can't see the server log from here"])
def test_what_one_does_not_have_is_a_limit_still(message: str) -> None:
    """A no to a thing that one looks with, and with nothing said of it, is a limit."""
    assert reachable_in(message)

"""What the person cannot reach holds for the case: it is no evidence, and no check that needs it is asked for."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Reach
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk


def asked_kinds(talk: Talk) -> set[str]:
    """The ways of looking that the checks of the last turn need."""
    return {talk.house.catalog.phenomena[item.phenomenon_id].observe_kind for item in talk.session.pending}


def found(talk: Talk) -> set[tuple[str, Verdict]]:
    """What is there or absent; a check that was not made shows neither."""
    entries = talk.session.active()
    return {(each.phenomenon_id, each.verdict) for each in entries if each.verdict is not Verdict.UNKNOWN}


SLOW = {"zh": "CPU 95% 而且所有语句都慢", "en": "CPU is at 95% and everything is slow"}
NO_HOST = {"zh": "我没有服务器权限 只能连psql", "en": "i have no shell on the host, only psql"}
CLAUSE = {"zh": "绕开", "en": "go on without"}


@pytest.mark.parametrize("language", SLOW)
def test_a_limit_is_told_once_and_holds(running: House, language: str) -> None:
    """The reply that hears it says so and asks for a check that can be made; later ones keep to it."""
    talk = running.told(SLOW[language])
    before = talk.session.active()
    talk.say(NO_HOST[language])
    assert [each.reach for each in talk.session.limits] == [Reach.HOST]
    assert talk.session.active() == before
    assert CLAUSE[language] in talk.replies[-1]
    assert asked_kinds(talk)
    assert "shell" not in asked_kinds(talk)
    assert talk.house.catalog.phenomena[talk.session.pending[0].phenomenon_id].name.say(language) in talk.replies[-1]
    for _ in range(3):
        talk.say("1 没有" if language == "zh" else "1 no")
        assert CLAUSE[language] not in talk.replies[-1]
        assert "shell" not in asked_kinds(talk)


@pytest.mark.parametrize("again", ["运维给我开了权限", "got access now"])
def test_a_limit_is_taken_back(running: House, again: str) -> None:
    """Whoever has access again is asked for such checks again."""
    talk = running.told("disk is 95% full and growing", "no shell on that box, only psql")
    assert "shell" not in asked_kinds(talk)
    talk.say(again)
    assert all(each.lifted for each in talk.session.limits)
    assert talk.turns[-1].diagnosis_view is not None


@pytest.mark.parametrize("said", ["我没权限看主库", "报表库我只有只读账号", "no access to the primary from here"])
def test_a_limit_is_no_evidence(running: House, said: str) -> None:
    """What cannot be looked at is neither there nor absent."""
    talk = running.told("replication lag keeps growing on the standby")
    before = found(talk)
    talk.say(said)
    assert found(talk) == before


@pytest.mark.slow
def test_a_check_on_another_server_or_of_a_view_is_not_asked_for(running: House) -> None:
    """Neither what begins on the primary, nor a view that is named."""
    talk = running.told("our report is slow since monday, CPU is at 95%")
    talk.say("cant look at pg_stat_statements, no rights. and no access to the primary")
    how = [talk.house.catalog.phenomena[item.phenomenon_id].how.en for item in talk.session.pending]
    assert how
    assert not any("pg_stat_statements" in each or "-- on the primary" in each for each in how)

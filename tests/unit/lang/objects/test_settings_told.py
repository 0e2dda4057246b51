"""Settings as people tell them: the value, the one before, and the memory of the server."""

from __future__ import annotations

import pytest

from lang.numbers.filling import Measure, figures_in
from lang.objects.named_objects import objects_named
from lang.objects.settings_said import OF_SETTINGS
from tests.support.cases import for_each


def _told(message: str) -> list[tuple[str, str]]:
    return [(each.kind, each.name) for each in objects_named(message) if each.kind in OF_SETTINGS]


@for_each(
    ("message", "setting"),
    [
        ("我刚看了下show work_mem是512MB，报表一起跑", "work_mem=512MB"),
        ("ok (max_wal_size shows 1GB, yeah). what should i set?", "max_wal_size=1GB"),
        ("default_pool_size 20", "default_pool_size=20"),
        ("innodb_buffer_pool_size -> 134217728", "innodb_buffer_pool_size=128MB"),
        (" max_standby_streaming_delay | 30s\n hot_standby_feedback | off", "max_standby_streaming_delay=30s"),
        (" name | setting | unit\n------+-----+----\n shared_buffers | 16384 | 8kB\n(1 row)", "shared_buffers=128MB"),
        ("机器64G内存，别的没动过", "memory=64GB"),
        ("box has 64gb, 200 conns. cant i just do 64?", "memory=64GB"),
        ("box has 64gb, 200 conns. cant i just do 64?", "connections=200"),
        ("64G 内存的机器", "memory=64GB"),
        ("box has 128 gigs RAM and free says 115G is unused", "memory=128GB"),
    ],
)
def test_a_value_told_in_words_or_pasted_is_kept(message: str, setting: str) -> None:
    """A setting's value is kept in the server's own way of writing, whichever way it was told."""
    assert ("setting", setting) in _told(message)


@for_each(
    ("message", "before"),
    [
        ("work_mem原来是64MB，昨天下午给改大了", "work_mem=64MB"),
        ("work_mem 从64MB改成了512MB", "work_mem=64MB"),
        ("someone raised work_mem from 64MB to 512MB yesterday", "work_mem=64MB"),
        ("innodb_buffer_pool_size is 134217728. old one was 96G.", "innodb_buffer_pool_size=96GB"),
    ],
)
def test_the_value_before_is_kept_beside_it(message: str, before: str) -> None:
    """What a setting was before it was changed is no value of now."""
    assert ("setting_before", before) in _told(message)
    assert ("setting", before) not in _told(message)


@for_each(
    "message",
    [
        "set max_wal_size to 4GB with reload now",
        "can i set max_standby_streaming_delay to 10min?",
        "should work_mem be 64MB?",
        "内存还剩 3G",
        "memory usage is 30 GB",
        "the host has 40 GB of wal piled up",
        "a collegue bumped some sort/hash memory param to 512MB yesterday eve",
        "closing because: query_wait_timeout, cl_waiting 40",
    ],
)
def test_what_is_wanted_or_in_use_is_no_setting_told(message: str) -> None:
    """A value that is asked about or to be set is not in force, and memory in use is not how much there is."""
    assert not _told(message)


@pytest.mark.parametrize("message", ["这跟内存爆掉有啥关系，机器一共64G呢", "盘？我说的64G是内存！盘好好的"])
def test_memory_is_no_disk(message: str) -> None:
    """The memory of a server is not the size of a disk."""
    assert Measure.SIZE not in [each.measure for each in figures_in(message)]

"""What the fetcher promises to sources: manners, conditions, and messages without secrets."""

from datetime import UTC, datetime

import httpx
import pytest
from replay import JSON, NOW, FakeWorld, Reply, described, fetcher_for
from scripted import BODY, OK, Drip, Script, ask, busy, date_in, refused

from generator.sources import patience
from generator.sources.failure import SourceError, safe_url
from generator.sources.http import Stored
from generator.sources.patience import Limits, asked_wait_seconds, wait_seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3),
        (" 120 ", 120),
        ("Mon, 30 Nov 2026 12:00:10 GMT", 10),
        ("Wed, 21 Oct 2026 07:28:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 500, 999_999_999),
    ],
)
def test_retry_after_is_read_in_both_forms(header, seconds):
    assert asked_wait_seconds(header, NOW) == seconds


def test_waits_double_up_to_the_longest_and_never_below_what_was_asked():
    limits = Limits(first_wait_seconds=1, longest_wait_seconds=6)
    assert [wait_seconds(tries, None, limits, 1.0) for tries in (1, 2, 3, 4, 5)] == [1, 2, 4, 6, 6]
    assert [wait_seconds(tries, None, limits, 0.0) for tries in (1, 2, 3, 4)] == [0.5, 1, 2, 3]
    assert wait_seconds(1, 5, limits, 0.0) == 5
    assert wait_seconds(1, 7, limits, 0.0) is None


def test_a_busy_source_is_asked_again_after_the_wait_it_names_and_then_after_our_own():
    fake = FakeWorld()
    body, script = ask(busy(429, Retry_After="3"), busy(503), OK, fake=fake)
    assert body == BODY
    assert fake.waits == [3, 2]
    assert len(script.requests) == 3


def test_a_date_to_come_back_at_is_waited_for():
    fake = FakeWorld()
    ask(busy(429, Retry_After=date_in(42)), OK, fake=fake)
    assert fake.waits == [42]


def test_a_clock_of_ours_that_is_years_behind_gives_up_instead_of_waiting_years():
    fake = FakeWorld(now=datetime(2001, 1, 1, tzinfo=UTC))
    error = refused(busy(429, Retry_After=date_in(1)), OK, fake=fake)
    assert error.status == 429
    assert fake.waits == []


def test_a_source_that_stays_busy_is_given_up_after_a_few_tries():
    fake = FakeWorld()
    error = refused(busy(429), fake=fake)
    assert len(error.script.requests) == Limits().tries
    assert fake.waits == [1, 2, 4, 8]
    assert error.status == 429


def test_tries_stop_when_the_total_time_of_the_source_would_pass():
    fake = FakeWorld()
    error = refused(busy(503, Retry_After="100"), fake=fake, limits=Limits(total_seconds=250))
    assert fake.waits == [100, 100]
    assert len(error.script.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 501])
def test_what_will_not_pass_is_not_asked_again(status):
    fake = FakeWorld()
    error = refused(Reply(status, b"no"), OK, fake=fake)
    assert error.status == status
    assert len(error.script.requests) == 1
    assert fake.waits == []


def test_the_pages_of_a_source_share_its_total_time():
    fake = FakeWorld()
    with fetcher_for("azure", Script(OK), fake, limits=Limits(total_seconds=10)) as fetcher:
        fetcher.get()
        fake.elapsed += 11
        with pytest.raises(SourceError, match="tempo total"):
            fetcher.get()


def test_a_slow_drip_ends_at_the_total_time():
    fake = FakeWorld()
    stream = Drip(fake, b"x" * 1000, 1)
    script = Script()
    script.handle_request = lambda _request: httpx.Response(200, headers={"Content-Type": JSON}, stream=stream)
    limits = Limits(total_seconds=60)
    with fetcher_for("azure", script, fake, limits=limits) as fetcher, pytest.raises(SourceError, match="devagar"):
        fetcher.get()
    assert fake.elapsed <= 62


# conditions


def test_an_unchanged_answer_comes_from_the_callers_cache():
    cache = {}
    first = Reply(200, BODY, {"Content-Type": JSON, "ETag": '"v1"', "Last-Modified": date_in(-60)})
    ask(first, cache=cache)
    assert [type(stored) for stored in cache.values()] == [Stored]
    body, script = ask(Reply(304), cache=cache)
    assert body == BODY
    assert script.requests[0].headers["If-None-Match"] == '"v1"'
    assert script.requests[0].headers["If-Modified-Since"] == date_in(-60)


def test_an_answer_without_validators_is_not_kept_and_304_out_of_nowhere_is_a_failure():
    cache = {}
    ask(OK, cache=cache)
    assert cache == {}
    assert refused(Reply(304), cache=cache).status == 304


def test_a_bad_answer_never_replaces_a_good_one_in_the_cache():
    cache = {}
    ask(Reply(200, BODY, {"Content-Type": JSON, "ETag": '"v1"'}), cache=cache)
    refused(Reply(200, b"<html>", {"Content-Type": JSON, "ETag": '"v2"'}), cache=cache)
    assert [stored.etag for stored in cache.values()] == ['"v1"']


def test_a_failure_says_source_address_status_start_of_the_body_and_what_to_do():
    error = refused(Reply(404, b"<html>\n\x1b[31mnada  aqui</html>"))
    assert error.source == "azure"
    assert str(error).startswith(
        "azure: a fonte respondeu com erro (https://prices.azure.com/api/retail/prices, status 404)."
    )
    assert "corrija data/sources.yml" in str(error)
    assert "«<html> [31mnada aqui</html>»" in str(error)


def test_secrets_are_in_no_message():
    source = described("azure", url="https://user:pa55@prices.azure.com/api?api_key=k3y&region=br&sig=abc")
    error = refused(Reply(500, b"bad token s3cret"), described=source, secrets=("s3cret", "k3y"))
    shown = f"{error} {error.url} {error.start} {error!r}"
    for secret in ("pa55", "k3y", "abc", "s3cret"):
        assert secret not in shown
    assert "region=br" in error.url


def test_addresses_without_secrets_are_shown_as_they_are():
    address = "https://h.example/a(b=@b)?@d='11-24-2026'&$format=json"
    assert safe_url(address) == address


def test_the_limits_are_finite():
    limits = patience.Limits()
    assert limits.tries * limits.longest_wait_seconds >= limits.total_seconds > limits.read_seconds

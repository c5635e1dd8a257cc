"""All sources at once: one that breaks costs nothing to the others, and all are heard of."""

from replay import ROUTES, SOURCES, FakeWorld, Reply, ToLoopback, fetcher_for

from generator.sources import live
from generator.sources.collect import collect
from generator.sources.live import Adapter

ADAPTERS = live.OFFERS | live.RATES
CHOSEN = [SOURCES[source] for source in ROUTES]


def fetchers(transport):
    return lambda source, cache: fetcher_for(source.id, ToLoopback(transport.port), FakeWorld(), cache=cache)


def test_every_source_gives_its_answer_in_the_order_asked(transport):
    heard = []
    answers = collect(CHOSEN, ADAPTERS, fetchers(transport), finished=heard.append)
    assert [answer.source.id for answer in answers] == list(ROUTES)
    assert all(answer.error is None for answer in answers)
    assert sorted(answer.source.id for answer in heard) == sorted(ROUTES)


def test_a_source_that_breaks_in_any_way_costs_the_others_nothing(replay, transport):
    def fault(reply, _before, request):
        return Reply(404, b"gone") if "linode" in request["target"] else reply

    replay.fault = fault

    def broken(_fetcher):
        raise ZeroDivisionError("a fault of ours")

    adapters = ADAPTERS | {"vast": Adapter("vast", broken, ADAPTERS["vast"].parse)}
    answers = {answer.source.id: answer for answer in collect(CHOSEN, adapters, fetchers(transport))}
    failed = {source for source, answer in answers.items() if answer.error}
    assert failed == {"linode", "vast"}
    assert answers["linode"].error.status == 404
    assert "ZeroDivisionError" in str(answers["vast"].error)
    assert all(answers[source].payload for source in ROUTES if source not in failed)


def test_the_cache_of_a_source_is_used_and_given_back(replay, transport):
    def fault(reply, _before, request):
        if request["headers"].get("If-None-Match") == '"v1"':
            return Reply(304)
        return Reply(reply.status, reply.body, reply.headers | {"ETag": '"v1"'})

    replay.fault = fault
    first = collect(CHOSEN, ADAPTERS, fetchers(transport))
    caches = {answer.source.id: answer.cache for answer in first}
    second = collect(CHOSEN, ADAPTERS, fetchers(transport), caches)
    assert [answer.payload for answer in second] == [answer.payload for answer in first]
    assert all(answer.error is None for answer in second)

"""A transport that answers by a script, and a fetcher that asks it."""

from datetime import UTC, timedelta
from email.utils import format_datetime

import httpx
import pytest
from replay import JSON, NOW, Reply, fetcher_for

from generator.sources.failure import SourceError

BODY = b'{"offers": [1]}'
OK = Reply(200, BODY, {"Content-Type": JSON})


class Script(httpx.BaseTransport):
    """Answers each request with the next reply; the last one stays."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.requests = []

    def handle_request(self, request):
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        headers = {name: value for name, value in reply.headers.items() if value is not None}
        return httpx.Response(reply.status, headers=headers, stream=httpx.ByteStream(reply.body))


class Drip(httpx.SyncByteStream):
    def __init__(self, fake, body, seconds):
        self.fake, self.body, self.seconds = fake, body, seconds

    def __iter__(self):
        for byte in self.body:
            self.fake.elapsed += self.seconds
            yield bytes([byte])


def busy(status=503, **headers):
    return Reply(status, b"busy", {name.replace("_", "-"): value for name, value in headers.items()})


def ask(*replies, fake=None, **more):
    script = Script(*replies)
    with fetcher_for("azure", script, fake, **more) as fetcher:
        try:
            return fetcher.get(), script
        except SourceError as error:
            error.script = script
            raise


def refused(*replies, **more):
    with pytest.raises(SourceError) as caught:
        ask(*replies, **more)
    return caught.value


def date_in(seconds, now=NOW):
    return format_datetime((now + timedelta(seconds=seconds)).astimezone(UTC), usegmt=True)

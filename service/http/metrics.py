"""The metrics of the service, for Prometheus."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
_EDGES: Final = (*map(str, _BUCKETS), "+Inf")


class _Count(Struct):
    """A count of answers of one kind."""

    created: float
    answers: int = 0


class _Times(Struct):
    """The durations of the answers of one route: counts by bucket, and the sum in seconds."""

    created: float
    counts: list[int] = field(default_factory=lambda: [0] * len(_EDGES))
    seconds: float = 0.0


class _Answers(Collector):
    """Counts answers and their durations: plain numbers, for a single-threaded service.

    The client library's own counters take a lock and look up their labels on every request, which
    costs more than reading the request's headers.
    """

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._counts: dict[tuple[str, str, int], _Count] = {}
        self._times: dict[str, _Times] = {}

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        count = self._counts.get((method, route, status))
        if count is None:
            count = self._counts[method, route, status] = _Count(self._now())
            self._times.setdefault(route, _Times(count.created))
        count.answers += 1
        times = self._times[route]
        times.counts[bisect_left(_BUCKETS, seconds)] += 1
        times.seconds += seconds

    def collect(self) -> Iterator[CounterMetricFamily | HistogramMetricFamily]:
        """The families of ``parlour_requests`` and ``parlour_request_seconds``."""
        labels = ("method", "route", "status")
        requests = CounterMetricFamily("parlour_requests", "Requests answered", labels=labels)
        for (method, route, status), count in self._counts.items():
            requests.add_metric((method, route, str(status)), count.answers, count.created)
        yield requests
        seconds = HistogramMetricFamily(
            "parlour_request_seconds", "Time to answer, long polls included", labels=("route",)
        )
        for route, times in self._times.items():
            below, buckets = 0, []
            for edge, number in zip(_EDGES, times.counts, strict=True):
                below += number
                buckets.append((edge, float(below)))
            seconds.add_metric((route,), buckets, times.seconds)
            seconds.add_sample(f"{seconds.name}_created", {"route": route}, times.created)
        yield seconds


class Metrics:
    """The metrics of one app; each app has a registry of its own.

    Routes are path templates, so that no id becomes a label.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._answers = _Answers()
        self.registry.register(self._answers)
        self.answered = self._answers.add
        self._problems = Counter(
            "parlour_problems", "Problem documents sent", ("code",), registry=self.registry
        )
        self.waiting = Gauge("parlour_long_polls", "Waiting long polls", registry=self.registry)
        self.streams = Gauge("parlour_streams", "Open streams", registry=self.registry)
        self.stream_callers = Gauge(
            "parlour_stream_callers", "Callers with a stream open", registry=self.registry
        )
        self.connections = Gauge(
            "parlour_connections", "Open connections of callers", registry=self.registry
        )
        self.ended_connections = Counter(
            "parlour_connections_ended",
            "Connections refused or ended by the service",
            ("why",),
            registry=self.registry,
        )
        self.accept_failures = Counter(
            "parlour_accept_failures",
            "Failed accepts, for lack of descriptors or memory",
            registry=self.registry,
        )
        self.feeds_healthy = Gauge(
            "parlour_feeds_healthy", "1 while the feeds are followed", registry=self.registry
        )
        self.feeds_followed = Gauge(
            "parlour_feeds_followed",
            "Feeds of shards that somebody in this process wants, those of accounts too",
            registry=self.registry,
        )
        self.clock_offset = Gauge(
            "parlour_clock_offset_seconds",
            "How far this process's clock is ahead of the store's, where they differ most",
            registry=self.registry,
        )

        self.store_fullness = Gauge(
            "parlour_store_fullness_ratio",
            "The share of the store's room in use; 1: only the reserve is left",
            ("resource",),
            registry=self.registry,
        )
        self.store_known = Gauge(
            "parlour_store_known",
            "1 while the store is the one that this process knows; 0: it does not write",
            registry=self.registry,
        )
        self.store_level = Gauge(
            "parlour_store_level",
            "0: normal, 1: filling up, 2 to 4: more and more is refused",
            registry=self.registry,
        )

    def problem(self, code: str) -> None:
        """Count one problem document."""
        self._problems.labels(code).inc()

    def render(self) -> bytes:
        """All metrics as text."""
        return generate_latest(self.registry)

"""What the service counts about itself, in the words of Prometheus."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30)


class Metrics:
    """The metrics of one app; each app has a registry of its own.

    Routes are path templates, so that no id becomes a label.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "room25_requests",
            "Requests answered",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "room25_request_seconds",
            "Time to answer, long polls included",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._problems = Counter(
            "room25_problems", "Problem documents sent", ("code",), registry=self.registry
        )
        self.waiting = Gauge("room25_long_polls", "Long polls that wait", registry=self.registry)
        self.hub_healthy = Gauge(
            "room25_hub_healthy", "1 while the feeds are followed", registry=self.registry
        )
        # labels() locks and builds a key each time; there are few routes, so children are kept.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._timers: dict[str, Histogram] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        name = (method, route, status)
        counter = self._counters.get(name)
        if counter is None:
            counter = self._counters[name] = self._requests.labels(method, route, str(status))
            self._timers.setdefault(route, self._seconds.labels(route))
        counter.inc()
        self._timers[route].observe(seconds)

    def problem(self, code: str) -> None:
        """Count one problem document."""
        self._problems.labels(code).inc()

    def render(self) -> bytes:
        """All metrics as text."""
        return generate_latest(self.registry)

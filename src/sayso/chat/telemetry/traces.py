"""OpenTelemetry traces: one span per request, sent to SAYSO_OTLP_URL. No query, body or error text."""

from __future__ import annotations

from fastapi.telemetry import TelemetryConfig
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from sayso.serving.connection import PROBES
from sayso.settings import Settings


class _WithoutQuery(SpanProcessor):
    def on_start(self, span: Span, parent_context: Context | None = None) -> None:  # noqa: ARG002  the SDK's signature
        if span.attributes and "url.query" in span.attributes:
            span.set_attribute("url.query", "REDACTED")


def tracer(settings: Settings, exporter: SpanExporter | None = None) -> TracerProvider | None:
    """The tracer provider; None if traces are not configured."""
    if exporter is None and settings.otlp_url is None:
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": "sayso-chat"}))
    provider.add_span_processor(_WithoutQuery())
    provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint=settings.otlp_url)))
    return provider


def telemetry(provider: TracerProvider | None) -> TelemetryConfig:
    """The telemetry configuration of FastAPI."""
    return TelemetryConfig(
        tracer_provider=provider,
        tracing=provider is not None,
        metrics=False,  # Prometheus has them
        logs=False,  # they would contain the texts of exceptions
        operation_spans=False,
        auto_configure=False,
        exclude=lambda scope: scope["path"] in PROBES,
    )

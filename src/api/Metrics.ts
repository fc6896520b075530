import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Metric } from "effect"
import { prometheusText } from "./prometheusText.ts"

/** `/metrics`: what this process has counted, for Prometheus. Like health it asks for no key and touches no database. */
export const Metrics = HttpLayerRouter.add(
  "GET",
  "/metrics",
  Effect.map(Metric.snapshot, (pairs) =>
    HttpServerResponse.text(prometheusText(pairs), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  )
)

const requests = Metric.counter("dcs_http_requests", {
  description: "Answers by the class of their status.",
  incremental: true
})

const classes = ["1xx", "2xx", "3xx", "4xx", "5xx"].map((status) => Metric.tagged(requests, "status", status))

/** Counts an answer of this status. */
export const countAnswer = (status: number) => Metric.increment(classes[Math.floor(status / 100) - 1] ?? requests)

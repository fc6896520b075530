import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, Option } from "effect"

/** Where requests to providers go out. */
export interface OutboundSettings {
  /** The HTTP proxy for all requests to providers (`OUTBOUND_PROXY`); without it they go straight to them. */
  readonly outboundProxy: Option.Option<string>
}

/**
 * The HTTP client for providers and for the export of telemetry. It uses no proxy but the given one: Bun would obey
 * `HTTP_PROXY` and its relatives, which are often set for other programs, and send the credentials of customers there.
 */
export const outboundHttpLayer = ({ outboundProxy }: OutboundSettings) =>
  Layer.mergeAll(
    FetchHttpClient.layer,
    Layer.effectDiscard(Effect.sync(removeProxyVariables)),
    Layer.succeed(FetchHttpClient.RequestInit, {
      // A redirect would carry the credential elsewhere; a kept connection may close just when it should carry a write.
      redirect: "manual",
      keepalive: false,
      ...Option.match(outboundProxy, { onNone: () => ({}), onSome: (proxy) => ({ proxy }) })
    })
  )

/** `fetch` reads these variables at each request, and has no option to ignore them. */
const removeProxyVariables = () =>
  ["http_proxy", "https_proxy", "all_proxy"].forEach((name) => {
    delete Bun.env[name]
    delete Bun.env[name.toUpperCase()]
  })

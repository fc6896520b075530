import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { canonicalizeAddress } from "../domain/names/IpAddress.ts"

/** Where requests to providers go out. */
export interface OutboundSettings {
  /** The HTTP proxy for all requests to providers (`OUTBOUND_PROXY`); without it they go straight to them. */
  readonly outboundProxy: Option.Option<string>
}

/**
 * The HTTP client for providers and telemetry. Only the given proxy: Bun would obey `HTTP_PROXY` and its relatives, often
 * set for other programs, and send the credentials of customers there.
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

/** Sends requests to this checked address: a name could get another one. The certificate must be of the name. */
export const connectTo = <E, R>(
  http: HttpClient.HttpClient.With<E, R>,
  init: RequestInit,
  { address, url }: { readonly url: URL; readonly address: string }
): HttpClient.HttpClient.With<E, R> =>
  http.pipe(
    HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.setUrl(toUrlAt(url, address)), HttpClientRequest.setHeader("host", url.host))
    ),
    HttpClient.transformResponse(Effect.provideService(FetchHttpClient.RequestInit, withServerName(init, url.hostname)))
  )

const toUrlAt = (target: URL, address: string): string => {
  const url = new URL(target)
  url.hostname = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address
  return url.href
}

const withServerName = (init: RequestInit & { readonly tls?: object }, hostname: string): RequestInit => {
  const serverName = unbracket(hostname)
  return Option.isSome(canonicalizeAddress(serverName))
    ? init
    : Object.assign({}, init, { tls: { serverName, ...init.tls } })
}

export const unbracket = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

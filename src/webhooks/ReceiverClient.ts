import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Context, Data, Duration, Effect, Layer, Option } from "effect"
import { dns } from "bun"
import { getServers, Resolver, setServers } from "node:dns"
import {
  canonicalizeAddress,
  isInNetworks,
  isOutboundAllowed,
  loopbackNetworks,
  type Network
} from "../domain/names/IpAddress.ts"
import type { AttemptError } from "../domain/webhook/WebhookDelivery.ts"
import { connectTo, outboundHttpLayer, type OutboundSettings, unbracket } from "../providers/outboundHttp.ts"

export interface ReceiverSettings extends OutboundSettings {
  /** Networks that are not public and that the service may contact nevertheless (`OUTBOUND_ALLOW`). */
  readonly outboundAllow: ReadonlyArray<Network>
}

interface ReceiverAnswer {
  readonly status: number
  readonly retryAfter: Option.Option<string>
}

/** The request got no answer. */
class AttemptFailed extends Data.TaggedError("AttemptFailed")<{ readonly error: AttemptError }> {}

/** Posts events to the receivers of platforms, whose URLs strangers choose: never to an address that is not public. */
export class ReceiverClient extends Context.Tag("webhooks/ReceiverClient")<
  ReceiverClient,
  {
    /** Why no endpoint may have this URL; none if it may. */
    readonly findUrlFault: (url: string) => Option.Option<string>
    /** Posts a JSON body; follows no redirect, and reads nothing of the answer but its status and `Retry-After`. */
    readonly post: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string
    ) => Effect.Effect<ReceiverAnswer, AttemptFailed>
  }
>() {
  static readonly layer = (settings: ReceiverSettings) =>
    Layer.effect(
      ReceiverClient,
      Effect.gen(function* () {
        const http = HttpClient.withScope(yield* HttpClient.HttpClient)
        const init = yield* FetchHttpClient.RequestInit
        return {
          findUrlFault: (url) => findUrlFault(url, settings.outboundAllow),
          post: (url, headers, body) =>
            Effect.gen(function* () {
              if (Option.isSome(findUrlFault(url, settings.outboundAllow))) return yield* addressNotAllowed
              const target = new URL(url)
              // A proxy of the operator resolves the name itself, and decides itself where it connects to.
              const address = Option.isSome(settings.outboundProxy)
                ? target.hostname
                : yield* findAllowedAddress(target.hostname, settings.outboundAllow)
              const { headers: answered, status } = yield* HttpClientRequest.post(target).pipe(
                HttpClientRequest.setHeaders(headers),
                HttpClientRequest.bodyText(body, "application/json"),
                connectTo(http, init, { url: target, address }).execute,
                Effect.mapError(() => new AttemptFailed({ error: "connection" }))
              )
              return { status, retryAfter: Option.fromNullable(answered["retry-after"]) }
            }).pipe(
              Effect.scoped,
              Effect.timeoutFail({ duration: attemptTimeout, onTimeout: () => new AttemptFailed({ error: "timeout" }) })
            )
        }
      })
    ).pipe(Layer.provide(outboundHttpLayer(settings)))
}

/** The timeout of the connection, the request and the head of the answer together. */
const attemptTimeout = Duration.seconds(15)

const addressNotAllowed = new AttemptFailed({ error: "address_not_allowed" })

const findUrlFault = (text: string, allowed: ReadonlyArray<Network>): Option.Option<string> => {
  if (!URL.canParse(text)) return Option.some("must be a URL such as https://shop.example.com/webhooks")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "" || url.hash !== "")
    return Option.some("must have no user, password or fragment")
  const literal = canonicalizeAddress(unbracket(url.hostname))
  const isAllowedLoopback = Option.exists(
    literal,
    (address) => isInNetworks(address, loopbackNetworks) && isOutboundAllowed(address, allowed)
  )
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isAllowedLoopback))
    return Option.some("must begin with https; http is accepted only for a loopback address in OUTBOUND_ALLOW")
  return Option.exists(literal, (address) => !isOutboundAllowed(address, allowed))
    ? Option.some("must have a public address")
    : Option.none()
}

/**
 * Finds the address to connect to, the very one that was checked: a name could have another one a moment later. One
 * forbidden address forbids the name. Bun would look names up in the few threads of `getaddrinfo`, which a tenant's
 * silent name servers would hold up; c-ares waits in no thread.
 */
const findAllowedAddress = (hostname: string, allowed: ReadonlyArray<Network>) =>
  Effect.tryPromise({
    try: () => {
      useCurrentResolvers()
      return dns.lookup(unbracket(hostname), { backend: "c-ares" })
    },
    catch: () => new AttemptFailed({ error: "connection" })
  }).pipe(
    Effect.filterOrFail(
      (found) => found.every(({ address }) => isOutboundAllowed(address, allowed)),
      () => addressNotAllowed
    ),
    Effect.flatMap((found) =>
      Option.match(Option.fromNullable(found.find(({ family }) => family === 4) ?? found[0]), {
        onNone: () => new AttemptFailed({ error: "connection" }),
        onSome: ({ address }) => Effect.succeed(address)
      })
    )
  )

/** Bun reads the resolvers of the system once, but a network that comes up later may have others. */
const useCurrentResolvers = (): void => {
  const current = new Resolver().getServers()
  if (current.join() !== getServers().join()) setServers(current)
}

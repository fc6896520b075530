import { HttpClient } from "@effect/platform"
import { Duration, Effect, Either, Option, Schema } from "effect"
import { DnsClient } from "../../dns/transport/DnsClient.ts"
import { type Endpoint, formatEndpoint } from "../../dns/transport/Endpoint.ts"
import { isUnreachable, runQuery } from "../../dns/transport/Query.ts"
import type { Network } from "../../domain/names/IpAddress.ts"
import { outboundHttpLayer } from "../../providers/outboundHttp.ts"
import { fail, type DoctorFinding, ok, warn } from "./DoctorFinding.ts"

interface NetworkSettings {
  readonly resolvers: ReadonlyArray<Endpoint>
  readonly publicResolvers: ReadonlyArray<Endpoint>
  readonly outboundAllow: ReadonlyArray<Network>
  readonly outboundProxy: Option.Option<string>
  readonly publicUrl: Option.Option<string>
}

/** Checks from this machine what the service reaches, and whether `PUBLIC_URL` leads to it. */
export const checkNetwork = (settings: NetworkSettings): Effect.Effect<ReadonlyArray<DoctorFinding>> =>
  Effect.all(
    [
      checkResolvers("DNS_RESOLVERS", settings.resolvers),
      checkResolvers("DNS_PUBLIC_RESOLVERS", settings.publicResolvers),
      checkNameServers,
      checkProviders(settings),
      checkPublicUrl(settings)
    ],
    { concurrency: "unbounded" }
  ).pipe(Effect.provide(DnsClient.layer({ allowed: settings.outboundAllow })))

/** Every resolver knows of it. */
const question = { name: "com", type: "NS" } as const

const checkResolvers = Effect.fnUntraced(function* (check: string, resolvers: ReadonlyArray<Endpoint>) {
  const client = yield* DnsClient
  const [silent, answering] = yield* Effect.partition(
    resolvers,
    (resolver) =>
      Effect.mapBoth(runQuery(client.resolve(resolver, question, "doctor")), {
        onFailure: ({ reason }) => `${formatEndpoint(resolver)} (${reason})`,
        onSuccess: () => formatEndpoint(resolver)
      }),
    { concurrency: "unbounded" }
  )
  if (silent.length === 0) return ok(check, resolvers.length === 0 ? "none is asked" : `${answering.join(", ")} answer`)
  const found = `no answer from ${silent.join(", ")}`
  return answering.length === 0
    ? fail(check, found, `Set ${check} to resolvers that answer this machine.`)
    : warn(check, found, `Remove it from ${check}, or let this machine ask it.`)
})

/** Root servers of three operators. */
const rootServers = ["198.41.0.4", "193.0.14.129", "199.7.83.42"]

/** An answer without authority shows as well that queries get out. */
const checkNameServers = Effect.gen(function* () {
  const client = yield* DnsClient
  const purpose = { zone: question.name, requester: "doctor", trySpend: () => true }
  const outcomes = yield* Effect.forEach(
    rootServers,
    (address) => Effect.either(runQuery(client.query(address, question, purpose))),
    { concurrency: "unbounded" }
  )
  return outcomes.some((outcome) => Either.isRight(outcome) || !isUnreachable(outcome.left))
    ? ok("name servers", "can be asked")
    : fail("name servers", "none of the root servers answers", "Allow UDP and TCP to port 53 of any address.")
})

/** The API of a provider of the catalog; whatever it answers, it can be reached. */
const providerUrl = "https://api.cloudflare.com/"

const checkProviders = ({ outboundProxy }: Pick<NetworkSettings, "outboundProxy">) =>
  Effect.map(Effect.option(request(providerUrl, outboundProxy)), (response) =>
    Option.isSome(response)
      ? ok("providers", `${providerUrl} can be reached`)
      : warn(
          "providers",
          `${providerUrl} cannot be reached`,
          Option.match(outboundProxy, {
            onNone: () => "Allow HTTPS to any address, or set OUTBOUND_PROXY.",
            onSome: () => "Check that OUTBOUND_PROXY runs, and lets the service through."
          })
        )
  )

const checkPublicUrl = ({ publicUrl }: Pick<NetworkSettings, "publicUrl">) =>
  Option.match(publicUrl, {
    onNone: () =>
      Effect.succeed(
        warn("PUBLIC_URL", "is not set: browsers of customers reach nothing", "Set it to the https URL of the service.")
      ),
    onSome: (url) =>
      Effect.all([request(`${url}/healthz`, Option.none()), request(`${url}/connect`, Option.none())]).pipe(
        Effect.map(([health, page]) =>
          !isHealthy(health.answer)
            ? fail(
                "PUBLIC_URL",
                `${url}/healthz answers ${health.status}, but not as the service`,
                "Correct it, or the proxy."
              )
            : page.status === 200
              ? ok("PUBLIC_URL", `${url} leads to the service`)
              : fail(
                  "PUBLIC_URL",
                  `${url}/connect answers ${page.status}, where customers get a page`,
                  "Let the proxy pass on the header Host as it came, and all paths."
                )
        ),
        Effect.orElseSucceed(() =>
          warn("PUBLIC_URL", `${url} does not answer this machine`, "Start the service; check DNS, TLS and the proxy.")
        )
      )
  })

const HealthAnswer = Schema.parseJson(Schema.Struct({ status: Schema.Literal("ok") }))

const isHealthy = (answer: string) => Option.isSome(Schema.decodeOption(HealthAnswer)(answer))

const request = (url: string, outboundProxy: Option.Option<string>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url)).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (answer) => ({ answer, status: response.status }))),
    Effect.timeout(Duration.seconds(5)),
    Effect.provide(outboundHttpLayer({ outboundProxy }))
  )

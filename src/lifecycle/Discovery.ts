import { Array, Context, DateTime, Duration, Effect, Either, Layer, Option, Record } from "effect"
import type { Connection, FailureCode } from "../domain/Connection.ts"
import type { DnsRecord } from "../domain/DnsRecord.ts"
import { DomainName, HostName } from "../domain/DomainName.ts"
import { Plan, type Warning } from "../domain/Plan.ts"
import type { Provider } from "../domain/Provider.ts"
import { type Delegation, Delegations } from "../dns/Delegation.ts"
import type { HostQuestion } from "../dns/namesToAsk.ts"
import { ZoneReader, type ZoneReading } from "../dns/ZoneReader.ts"
import { buildPlan, type Planned } from "../planning/buildPlan.ts"
import { typesConcerned } from "../planning/conflicts.ts"
import { detectProvider, type Detection } from "../providers/Detection.ts"
import { LifecycleEvent } from "./LifecycleState.ts"

/** Finds out where a domain is served and by whom, what is there, and what would have to change. */
export class Discovery extends Context.Tag("lifecycle/Discovery")<
  Discovery,
  { readonly discover: (connection: Connection) => Effect.Effect<LifecycleEvent> }
>() {
  static readonly layer = Layer.effect(
    Discovery,
    Effect.gen(function* () {
      const delegations = yield* Delegations
      const zones = yield* ZoneReader

      return {
        discover: Effect.fn("Discovery.discover")(function* (connection) {
          const domain = DomainName.make(connection.effectiveIntent.domain)
          const delegation = yield* Effect.either(delegations.find(domain))
          if (Either.isLeft(delegation)) return failed(delegationFailures[delegation.left._tag], Option.none())
          const { nameServers, zone } = delegation.right
          const detection = detectProvider(nameServers.map(({ name }) => name))
          const wanted = connection.effectiveIntent.records
          const reading = yield* Effect.either(
            zones.read({ domain, delegation: delegation.right, hosts: questionsFor(wanted, zone === domain) })
          )
          if (Either.isLeft(reading)) return failed("discovery_timeout", Option.some(detection.provider))
          const { capabilities } = detection.provider
          return Either.match(buildPlan({ domain, wanted, zone: reading.right.zone, capabilities }), {
            onLeft: ({ code }) => failed(code, Option.some(detection.provider)),
            onRight: discovered(detection, delegation.right, reading.right, yield* DateTime.now)
          })
        })
      }
    })
  )
}

/** How long a first plan may be approved; the clocks of the lifecycle are in one place from the next phase on. */
const planLifetime = Duration.minutes(15)

const failed = (code: FailureCode, provider: Option.Option<Provider>) =>
  LifecycleEvent.DiscoveryFailed({ code, provider })

const delegationFailures = {
  DomainNotRegistered: "domain_not_registered",
  DomainHasNoNameServers: "domain_has_no_nameservers",
  ZoneNotFound: "zone_not_found",
  DelegationTimedOut: "discovery_timeout"
} as const

/** Mail and delegation depend on addresses elsewhere in the zone, so what names them is always read. */
const questionsFor = (wanted: ReadonlyArray<DnsRecord>, isApex: boolean): ReadonlyArray<HostQuestion> =>
  Record.toEntries(
    Array.groupBy(
      [
        { host: "@", types: ["MX", "NS", "TXT"] as const },
        ...wanted.map(({ host, type }) => ({ host, types: typesConcerned(type, isApex && host === "@") }))
      ],
      ({ host }) => host
    )
  ).map(([host, questions]) => ({
    host: HostName.make(host),
    types: Array.dedupe(questions.flatMap(({ types }) => types))
  }))

const discovered =
  (detection: Detection, delegation: Delegation, reading: ZoneReading, now: DateTime.Utc) =>
  ({ changes, digest, effectiveIntent, optionalFailures, warnings }: Planned) =>
    LifecycleEvent.Discovered({
      provider: detection.provider,
      effectiveIntent,
      optionalFailures,
      plan: Plan.make({
        digest,
        basis: "public_dns",
        changes,
        warnings: [...warnings, ...detection.warnings, ...zoneWarnings(delegation, reading)],
        expiresAt: DateTime.addDuration(now, planLifetime)
      })
    })

const zoneWarnings = (delegation: Delegation, reading: ZoneReading): ReadonlyArray<Warning> => [
  ...(delegation.signed ? ["dnssec_signed_zone" as const] : []),
  ...(delegation.parentChildMismatch ? ["ns_parent_child_mismatch" as const] : []),
  ...(reading.disagreeing ? ["name_servers_disagree" as const] : [])
]

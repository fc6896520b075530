import { Effect, Either } from "effect"
import type { Credential } from "../../../src/domain/Credential.ts"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { type ResolvedIntent, resolveIntent } from "../../../src/domain/Intent.ts"
import type { Change } from "../../../src/domain/Plan.ts"
import type { ProviderLimits } from "../../../src/domain/Provider.ts"
import type { PlanContext } from "../../../src/planning/PlanContext.ts"
import { buildPlan, type PlanResult } from "../../../src/planning/buildPlan.ts"
import type { ProviderClient, ZoneRequest, ZoneSnapshot } from "../../../src/providers/ProviderClient.ts"
import type { ProviderFailure, ZoneChanged } from "../../../src/providers/ProviderFailure.ts"
import { requestFor, type RoundTrip } from "../../planning/roundTrip/RoundTrip.ts"
import type { DynamicUpdateTarget } from "../../support/lab/DynamicUpdateTarget.ts"
import { rrsetReplacements } from "../../support/lab/RRsetChange.ts"
import { parseZone, recordsOf } from "../../support/lab/Zone.ts"
import type { ServerAddress } from "../../support/lab/sendQuery.ts"

/** An adapter and the real server that it is tested on. */
export interface AdapterUnderTest {
  /** The adapter for the server, which it reaches at the target: the server itself or a proxy. */
  readonly clientAt: (target: ServerAddress) => ProviderClient
  readonly target: ServerAddress
  readonly credential: Credential
  readonly wrongCredentials: ReadonlyArray<Credential>
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  /** Writes without the adapter. */
  readonly server: DynamicUpdateTarget
  /** All records of the zone except SOA, in any order, read without the adapter. */
  readonly dump: Effect.Effect<ReadonlyArray<string>>
  /** Whether these bytes are a write request. */
  readonly isWrite: (request: Uint8Array) => boolean
}

export const openZone = (adapter: AdapterUnderTest, request: Partial<ZoneRequest>, target = adapter.target) => {
  const zone = DomainName.make(adapter.zone)
  const { credential, nameServers } = adapter
  return adapter.clientAt(target).openZone({ credential, domain: zone, zone, nameServers, ...request })
}

export const failureOf = (effect: Effect.Effect<unknown, ProviderFailure | ZoneChanged>) =>
  Effect.map(Effect.flip(effect), (failure) => (failure._tag === "ZoneChanged" ? failure._tag : failure.code))

export const resolvedIntentOf = (
  domain: string,
  trip: Pick<RoundTrip, "desired"> & Partial<RoundTrip>
): ResolvedIntent =>
  Either.getOrThrow(resolveIntent(requestFor(domain, { about: "", changes: 0, served: [], ...trip })))

const recordsIn = (domain: string, lines: string) =>
  recordsOf(parseZone(domain, lines)).filter(({ type }) => type !== "SOA")

export const loadRecords = (adapter: AdapterUnderTest, domain: string, lines: string) =>
  adapter.server.update(adapter.zone, [rrsetReplacements(recordsIn(domain, lines))])

export const planFrom = (
  { zone }: ZoneSnapshot,
  intent: ResolvedIntent,
  { limits }: { limits: ProviderLimits }
): PlanResult =>
  Either.getOrThrow(buildPlan({ intent, zone, limits, context: { answers: nothingElsewhere, others: [] } }))

/** All facts outside the zone are known and empty. */
const nothingElsewhere: PlanContext["answers"] = Object.assign(new Map(), { get: () => [] })

export const sendWrites = (snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) =>
  Effect.flatMap(snapshot.planWrites(changes), (writes) =>
    Effect.forEach(writes, ({ send }) => send, { discard: true })
  )

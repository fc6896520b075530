import { Effect, Either } from "effect"
import type { Credential } from "../../src/domain/Credential.ts"
import { DomainName } from "../../src/domain/DomainName.ts"
import { resolveIntent, type ResolvedIntent } from "../../src/domain/Intent.ts"
import type { Change } from "../../src/domain/Plan.ts"
import type { ProviderLimits } from "../../src/domain/Provider.ts"
import { buildPlan, type Planned } from "../../src/planning/buildPlan.ts"
import type { PlanContext } from "../../src/planning/PlanContext.ts"
import type { ProviderClient, ZoneRequest, ZoneSnapshot } from "../../src/providers/ProviderClient.ts"
import type { ProviderFailure, ZoneChanged } from "../../src/providers/ProviderFailure.ts"
import type { Target } from "../support/lab/exchange.ts"
import { replacing } from "../support/lab/RrsetChange.ts"
import type { Updatable } from "../support/lab/updatable.ts"
import { parseZone, recordsOf } from "../support/lab/Zone.ts"
import { requestFor, type RoundTrip } from "../planning/roundTrip/RoundTrip.ts"

/** An adapter and the real server that it is tried on. */
export interface Subject {
  /** The adapter for the server, reached at the target, which is the server itself or a proxy before it. */
  readonly clientAt: (target: Target) => ProviderClient
  readonly target: Target
  readonly credential: Credential
  readonly wrongCredentials: ReadonlyArray<Credential>
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  /** Writes by another way than the adapter's. */
  readonly server: Updatable
  /** All records of the zone as the server itself shows them, SOA aside, in any order; read by another way. */
  readonly dump: Effect.Effect<ReadonlyArray<string>>
  /** Whether these bytes are a call that writes. */
  readonly isWrite: (request: Uint8Array) => boolean
}

export const open = (at: Subject, request: Partial<ZoneRequest>, target = at.target) => {
  const zone = DomainName.make(at.zone)
  const { credential, nameServers } = at
  const client = at.clientAt(target)
  return Effect.map(client.openZone({ credential, domain: zone, zone, nameServers, ...request }), (opened) => ({
    ...opened,
    limits: client.limits
  }))
}

export const failureOf = (effect: Effect.Effect<unknown, ProviderFailure | ZoneChanged>) =>
  Effect.map(Effect.flip(effect), (failure) => (failure._tag === "ZoneChanged" ? failure._tag : failure.code))

export const intentOf = (domain: string, trip: Pick<RoundTrip, "wanted"> & Partial<RoundTrip>): ResolvedIntent =>
  Either.getOrThrow(resolveIntent(requestFor(domain, { about: "", changes: 0, served: [], ...trip })))

const recordsIn = (domain: string, lines: string) =>
  recordsOf(parseZone(domain, lines)).filter(({ type }) => type !== "SOA")

export const load = (at: Subject, domain: string, lines: string) =>
  at.server.update(at.zone, [replacing(recordsIn(domain, lines))])

export const planFrom = (
  { zone }: ZoneSnapshot,
  intent: ResolvedIntent,
  { limits }: { limits: ProviderLimits }
): Planned => Either.getOrThrow(buildPlan({ intent, zone, limits, context: { answers: nothingElsewhere, others: [] } }))

/** Beyond the zone there is nothing, and that is known. */
const nothingElsewhere: PlanContext["answers"] = Object.assign(new Map(), { get: () => [] })

export const sendAll = (snapshot: ZoneSnapshot, changes: ReadonlyArray<Change>) =>
  Effect.flatMap(snapshot.writesFor(changes), (writes) => Effect.forEach(writes, ({ send }) => send, { discard: true }))

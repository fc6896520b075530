import { Effect, Either } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { type ResolvedIntent, resolveIntent } from "../../../src/domain/connection/Intent.ts"
import type { Change, ChangeRecord } from "../../../src/domain/plan/Plan.ts"
import type { ProviderLimits } from "../../../src/domain/provider/Provider.ts"
import { splitUpdates } from "../../../src/domain/plan/RunChange.ts"
import type { PlanContext } from "../../../src/planning/PlanContext.ts"
import type { PlanResult } from "../../../src/planning/buildPlan.ts"
import type {
  ProviderClient,
  Timeouts,
  ZoneClient,
  ZoneRequest,
  ZoneSnapshot
} from "../../../src/providers/ProviderClient.ts"
import type { OutcomeUnknown, ProviderFailure, ZoneChanged } from "../../../src/providers/ProviderFailure.ts"
import { requestFor, type RoundTrip } from "../../planning/roundTrip/RoundTrip.ts"
import type { DynamicUpdateTarget } from "../../support/lab/DynamicUpdateTarget.ts"
import type { LabRecord } from "../../support/lab/packet.ts"
import { rrsetReplacements } from "../../support/lab/RRsetChange.ts"
import { parseZone, recordsOf } from "../../support/lab/Zone.ts"
import type { ServerAddress } from "../../support/lab/sendQuery.ts"
import { planZone } from "../../support/planZone.ts"

/** An adapter, and the real server or the fake of a vendor that it is tested on. */
export interface AdapterUnderTest {
  readonly client: ProviderClient
  readonly credential: Credential
  readonly wrongCredentials: ReadonlyArray<Credential>
  readonly zone: string
  readonly nameServers: ReadonlyArray<string>
  /** Replaces the sets of these records without the adapter; their names and targets are absolute. */
  readonly replaceSets: (records: ReadonlyArray<LabRecord>) => Effect.Effect<void>
  /** All records of the zone except SOA, in any order, read without the adapter; each line begins with its name. */
  readonly dump: Effect.Effect<ReadonlyArray<string>>
  /** What the vendor cannot do; without it, the adapter stores every record as it is and writes a plan at once. */
  readonly limitations?: VendorLimitations
}

/** What a vendor cannot do, each with where it is stated. */
export interface VendorLimitations {
  /** One call takes a part of a plan. */
  readonly writesInParts?: Source
  /** It stores other TTLs than the desired ones, changes spellings, or gives one TTL to all records of a set. */
  readonly storesOtherwise?: Source
  /** Planned records that the adapter refuses before the first write. */
  readonly refused: ReadonlyArray<VendorRefusal>
  /** Its lists show every write at once; without it, the adapter reads again for a time (`visibleWithin`). */
  readonly showsWritesAtOnce?: Source
  /** Records that cannot stand in a zone of the vendor, whoever writes them: they are left out of the zones of tests. */
  readonly absent: ReadonlyArray<AbsentRecords>
}

/** Records that a vendor's zones never have. */
interface AbsentRecords {
  readonly about: string
  readonly source: Source
  readonly matches: (record: LabRecord) => boolean
}

/** Each limitation in words, with where it is stated. */
export const listLimitations = ({
  absent,
  refused,
  showsWritesAtOnce,
  storesOtherwise,
  writesInParts
}: VendorLimitations): ReadonlyArray<{ readonly about: string; readonly source: Source }> => [
  ...(writesInParts === undefined ? [] : [{ about: "one call takes a part of a plan", source: writesInParts }]),
  ...(storesOtherwise === undefined ? [] : [{ about: "stores otherwise than desired", source: storesOtherwise }]),
  ...(showsWritesAtOnce === undefined ? [] : [{ about: "lists show every write at once", source: showsWritesAtOnce }]),
  ...refused.map(({ about, source }) => ({ about: `refused: ${about}`, source })),
  ...absent.map(({ about, source }) => ({ about: `never in a zone: ${about}`, source }))
]

/** Records that an adapter refuses because its vendor cannot store them. */
export interface VendorRefusal {
  readonly about: string
  readonly source: Source
  /** `domain` is what the host of the record is relative to; without it, that is the zone. */
  readonly matches: (record: ChangeRecord, domain?: string) => boolean
}

/**
 * A place and its words, as `cannot_store: null MX`. The place is a path in the vendor's entry of `vendor-facts.json`, a
 * file of the vendors' data (`openapi/hetzner.openapi.json`), a repository that the entry names, or an address of the
 * documentation to which the catalog refers. For a live account it is the adapter itself.
 */
type Source = string

/** An adapter for the protocol of a real server of the lab, which it may reach through a proxy that fails. */
export interface ServerAdapterUnderTest extends AdapterUnderTest {
  /** The adapter for the server, which it reaches at the target: the server itself or a proxy. */
  readonly clientAt: (target: ServerAddress, timeouts?: Timeouts) => ProviderClient
  readonly target: ServerAddress
  /** Writes without the adapter. */
  readonly server: DynamicUpdateTarget
  /** Whether these bytes are a write request. */
  readonly isWrite: (request: Uint8Array) => boolean
}

/** For large zones at a fake in the same process: a busy machine may take its time. */
export const patientTimeouts: Timeouts = { call: "1 hour", snapshot: "1 hour" }

/** For calls that get no answer, and take that long. */
export const silenceTimeouts: Timeouts = { call: "3 seconds", snapshot: "3 seconds" }

/** Completes the description of an adapter for a server that other programs may update too. */
export const serverUnderTest = (
  adapter: Omit<ServerAdapterUnderTest, "client" | "replaceSets">
): ServerAdapterUnderTest => ({
  ...adapter,
  client: adapter.clientAt(adapter.target),
  replaceSets: (records) => adapter.server.update(adapter.zone, [rrsetReplacements(records)])
})

export const openZone = (adapter: AdapterUnderTest, request: Partial<ZoneRequest>, client = adapter.client) => {
  const zone = DomainName.make(adapter.zone)
  const { credential, nameServers } = adapter
  return client.openZone({ connectionId: "con_1", credential, domain: zone, zone, nameServers, ...request })
}

export const failureOf = (effect: Effect.Effect<unknown, OutcomeUnknown | ProviderFailure | ZoneChanged>) =>
  Effect.map(Effect.flip(effect), (failure) => (failure._tag === "ProviderFailure" ? failure.code : failure._tag))

export const resolvedIntentOf = (
  domain: string,
  trip: Pick<RoundTrip, "desired"> & Partial<RoundTrip>
): ResolvedIntent =>
  Either.getOrThrow(resolveIntent(requestFor(domain, { about: "", changes: 0, served: [], ...trip })))

export const recordsIn = (domain: string, lines: string) =>
  recordsOf(parseZone(domain, lines)).filter(({ type }) => type !== "SOA")

export const loadRecords = (adapter: AdapterUnderTest, domain: string, lines: string) =>
  adapter.replaceSets(recordsIn(domain, lines).filter((record) => canStand(adapter, record)))

/** Whether a record can stand in a zone of the adapter's vendor. */
export const canStand = ({ limitations }: AdapterUnderTest, record: LabRecord): boolean =>
  limitations?.absent.some(({ matches }) => matches(record)) !== true

export const planFrom = (
  { zone }: ZoneSnapshot,
  intent: ResolvedIntent,
  { limits }: { limits: ProviderLimits }
): PlanResult =>
  Either.getOrThrow(planZone({ intent, zone, limits, context: { answers: nothingElsewhere, others: [] } }))

/** All facts outside the zone are known and empty. */
const nothingElsewhere: PlanContext["answers"] = Object.assign(new Map(), { get: () => [] })

/** Sends the writes of the changes as a run does: an update that takes two calls comes as two changes. */
export const sendWrites = (
  snapshot: ZoneSnapshot,
  changes: ReadonlyArray<Change>,
  { canUpdate = () => true }: Pick<ZoneClient, "canUpdate"> = {}
) =>
  Effect.flatMap(snapshot.planWrites(splitUpdates(changes, canUpdate)), (writes) =>
    Effect.forEach(writes, ({ send }) => send, { discard: true })
  )

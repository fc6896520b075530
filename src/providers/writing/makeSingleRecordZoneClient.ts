import { Array, Effect, Either, Option } from "effect"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { normalizeName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { Zone, ZoneLocation } from "../../domain/plan/Zone.ts"
import { identityOf } from "../../planning/changes/computeResultingRecords.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import type { ZoneClient, ZoneSnapshot, ZoneWrite } from "../ProviderClient.ts"
import { type ProviderError, toReadFailure, toWriteFailure } from "../ProviderError.ts"
import { OutcomeUnknown } from "../ProviderFailure.ts"
import { type AffectedNames, findAffectedNames, findRemovedRecords } from "./AffectedNames.ts"
import { isAffected, makeStoredZoneBuilder, type StoredZone } from "./RecordSet.ts"
import { packCalls } from "./packCalls.ts"
import { runInOrder } from "./runInOrder.ts"
import { type CheckRecord, makeRecordCheck, requireStorable } from "./requireStorable.ts"
import { makeWriteGuard, type WriteGuard } from "./writeGuard.ts"

/** One step of a change: a record is created, replaced in its place, or removed. */
export type RecordStep<Stored> =
  | { readonly action: "create"; readonly record: RecordAtName }
  | { readonly action: "replace"; readonly stored: Stored; readonly record: RecordAtName }
  | { readonly action: "remove"; readonly stored: Stored }

/** A planned record with its absolute name, in normal form. */
export interface RecordAtName extends ChangeRecord {
  readonly name: string
}

/** The parts that an adapter supplies for a provider that stores each record by itself. */
export interface SingleRecordAdapter<Stored>
  extends Pick<ZoneClient, "limits" | "visibleWithin">, Pick<Zone, "flattenedAliases"> {
  /** Lists all records of the zone, or, to save calls, at least those that changes at the names depend on. */
  readonly listRecords: (names: Option.Option<AffectedNames>) => Effect.Effect<ReadonlyArray<Stored>, ProviderError>
  /** The stored record in DNS; `name` is absolute, in any letter case, with or without a final dot. */
  readonly toRecord: (stored: Stored) => Omit<ZoneRecord, "host"> & { readonly name: string }
  /** Carries out as many steps as one call takes; ends when they are done, not when the call is accepted. */
  readonly write: (steps: Array.NonEmptyReadonlyArray<RecordStep<Stored>>) => Effect.Effect<void, ProviderError>
  /** Makes the provider serve what was written; absent where a write alone is served. */
  readonly publish?: Effect.Effect<void, ProviderError>
  /** Whether one call carries out all these steps or none of them; without it, a call takes one step. */
  readonly fitsOneCall?: (steps: ReadonlyArray<RecordStep<Stored>>) => boolean
  /** Whether a record can be replaced in its place by another one; without it, if both have the same type. */
  readonly canReplace?: (before: ChangeRecord, after: ChangeRecord) => boolean
  readonly checkRecord?: CheckRecord
}

/**
 * The write model of a provider that writes single records. Affected names are read again directly before the first
 * write; a later change of another writer is lost, unless the provider compares.
 */
export const makeSingleRecordZoneClient = <Stored>(
  adapter: SingleRecordAdapter<Stored>,
  location: ZoneLocation
): ZoneClient => {
  const checkRecord = makeRecordCheck(adapter, location)
  const publish = adapter.publish && Effect.mapError(adapter.publish, toUnpublished)
  return {
    limits: adapter.limits,
    ...(publish === undefined ? {} : { publish }),
    ...(adapter.visibleWithin === undefined ? {} : { visibleWithin: adapter.visibleWithin }),
    canUpdate: adapter.canReplace ?? hasSameType,
    checkRecord,
    read: Effect.mapBoth(readZone(adapter, location, Option.none()), {
      onFailure: toReadFailure,
      onSuccess: (read) => toSnapshot(read, { ...adapter, checkRecord }, location)
    })
  }
}

const hasSameType = (before: ChangeRecord, after: ChangeRecord): boolean => before.type === after.type

/** A zone as it was read, with the records outside the domain. */
interface SingleRecordZone<Stored> extends StoredZone<Stored> {
  /** By their names in normal form. */
  readonly recordsByName: ReadonlyMap<string, ReadonlyArray<NamedStored<Stored>>>
}

interface NamedStored<Stored> {
  readonly name: string
  readonly type: string
  readonly stored: Stored
}

const readZone = <Stored>(
  adapter: SingleRecordAdapter<Stored>,
  location: ZoneLocation,
  names: Option.Option<AffectedNames>
): Effect.Effect<SingleRecordZone<Stored>, ProviderError> =>
  Effect.flatMap(adapter.listRecords(names), (records) =>
    computeInSlices(toSingleRecordZone(records, adapter, location))
  )

function* toSingleRecordZone<Stored>(
  records: ReadonlyArray<Stored>,
  { flattenedAliases, toRecord }: SingleRecordAdapter<Stored>,
  location: ZoneLocation
): LongComputation<SingleRecordZone<Stored>> {
  const builder = makeStoredZoneBuilder<Stored>(location)
  const recordsByName = new Map<string, Array<NamedStored<Stored>>>()
  yield* visitEach(records, (stored) => {
    const { name: spelling, ...record } = toRecord(stored)
    const name = normalizeName(spelling)
    const named = { name, type: record.type, stored }
    const known = recordsByName.get(name)
    if (known === undefined) recordsByName.set(name, [named])
    else known.push(named)
    builder.add(name, record, stored)
  })
  const { storedOf, zone } = builder.build()
  return { storedOf, zone: { ...zone, flattenedAliases }, recordsByName }
}

const toSnapshot = <Stored>(
  read: SingleRecordZone<Stored>,
  adapter: SingleRecordAdapter<Stored> & { readonly checkRecord: CheckRecord },
  location: ZoneLocation
): ZoneSnapshot => ({
  zone: read.zone,
  planWrites: (changes) =>
    Either.gen(function* () {
      const { storedOf, zone } = read
      const removed = yield* findRemovedRecords(zone, changes)
      yield* requireStorable(zone, changes, { checkRecord: adapter.checkRecord, location })
      const storedBy = (change: Change) => (removed.get(change) ?? []).flatMap((record) => storedOf.get(record) ?? [])
      const calls = packCalls(
        changes.map((change) => [{ change, steps: toSteps(change, storedBy(change), location) }]),
        (call) => adapter.fitsOneCall?.(call.flatMap(({ steps }) => steps)) ?? false
      )
      const names = findAffectedNames(changes, location)
      const planned = serializeRecordsAt(read, names)
      const guard = makeWriteGuard(
        Effect.map(
          readZone(adapter, location, Option.some(names)),
          (current) => serializeRecordsAt(current, names) === planned
        )
      )
      return calls.map((call) => toWrite(call, guard, adapter))
    })
})

interface PlannedChange<Stored> {
  readonly change: Change
  readonly steps: ReadonlyArray<RecordStep<Stored>>
}

/** The first duplicate of a record is replaced, or kept by a change that leaves it as it is; the others go. */
const toSteps = <Stored>(
  { after, before }: Change,
  removed: ReadonlyArray<Stored>,
  { domain }: ZoneLocation
): ReadonlyArray<RecordStep<Stored>> => {
  const removals = removed.map((stored) => ({ action: "remove", stored }) as const)
  if (after === undefined) return removals
  const record = { ...after, name: toFqdn(after.host, domain) }
  const [first] = removed
  if (before !== undefined && isUnchanged(before, after)) return removals.slice(1)
  return first === undefined
    ? [{ action: "create", record }]
    : [{ action: "replace", stored: first, record }, ...removals.slice(1)]
}

const isUnchanged = (before: ChangeRecord, after: ChangeRecord): boolean =>
  identityOf(before) === identityOf(after) &&
  before.ttl === after.ttl &&
  before.proxied === after.proxied &&
  before.flattened === after.flattened &&
  (after.automaticTtl !== true || before.automaticTtl === true)

const toWrite = <Stored>(
  call: ReadonlyArray<PlannedChange<Stored>>,
  guard: WriteGuard,
  adapter: SingleRecordAdapter<Stored>
): ZoneWrite => ({
  changes: call.map(({ change }) => change),
  send: Effect.withSpan(
    guard(
      writeSteps(
        call.flatMap(({ steps }) => steps),
        adapter
      )
    ),
    "singleRecords.write"
  )
})

/** Sends the steps after each other if they do not fit one call; the first may then stand without the rest. */
const writeSteps = <Stored>(
  steps: ReadonlyArray<RecordStep<Stored>>,
  { fitsOneCall, publish = Effect.void, write }: SingleRecordAdapter<Stored>
) =>
  Effect.mapError(
    Array.isNonEmptyReadonlyArray(steps) && fitsOneCall?.(steps) === true
      ? write(steps)
      : runInOrder(steps.map((step) => write([step]))),
    toWriteFailure
  ).pipe(Effect.zipLeft(Effect.mapError(publish, toUnpublished)))

/** The records are written, whatever the provider answers afterwards, and perhaps not served. */
const toUnpublished = ({ detail, retryAfter }: ProviderError): OutcomeUnknown =>
  new OutcomeUnknown({
    code: "provider_unavailable",
    detail: `not published: ${detail}`,
    ...(retryAfter === undefined ? {} : { retryAfter })
  })

/** Serializes the records that changes at the names depend on: the same records always give the same text. */
const serializeRecordsAt = <Stored>({ recordsByName }: SingleRecordZone<Stored>, names: AffectedNames): string =>
  [...names.at.union(names.above)]
    .flatMap((name) => recordsByName.get(name) ?? [])
    .filter(isAffected(names))
    .map(({ stored }) => JSON.stringify(stored))
    .toSorted()
    .join("\n")

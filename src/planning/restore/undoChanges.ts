import type { DateTime } from "effect"
import type { DomainName } from "../../domain/names/DomainName.ts"
import { recordKeyOf } from "../RecordRole.ts"
import { isBlocking, isConflicting, isSameSingletonKind, replacementScopeOf } from "../changes/conflicts.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import type { ChangeInDomain } from "./JournaledChange.ts"
import { findSharedPolicyKind, revertPolicyChange } from "./revertPolicy.ts"

export interface UndoResult {
  readonly records: ReadonlyArray<LiveRecord>
  /** The records among them that are served now; policies without the parts that connections wrote. */
  readonly remaining: ReadonlyArray<LiveRecord>
  /** When the records among them that are not served now were removed. */
  readonly removedAt: ReadonlyMap<LiveRecord, DateTime.Utc>
  /** The entries that cannot be undone, because their record is gone or something else has taken its place. */
  readonly changedSince: ReadonlySet<ChangeInDomain>
}

/** Undoes entries newest first, as far as in effect: a removed record that is served again was written by another. */
export const undoChanges = (
  name: DomainName,
  entries: ReadonlyArray<ChangeInDomain>,
  live: ReadonlyArray<LiveRecord>
): UndoResult => {
  const provenance = traceProvenance(entries, live)
  const ofConnection = Map.groupBy(entries, ({ connectionId }) => connectionId)
  const undone = new Set<ChangeInDomain>()
  let traced: ReadonlyArray<TracedRecord> = live.map((record) => ({ record, writer: provenance.writerOf(record) }))
  for (const entry of entries.toReversed()) {
    const own = ofConnection.get(entry.connectionId) ?? []
    const next =
      entry.after === undefined
        ? undoRemoval(traced, entry, { own, provenance, undone })
        : undoWrite(traced, { ...entry, entry, name, after: entry.after }, provenance)
    if (next === traced) continue
    traced = next
    undone.add(entry)
  }
  const wasSuperseded = makeSupersededCheck(entries)
  return {
    records: traced.map(({ record }) => record),
    remaining: traced.flatMap(({ record, removedAt }) => (removedAt === undefined ? [record] : [])),
    removedAt: new Map(
      traced.flatMap(({ record, removedAt }) => (removedAt === undefined ? [] : [[record, removedAt]]))
    ),
    changedSince: new Set(entries.filter((entry) => !undone.has(entry) && !wasSuperseded(entry)))
  }
}

const recordIdOf = ({ connectionId }: ChangeInDomain, key: string | undefined) => `${connectionId} ${key}`

/** Makes a function that tells whether the connection itself wrote the record of an entry again later, or removed it. */
const makeSupersededCheck = (entries: ReadonlyArray<ChangeInDomain>): ((entry: ChangeInDomain) => boolean) => {
  const positions = new Map(entries.map((entry, position) => [entry, position]))
  const firstWrites = new Map(
    entries.toReversed().map((entry) => [recordIdOf(entry, entry.after?.key), positions.get(entry) ?? 0])
  )
  const lastMentions = new Map(
    entries.flatMap((entry) =>
      [entry.before?.key, entry.after?.key].map((key) => [recordIdOf(entry, key), positions.get(entry) ?? 0] as const)
    )
  )
  return (entry) => {
    const position = positions.get(entry) ?? 0
    return entry.after === undefined
      ? (firstWrites.get(recordIdOf(entry, entry.before?.key)) ?? position) < position
      : (lastMentions.get(recordIdOf(entry, entry.after.key)) ?? position) > position
  }
}

/** A record at its host and the entry that wrote it; `removedAt` is set if the record was brought back. */
interface TracedRecord {
  readonly record: LiveRecord
  readonly writer: ChangeInDomain | undefined
  readonly removedAt?: DateTime.Utc
}

interface Write {
  readonly entry: ChangeInDomain
  /** The full name of the host. */
  readonly name: DomainName
  readonly before?: LiveRecord
  readonly after: LiveRecord
}

/** Replaces the record that an entry wrote by the one that was there before; the same records if it is not there. */
const undoWrite = (
  traced: ReadonlyArray<TracedRecord>,
  { after, before, entry, name }: Write,
  { previousWriterOf }: Provenance
): ReadonlyArray<TracedRecord> => {
  const found = traced.find(({ writer }) => writer === entry)
  if (found === undefined) return traced
  const writer = previousWriterOf(entry)
  const replaceRecord = (replacements: ReadonlyArray<TracedRecord>) =>
    traced.flatMap((other) => (other === found ? replacements : [other]))
  if (found.record.key !== after.key) {
    const text = revertPolicyChange(name, found.record, { before: before?.value, after: after.value })
    return replaceRecord(text === undefined ? [] : [{ record: withText(found.record, text), writer }])
  }
  if (before === undefined) return replaceRecord([])
  const isTtlChanged = before.key === after.key && found.record.ttl !== after.ttl
  return replaceRecord([isTtlChanged ? { ...found, writer } : { record: before, writer, removedAt: entry.writtenAt }])
}

const withText = (record: LiveRecord, value: string): LiveRecord =>
  value === record.value ? record : { ...record, value, key: recordKeyOf(record.role, { value }) }

interface HostJournal {
  /** The entries of the same connection, oldest first. */
  readonly own: ReadonlyArray<ChangeInDomain>
  readonly provenance: Provenance
  readonly undone: ReadonlySet<ChangeInDomain>
}

/**
 * Brings back a record that an entry removed, else returns the same records. What it made room for must be undone; one
 * of its replacements must still be there; no record of others may have taken its place.
 */
const undoRemoval = (
  traced: ReadonlyArray<TracedRecord>,
  entry: ChangeInDomain,
  { own, provenance, undone }: HostJournal
): ReadonlyArray<TracedRecord> => {
  const { before, connectionId, writtenAt } = entry
  if (before === undefined || traced.some(({ record }) => record.key === before.key)) return traced
  const writer = provenance.previousWriterOf(entry)
  const dependentEntry = own
    .slice(own.indexOf(entry) + 1)
    .find((later) => later.after && isBlocking(later.after.role, before.role))
  const replacements = provenance
    .siblingWritesOf(entry)
    .filter(({ after }) => after !== undefined && isReplacing(after, before))
  const isTaken = writer?.connectionId === connectionId && traced.some((found) => isForeignReplacement(found, before))
  const isReplaced = replacements.some((replacement) => traced.some((found) => isUnchanged(found, replacement)))
  const isUndoable =
    dependentEntry === undefined ? (replacements.length === 0 ? !isTaken : isReplaced) : undone.has(dependentEntry)
  return isUndoable && traced.every(({ record }) => canCoexist(record, before))
    ? [...traced, { record: before, writer, removedAt: writtenAt }]
    : traced
}

/** Whether a record takes the place of another. */
const isReplacing = (after: LiveRecord, before: LiveRecord): boolean =>
  after.role === before.role
    ? replacementScopeOf(after.role) === "set" || isSameSingletonKind(after, before)
    : isConflicting(after.role, before.role)

/** Whether the record of an entry is there without edits; an edited policy is not split into several. */
const isUnchanged = ({ record, writer }: TracedRecord, entry: ChangeInDomain): boolean =>
  writer === entry && record.key === entry.after?.key

const isForeignReplacement = ({ record, removedAt, writer }: TracedRecord, before: LiveRecord): boolean =>
  writer === undefined && removedAt === undefined && isReplacing(record, before)

/** Whether two records can exist at one host; a CNAME cannot coexist with another record. */
const canCoexist = (one: LiveRecord, other: LiveRecord): boolean => one.role !== "CNAME" && other.role !== "CNAME"

/** Which entry of the journal wrote each record of a host; a record that none wrote belongs to the customer. */
interface Provenance {
  /** The entry that had written the record which an entry removed or replaced. */
  readonly previousWriterOf: (entry: ChangeInDomain) => ChangeInDomain | undefined
  /** The entries of the same connection that were written since then and still served at the time of the entry. */
  readonly siblingWritesOf: (entry: ChangeInDomain) => ReadonlyArray<ChangeInDomain>
  /** The entry that wrote a record that is served now. */
  readonly writerOf: (record: LiveRecord) => ChangeInDomain | undefined
}

/** Follows the entries of a host, oldest first, to the records that it serves now. */
const traceProvenance = (entries: ReadonlyArray<ChangeInDomain>, live: ReadonlyArray<LiveRecord>): Provenance => {
  const positions = new Map(entries.map((entry, position) => [entry, position]))
  const writersByKey = new Map<string, ChangeInDomain>()
  const previousWriters = new Map<ChangeInDomain, ChangeInDomain>()
  const siblingWrites = new Map<ChangeInDomain, ReadonlyArray<ChangeInDomain>>()
  for (const entry of entries) {
    const previous = entry.before === undefined ? undefined : findWriter(writersByKey, entry.before, entry.after)
    if (previous !== undefined) previousWriters.set(entry, previous)
    siblingWrites.set(entry, [...writersByKey.values()].filter(isSiblingSince(positions, entry, previous)))
    writersByKey.delete(previous?.after?.key ?? "")
    if (entry.after !== undefined) writersByKey.set(entry.after.key, entry)
  }
  const writers = new Map([
    ...writersOfEditedPolicies([...writersByKey.values()], live),
    ...live.flatMap((record) => {
      const writer = writersByKey.get(record.key)
      return writer === undefined ? [] : [[record, writer] as const]
    })
  ])
  return {
    previousWriterOf: (entry) => previousWriters.get(entry),
    siblingWritesOf: (entry) => siblingWrites.get(entry) ?? [],
    writerOf: (record) => writers.get(record)
  }
}

const isSiblingSince =
  (
    positions: ReadonlyMap<ChangeInDomain, number>,
    { connectionId }: ChangeInDomain,
    previous: ChangeInDomain | undefined
  ) =>
  (other: ChangeInDomain): boolean =>
    other.connectionId === connectionId &&
    (previous === undefined || (positions.get(other) ?? -1) > (positions.get(previous) ?? -1))

/** The writer of a record. An edited policy remains that of its writer; a removal names the exact record. */
const findWriter = (
  writersByKey: ReadonlyMap<string, ChangeInDomain>,
  before: LiveRecord,
  after?: LiveRecord
): ChangeInDomain | undefined =>
  writersByKey.get(before.key) ??
  (after === undefined ? undefined : [...writersByKey.values()].find(wrotePolicyLike(before)))

const wrotePolicyLike =
  (record: LiveRecord) =>
  ({ after }: ChangeInDomain): boolean =>
    after !== undefined &&
    findSharedPolicyKind(record) !== undefined &&
    findSharedPolicyKind(after) === findSharedPolicyKind(record)

/** Each written policy with the only one of its kind that is served now, whose text may have been edited since. */
const writersOfEditedPolicies = (
  writers: ReadonlyArray<ChangeInDomain>,
  live: ReadonlyArray<LiveRecord>
): ReadonlyArray<readonly [LiveRecord, ChangeInDomain]> =>
  writers.flatMap((entry) => {
    const [policy, ...others] = entry.after === undefined ? [] : live.filter((record) => wrotePolicyLike(record)(entry))
    return policy === undefined || others.length > 0 ? [] : [[policy, entry] as const]
  })

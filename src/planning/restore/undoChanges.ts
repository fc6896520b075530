import { Array, type DateTime } from "effect"
import { singletonTxtKind } from "../../domain/singletonTxtKind.ts"
import { recordKeyOf } from "../RecordRole.ts"
import { isBlocking, isConflicting, replacementScope } from "../changes/conflicts.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import type { ScopedChange } from "./JournaledChange.ts"
import { revertDmarcChange, revertSpfChange } from "./revertPolicy.ts"
import { type Provenance, sharedPolicyKind, traceProvenance } from "./traceProvenance.ts"

/** A host as it would be if nothing had ever been written there. */
export interface UndoResult {
  readonly records: ReadonlyArray<LiveRecord>
  /** Those of the records that are served now, policies without what was written into them. */
  readonly remaining: ReadonlyArray<LiveRecord>
  /** Since when those of the records that are not served now have been gone. */
  readonly removedAt: ReadonlyMap<LiveRecord, DateTime.Utc>
  /** What could not be taken back, because it is no longer there or something else is there in its place. */
  readonly changedSince: ReadonlySet<ScopedChange>
}

/**
 * Takes back what was written to a host, newest first, as far as it is still in place. What was taken away again and
 * stands there once more is not in place: that is somebody else's.
 */
export const undoChanges = (entries: ReadonlyArray<ScopedChange>, live: ReadonlyArray<LiveRecord>): UndoResult => {
  const origin = traceProvenance(entries, live)
  const start: Walk = { slots: live.map((record) => ({ record, writer: origin.writerOf(record) })), undone: new Set() }
  const { slots, undone } = Array.reduceRight(entries, start, (walk, entry) =>
    entry.after === undefined
      ? bringBack(walk, entry, { entries, origin })
      : takeBack(walk, { ...entry, entry, after: entry.after }, origin)
  )
  return {
    records: slots.map(({ record }) => record),
    remaining: slots.flatMap(({ goneSince, record }) => (goneSince === undefined ? [record] : [])),
    removedAt: new Map(
      slots.flatMap(({ goneSince, record }) => (goneSince === undefined ? [] : [[record, goneSince]]))
    ),
    changedSince: new Set(entries.filter((entry) => !undone.has(entry) && !isOver(entry, entries)))
  }
}

/** Whether the connection itself wrote the record anew later, or has taken it back. */
const isOver = (entry: ScopedChange, entries: ReadonlyArray<ScopedChange>): boolean => {
  const at = entries.indexOf(entry)
  return entries.some(
    (other, index) =>
      other.connectionId === entry.connectionId &&
      (entry.after === undefined
        ? index < at && other.after?.key === entry.before?.key
        : index > at && [other.before?.key, other.after?.key].includes(entry.after.key))
  )
}

/** A record at its host, and the entry that wrote it; `goneSince` where it was brought back. */
interface Slot {
  readonly record: LiveRecord
  readonly writer: ScopedChange | undefined
  readonly goneSince?: DateTime.Utc
}

interface Walk {
  readonly slots: ReadonlyArray<Slot>
  readonly undone: ReadonlySet<ScopedChange>
}

interface Arrival {
  readonly entry: ScopedChange
  readonly before?: LiveRecord
  readonly after: LiveRecord
}

/** Puts what was there before in the place of what an entry wrote. */
const takeBack = (
  walk: Walk,
  { after, before, entry }: Arrival,
  { previousWriterOf: precursorOf }: Provenance
): Walk => {
  const slot = walk.slots.find(({ writer }) => writer === entry)
  if (slot === undefined) return walk
  const writer = precursorOf(entry)
  const replacedBy = (heirs: ReadonlyArray<Slot>): Walk => ({
    slots: walk.slots.flatMap((other) => (other === slot ? heirs : [other])),
    undone: new Set([...walk.undone, entry])
  })
  if (slot.record.key !== after.key) {
    const text = withoutPart(slot.record, { before: before?.value, after: after.value })
    return replacedBy(text === undefined ? [] : [{ record: withText(slot.record, text), writer }])
  }
  if (before === undefined) return replacedBy([])
  const isRetimed = before.key === after.key && slot.record.ttl !== after.ttl
  return replacedBy([isRetimed ? { ...slot, writer } : { record: before, writer, goneSince: entry.writtenAt }])
}

const withoutPart = (record: LiveRecord, change: Parameters<typeof revertSpfChange>[1]): string | undefined =>
  (sharedPolicyKind(record) === "SPF" ? revertSpfChange : revertDmarcChange)(record.value, change)

const withText = (record: LiveRecord, value: string): LiveRecord =>
  value === record.value ? record : { ...record, value, key: recordKeyOf(record.role, { value }) }

/**
 * Brings back what was removed: if it made room for something, that must have been taken back; if something took its
 * place, some of that must still be there; if the connection withdrew it, nothing of others may be there instead.
 */
const bringBack = (walk: Walk, entry: ScopedChange, { entries, origin }: Journal): Walk => {
  const { before, connectionId, writtenAt } = entry
  if (before === undefined || walk.slots.some(({ record }) => record.key === before.key)) return walk
  const writer = origin.previousWriterOf(entry)
  const settler = entries
    .slice(entries.indexOf(entry) + 1)
    .find((later) => later.connectionId === connectionId && later.after && isBlocking(later.after.role, before.role))
  const rivals = origin.siblingWritesOf(entry).filter(({ after }) => after !== undefined && displaces(after, before))
  const isTaken = writer?.connectionId === connectionId && walk.slots.some((slot) => isForeignRival(slot, before))
  const isThere = rivals.some((rival) => walk.slots.some((slot) => isWhole(slot, rival)))
  const isFree = settler === undefined ? (rivals.length === 0 ? !isTaken : isThere) : walk.undone.has(settler)
  return isFree && walk.slots.every(({ record }) => canCoexist(record, before))
    ? {
        slots: [...walk.slots, { record: before, writer, goneSince: writtenAt }],
        undone: new Set([...walk.undone, entry])
      }
    : walk
}

interface Journal {
  readonly entries: ReadonlyArray<ScopedChange>
  readonly origin: Provenance
}

/** Whether a record took the place of another. */
const displaces = (after: LiveRecord, before: LiveRecord): boolean =>
  after.role === before.role
    ? replacementScope(after.role) === "set" || isSameKind(after, before)
    : isConflicting(after.role, before.role)

/** A policy with additions of others is not taken apart into several. */
const isWhole = ({ record, writer }: Slot, rival: ScopedChange): boolean =>
  writer === rival && record.key === rival.after?.key

const isForeignRival = ({ goneSince, record, writer }: Slot, before: LiveRecord): boolean =>
  writer === undefined && goneSince === undefined && displaces(record, before)

/** An alias stands beside nothing, whoever put either there. */
export const canCoexist = (one: LiveRecord, other: LiveRecord): boolean =>
  one.role !== "CNAME" && other.role !== "CNAME"

const isSameKind = (one: LiveRecord, other: LiveRecord): boolean =>
  singletonTxtKind(one) !== undefined && singletonTxtKind(one) === singletonTxtKind(other)

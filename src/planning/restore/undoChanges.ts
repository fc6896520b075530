import { Array, type DateTime } from "effect"
import { recordKeyOf } from "../RecordRole.ts"
import { isBlocking, isConflicting, isSameSingletonKind, replacementScopeOf } from "../changes/conflicts.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import type { ScopedChange } from "./JournaledChange.ts"
import { revertPolicyChange } from "./revertPolicy.ts"
import { type Provenance, traceProvenance } from "./traceProvenance.ts"

/** A host as if no connection had ever written to it. */
interface UndoResult {
  readonly records: ReadonlyArray<LiveRecord>
  /** The records among them that are served now; policies without the parts that connections wrote. */
  readonly remaining: ReadonlyArray<LiveRecord>
  /** When the records among them that are not served now were removed. */
  readonly removedAt: ReadonlyMap<LiveRecord, DateTime.Utc>
  /** The entries that cannot be undone, because their record is gone or something else has taken its place. */
  readonly changedSince: ReadonlySet<ScopedChange>
}

/**
 * Undoes the entries of a host, newest first, as far as they are still in effect. A record that a connection removed
 * and that is served again is not in effect: another client wrote it.
 */
export const undoChanges = (entries: ReadonlyArray<ScopedChange>, live: ReadonlyArray<LiveRecord>): UndoResult => {
  const provenance = traceProvenance(entries, live)
  const initial: UndoState = {
    slots: live.map((record) => ({ record, writer: provenance.writerOf(record) })),
    undone: new Set()
  }
  const { slots, undone } = Array.reduceRight(entries, initial, (state, entry) =>
    entry.after === undefined
      ? undoRemoval(state, entry, { entries, provenance })
      : undoWrite(state, { ...entry, entry, after: entry.after }, provenance)
  )
  return {
    records: slots.map(({ record }) => record),
    remaining: slots.flatMap(({ record, removedAt }) => (removedAt === undefined ? [record] : [])),
    removedAt: new Map(
      slots.flatMap(({ record, removedAt }) => (removedAt === undefined ? [] : [[record, removedAt]]))
    ),
    changedSince: new Set(entries.filter((entry) => !undone.has(entry) && !isSuperseded(entry, entries)))
  }
}

/** Whether the connection itself wrote the record again later, or removed it. */
const isSuperseded = (entry: ScopedChange, entries: ReadonlyArray<ScopedChange>): boolean => {
  const entryIndex = entries.indexOf(entry)
  return entries.some(
    (other, index) =>
      other.connectionId === entry.connectionId &&
      (entry.after === undefined
        ? index < entryIndex && other.after?.key === entry.before?.key
        : index > entryIndex && [other.before?.key, other.after?.key].includes(entry.after.key))
  )
}

/** A record at its host and the entry that wrote it; `removedAt` is set if the record was brought back. */
interface Slot {
  readonly record: LiveRecord
  readonly writer: ScopedChange | undefined
  readonly removedAt?: DateTime.Utc
}

interface UndoState {
  readonly slots: ReadonlyArray<Slot>
  readonly undone: ReadonlySet<ScopedChange>
}

/** An entry that wrote a record. */
interface Write {
  readonly entry: ScopedChange
  readonly before?: LiveRecord
  readonly after: LiveRecord
}

/** Replaces the record that an entry wrote by the one that was there before. */
const undoWrite = (state: UndoState, { after, before, entry }: Write, { previousWriterOf }: Provenance): UndoState => {
  const slot = state.slots.find(({ writer }) => writer === entry)
  if (slot === undefined) return state
  const writer = previousWriterOf(entry)
  const replaceSlot = (replacements: ReadonlyArray<Slot>): UndoState => ({
    slots: state.slots.flatMap((other) => (other === slot ? replacements : [other])),
    undone: new Set([...state.undone, entry])
  })
  if (slot.record.key !== after.key) {
    const text = revertPolicyChange(slot.record, { before: before?.value, after: after.value })
    return replaceSlot(text === undefined ? [] : [{ record: withText(slot.record, text), writer }])
  }
  if (before === undefined) return replaceSlot([])
  const isTtlChanged = before.key === after.key && slot.record.ttl !== after.ttl
  return replaceSlot([isTtlChanged ? { ...slot, writer } : { record: before, writer, removedAt: entry.writtenAt }])
}

const withText = (record: LiveRecord, value: string): LiveRecord =>
  value === record.value ? record : { ...record, value, key: recordKeyOf(record.role, { value }) }

interface HostJournal {
  readonly entries: ReadonlyArray<ScopedChange>
  readonly provenance: Provenance
}

/**
 * Brings back a record that an entry removed. If the removal made room for a later record, that must have been undone;
 * if the connection replaced the record, one of the replacements must still be there; if the connection removed a
 * record of its own, no record of others may have taken its place.
 */
const undoRemoval = (state: UndoState, entry: ScopedChange, { entries, provenance }: HostJournal): UndoState => {
  const { before, connectionId, writtenAt } = entry
  if (before === undefined || state.slots.some(({ record }) => record.key === before.key)) return state
  const writer = provenance.previousWriterOf(entry)
  const dependentEntry = entries
    .slice(entries.indexOf(entry) + 1)
    .find((later) => later.connectionId === connectionId && later.after && isBlocking(later.after.role, before.role))
  const replacements = provenance
    .siblingWritesOf(entry)
    .filter(({ after }) => after !== undefined && isReplacing(after, before))
  const isTaken =
    writer?.connectionId === connectionId && state.slots.some((slot) => isForeignReplacement(slot, before))
  const isReplaced = replacements.some((replacement) => state.slots.some((slot) => isUnchanged(slot, replacement)))
  const isUndoable =
    dependentEntry === undefined
      ? replacements.length === 0
        ? !isTaken
        : isReplaced
      : state.undone.has(dependentEntry)
  return isUndoable && state.slots.every(({ record }) => canCoexist(record, before))
    ? {
        slots: [...state.slots, { record: before, writer, removedAt: writtenAt }],
        undone: new Set([...state.undone, entry])
      }
    : state
}

/** Whether a record takes the place of another. */
const isReplacing = (after: LiveRecord, before: LiveRecord): boolean =>
  after.role === before.role
    ? replacementScopeOf(after.role) === "set" || isSameSingletonKind(after, before)
    : isConflicting(after.role, before.role)

/** Whether a slot holds the record of the entry without edits; an edited policy is not split into several. */
const isUnchanged = ({ record, writer }: Slot, entry: ScopedChange): boolean =>
  writer === entry && record.key === entry.after?.key

const isForeignReplacement = ({ record, removedAt, writer }: Slot, before: LiveRecord): boolean =>
  writer === undefined && removedAt === undefined && isReplacing(record, before)

/** Whether two records can exist at one host; a CNAME cannot coexist with another record. */
export const canCoexist = (one: LiveRecord, other: LiveRecord): boolean =>
  one.role !== "CNAME" && other.role !== "CNAME"

import { Clock, DateTime, Effect, Layer, Option } from "effect"
import type { Change } from "../../../src/domain/Plan.ts"
import {
  Journal,
  type JournalEntry,
  type JournalStatus,
  mayBecome,
  perhapsWritten,
  type Run,
  unsettled
} from "../../../src/persistence/Journal.ts"
import type { LeaseGuard } from "../../../src/persistence/LeaseStore.ts"
import { areHeld, Tables } from "./Tables.ts"

/** The journal in a map, with the same promises as the table of PostgreSQL. */
export const journalInMemory = Layer.effect(
  Journal,
  Effect.map(Tables, ({ journal, leases }) => {
    const entries = (which: (entry: JournalEntry) => boolean) => Effect.sync(() => [...journal.values()].filter(which))
    const ofRun = (run: Run["run"]) => [...journal.values()].filter((entry) => entry.run === run)

    /** Does something at a time, while the leases are held. */
    const whileHeld = (guards: ReadonlyArray<LeaseGuard>, write: (now: number) => boolean) =>
      Effect.map(Clock.currentTimeMillis, (now) => areHeld(leases, guards, now) && write(now))

    const put = (entry: JournalEntry, status: JournalStatus, now: number) => {
      const settledAt =
        status === "pending" || status === "sent" ? Option.none() : Option.some(DateTime.unsafeMake(now))
      if (entry.status !== status) journal.set(entry.position, { ...entry, status, settledAt })
    }

    const add = ({ connectionId, digest, direction, domain, providerId, run, zone }: Run, now: number) => {
      const start = ofRun(run).length
      return (change: Change, index: number) => {
        const position = journal.size + 1
        const fresh = { status: "pending" as const, plannedAt: DateTime.unsafeMake(now), settledAt: Option.none() }
        const of = { run, connectionId, providerId, zone, domain, direction, digest }
        journal.set(position, { ...of, position, step: start + index, change, ...fresh })
      }
    }

    return {
      open: (guards, run, changes) =>
        whileHeld(guards, (now) => {
          if (ofRun(run.run).length === 0) changes.forEach(add(run, now))
          return true
        }),
      mark: (guards, run, steps, status) =>
        whileHeld(guards, (now) => {
          const named = ofRun(run).filter(({ step }) => steps.includes(step))
          const ready = named.filter((entry) => mayBecome[status].includes(entry.status))
          if (ready.length !== steps.length) return false
          ready.forEach((entry) => put(entry, status, now))
          return true
        }),
      giveUp: (guards, run, instead) =>
        whileHeld(guards, (now) => {
          ofRun(run.run)
            .filter(({ status }) => unsettled.includes(status))
            .forEach((entry) => put(entry, "failed", now))
          instead.forEach(add(run, now))
          return true
        }),
      ofRun: (run) => Effect.sync(() => ofRun(run)),
      unfinished: (id) =>
        Effect.sync(() => {
          const open = [...journal.values()].filter(
            ({ connectionId, status }) => connectionId === id && unsettled.includes(status)
          )
          return ofRun(open.at(-1)?.run ?? "")
        }),
      ofConnection: (id) => entries(({ connectionId }) => connectionId === id),
      ofZone: (name) => entries(({ status, zone }) => zone === name && perhapsWritten.includes(status)),
      hasWrites: (id) =>
        Effect.map(
          entries(({ connectionId, status }) => connectionId === id && perhapsWritten.includes(status)),
          (written) => written.length > 0
        )
    }
  })
)

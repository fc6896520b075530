import { Clock, DateTime, Duration, Effect, Layer, Option } from "effect"
import { toFqdn } from "../../../src/domain/names/DomainName.ts"
import { hostOfChange } from "../../../src/domain/plan/Plan.ts"
import type { RunChange } from "../../../src/domain/plan/RunChange.ts"
import {
  allowedPreviousStatuses,
  type JournalEntry,
  type JournalRun,
  type JournalStatus,
  JournalStore,
  possiblyWrittenStatuses,
  unsettledStatuses
} from "../../../src/persistence/stores/phases/JournalStore.ts"
import type { FencingToken } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { areLeasesHeld, Tables } from "./Tables.ts"
import { isNameIn } from "./isNameIn.ts"

/** The journal in a map, with the same guarantees as the table of PostgreSQL. */
export const journalInMemory = Layer.effect(
  JournalStore,
  Effect.map(Tables, ({ journal, leases }) => {
    const entries = (which: (entry: JournalEntry) => boolean) => Effect.sync(() => [...journal.values()].filter(which))
    const ofRun = (run: JournalRun["run"]) => [...journal.values()].filter((entry) => entry.run === run)

    /** Runs an operation with the current time, if the leases are held. */
    const ifLeasesHeld = (guards: ReadonlyArray<FencingToken>, write: (now: number) => boolean) =>
      Effect.map(Clock.currentTimeMillis, (now) => areLeasesHeld(leases, guards, now) && write(now))

    const put = (entry: JournalEntry, status: JournalStatus, now: number) => {
      const settledAt =
        status === "pending" || status === "sent" ? Option.none() : Option.some(DateTime.unsafeMake(now))
      if (entry.status !== status) journal.set(entry.position, { ...entry, status, settledAt })
    }

    const add = ({ connectionId, digest, direction, domain, providerId, run, zone }: JournalRun, now: number) => {
      const start = ofRun(run).length
      return (change: RunChange, index: number) => {
        const position = journal.size + 1
        const fresh = { status: "pending" as const, plannedAt: DateTime.unsafeMake(now), settledAt: Option.none() }
        const of = { run, connectionId, providerId, zone, domain, direction, digest }
        journal.set(position, { ...of, position, step: start + index, change, ...fresh })
      }
    }

    return {
      openRun: (guards, run, changes) =>
        ifLeasesHeld(guards, (now) => {
          if (ofRun(run.run).length === 0) changes.forEach(add(run, now))
          return true
        }).pipe(Effect.map((isHeld) => (isHeld ? Option.some(ofRun(run.run)) : Option.none()))),
      setStatus: (guards, run, steps, status) =>
        ifLeasesHeld(guards, (now) => {
          const named = ofRun(run).filter(({ step }) => steps.includes(step))
          const ready = named.filter((entry) => allowedPreviousStatuses[status].includes(entry.status))
          if (ready.length !== steps.length) return false
          ready.forEach((entry) => put(entry, status, now))
          return true
        }),
      replaceUnsettled: (guards, run, instead) =>
        ifLeasesHeld(guards, (now) => {
          ofRun(run.run)
            .filter(({ status }) => unsettledStatuses.includes(status))
            .forEach((entry) => put(entry, "failed", now))
          instead.forEach(add(run, now))
          return true
        }),
      findByRun: (run) => Effect.sync(() => ofRun(run)),
      findUnfinishedRun: (id) =>
        Effect.sync(() => {
          const open = [...journal.values()].filter(
            ({ connectionId, status }) => connectionId === id && unsettledStatuses.includes(status)
          )
          return ofRun(open.at(-1)?.run ?? "")
        }),
      findByConnection: (id) => entries(({ connectionId }) => connectionId === id),
      findRecentWrites: ({ connectionId, names, providerId, within, zone }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const inZone = [...journal.values()].filter((entry) => entry.zone === zone)
          const own = new Set(inZone.filter((entry) => entry.connectionId === connectionId).map(nameOf))
          return inZone
            .filter((entry) => entry.providerId === providerId && possiblyWrittenStatuses.includes(entry.status))
            .filter((entry) => own.has(nameOf(entry)) || isNameIn(nameOf(entry), names))
            .map((entry) => ({
              ...entry,
              settledAgo: Option.map(entry.settledAt, (at) => DateTime.distanceDuration(at, DateTime.unsafeMake(now)))
            }))
            .filter(({ settledAgo }) => !Option.exists(settledAgo, Duration.greaterThanOrEqualTo(within)))
        }),
      findInZone: (name, scope) =>
        entries(
          (entry) =>
            entry.zone === name && possiblyWrittenStatuses.includes(entry.status) && isNameIn(nameOf(entry), scope)
        ),
      hasWrites: (id) =>
        Effect.map(
          entries(({ connectionId, status }) => connectionId === id && possiblyWrittenStatuses.includes(status)),
          (written) => written.length > 0
        )
    }
  })
)

const nameOf = ({ change, domain }: JournalEntry): string => toFqdn(hostOfChange(change), domain)

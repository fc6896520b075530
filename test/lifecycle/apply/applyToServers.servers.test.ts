import { expect } from "bun:test"
import { Effect, Either, Exit, Fiber, Layer } from "effect"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { Identifiers } from "../../../src/domain/Identifiers.ts"
import { Leases } from "../../../src/lifecycle/apply/Leases.ts"
import { type ApplyRequest, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { JournalStore } from "../../../src/persistence/stores/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/LeaseStore.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { createConnection } from "../../persistence/connectionFixtures.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { describeRecords } from "../../planning/roundTrip/RoundTrip.ts"
import {
  type AdapterUnderTest,
  loadRecords,
  openZone,
  planFrom,
  resolvedIntentOf
} from "../../providers/adapters/AdapterUnderTest.ts"
import { powerDnsUnderTest } from "../../providers/adapters/powerdns/powerDnsUnderTest.ts"
import { rfc2136UnderTest } from "../../providers/adapters/rfc2136/rfc2136UnderTest.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { tcpProxy } from "../../support/lab/TcpProxy.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { apply, applyFailureOf, journalOf } from "./applyFixtures.ts"

const subjects: Readonly<Record<string, (lab: typeof Lab.Service) => AdapterUnderTest>> = {
  PowerDNS: ({ pdns }) => powerDnsUnderTest(pdns),
  BIND: ({ bind }) => rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net")
}

for (const [name, subjectIn] of Object.entries(subjects))
  describeLab(`a plan that is applied at ${name}, with its journal in PostgreSQL,`, (live) => {
    live("is in the zone, beside what was there", () =>
      onServer(subjectIn, "apply", ({ read, request }) =>
        Effect.gen(function* () {
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect(yield* statuses).toEqual(["confirmed", "confirmed", "confirmed", "confirmed"])
        })
      )
    )

    live("is there when the answer is lost, and is written once", () =>
      onServer(subjectIn, "unanswered", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          const writes = yield* disturb("swallow")
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect([writes.count, ...(yield* statuses)]).toEqual([1, "confirmed", "confirmed", "confirmed", "confirmed"])
        })
      )
    )

    live("is written by a later attempt when the server was never reached", () =>
      onServer(subjectIn, "unreached", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          yield* disturb("refuse")
          expect(yield* applyFailureOf(request)).toEqual({ code: "provider_unavailable", written: true })
          expect(yield* read).toEqual(shop)
          const writes = yield* disturb()
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect(writes.count).toBe(1)
        })
      )
    )

    live("is taken up by the next process when this one dies after the writing, and not written again", () =>
      onServer(subjectIn, "died", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          const exit = yield* Effect.flatMap(Effect.fork(apply(dyingAfterEach(request))), Fiber.await)
          expect(Exit.isInterrupted(exit)).toBe(true)
          expect(yield* statuses).toEqual(["sent", "sent", "sent", "sent"])
          const writes = yield* disturb()
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect([writes.count, ...(yield* statuses)]).toEqual([0, "confirmed", "confirmed", "confirmed", "confirmed"])
        })
      )
    )
  })

const shop = ["@ 300 TXT hello", "www 300 A 192.0.2.1", "www 300 TXT goodbye"]
const shopMoved = ["@ 300 TXT hello", "@ 300 TXT v=spf1 -all", "www 300 CNAME web.hostprov.net"]
const statuses = Effect.map(journalOf(), (lines) => lines.map((line) => line.split(" ")[0]))

/** The process dies as soon as the server has answered. */
const dyingAfterEach = (request: ApplyRequest): ApplyRequest => ({
  ...request,
  snapshot: {
    ...request.snapshot,
    planWrites: (changes) =>
      Either.map(request.snapshot.planWrites(changes), (writes) =>
        writes.map((write) => ({ ...write, send: Effect.zipRight(write.send, Effect.interrupt) }))
      )
  }
})

interface OnServer {
  readonly request: ApplyRequest
  /** What the server has at the domain. */
  readonly read: Effect.Effect<ReadonlyArray<string>, unknown>
  /** From now on, what becomes of calls that write; counts them. */
  readonly disturb: (mischief?: "swallow" | "refuse") => Effect.Effect<{ readonly count: number }>
}

/** A domain of its own at the server, where a plan was made, and a way to the server that can be disturbed. */
const onServer = <A, E>(
  subjectIn: (lab: typeof Lab.Service) => AdapterUnderTest,
  label: string,
  body: (on: OnServer) => Effect.Effect<A, E, PlanApplier | JournalStore>
) =>
  Effect.gen(function* () {
    const at = subjectIn(yield* Lab)
    const domain = DomainName.make(`${label}.${at.zone}`)
    yield* loadRecords(at, domain, '@ TXT "hello"\nwww A 192.0.2.1\nwww TXT "goodbye"')
    const proxy = yield* tcpProxy(at.target)
    const opened = yield* openZone(at, { domain }, proxy)
    const snapshot = yield* opened.read
    const wanted = ["@ 300 TXT v=spf1 -all", "www 300 CNAME web.hostprov.net"]
    const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired: wanted }), opened)
    const zone = DomainName.make(at.zone)
    const request = {
      run: "run",
      connectionId: (yield* createConnection()).id,
      providerId: "lab",
      zone,
      domain,
      direction: "connect" as const,
      digest: computeDigest({ domain, zone, changes }),
      changes,
      snapshot,
      client: opened
    }
    const read = Effect.flatMap(openZone(at, { domain }), (direct) =>
      Effect.map(direct.read, (now) => describeRecords(now.zone.records))
    )
    const disturb: OnServer["disturb"] = (mischief) =>
      Effect.gen(function* () {
        const writes = { count: 0 }
        yield* proxy.meddle(mischief ?? "swallow", (bytes) => {
          const isWrite = at.isWrite(bytes)
          writes.count += isWrite ? 1 : 0
          return isWrite && mischief !== undefined
        })
        return writes
      })
    return yield* body({ request, read, disturb })
  }).pipe(Effect.provide(applyingOnPostgres))

const applyingOnPostgres = PlanApplier.layer.pipe(
  Layer.provide(Leases.layer()),
  Layer.provideMerge(Layer.mergeAll(ConnectionStore.layer, LeaseStore.layer, JournalStore.layer)),
  Layer.provide(freshPool),
  Layer.provideMerge(Identifiers.layer)
)

import { expect } from "bun:test"
import { Duration, Effect, Either, Exit, Fiber, Layer } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { type ApplyRequest, PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { createConnection } from "../../persistence/connectionFixtures.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { describeRecords } from "../../planning/roundTrip/RoundTrip.ts"
import {
  type ServerAdapterUnderTest,
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
import { steadyLeases } from "../../support/steadyLeases.ts"
import { apply, applyFailureOf, journalOf } from "./applyFixtures.ts"

const subjects: Readonly<Record<string, (lab: typeof Lab.Service) => ServerAdapterUnderTest>> = {
  PowerDNS: ({ pdns }) => powerDnsUnderTest(pdns),
  BIND: ({ bind }) => rfc2136UnderTest(bind, "bindzone.com", "ns1.bindprov.net")
}

for (const [name, subjectIn] of Object.entries(subjects))
  describeLab(`a plan applied at ${name}, with its journal in PostgreSQL,`, (live) => {
    live("is in the zone with the existing records", () =>
      onServer(subjectIn, "apply", ({ read, request }) =>
        Effect.gen(function* () {
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect(yield* statuses).toEqual(["confirmed", "confirmed", "confirmed", "confirmed"])
        })
      )
    )

    live("is written once when the response is lost", () =>
      onServer(subjectIn, "unanswered", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          const writes = yield* disturb("swallow")
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect([writes.count, ...(yield* statuses)]).toEqual([1, "confirmed", "confirmed", "confirmed", "confirmed"])
        })
      )
    )

    live("is written by a later attempt when the server was unreachable", () =>
      onServer(subjectIn, "unreached", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          yield* disturb("refuse")
          expect(yield* applyFailureOf(request)).toEqual({ code: "provider_unavailable", hasWrites: true })
          expect(yield* read).toEqual(shop)
          const writes = yield* disturb()
          yield* apply(request)
          expect(yield* read).toEqual(shopMoved)
          expect(writes.count).toBe(1)
        })
      )
    )

    live("is confirmed by the next process, without another write, when this one dies after writing", () =>
      onServer(subjectIn, "died", ({ disturb, read, request }) =>
        Effect.gen(function* () {
          const exit = yield* Effect.flatMap(Effect.fork(apply(dyingAfterResponse(request))), Fiber.await)
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

/** A request whose process dies as soon as the server responds. */
const dyingAfterResponse = (request: ApplyRequest): ApplyRequest => ({
  ...request,
  snapshot: {
    ...request.snapshot,
    planWrites: (changes) =>
      Either.map(request.snapshot.planWrites(changes), (writes) =>
        writes.map((write) => ({ ...write, send: Effect.zipRight(write.send, Effect.interrupt) }))
      )
  }
})

interface ServerScenario {
  readonly request: ApplyRequest
  /** The records of the domain at the server. */
  readonly read: Effect.Effect<ReadonlyArray<string>, unknown>
  /** Swallows or refuses write calls from now on, and counts them. */
  readonly disturb: (fault?: "swallow" | "refuse") => Effect.Effect<{ readonly count: number }>
}

/** Plans for a new domain at the server, and reaches the server through a proxy that can fail. */
const onServer = <A, E>(
  subjectIn: (lab: typeof Lab.Service) => ServerAdapterUnderTest,
  label: string,
  body: (scenario: ServerScenario) => Effect.Effect<A, E, PlanApplier | JournalStore>
) =>
  Effect.gen(function* () {
    const at = subjectIn(yield* Lab)
    const domain = DomainName.make(`${label}.${at.zone}`)
    yield* loadRecords(at, domain, '@ TXT "hello"\nwww A 192.0.2.1\nwww TXT "goodbye"')
    const proxy = yield* tcpProxy(at.target)
    const opened = yield* openZone(at, { domain }, at.clientAt(proxy))
    const snapshot = yield* opened.read
    const desired = ["@ 300 TXT v=spf1 -all", "www 300 CNAME web.hostprov.net"]
    const { changes } = planFrom(snapshot, resolvedIntentOf(domain, { desired }), opened)
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
      client: opened,
      longestDelay: Duration.zero
    }
    const read = Effect.flatMap(openZone(at, { domain }), (direct) =>
      Effect.map(direct.read, (current) => describeRecords(current.zone.records))
    )
    const disturb: ServerScenario["disturb"] = (fault) =>
      Effect.gen(function* () {
        const writes = { count: 0 }
        yield* proxy.injectFault(fault ?? "swallow", (bytes) => {
          const isWrite = at.isWrite(bytes)
          writes.count += isWrite ? 1 : 0
          return isWrite && fault !== undefined
        })
        return writes
      })
    return yield* body({ request, read, disturb })
  }).pipe(Effect.provide(applierOnPostgres))

const applierOnPostgres = PlanApplier.layer.pipe(
  Layer.provide(steadyLeases),
  Layer.provideMerge(Layer.mergeAll(ConnectionStore.layer, LeaseStore.layer, JournalStore.layer)),
  Layer.provide(freshPool),
  Layer.provideMerge(Identifiers.layer)
)

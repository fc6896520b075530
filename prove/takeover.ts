import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { run } from "../test/support/lab/Server.ts"
import type { LabTsigKey } from "../test/support/lab/TsigKey.ts"
import { type ClusterMember, makeClusterMember } from "./ClusterMember.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import {
  authorizeAndApprove,
  type ConnectionJson,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf,
  waitForState
} from "./connectionSteps.ts"
import { createZones, dumpZone, recordsFor, typicalLines } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/** Three processes share the work. The one that writes is killed, or frozen and resumed after another has taken over. */
export const takeover = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const lab = yield* Lab
      yield* createZones(lab, [...names("kill", kills), ...names("freeze", freezes)], typicalLines)
      const database = yield* createProofDatabase
      const member = makeClusterMember(database)
      const members = yield* Effect.all([member, member, member])
      yield* Effect.forEach(members, ({ start }) => start, { concurrency: "unbounded" })
      const anyOther = (excluded?: ClusterMember) => {
        const others = members.filter((member) => member !== excluded)
        return others[Math.floor(random() * others.length)] ?? members[0]
      }
      const cluster: Cluster = { database, members, anyOther }

      const pdnsConnection = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { apiToken: lab.pdns.key }
      })
      const bindConnection = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { ...lab.bind.key }
      })
      const millis = yield* Effect.forEach(names("kill", kills), (domain) =>
        measureTakeover(cluster, pdnsConnection(domain))
      )
      const pdnsFreezes = yield* Effect.forEach(names("freeze", freezes), (domain) =>
        freezeWriter(cluster, pdnsConnection(domain), "patches", dumpZone(lab.pdns, domain))
      )
      const bindFreezes = yield* Effect.forEach(names("freeze", freezes), (name) =>
        freezeWriter(cluster, bindConnection(name.replace(/com$/, "bindzone.com")), "updates", transferOf(lab.bind.key))
      )
      const allFreezes = [...pdnsFreezes, ...bindFreezes]
      return {
        figures: {
          kills,
          freezes: allFreezes.length,
          medianMillis: roundToThreeDigits(median(millis)),
          maxMillis: roundToThreeDigits(Math.max(...millis)),
          millis,
          millisAfterFreezing: allFreezes.map(({ millis }) => millis),
          rowsChangedWhileFrozen: allFreezes.flatMap(({ rows }) => rows),
          recordsChangedWhileFrozen: {
            powerDns: pdnsFreezes.flatMap(({ records }) => records),
            bind: bindFreezes.flatMap(({ records }) => records)
          }
        },
        targets: [
          { kind: "gate" as const, what: "ms until another continues, median", value: median(millis), atMost: 6_000 },
          {
            kind: "gate" as const,
            what: "ms until another continues, at worst",
            value: Math.max(...millis),
            atMost: 8_000
          },
          expectNone(
            "rows that a frozen process wrote",
            allFreezes.flatMap(({ rows }) => rows)
          ),
          expectNone(
            "records that a frozen process wrote to BIND",
            bindFreezes.flatMap(({ records }) => records)
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const kills = 20
const freezes = 5

const names = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}${nth}.com`)

interface Cluster {
  readonly database: ProofDatabase
  readonly members: ReadonlyArray<ClusterMember>
  readonly anyOther: (excluded?: ClusterMember) => ClusterMember
}

/** Kills the process that is about to write the plan; returns the milliseconds until another has written it. */
const measureTakeover = ({ anyOther, members }: Cluster, desired: DesiredConnection) =>
  Effect.gen(function* () {
    const { caught, connection } = yield* catchWriter({ anyOther, members }, desired, "patches", {
      onCaught: ({ kill }) => kill,
      release: Effect.never
    })
    const api = anyOther(caught.member).api
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    yield* caught.member.start
    return millis
  })

/** Freezes the process that is about to write the plan, and resumes it with its write after another has written it. */
const freezeWriter = (
  cluster: Cluster,
  desired: DesiredConnection,
  gate: "patches" | "updates",
  dump: Effect.Effect<ReadonlyArray<string>>
) =>
  Effect.gen(function* () {
    const resumed = yield* Deferred.make<void>()
    const { caught, connection } = yield* catchWriter(cluster, desired, gate, {
      onCaught: ({ freeze }) => freeze,
      release: Deferred.await(resumed)
    })
    const { api } = cluster.anyOther(caught.member)
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    const [rows, records] = yield* Effect.all([rowsOf(cluster.database, connection.id), dump])
    yield* caught.member.resume
    yield* Deferred.succeed(resumed, undefined)
    yield* Effect.sleep("4 seconds")
    const [rowsAfter, recordsAfter] = yield* Effect.all([rowsOf(cluster.database, connection.id), dump])
    return { millis, rows: differencesOf(rows, rowsAfter), records: differencesOf(records, recordsAfter) }
  })

interface WriterInterception {
  readonly onCaught: (member: ClusterMember) => Effect.Effect<unknown>
  /** The write is forwarded when this ends. */
  readonly release: Effect.Effect<unknown>
}

/** Approves a plan and catches the process that writes it, just before its first call to the provider. */
const catchWriter = (
  { anyOther, members }: Pick<Cluster, "anyOther" | "members">,
  desired: DesiredConnection,
  gate: "patches" | "updates",
  { onCaught, release }: WriterInterception
) =>
  Effect.gen(function* () {
    const caughtWriter = yield* Deferred.make<{ readonly member: ClusterMember; readonly at: number }>()
    for (const member of members) {
      const before = Effect.gen(function* () {
        if (yield* Deferred.isDone(caughtWriter)) return
        yield* Effect.zipRight(onCaught(member), Deferred.succeed(caughtWriter, { member, at: Date.now() }))
        yield* release
      })
      if (gate === "patches") member.patches.interceptNext({ before })
      else member.updates.interceptNext(before)
    }
    const { api } = anyOther()
    const connection: ConnectionJson = yield* createPlannedConnection(api, desired)
    yield* authorizeAndApprove(api, connection, desired)
    const caught = yield* Effect.timeout(Deferred.await(caughtWriter), "30 seconds")
    return { caught, connection }
  })

const writtenAt = (api: ClusterMember["api"], { id }: ConnectionJson) =>
  Effect.map(timelineOf(api, id), (entries) => entries.find(({ to }) => to === "verifying")?.at ?? Number.NaN)

const rowsOf = ({ run: runQuery }: ProofDatabase, id: string): Effect.Effect<ReadonlyArray<string>> =>
  runQuery(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ readonly row: string }>`
          select xmin::text || ' ' || connections::text as row from connections where id = ${id}
          union all select xmin::text || ' ' || journal::text from journal where connection_id = ${id}
          union all select xmin::text || ' ' || e::text from connection_events e where connection_id = ${id}`,
        (rows) => rows.map(({ row }) => row)
      )
    )
  )

const differencesOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>) => [
  ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)
]

/** All records of BIND's zone with its serial, which grows with every effective update. */
const transferOf = ({ algorithm, name, secret }: LabTsigKey) =>
  Effect.map(
    run("dig", "+noall", "+answer", "@127.10.2.1", "bindzone.com", "AXFR", "-y", `${algorithm}:${name}:${secret}`),
    (output) => output.trim().split("\n").toSorted()
  )

import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { run } from "../test/support/lab/Server.ts"
import type { TsigKey } from "../test/support/lab/TsigKey.ts"
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

/** Three processes share the work; whoever is writing is killed, or frozen and let go on when another has done it. */
export const takeover = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const lab = yield* Lab
      yield* createZones(lab, [...names("kill", kills), ...names("ice", freezes)], typicalLines)
      const database = yield* createProofDatabase
      const member = makeClusterMember(database)
      const members = yield* Effect.all([member, member, member])
      yield* Effect.forEach(members, ({ start }) => start, { concurrency: "unbounded" })
      const anyOther = (than?: ClusterMember) => {
        const others = members.filter((member) => member !== than)
        return others[Math.floor(random() * others.length)] ?? members[0]
      }
      const scene: Scene = { database, members, anyOther }

      const pdnsWish = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { apiToken: lab.pdns.key }
      })
      const bindWish = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { ...lab.bind.key }
      })
      const millis = yield* Effect.forEach(names("kill", kills), (domain) => killed(scene, pdnsWish(domain)))
      const pdnsIce = yield* Effect.forEach(names("ice", freezes), (domain) =>
        frozen(scene, pdnsWish(domain), "patches", dumpZone(lab.pdns, domain))
      )
      const bindIce = yield* Effect.forEach(names("ice", freezes), (name) =>
        frozen(scene, bindWish(name.replace(/com$/, "bindzone.com")), "updates", transferOf(lab.bind.key))
      )
      const ice = [...pdnsIce, ...bindIce]
      return {
        figures: {
          kills,
          freezes: ice.length,
          medianMillis: roundToThreeDigits(median(millis)),
          maxMillis: roundToThreeDigits(Math.max(...millis)),
          millis,
          millisAfterFreezing: ice.map(({ millis }) => millis),
          rowsChangedByTheFrozen: ice.flatMap(({ rows }) => rows),
          recordsChangedByTheFrozen: {
            powerDns: pdnsIce.flatMap(({ records }) => records),
            bind: bindIce.flatMap(({ records }) => records)
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
            ice.flatMap(({ rows }) => rows)
          ),
          expectNone(
            "records that a frozen process wrote to BIND",
            bindIce.flatMap(({ records }) => records)
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const kills = 20
const freezes = 5

const names = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}${nth}.com`)

interface Scene {
  readonly database: ProofDatabase
  readonly members: ReadonlyArray<ClusterMember>
  readonly anyOther: (than?: ClusterMember) => ClusterMember
}

/** Kills whoever is about to write the plan; how long it takes, in milliseconds, until it is written by another. */
const killed = ({ anyOther, members }: Scene, wanted: DesiredConnection) =>
  Effect.gen(function* () {
    const { caught, connection } = yield* caughtWriting({ anyOther, members }, wanted, "patches", {
      meanwhile: ({ kill }) => kill,
      lets: Effect.never
    })
    const api = anyOther(caught.member).api
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    yield* caught.member.start
    return millis
  })

/** Freezes whoever is about to write the plan, and lets it go on, with its write, when another has written it. */
const frozen = (
  scene: Scene,
  wanted: DesiredConnection,
  gate: "patches" | "updates",
  dump: Effect.Effect<ReadonlyArray<string>>
) =>
  Effect.gen(function* () {
    const goesOn = yield* Deferred.make<void>()
    const { caught, connection } = yield* caughtWriting(scene, wanted, gate, {
      meanwhile: ({ freeze }) => freeze,
      lets: Deferred.await(goesOn)
    })
    const { api } = scene.anyOther(caught.member)
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    const [rows, records] = yield* Effect.all([rowsOf(scene.database, connection.id), dump])
    yield* caught.member.resume
    yield* Deferred.succeed(goesOn, undefined)
    yield* Effect.sleep("4 seconds")
    const [rowsThen, recordsThen] = yield* Effect.all([rowsOf(scene.database, connection.id), dump])
    return { millis, rows: changed(rows, rowsThen), records: changed(records, recordsThen) }
  })

interface Trap {
  readonly meanwhile: (member: ClusterMember) => Effect.Effect<unknown>
  /** The write is let through when this ends. */
  readonly lets: Effect.Effect<unknown>
}

/** Lets a connection be written, and catches the process that writes it directly before its first call. */
const caughtWriting = (
  { anyOther, members }: Pick<Scene, "anyOther" | "members">,
  wanted: DesiredConnection,
  gate: "patches" | "updates",
  { lets, meanwhile }: Trap
) =>
  Effect.gen(function* () {
    const trapped = yield* Deferred.make<{ readonly member: ClusterMember; readonly at: number }>()
    for (const member of members) {
      const before = Effect.gen(function* () {
        if (yield* Deferred.isDone(trapped)) return
        yield* Effect.zipRight(meanwhile(member), Deferred.succeed(trapped, { member, at: Date.now() }))
        yield* lets
      })
      if (gate === "patches") member.patches.interceptNext({ before })
      else member.updates.interceptNext(before)
    }
    const { api } = anyOther()
    const connection: ConnectionJson = yield* createPlannedConnection(api, wanted)
    yield* authorizeAndApprove(api, connection, wanted)
    const caught = yield* Effect.timeout(Deferred.await(trapped), "30 seconds")
    return { caught, connection }
  })

const writtenAt = (api: ClusterMember["api"], { id }: ConnectionJson) =>
  Effect.map(timelineOf(api, id), (entries) => entries.find(({ to }) => to === "verifying")?.at ?? Number.NaN)

const rowsOf = ({ run: ask }: ProofDatabase, id: string): Effect.Effect<ReadonlyArray<string>> =>
  ask(
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

const changed = (before: ReadonlyArray<string>, after: ReadonlyArray<string>) => [
  ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`)
]

/** All of BIND's zone, its serial too: that grows with every update that changes something. */
const transferOf = ({ algorithm, name, secret }: TsigKey) =>
  Effect.map(
    run("dig", "+noall", "+answer", "@127.10.2.1", "bindzone.com", "AXFR", "-y", `${algorithm}:${name}:${secret}`),
    (output) => output.trim().split("\n").toSorted()
  )

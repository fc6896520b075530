import { SqlClient } from "@effect/sql"
import { Deferred, Effect } from "effect"
import { run } from "../test/support/lab/Server.ts"
import type { LabTsigKey } from "../test/support/lab/TsigKey.ts"
import type { ClusterMember } from "./ClusterMember.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"
import {
  authorizeAndApprove,
  type ConnectionJson,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf,
  waitForState
} from "./connectionSteps.ts"

/** Processes that share the work on one database. */
export interface Cluster {
  readonly database: ProofDatabase
  readonly members: ReadonlyArray<ClusterMember>
  readonly anyOther: (excluded?: ClusterMember) => ClusterMember
}

/** Freezes the process that is about to write the plan, and resumes it with its write after another has written it. */
export const freezeWriter = (
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

interface Trap {
  readonly onCaught: (member: ClusterMember) => Effect.Effect<unknown>
  /** The write is forwarded when this ends. */
  readonly release: Effect.Effect<unknown>
}

/** Approves a plan and catches the process that writes it, just before its first call to the provider. */
export const catchWriter = (
  { anyOther, members }: Pick<Cluster, "anyOther" | "members">,
  desired: DesiredConnection,
  gate: "patches" | "updates",
  { onCaught, release }: Trap
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

/** When the plan of a connection was written, in milliseconds since 1970 by the database's clock. */
export const writtenAt = (api: ClusterMember["api"], { id }: ConnectionJson) =>
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
export const transferOf = ({ algorithm, name, secret }: LabTsigKey) =>
  Effect.map(
    run("dig", "+noall", "+answer", "@127.10.2.1", "bindzone.com", "AXFR", "-y", `${algorithm}:${name}:${secret}`),
    (output) => output.trim().split("\n").toSorted()
  )

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

/**
 * Freezes the process whose first call to the provider is on its way, and resumes it after another one has written the plan.
 * The call arrives then. Returns what changes from there on, and the further writes to PowerDNS of the resumed process.
 */
export const freezeWriter = (
  cluster: Cluster,
  desired: DesiredConnection,
  gate: "patches" | "updates",
  dump: Effect.Effect<ReadonlyArray<string>>
) =>
  Effect.gen(function* () {
    yield* cluster.database.run(insertPausedEndpoint)
    const resumed = yield* Deferred.make<void>()
    const { caught, connection } = yield* catchWriter(cluster, desired, gate, {
      onCaught: ({ freeze }) => freeze,
      release: Deferred.await(resumed)
    })
    const { api } = cluster.anyOther(caught.member)
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    const [rows, records] = yield* Effect.all([rowsOf(cluster.database, connection.id), dump])
    const { patches } = caught.member.patches
    const patchCount = patches.length
    yield* caught.member.resume
    yield* Deferred.succeed(resumed, undefined)
    yield* Effect.sleep("4 seconds")
    const [rowsAfter, recordsAfter] = yield* Effect.all([rowsOf(cluster.database, connection.id), dump])
    return {
      millis,
      rows: differencesOf(rows, rowsAfter),
      records: differencesOf(records, recordsAfter),
      furtherPatches: patches.slice(patchCount)
    }
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

/** A webhook endpoint that gets an event and a delivery for each transition, which nobody attempts while it is paused. */
const insertPausedEndpoint = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    insert into webhook_endpoints (id, application_id, url, pause_reason, key_version, nonce, ciphertext)
    select 'paused', application_id, 'https://hooks.example.com', 'failing', 1, '', '' from api_keys limit 1
    on conflict do nothing`
)

/**
 * All rows of a connection with the transactions that wrote them. Left out is what moves while all is well: of its leases
 * the ends, of its watch until when its servers are known, which looks renew.
 */
const rowsOf = ({ run: runQuery }: ProofDatabase, id: string): Effect.Effect<ReadonlyArray<string>> =>
  runQuery(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`
        select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'connection_id' and table_name <> 'watches'`
      const ofTables = yield* Effect.forEach(
        tables,
        ({ name }) => sql<{ readonly row: string }>`
          select ${name}::text || ' ' || t.xmin::text || ' ' || t::text as row from ${sql(name)} as t
          where connection_id = ${id}`
      )
      const others = yield* sql<{ readonly row: string }>`
        select 'connections ' || c.xmin::text || ' ' || c::text as row from connections as c where id = ${id}
        union all select 'webhook_deliveries ' || d.xmin::text || ' ' || d::text from webhook_deliveries as d
          where event_id in (select id from webhook_events where connection_id = ${id})
        union all select 'watches ' || (to_jsonb(w) - 'servers_until')::text from watches as w where connection_id = ${id}
        union all select 'leases ' || key || ' ' || owner || ' ' || claim from leases
          where key = 'connection:' || ${id}
            or key in (select 'zone:' || provider_id || '/' || zone from journal where connection_id = ${id})`
      return [...ofTables.flat(), ...others].map(({ row }) => row)
    })
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

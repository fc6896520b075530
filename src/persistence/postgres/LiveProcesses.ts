import { SqlClient } from "@effect/sql"
import { Context, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { Identifiers } from "../../domain/values/Identifiers.ts"
import { serviceInstance } from "../../runtime/serviceInstance.ts"
import { readSqlErrorReason } from "../StoreUnavailable.ts"
import { decodeRows } from "../stores/decodeRows.ts"
import { ClusterEvents } from "./ClusterEvents.ts"
import { instanceLock } from "./SingleInstanceLock.ts"
import { retryAtStart } from "./retryAtStart.ts"

/** The live processes: each divides its limits by their number, and its phases are due at once when it ends. */
export class LiveProcesses extends Context.Reference<LiveProcesses>()("persistence/LiveProcesses", {
  defaultValue: (): LiveProcessesShape => ({ id: "alone", count: () => 1, allLook: () => true })
}) {
  /** This process is alone: whoever has taken a phase before has ended. */
  static readonly aloneLayer = Layer.scoped(
    LiveProcesses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const id = yield* nextId
      const enter = sql`insert into processes (id, version, looks) values (${id}, ${serviceInstance.version}, true)`
      yield* Effect.acquireRelease(
        retryAtStart(Effect.all([sql`delete from processes`, releaseOrphans(sql), enter])),
        () => Effect.ignore(sql`delete from processes where id = ${id}`)
      )
      return { id, count: () => 1, allLook: () => true }
    })
  )

  /** Sends heartbeats, and releases phases of silent processes. In an outage the last number of processes counts. */
  static readonly layer = Layer.scoped(
    LiveProcesses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* ClusterEvents
      const id = yield* nextId
      const live = { count: 1, allLook: true }
      const beat = Effect.gen(function* () {
        const { allLook, count, released } = yield* sendHeartbeat(sql, id)
        live.count = count
        live.allLook = allLook
        if (released === 0) return
        yield* Effect.logWarning("A process sent no heartbeat; others continue its phases").pipe(
          Effect.annotateLogs({ released })
        )
        yield* events.publish("phases_released", id)
      })
      yield* Effect.acquireRelease(retryAtStart(Effect.zipRight(beat, releaseOrphans(sql))), () =>
        Effect.ignore(leave(sql, id))
      )
      yield* beat.pipe(
        Effect.catchTag("SqlError", (error) =>
          Effect.logDebug("Could not send a heartbeat", readSqlErrorReason(error))
        ),
        Effect.repeat(Schedule.fixed(heartbeatInterval)),
        Effect.forkScoped
      )
      return { id, count: () => live.count, allLook: () => live.allLook }
    })
  )
}

interface LiveProcessesShape {
  /** This process, for as long as it lives. */
  readonly id: string
  /** How many there are, this one included. */
  readonly count: () => number
  /** Whether none of them runs a version that knows no looks (see `LookPhase`), and would leave them out. */
  readonly allLook: () => boolean
}

const nextId = Effect.flatMap(Identifiers, ({ next }) => next("prc"))

const heartbeatInterval = Duration.millis(250)

/** Longer than a loaded process or database delays a heartbeat; a false end costs a discovery that is made twice. */
const lifetime = Duration.millis(1_500)

/** Ends silent processes, unless this heartbeat was late: after an outage the others get time to send theirs. */
const sendHeartbeat = (sql: SqlClient.SqlClient, id: string) =>
  Effect.flatMap(
    sql`
      with own as (
        insert into processes (id, version, looks) values (${id}, ${serviceInstance.version}, true)
        on conflict (id) do update set seen_at = now()
      ), ended as (
        delete from processes
        where seen_at < ${oneLifetimeAgo(sql)}
          and exists (select from processes where id = ${id} and seen_at > ${oneLifetimeAgo(sql)})
        returning id
      ), released as (
        update connections set due_at = now(), taken_by = null where taken_by in (select id from ended) returning 1
      ), released_looks as (
        update look_slots set due_at = now(), taken_by = null where taken_by in (select id from ended)
      )
      select (select count(*)::int from released) as released,
        not exists (select from processes where not looks and seen_at >= ${oneLifetimeAgo(sql)}) as "allLook",
        1 + (select count(*)::int from processes where id <> ${id} and seen_at >= ${oneLifetimeAgo(sql)}) as count`,
    decodeHeartbeat
  )

const oneLifetimeAgo = (sql: SqlClient.SqlClient) => sql`now() - ${Duration.toSeconds(lifetime)} * interval '1 second'`

/** Releases the phases and looks of processes that are not registered any more. */
const releaseOrphans = (sql: SqlClient.SqlClient) => sql`
  with released_looks as (
    update look_slots set due_at = now(), taken_by = null
    where taken_by is not null and not exists (select from processes where id = taken_by)
  )
  update connections set due_at = now(), taken_by = null
  where taken_by is not null and not exists (select from processes where id = taken_by)`

/** Deletes the process and tells the others in the same statement: a later message may not be sent before the end. */
const leave = (sql: SqlClient.SqlClient, id: string) => sql`
  with own as (
    delete from processes where id = ${id}
  ), released as (
    update connections set due_at = now(), taken_by = null where taken_by = ${id}
  ), released_looks as (
    update look_slots set due_at = now(), taken_by = null where taken_by = ${id}
  )
  select pg_notify('phases_released', ${id})`

const decodeHeartbeat = (rows: unknown) => Effect.map(Effect.orDie(decodeHeartbeats(rows)), ([row]) => row)

const decodeHeartbeats = Schema.decodeUnknown(
  Schema.Tuple(Schema.Struct({ released: Schema.Int, count: Schema.Int, allLook: Schema.Boolean }))
)

/** The versions of the processes that work on the database; null of one before they were noted. */
export const listLiveVersions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`
      select id, version from processes where seen_at > now() - interval '5 seconds' or exists (
        select from pg_locks where locktype = 'advisory' and objid = ${instanceLock}
          and database = (select oid from pg_database where datname = current_database())
      ) order by id`,
    decodeVersions
  )
)

const decodeVersions = decodeRows(Schema.Struct({ id: Schema.String, version: Schema.NullOr(Schema.String) }))

import type { SqlClient, Statement } from "@effect/sql"
import { Data, Option, Schema } from "effect"
import { Connection, type TimelineEvent } from "../../domain/Connection.ts"
import { type ConnectionRecord, Progress } from "../../domain/ConnectionRecord.ts"
import { insertCredentialSql, type SealedCredential } from "./CredentialStore.ts"
import { insertOAuthSessionSql, type NewOAuthSession } from "./OAuthSessionStore.ts"

/** The work that the lifecycle does on its own. Its names are kept in rows. */
export const Phase = Schema.Literal("discover", "provision", "verify", "restore", "expire")
export type Phase = typeof Phase.Type

/** What is to be done next with a connection, and in how many seconds from now. */
export interface ScheduledPhase {
  readonly phase: Phase
  readonly inSeconds: number
}

/** What becomes of the credential of a connection at a step. */
export type CredentialChange = Data.TaggedEnum<{
  /** It is needed further, if there is one. */
  Keep: {}
  /** Nothing needs it any more. */
  Wipe: {}
  Put: { readonly sealed: SealedCredential; readonly lifetimeSeconds: number }
}>
export const CredentialChange = Data.taggedEnum<CredentialChange>()

/** What becomes of the visit to the provider that a connection has open. */
export type SessionChange = Data.TaggedEnum<{
  /** It goes on, if there is one. */
  Keep: {}
  /** Whoever comes back from it comes too late. */
  End: {}
  Open: { readonly session: NewOAuthSession }
}>
export const SessionChange = Data.taggedEnum<SessionChange>()

/** A connection after a step, as `advance` returned it, with all that is written together with it. */
export interface Transition {
  readonly after: ConnectionRecord
  /** What is added to its timeline, oldest first. */
  readonly events: ReadonlyArray<TimelineEvent>
  readonly next: Option.Option<ScheduledPhase>
  readonly credential: CredentialChange
  readonly session: SessionChange
  /** What the servers answered, in wire form, if they were asked. */
  readonly observations: Option.Option<string>
}

/** The wire form of a connection, as it is kept and answered. */
export const encodeConnection = Schema.encodeSync(Schema.parseJson(Connection))

/** Reads a kept connection back. */
export const decodeConnection = Schema.decodeSync(Schema.parseJson(Connection))

export const encodeProgress = Schema.encodeSync(Schema.parseJson(Progress))

/**
 * The parts of a statement that write a step to the connection that `target` selects (its `id`): the row itself as
 * `saved`, and what hangs on it.
 */
export const transitionSql = (
  sql: SqlClient.SqlClient,
  { credential, events, next, observations, session, after: { connection, progress } }: Transition,
  target: Statement.Fragment
) => sql`
  saved as (
    update connections set state = ${connection.state}, doc = ${encodeConnection(connection)}, progress = ${encodeProgress(progress)},
      version = version + 1, phase = ${Option.getOrNull(Option.map(next, ({ phase }) => phase))}::text,
      due_at = ${dueAtSql(sql, next)}, updated_at = now()
    where ${target}
    returning id, application_id, tenant_id
  ), event as (
    insert into connection_events (id, connection_id, from_state, to_state, failure)
    select e.id, saved.id, e."from", e."to", e.failure
    from saved, jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e(id text, "from" text, "to" text, failure text)
  ), credential as (
    ${CredentialChange.$match(credential, {
      Keep: () => sql`select 1`,
      Wipe: () => sql`delete from credentials where connection_id in (select id from saved)`,
      Put: ({ lifetimeSeconds, sealed }) => insertCredentialSql(sql, sealed, lifetimeSeconds, sql`saved`)
    })}
  ), oauth as (
    ${SessionChange.$match(session, {
      Keep: () => sql`select 1`,
      End: () => sql`delete from oauth_sessions where connection_id in (select id from saved)`,
      Open: (open) => insertOAuthSessionSql(sql, open.session, sql`saved`)
    })}
  ), observed as (
    ${Option.match(observations, {
      onNone: () => sql`select 1`,
      onSome: (doc) => sql`
        insert into observations (connection_id, doc) select id, ${doc} from saved
        on conflict (connection_id) do update set doc = excluded.doc`
    })}
  )`

/** The moment at which a phase becomes due, by the clock of the database. */
export const dueAtSql = (sql: SqlClient.SqlClient, next: Option.Option<ScheduledPhase>) =>
  Option.match(next, {
    onNone: () => sql`null::timestamptz`,
    onSome: ({ inSeconds }) => sql`now() + ${inSeconds}::double precision * interval '1 second'`
  })

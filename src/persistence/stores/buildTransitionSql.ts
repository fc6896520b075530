import type { SqlClient, Statement } from "@effect/sql"
import { Option } from "effect"
import { finalStates } from "../../domain/Connection.ts"
import { type ConnectionRecord, desiredNamesOf, isInZone } from "../../domain/ConnectionRecord.ts"
import { CredentialChange, type ScheduledPhase, SessionChange, type Transition } from "../../domain/Transition.ts"
import { insertCredentialSql } from "./CredentialStore.ts"
import { insertOAuthSessionSql } from "./OAuthSessionStore.ts"
import { toReversedName } from "./reversedNames.ts"
import { encodeConnection, encodeProgress } from "./StoredConnection.ts"

/**
 * The common table expressions that write a transition to the connection that `target` selects: `saved` updates its row
 * and returns its `id`, the others update the rows that belong to it.
 */
export const buildTransitionSql = (
  sql: SqlClient.SqlClient,
  { after, credential, events, next, observations, session }: Transition,
  target: Statement.Fragment
) => {
  const { connection, progress } = after
  return sql`
  saved as (
    update connections set state = ${connection.state}, doc = ${encodeConnection(connection)}, progress = ${encodeProgress(progress)},
      version = version + 1, phase = ${Option.getOrNull(Option.map(next, ({ phase }) => phase))}::text,
      due_at = ${buildDueAtSql(sql, next)}, updated_at = now(),
      taken_by = ${Option.exists(next, ({ isTaken }) => isTaken === true) ? sql`taken_by` : sql`null`}
    where ${target}
    returning id, application_id, tenant_id, octet_length(doc) as bytes
  ), ended as (
    ${finalStates.includes(connection.state) ? insertEndedBytesSql(sql) : sql`select 1`}
  ), hosts as (
    ${updateHostsSql(sql, after)}
  ), event as (
    insert into connection_events (id, connection_id, from_state, to_state, failure)
    select e.id, saved.id, e."from", e."to", e.failure
    from saved, jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e(id text, "from" text, "to" text, failure text)
  ), credential as (
    ${CredentialChange.$match(credential, {
      Keep: () => sql`select 1`,
      Delete: () => sql`delete from credentials where connection_id in (select id from saved)`,
      Replace: ({ lifetimeSeconds, sealed }) => insertCredentialSql(sql, sealed, lifetimeSeconds, sql`saved`)
    })}
  ), oauth as (
    ${SessionChange.$match(session, {
      Keep: () => sql`select 1`,
      Delete: () => sql`delete from oauth_sessions where connection_id in (select id from saved)`,
      Replace: (replacement) => insertOAuthSessionSql(sql, replacement.session, sql`saved`)
    })}
  ), observed as (
    ${Option.match(observations, {
      onNone: () => sql`select 1`,
      onSome: (doc) => sql`
        insert into observations (connection_id, doc) select id, ${doc} from saved
        on conflict (connection_id) do update set doc = excluded.doc`
    })}
  )`
}

/** Adds the document of a connection that has ended to the storage of its tenant. */
const insertEndedBytesSql = (sql: SqlClient.SqlClient) => sql`
  insert into tenant_usage as u (application_id, tenant_id, ended_bytes)
  select application_id, tenant_id, bytes from saved
  on conflict (application_id, tenant_id) do update set ended_bytes = u.ended_bytes + excluded.ended_bytes`

/** Keeps the names at which a connection may have records from the time when it enters its zone until its end. */
const updateHostsSql = (sql: SqlClient.SqlClient, record: ConnectionRecord) => {
  const { connection } = record
  const names = sql`unnest(${desiredNamesOf(connection).map(toReversedName)}::text[])`
  if (finalStates.includes(connection.state)) {
    return sql`
      delete from connection_hosts
      where reversed_name in (select ${names}) and connection_id in (select id from saved)`
  }
  return isInZone(record)
    ? sql`
      insert into connection_hosts (reversed_name, connection_id)
      select reversed_name, id from saved, ${names} as hosts (reversed_name)
      on conflict do nothing`
    : sql`select 1`
}

/** The time at which the next phase is due, by the clock of the database. */
export const buildDueAtSql = (sql: SqlClient.SqlClient, next: Option.Option<ScheduledPhase>) =>
  Option.match(next, {
    onNone: () => sql`null::timestamptz`,
    onSome: ({ inSeconds }) => sql`now() + ${inSeconds}::double precision * interval '1 second'`
  })

import { Option, Schema } from "effect"
import type { Pool } from "pg"
import { batchStatement } from "../../batchStatement.ts"
import { writeAudit } from "../audit/auditTrail.ts"
import { unlessKeyInUse } from "./insertConnections.ts"
import { findSameIntent } from "./findSameIntent.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { rememberedHostsUsage, rememberHosts } from "./requestedHosts.ts"
import { eventsBytes } from "../usage/usageChanges.ts"
import { outboxUsage, writeWebhookOutbox } from "../webhooks/webhookOutbox.ts"
import { transitionParameters } from "./transitionParameters.ts"

/**
 * Writes transitions with all that belongs to each, as a whole or not at all, with a row for each. Rows are locked in
 * order of their ids, so that no two statements wait for each other, and before them the holders they rely on.
 */
export const prepareWriteTransitions = (pool: Pool) =>
  batchStatement(pool, {
    text: `with ${parts.join(", ")} select nth::int from saved`,
    toValues: transitionParameters.toValues,
    measure: ({ doc, transition }) => doc.length + Option.getOrElse(transition.observations, () => "").length,
    row: Schema.Struct({})
  })

/** Whether no other connection that has not ended has the external id of a request, as SQL. */
const isExternalIdFree = `not exists (
  select from connections as o
  where o.external_key = requests.external_key and o.id <> requests.id and o.${notEndedCondition}
)`

/** The transitions to write, a row each. */
const readRequests = `requests as (
  select * from ${transitionParameters.source}
)`

/** The holders of names that transitions rely on, which stay until the statement ends. */
const lockHolders = `held as (
  select requests.nth from requests, jsonb_array_elements_text(held_names) as name
    join host_holders as h on h.reversed_name = name
  where h.application_id = requests.application_id and h.tenant_id = requests.holder_id
  order by h.application_id, h.reversed_name for share of h
)`

/** The transitions that may be written: the connection is as it was read, and nobody else has its intent or external id. */
const lockConnections = `target as (
  select requests.* from requests join connections as c on c.id = requests.id
  where c.application_id = requests.application_id and c.tenant_id = requests.tenant_id and c.version = requests.version
    and (requests.claim is null or (c.attempt = requests.attempt and c.claim = requests.claim))
    and (requests.held_names is null
      or (select count(*) from held where held.nth = requests.nth) = jsonb_array_length(requests.held_names))
    and (requests.allows_duplicate is not false or ${findSameIntent("requests.new_intent_key", "requests.id")} is null)
    and (requests.external_key is not distinct from c.external_key or ${isExternalIdFree})
  order by c.id, nth for update of c
), first_of_each as (
  select distinct on (id) * from target order by id, nth
)`

/** The idempotency keys of requests, stored unless they are in use. */
const claimKeys = `claimed as (
  insert into idempotency_keys as k
    (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
  select distinct on (application_id, tenant_id, route, key)
    application_id, tenant_id, route, key, fingerprint, id, state, doc, version + 1
  from first_of_each where key is not null order by application_id, tenant_id, route, key
  ${unlessKeyInUse} returning connection_id
)`

/** The connections after their transitions, and the transitions that were written. */
const saveConnections = `saved as (
  update connections as c
  set state = ready.state, provider_id = ready.provider_id, failure = ready.failure, doc = ready.doc, progress = ready.progress, version = c.version + 1,
    intent_key = case
      when not holds_intent then null
      when new_intent_key is null or new_intent_key = c.intent_key then c.intent_key
      when ready.allows_duplicate is null and ${findSameIntent("new_intent_key", "ready.id")} is not null then null
      else new_intent_key end,
    counting_intent_key = case when holds_intent then ready.counting_intent_key end,
    allows_duplicate = coalesce(ready.allows_duplicate, c.allows_duplicate),
    external_key = ready.external_key, metadata_keys = ready.metadata_keys::bytea[],
    phase = case when keeps_phase then c.phase else ready.phase end,
    due_trace = case when keeps_phase then c.due_trace else ready.trace end,
    due_at = case when not keeps_phase then now() + in_seconds * interval '1 second'
      when c.taken_by is null then c.due_at else now() end,
    updated_at = now(),
    taken_by = case when stays_claimed then c.taken_by end,
    taken_version = case when stays_claimed then c.version + 1 else c.taken_version end
  from first_of_each as ready
  where c.id = ready.id and (key is null or ready.id in (select connection_id from claimed))
  returning ready.nth, octet_length(c.doc) as bytes
), written as (
  select * from requests join saved using (nth)
)`

/** Counts the bytes of connections that have ended. */
const countEnded = `ended as (
  insert into tenant_usage as u (application_id, tenant_id, ended_bytes)
  select application_id, tenant_id, sum(bytes) from written where has_ended group by 1, 2 order by 1, 2
  on conflict (application_id, tenant_id) do update set ended_bytes = u.ended_bytes + excluded.ended_bytes
)`

/** Replaces the hosts of each connection, and remembers who requested them. */
const replaceHosts = `left_hosts as (
  delete from connection_hosts as h
  where connection_id = any(array(select id from written)) and not exists (
    select from written where id = h.connection_id and has_hosts and hosts ? h.reversed_name
  )
), entered_hosts as (
  insert into connection_hosts (reversed_name, connection_id)
  select name, id from written, jsonb_array_elements_text(hosts) as name where has_hosts
  on conflict do nothing returning reversed_name, connection_id
), remembered_hosts as (${rememberHosts(`(
  select application_id, reversed_name, tenant_id from entered_hosts join written on id = connection_id
  union all
  select application_id, name, tenant_id from written, jsonb_array_elements_text(hosts) as name
  where state = 'requested'
) as hosts (application_id, reversed_name, tenant_id)`)}
)`

/** Writes the timeline, and the webhook events that report it. */
const writeEvents = `event as (
  insert into connection_events (id, connection_id, from_state, to_state, failure, replan)
  select e.id, written.id, e."from", e."to", e.failure, e.replan
  from written, jsonb_to_recordset(events) as e(id text, "from" text, "to" text, failure text, replan text)
  where e."from" is distinct from e."to"
), ${writeWebhookOutbox("written", "n.version + 1", "contests")}`

/** Deletes credentials before the audit log is written, which names the deleted ones. */
const deleteCredentials = `deleted_credential as (
  delete from credentials where connection_id = any(array(select id from written where deletes_credential))
  returning connection_id
)`

/** Writes the audit log, and what all of this stores. */
const writeAuditEntries = writeAudit({
  table: "written",
  tenantId: "n.tenant_id",
  connectionId: "n.id",
  alsoStored: [
    outboxUsage,
    rememberedHostsUsage,
    `select application_id, tenant_id, ${eventsBytes("written")} from written`
  ],
  where: "a.action <> 'credential.deleted' or n.id in (select connection_id from deleted_credential)"
})

const saveCredentials = `credential as (
  insert into credentials (connection_id, application_id, tenant_id, key_version, nonce, ciphertext, expires_at)
  select id, application_id, tenant_id, credential_key, credential_nonce, credential_text,
    now() + credential_seconds * interval '1 second'
  from written where credential_key is not null
  on conflict (connection_id) do update
    set key_version = excluded.key_version, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
      expires_at = excluded.expires_at, created_at = now()
)`

const replaceSessions = `deleted_session as (
  delete from oauth_sessions where connection_id = any(array(select id from written where deletes_session))
), session as (
  insert into oauth_sessions
    (connection_id, application_id, tenant_id, ticket_hash, key_version, nonce, ciphertext, expires_at)
  select id, application_id, tenant_id, session_ticket, session_key, session_nonce, session_text,
    now() + session_seconds * interval '1 second'
  from written where session_key is not null
  on conflict (connection_id) do update
    set ticket_hash = excluded.ticket_hash, state_hash = null, browser_hash = null,
      key_version = excluded.key_version, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
      expires_at = excluded.expires_at
)`

/** Stores what servers answered. */
const saveObservations = `observed as (
  insert into observations (connection_id, doc)
  select id, observations from written where observations is not null
  on conflict (connection_id) do update set doc = excluded.doc
)`

/** Replaces what single servers are asked for. A trigger deletes it when the connection is not active any more. */
const saveWatches = `deleted_watch as (
  delete from watches where connection_id = any(array(select id from written where watch = 'delete'))
), watch as (
  insert into watches
    (connection_id, application_id, tenant_id, look_key, zone, servers, silent_servers, servers_until, answers)
  select id, application_id, tenant_id, look_key, watch_zone, watch_servers, watch_silent, to_timestamp(watch_until / 1000), watch_answers
  from written where watch = 'replace'
  on conflict (connection_id) do update
    set look_key = excluded.look_key, zone = excluded.zone, servers = excluded.servers,
      silent_servers = excluded.silent_servers, servers_until = excluded.servers_until, answers = excluded.answers, checked_at = now()
)`

/** The parts of the statement; each reads earlier ones. */
const parts = [
  readRequests,
  lockHolders,
  lockConnections,
  claimKeys,
  saveConnections,
  countEnded,
  replaceHosts,
  writeEvents,
  deleteCredentials,
  writeAuditEntries,
  saveCredentials,
  replaceSessions,
  saveObservations,
  saveWatches
]

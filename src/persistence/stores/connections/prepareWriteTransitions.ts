import { Option, Schema } from "effect"
import type { Pool } from "pg"
import { type ConnectionState, finalStates } from "../../../domain/connection/Connection.ts"
import { computeIntentKey, holdsIntent } from "../../../domain/connection/ConnectionKeys.ts"
import { desiredNamesOf } from "../../../domain/connection/ConnectionRecord.ts"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import {
  CredentialChange,
  type NewOAuthSession,
  SessionChange,
  type Transition
} from "../../../domain/connection/Transition.ts"
import { batchStatement, nameParameters } from "../../batchStatement.ts"
import { encodeAudit, writeAudit } from "../audit/auditTrail.ts"
import { unlessKeyInUse } from "./insertConnections.ts"
import { findSameIntent } from "./findSameIntent.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { toPlatformKeys } from "../access/platformKeys.ts"
import { rememberHosts } from "./requestedHosts.ts"
import { toReversedName } from "./reversedNames.ts"
import { encodeProgress } from "./StoredConnection.ts"
import { eventsBytes } from "../usage/usageChanges.ts"
import { outboxUsage, writeWebhookOutbox } from "../webhooks/webhookOutbox.ts"

/** A transition to be written to its connection, if that is still at the version from which the transition was made. */
interface TransitionWrite {
  readonly tenancy: Tenancy
  readonly version: number
  readonly transition: Transition
  /** The document of the connection after the transition. */
  readonly doc: string
  /** The run of a phase that writes it, whose claim must be the current one; a command has none. */
  readonly run?: { readonly attempt: number; readonly claim: number }
  /** Stored with the transition, which is not written if the key is in use. */
  readonly idempotency?: Option.Option<IdempotentRequest>
}

/**
 * Prepares the statement that writes transitions, with everything that belongs to each: whole or not at all. A transition
 * that was written has a row. Rows are locked in the order of their ids, so that no two statements wait for each other.
 * The holders of names that a transition relies on are locked before: they stay until it is written, or it is not.
 */
export const prepareWriteTransitions = (pool: Pool) =>
  batchStatement(pool, {
    text: `
      with requests as (
        select * from ${transitions.source}
      ), held as (
        select requests.nth from requests, jsonb_array_elements_text(held_names) as name
          join host_holders as h on h.reversed_name = name
        where h.application_id = requests.application_id and h.tenant_id = requests.holder_id
        order by h.application_id, h.reversed_name for share of h
      ), target as (
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
      ), claimed as (
        insert into idempotency_keys as k
          (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
        select distinct on (application_id, tenant_id, route, key)
          application_id, tenant_id, route, key, fingerprint, id, state, doc, version + 1
        from first_of_each where key is not null order by application_id, tenant_id, route, key
        ${unlessKeyInUse} returning connection_id
      ), saved as (
        update connections as c
        set state = ready.state, doc = ready.doc, progress = ready.progress, version = c.version + 1,
          intent_key = case
            when not holds_intent then null
            when new_intent_key is null or new_intent_key = c.intent_key then c.intent_key
            when ready.allows_duplicate is null and ${findSameIntent("new_intent_key", "ready.id")} is not null then null
            else new_intent_key end,
          counting_intent_key = case when holds_intent then ready.counting_intent_key end,
          allows_duplicate = coalesce(ready.allows_duplicate, c.allows_duplicate),
          external_key = ready.external_key, metadata_keys = ready.metadata_keys::bytea[],
          phase = case when keeps_phase then c.phase else ready.phase end,
          due_at = case when not keeps_phase then now() + in_seconds * interval '1 second'
            when c.taken_by is null then c.due_at else now() end,
          updated_at = now(),
          taken_by = case when goes_on then c.taken_by end,
          taken_version = case when goes_on then c.version + 1 else c.taken_version end
        from first_of_each as ready
        where c.id = ready.id and (key is null or ready.id in (select connection_id from claimed))
        returning ready.nth, octet_length(c.doc) as bytes
      ), written as (
        select * from requests join saved using (nth)
      ), ended as (
        insert into tenant_usage as u (application_id, tenant_id, ended_bytes)
        select application_id, tenant_id, sum(bytes) from written where has_ended group by 1, 2 order by 1, 2
        on conflict (application_id, tenant_id) do update set ended_bytes = u.ended_bytes + excluded.ended_bytes
      ), left_hosts as (
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
      ), event as (
        insert into connection_events (id, connection_id, from_state, to_state, failure, replan)
        select e.id, written.id, e."from", e."to", e.failure, e.replan
        from written, jsonb_to_recordset(events) as e(id text, "from" text, "to" text, failure text, replan text)
        where e."from" is distinct from e."to"
      ), ${writeWebhookOutbox("written", "n.version + 1", "contests")}, deleted_credential as (
        delete from credentials where connection_id = any(array(select id from written where deletes_credential))
        returning connection_id
      ), ${writeAudit({
        table: "written",
        tenantId: "n.tenant_id",
        connectionId: "n.id",
        alsoStored: [outboxUsage, `select application_id, tenant_id, ${eventsBytes("written")} from written`],
        where: "a.action <> 'credential.deleted' or n.id in (select connection_id from deleted_credential)"
      })}, credential as (
        insert into credentials (connection_id, application_id, tenant_id, key_version, nonce, ciphertext, expires_at)
        select id, application_id, tenant_id, credential_key, credential_nonce, credential_text,
          now() + credential_seconds * interval '1 second'
        from written where credential_key is not null
        on conflict (connection_id) do update
          set key_version = excluded.key_version, nonce = excluded.nonce, ciphertext = excluded.ciphertext,
            expires_at = excluded.expires_at, created_at = now()
      ), deleted_session as (
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
      ), observed as (
        insert into observations (connection_id, doc)
        select id, observations from written where observations is not null
        on conflict (connection_id) do update set doc = excluded.doc
      )
      select nth::int from saved`,
    toValues: transitions.toValues,
    measure: ({ doc, transition }) => doc.length + Option.getOrElse(transition.observations, () => "").length,
    row: Schema.Struct({})
  })

/** Whether no other connection that has not ended has the external id of a request, as SQL. */
const isExternalIdFree = `not exists (
  select from connections as o
  where o.external_key = requests.external_key and o.id <> requests.id and o.${notEndedCondition}
)`

const transitions = nameParameters(
  {
    id: "text",
    application_id: "text",
    tenant_id: "text",
    version: "int",
    attempt: "int",
    claim: "int",
    state: "text",
    has_ended: "bool",
    holds_intent: "bool",
    new_intent_key: "bytea",
    counting_intent_key: "bytea",
    allows_duplicate: "bool",
    external_key: "bytea",
    metadata_keys: "text",
    doc: "text",
    progress: "text",
    phase: "text",
    in_seconds: "float8",
    goes_on: "bool",
    keeps_phase: "bool",
    has_hosts: "bool",
    hosts: "jsonb",
    events: "jsonb",
    audit: "jsonb",
    contests: "jsonb",
    holder_id: "text",
    held_names: "jsonb",
    deletes_credential: "bool",
    credential_key: "int",
    credential_nonce: "bytea",
    credential_text: "bytea",
    credential_seconds: "float8",
    deletes_session: "bool",
    session_ticket: "bytea",
    session_key: "int",
    session_nonce: "bytea",
    session_text: "bytea",
    session_seconds: "float8",
    observations: "text",
    route: "text",
    key: "text",
    fingerprint: "text"
  },
  ({ doc, idempotency = Option.none(), run, tenancy, transition, version }: TransitionWrite) => {
    const { after, audit, contests = [], countingIntent, duplicates, events, newIntent, ...rest } = transition
    const { next, observations, requiredHolder } = rest
    const { id, state } = after.connection
    const phase = Option.getOrUndefined(next)
    const request = Option.getOrUndefined(idempotency)
    return {
      id,
      application_id: tenancy.applicationId,
      tenant_id: tenancy.tenantId,
      version,
      attempt: run?.attempt,
      claim: run?.claim,
      state,
      has_ended: finalStates.includes(state),
      holds_intent: holdsIntent(after.connection),
      new_intent_key: newIntent && computeIntentKey(tenancy, newIntent),
      counting_intent_key: countingIntent && computeIntentKey(tenancy, countingIntent),
      allows_duplicate: duplicates && duplicates === "allowed",
      ...toPlatformKeys(tenancy, after.connection),
      doc,
      progress: encodeProgress(after.progress),
      phase: phase?.phase,
      in_seconds: phase?.inSeconds,
      goes_on: phase?.isTaken === true,
      keeps_phase: transition.keepsPhase === true,
      has_hosts: hasHosts(state),
      hosts: JSON.stringify(desiredNamesOf(after.connection).map(toReversedName)),
      events: JSON.stringify(events),
      audit: encodeAudit(audit),
      contests: JSON.stringify(contests),
      holder_id: requiredHolder?.tenantId,
      held_names: requiredHolder && JSON.stringify(requiredHolder.names.map(toReversedName)),
      ...toCredentialRow(transition.credential),
      ...toSessionRow(transition.session),
      observations: Option.getOrNull(observations),
      route: request?.route,
      key: request?.key,
      fingerprint: request?.fingerprints[0]
    }
  }
)

/**
 * Whether a connection in this state may have or want records at its names: from its first plan until its end. The names
 * that it desires no more are deleted, so that others may hold them.
 */
const hasHosts = (state: ConnectionState): boolean => state !== "requested" && !finalStates.includes(state)

const toCredentialRow = (change: CredentialChange) => {
  const { lifetimeSeconds, sealed } = CredentialChange.$is("Replace")(change) ? change : nothing
  return {
    deletes_credential: CredentialChange.$is("Delete")(change),
    credential_key: sealed?.keyVersion,
    credential_nonce: sealed?.nonce,
    credential_text: sealed?.ciphertext,
    credential_seconds: lifetimeSeconds
  }
}

const toSessionRow = (change: SessionChange) => {
  const { lifetimeSeconds, sealed, ticketHash } = SessionChange.$is("Replace")(change) ? change.session : nothing
  return {
    deletes_session: SessionChange.$is("Delete")(change),
    session_ticket: ticketHash,
    session_key: sealed?.keyVersion,
    session_nonce: sealed?.nonce,
    session_text: sealed?.ciphertext,
    session_seconds: lifetimeSeconds
  }
}

const nothing: Partial<NewOAuthSession> = {}

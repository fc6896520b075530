import { DateTime, Option, Schema } from "effect"
import type { Pool } from "pg"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { desiredNamesOf } from "../../../domain/connection/ConnectionRecord.ts"
import { computeIntentKey } from "../../../domain/connection/ConnectionKeys.ts"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import { registeredDomainOf } from "../../../domain/names/DomainName.ts"
import type { ApiKeyId, Tenancy } from "../../../domain/access/Tenancy.ts"
import type { Transition } from "../../../domain/connection/Transition.ts"
import { batchStatement } from "../../batchStatement.ts"
import { validKeyCondition } from "../access/ApiKeyStore.ts"
import { encodeAudit, writeAudit } from "../audit/auditTrail.ts"
import { findSameIntent } from "./findSameIntent.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { toPlatformKeys } from "../access/platformKeys.ts"
import { rememberedHostsUsage, rememberHosts } from "./requestedHosts.ts"
import { toReversedName } from "./reversedNames.ts"
import { eventsBytes } from "../usage/usageChanges.ts"
import { outboxUsage, writeWebhookOutbox } from "../webhooks/webhookOutbox.ts"

/** A connection to be inserted; `doc` is its document. */
interface ConnectionInsertion {
  readonly tenancy: Tenancy
  readonly first: Transition
  readonly doc: string
  readonly idempotency: Option.Option<IdempotentRequest>
  readonly rules: CreationRules
  /** The cause of the first phase (see `encodeDueTrace`). */
  readonly trace: string | null
}

/** The conditions for inserting a connection; none by default. */
export interface CreationRules {
  /** The key of the request, which must be valid still: an erasure revokes the keys first, and then finds the rest. */
  readonly apiKeyId?: ApiKeyId
  /** How many connections that have not ended its tenant may have in its registered domain. */
  readonly domainLimit?: Option.Option<number>
  /** Refuses it if the tenant has a connection with the same intent. */
  readonly refusesDuplicate?: boolean
}

/**
 * Inserts connections with first events, due phases and idempotency records, each as a whole or not at all. A row reports
 * whether its API key was valid and the domain had room, who has the external id or intent, and whether it was written;
 * with none of these reasons, its idempotency key is in use. Concurrent ones that exclude each other: `unique_violation`.
 */
export const prepareInsertConnections = (pool: Pool) =>
  batchStatement(pool, {
    text: `
      with requests as (
        select * from unnest(
          (select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::text[]),
          (select $6::text[]), (select $7::text[]), (select $8::float8[]), (select $9::text[]),
          (select $10::timestamptz[]), (select $11::jsonb[]), (select $12::int[]), (select $13::text[]),
          (select $14::text[]), (select $15::text[]), (select $16::bytea[]), (select $17::bytea[]),
          (select $18::bool[]), (select $19::jsonb[]), (select $20::jsonb[]), (select $21::text[]), (select $22::text[]),
          (select $23::text[])
        )
        with ordinality as requests (id, application_id, tenant_id, state, domain, registered_domain, phase,
            in_seconds, doc, created_at, events, domain_limit, route, key, fingerprint, external_key, intent_key,
            allows_duplicate, audit, hosts, metadata_keys, trace, api_key_id, nth)
      ), valid_keys as (
        select id from api_keys where id = any(array(select api_key_id from requests)) and ${validKeyCondition}
        order by id for key share
      ), checked as (
        select requests.*, api_key_id is null or api_key_id in (select id from valid_keys) as has_key,
          domain_limit is null or domain_limit > ${countInDomain} as has_room,
          (
            select c.id from connections as c
            where c.external_key = requests.external_key and c.${notEndedCondition} limit 1
          ) as same_external_id,
          case when not requests.allows_duplicate then ${findSameIntent("requests.intent_key", "requests.id")} end as same_intent
        from requests
      ), room as (
        select * from checked where has_key and has_room and same_external_id is null and same_intent is null
      ), claimed as (
        insert into idempotency_keys as k
          (application_id, tenant_id, route, key, fingerprint, connection_id, state, doc, version)
        select distinct on (application_id, tenant_id, route, key)
          application_id, tenant_id, route, key, fingerprint, id, state, doc, 1
        from room where key is not null order by application_id, tenant_id, route, key
        ${unlessKeyInUse} returning connection_id
      ), writable as (
        select * from room where key is null or id in (select connection_id from claimed)
      ), created as (
        insert into connections
          (id, application_id, tenant_id, state, domain, registered_domain, phase, due_at, doc, created_at,
            external_key, intent_key, allows_duplicate, metadata_keys, due_trace)
        select id, application_id, tenant_id, state, domain, registered_domain, phase,
          now() + in_seconds * interval '1 second', doc, created_at, external_key, intent_key, allows_duplicate,
          metadata_keys::bytea[], trace
        from writable
      ), remembered_hosts as (${rememberHosts("writable, jsonb_array_elements_text(hosts) as reversed_name")}
      ), event as (
        insert into connection_events (id, connection_id, to_state)
        select e.id, writable.id, e."to" from writable, jsonb_to_recordset(events) as e(id text, "to" text)
      ), ${writeWebhookOutbox("writable", "1")}, ${writeAudit({
        table: "writable",
        tenantId: "n.tenant_id",
        connectionId: "n.id",
        alsoStored: [
          outboxUsage,
          rememberedHostsUsage,
          `select application_id, tenant_id, ${eventsBytes("writable")} from writable`
        ]
      })}
      select nth::int, has_key as "hasKey", has_room as "hasRoom", same_external_id as "sameExternalId", same_intent as "sameIntent",
        nth in (select nth from writable) as written
      from checked`,
    row: Insertion,
    measure: ({ doc }) => doc.length,
    toValues: ({
      doc,
      first: { after, audit, events, next },
      idempotency,
      rules,
      tenancy,
      trace
    }: ConnectionInsertion) => {
      const { createdAt, effectiveIntent, id, state } = after.connection
      const keys = toPlatformKeys(tenancy, after.connection)
      const { fingerprints, key, route } = Option.getOrElse(idempotency, () => noIdempotency)
      const phase = Option.getOrUndefined(next)
      return [
        id,
        tenancy.applicationId,
        tenancy.tenantId,
        state,
        effectiveIntent.domain,
        registeredDomainOf(effectiveIntent.domain),
        phase?.phase ?? null,
        phase?.inSeconds ?? null,
        doc,
        DateTime.formatIso(createdAt),
        JSON.stringify(events),
        Option.getOrNull(rules.domainLimit ?? Option.none()),
        route,
        key,
        fingerprints[0] ?? null,
        keys.external_key,
        computeIntentKey(tenancy, effectiveIntent),
        rules.refusesDuplicate !== true,
        encodeAudit(audit),
        JSON.stringify(desiredNamesOf(after.connection).map(toReversedName)),
        keys.metadata_keys,
        trace,
        rules.apiKeyId ?? null
      ]
    }
  })

/** Counts a tenant's live connections in a domain up to the limit; written like the expression of its index. */
export const countInDomain = `(
  select count(*) from (
    select 1 from connections as c
    where c.application_id || '/' || c.tenant_id || '/' || c.registered_domain
        = requests.application_id || '/' || requests.tenant_id || '/' || requests.registered_domain
      and c.${notEndedCondition}
    limit requests.domain_limit
  ) as found
)`

const noIdempotency = { fingerprints: [], key: null, route: null }

/** Keeps an idempotency record `k` of the last 24 hours, replaces an older one, and returns each written row. */
export const unlessKeyInUse = `
  on conflict (application_id, tenant_id, route, key) do update
    set fingerprint = excluded.fingerprint, connection_id = excluded.connection_id, state = excluded.state,
      doc = excluded.doc, version = excluded.version, created_at = now()
    where k.created_at <= now() - interval '24 hours'`

const Insertion = Schema.Struct({
  hasKey: Schema.Boolean,
  hasRoom: Schema.Boolean,
  sameExternalId: Schema.NullOr(ConnectionId),
  sameIntent: Schema.NullOr(ConnectionId),
  written: Schema.Boolean
})

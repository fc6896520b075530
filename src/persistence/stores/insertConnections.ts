import { DateTime, Option, Schema } from "effect"
import type { Pool } from "pg"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import { registeredDomainOf } from "../../domain/DomainName.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { Transition } from "../../domain/Transition.ts"
import { batchStatement } from "../batching/batchStatement.ts"
import { decodeRows } from "./decodeRows.ts"
import { notEndedCondition } from "./UsageStore.ts"
import { writeWebhookOutbox } from "./webhookOutbox.ts"

/** A connection to be inserted; `doc` is its document. */
interface ConnectionInsertion {
  readonly tenancy: Tenancy
  readonly first: Transition
  readonly doc: string
  readonly idempotency: Option.Option<IdempotentRequest>
  /** How many connections that have not ended its tenant may have in its registered domain. */
  readonly domainLimit: Option.Option<number>
}

/**
 * Prepares the statement that inserts connections with their first events, due phases and idempotency records: each
 * whole or not at all. A row tells of each whether its registered domain had room, and whether it was written; it was not
 * although there was room if its idempotency key is in use.
 */
export const prepareInsertConnections = (pool: Pool) =>
  batchStatement<ConnectionInsertion>(pool, {
    text: `
      with asks as (
        select * from unnest(
          (select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::text[]),
          (select $6::text[]), (select $7::text[]), (select $8::float8[]), (select $9::text[]),
          (select $10::timestamptz[]), (select $11::jsonb[]), (select $12::int[]), (select $13::text[]),
          (select $14::text[]), (select $15::text[])
        )
        with ordinality as asks (id, application_id, tenant_id, state, domain, registered_domain, phase,
            in_seconds, doc, created_at, events, domain_limit, route, key, fingerprint, nth)
      ), room as (
        select * from asks where domain_limit is null or domain_limit > ${countInDomain}
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
          (id, application_id, tenant_id, state, domain, registered_domain, phase, due_at, doc, created_at)
        select id, application_id, tenant_id, state, domain, registered_domain, phase,
          now() + in_seconds * interval '1 second', doc, created_at
        from writable
      ), event as (
        insert into connection_events (id, connection_id, to_state)
        select e.id, writable.id, e."to" from writable, jsonb_to_recordset(events) as e(id text, "to" text)
      ), ${writeWebhookOutbox("writable", "1")}
      select nth::int, nth in (select nth from room) as "hasRoom", nth in (select nth from writable) as written from asks`,
    toValues: ({ doc, domainLimit, first: { after, events, next }, idempotency, tenancy }) => {
      const { createdAt, effectiveIntent, id, state } = after.connection
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
        Option.getOrNull(domainLimit),
        route,
        key,
        fingerprints[0] ?? null
      ]
    }
  })

/**
 * How many connections that have not ended the tenant of `asks` has in its registered domain, as a subquery; it stops at
 * the limit. The condition is written like the expression of its index.
 */
export const countInDomain = `(
  select count(*) from (
    select 1 from connections as c
    where c.application_id || '/' || c.tenant_id || '/' || c.registered_domain
        = asks.application_id || '/' || asks.tenant_id || '/' || asks.registered_domain
      and c.${notEndedCondition}
    limit asks.domain_limit
  ) as found
)`

const noIdempotency = { fingerprints: [], key: null, route: null }

/**
 * Keeps an idempotency record `k` of the last 24 hours and replaces an older one. The rows that it returns are those that
 * were written.
 */
export const unlessKeyInUse = `
  on conflict (application_id, tenant_id, route, key) do update
    set fingerprint = excluded.fingerprint, connection_id = excluded.connection_id, state = excluded.state,
      doc = excluded.doc, version = excluded.version, created_at = now()
    where k.created_at <= now() - interval '24 hours'`

/** Decodes the row of an inserted connection. */
export const decodeInsertion = decodeRows(Schema.Struct({ hasRoom: Schema.Boolean, written: Schema.Boolean }))

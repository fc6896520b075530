import { Effect } from "effect"
import { auditEntryBytes, writeUsage } from "../usage/usageChanges.ts"
import {
  type AuditAction,
  type AuditDetails,
  auditActionOf,
  type NewAuditEntry
} from "../../../domain/access/AuditEntry.ts"

/** Encodes entries as the `audit` of the rows that `writeAudit` reads. */
export const encodeAudit = (entries: ReadonlyArray<NewAuditEntry>): string =>
  JSON.stringify(
    entries.map(({ action, actor, address, details, requestId, tenantId }) => ({
      action,
      actor_type: actor.type,
      actor_id: actor.id,
      details,
      request_id: requestId,
      address,
      tenant_id: tenantId
    }))
  )

export const encodeAuditAction = (action: AuditAction, details?: AuditDetails): Effect.Effect<string> =>
  Effect.map(auditActionOf(action, details), (entry) => encodeAudit([entry]))

interface AuditedRows {
  /** The table expression of the written rows, which have `application_id`, and the encoded entries in `audit`. */
  readonly table: string
  /** The columns of the tenant and the connection; `null` if there is none. Without a tenant that of the actor counts. */
  readonly tenantId?: string
  readonly connectionId?: string
  /** The entries `a` of the rows `n` that are written. */
  readonly where?: string
  /** Queries of other rows that the statement stores, as for `writeUsage`. */
  readonly alsoStored?: ReadonlyArray<string>
}

/** The table expressions that write the audit entries of a statement's rows, and add them to the usage of tenants. */
export const writeAudit = ({
  alsoStored = [],
  connectionId = "null",
  table,
  tenantId = "null",
  where = "true"
}: AuditedRows): string => `
  audited as (
    insert into audit_entries
      (application_id, tenant_id, connection_id, actor_type, actor_id, action, details, request_id, address)
    select n.application_id, coalesce(${tenantId}, a.tenant_id), ${connectionId}, a.actor_type, a.actor_id, a.action, a.details, a.request_id,
      a.address
    from ${table} as n, jsonb_to_recordset(n.audit) as a(
      actor_type text, actor_id text, action text, details jsonb, request_id text, address text, tenant_id text
    )
    where ${where}
    returning application_id, tenant_id, ${auditEntryBytes("audit_entries")} as bytes
  ), ${writeUsage("select * from audited", ...alsoStored)}`

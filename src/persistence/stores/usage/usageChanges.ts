/** The bytes of overhead a row: the audit log has five indexes, and a webhook event has deliveries. */
const rowBytes = {
  event: 200,
  auditEntry: 400,
  journalEntry: 400,
  webhookEvent: 1_000,
  testZone: 200,
  requestedHost: 300
} as const

/** The bytes of a row, as SQL, the same when it is written and when it is deleted; `row` is its name. */
export const auditEntryBytes = (row: string): string => `${rowBytes.auditEntry} + pg_column_size(${row}.details)`
export const webhookEventBytes = (row: string): string => `${rowBytes.webhookEvent} + octet_length(${row}.data)`
export const journalEntryBytes = (row: string): string => `${rowBytes.journalEntry} + octet_length(${row}.change)`
export const testZoneBytes = (row: string): string =>
  `${rowBytes.testZone} + octet_length(${row}.sets) + octet_length(${row}.former)`

/** The bytes of one remembered request for a host, as SQL. */
export const requestedHostBytes = `${rowBytes.requestedHost}`

/** The bytes of one entry of a timeline, as SQL. */
export const eventBytes = `${rowBytes.event}`

/** The bytes of the events in the column `events` of a row that change the state, and so become entries of its timeline. */
export const eventsBytes = (row: string): string => `${rowBytes.event} * (
    select count(*) from jsonb_to_recordset(${row}.events) as e("from" text, "to" text)
    where e."from" is distinct from e."to"
  )`

/** Adds what a statement stores or deletes to the usage: queries of `application_id`, `tenant_id` and `bytes`. */
export const writeUsage = (...sources: ReadonlyArray<string>): string => `
  used as (
    insert into usage_changes (application_id, tenant_id, bytes)
    select application_id, tenant_id, sum(bytes) from (${sources.join(" union all ")}) as changed
    where tenant_id is not null group by application_id, tenant_id
  )`

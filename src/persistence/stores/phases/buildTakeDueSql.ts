import type { SqlClient } from "@effect/sql"
import type { SharePolicy, TenantLoad } from "./SharePolicy.ts"
import { shortDocSql } from "../connections/longDocuments.ts"

interface TakeRequest extends SharePolicy {
  readonly processId: string
  readonly limit: number
  readonly retrySeconds: number
}

interface TenantCursor {
  readonly applicationId: string
  readonly tenantId: string
}

export const firstTenant: TenantCursor = { applicationId: "", tenantId: "" }

/** Takes all due phases if at most `limit`, else none (`isAll`): much cheaper than `buildTakeDueSql`. */
export const buildTakeAllDueSql = (
  sql: SqlClient.SqlClient,
  { limit, processId, retrySeconds }: Pick<TakeRequest, "limit" | "processId" | "retrySeconds">
) => sql`
  with waiting as materialized (
    select id from connections where due_at <= now() order by due_at limit ${limit + 1}
  ), due as (
    select c.id, c.taken_version is not distinct from c.version as has_stopped
    from waiting join connections as c on c.id = waiting.id
    where c.due_at <= now() and (select count(*) from waiting) <= ${limit}
    for update of c skip locked
  ), ${buildTakeRowsSql(sql, processId, retrySeconds)}
  select taken.*, "isAll"
  from (select (select count(*) from waiting) <= ${limit} as "isAll") as result left join taken on true`

/** Takes the rows of `due`, and claims them for the runs that start with it. */
const buildTakeRowsSql = (sql: SqlClient.SqlClient, processId: string, retrySeconds: number) => sql`
  taken as (
    update connections as c set attempt = attempt + 1, claim = claim + 1, taken_version = version,
      taken_by = ${processId}, due_at = now() + ${retrySeconds} * interval '1 second'
    from due where c.id = due.id
    returning c.id as "connectionId", phase, attempt, claim, version, progress,
      ${sql.literal(shortDocSql("c.doc"))} as connection,
      application_id as "applicationId", tenant_id as "tenantId", has_stopped as "hasStopped", due_trace as trace
  )`

/**
 * Takes due phases in turns of their tenants. Its cost does not grow with the due phases: it considers the tenants of the
 * longest due ones and, if there are more, the next in the list of all, one probe of the index each. `lastVisited` is
 * where the list continues, null at its end.
 */
export const buildTakeDueSql = (
  sql: SqlClient.SqlClient,
  { limit, loads, perTenant, processId, retrySeconds }: TakeRequest,
  after: TenantCursor
) => sql`
  with recursive oldest as materialized (
    select application_id, tenant_id from connections where due_at <= now() order by due_at limit ${oldestConsidered}
  ), following as (
    (
      select application_id, tenant_id from connections
      where due_at is not null and (application_id, tenant_id) > (${after.applicationId}, ${after.tenantId})
        and (select count(*) from oldest) = ${oldestConsidered}
      order by application_id, tenant_id limit 1
    )
    union all
    select further.application_id, further.tenant_id from following, lateral (
      select application_id, tenant_id from connections as c
      where c.due_at is not null and (c.application_id, c.tenant_id) > (following.application_id, following.tenant_id)
      order by c.application_id, c.tenant_id limit 1
    ) as further
  ), visited as materialized (
    select application_id, tenant_id from following limit ${tenantsPerStatement}
  ), load as (
    select * from jsonb_to_recordset(${encodeLoads(loads)}::jsonb)
      as l(application_id text, tenant_id text, in_flight int, room int, last_turn bigint)
  ), tenant as (
    select application_id, tenant_id, coalesce(in_flight, 0) as in_flight, coalesce(last_turn, 0) as last_turn,
      coalesce(room, ${limit}) as room
    from (select * from oldest union select * from visited) as candidate
      left join load using (application_id, tenant_id)
    where room is null or room > 0
  ), dealt as materialized (
    select tenant.application_id, tenant.tenant_id, next.id, next.due_at, in_flight + next.nth as turn,
      last_turn
    from tenant, lateral (
      select id, due_at, row_number() over (order by due_at) as nth from connections as c
      where c.application_id = tenant.application_id and c.tenant_id = tenant.tenant_id and c.due_at <= now()
      order by due_at limit least(${limit * rowsPerSlot}, room)
    ) as next
  ), waiting as (
    select count(distinct (application_id, tenant_id)) = 1 and (
      (select count(*) from oldest) < ${oldestConsidered}
        or (${isFirst(after)} and (select count(*) from visited) < ${tenantsPerStatement})
    ) as is_alone
    from dealt
  ), chosen as materialized (
    select id, row_number() over (order by turn, last_turn, due_at) as place from dealt
    where turn <= ${perTenant} or (select is_alone from waiting)
    order by place limit ${limit * rowsPerSlot}
  ), due as (
    select c.id, c.taken_version is not distinct from c.version as has_stopped
    from chosen join connections as c on c.id = chosen.id
    where c.due_at <= now()
    order by place limit ${limit} for update of c skip locked
  ), ${buildTakeRowsSql(sql, processId, retrySeconds)}
  select taken.*, "lastVisited"
  from (
      select (
        select json_build_object('applicationId', application_id, 'tenantId', tenant_id)
        from visited where (select count(*) from visited) = ${tenantsPerStatement}
        order by application_id desc, tenant_id desc limit 1
      ) as "lastVisited"
    ) as result
    left join taken on true`

const isFirst = ({ applicationId, tenantId }: TenantCursor): boolean => applicationId === "" && tenantId === ""

/** How many of the phases that have been due longest show which tenants wait; if fewer are due, they show all. */
const oldestConsidered = 200

/** How many tenants of the list of all are visited by one statement. */
const tenantsPerStatement = 200

/** More rows are chosen than taken, because another process may be taking the first ones. */
const rowsPerSlot = 2

const encodeLoads = (loads: ReadonlyArray<TenantLoad>): string =>
  JSON.stringify(
    loads.map(({ inFlight, lastTurn, room, tenancy }) => ({
      application_id: tenancy.applicationId,
      tenant_id: tenancy.tenantId,
      in_flight: inFlight,
      room,
      last_turn: lastTurn
    }))
  )

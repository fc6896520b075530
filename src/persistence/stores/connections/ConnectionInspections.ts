import { SqlClient } from "@effect/sql"
import { Array, Context, type DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { ApplicationId, TenantId } from "../../../domain/access/Tenancy.ts"
import { ConnectionId, ConnectionState, FailureCode, finalStates } from "../../../domain/connection/Connection.ts"
import type {
  ConnectionDelivery,
  ConnectionOverview,
  ConnectionSummary,
  ProviderCall
} from "../../../domain/connection/ConnectionInspection.ts"
import type { ConnectionRecord } from "../../../domain/connection/ConnectionRecord.ts"
import { Phase } from "../../../domain/connection/Transition.ts"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import { PauseReason, WebhookEndpointId } from "../../../domain/webhook/WebhookEndpoint.ts"
import { hostOfChange } from "../../../domain/plan/Plan.ts"
import { RunChange } from "../../../domain/plan/RunChange.ts"
import type { ListOrder, PageRequest } from "../../../domain/values/PageRequest.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { backlogColumns, decodeRows } from "../decodeRows.ts"
import { JournalStatus } from "../phases/JournalStore.ts"
import { selectPage } from "../selectPage.ts"
import { deliveryColumns, DeliveryRow, toDelivery } from "../webhooks/deliveryRows.ts"
import { notEndedCondition } from "../usage/UsageStore.ts"
import { toReversedName } from "./reversedNames.ts"
import { decodeConnectionRecords } from "./StoredConnection.ts"

export interface InspectionFilter {
  readonly id?: ConnectionId
  /** The states, one of which it has. */
  readonly states?: ReadonlyArray<ConnectionState>
  readonly failure?: FailureCode
  /** Without those that failed with one of these. */
  readonly exceptFailed?: ReadonlyArray<FailureCode>
  readonly providerId?: string
  readonly applicationId?: ApplicationId
  readonly tenantId?: TenantId
  /** The domain, or one below it. */
  readonly domain?: DomainName
  /**
   * Its phase has been due for as long, and no process works on it; or it has had work for as long that is tried again and
   * again. The longest come first, on one page.
   */
  readonly overdueSeconds?: number
}

/** A connection of any tenant with what only operators see of it. */
export interface InspectedConnection extends ConnectionRecord {
  readonly summary: ConnectionSummary
  readonly doc: string
  readonly credentialUntil: Option.Option<DateTime.Utc>
}

/** Reads connections of all tenants, for operators. */
export class ConnectionInspections extends Context.Tag("persistence/ConnectionInspections")<
  ConnectionInspections,
  {
    /** The newest connections first, unless the filter says otherwise. */
    readonly list: (
      filter: InspectionFilter,
      page: PageRequest
    ) => Effect.Effect<ReadonlyArray<ConnectionSummary>, StoreUnavailable>
    readonly find: (id: ConnectionId) => Effect.Effect<Option.Option<InspectedConnection>, StoreUnavailable>
    readonly readOverview: Effect.Effect<ConnectionOverview, StoreUnavailable>
    /** The latest changes that were sent to a provider, the newest first. */
    readonly listProviderCalls: (
      id: ConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ProviderCall>, StoreUnavailable>
    /** The latest webhook events of a connection with their deliveries, the newest first. */
    readonly listDeliveries: (
      id: ConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConnectionDelivery>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ConnectionInspections,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      list: Effect.fnUntraced(function* (filter, { limit, order = "desc", ...window }) {
        const { where } = selectPage(sql, { ...window, order })
        const conditions = sql.and([where, ...conditionsOf(sql, filter)])
        // Without `offset 0` the planner may read all connections in the order of the page.
        const source = isFoundFirst(filter)
          ? sql`(select * from connections where ${conditions} offset 0) as found`
          : sql`connections where ${conditions}`
        const rows = yield* sql`
          select ${sql.literal(summaryColumns)} from ${source}
          order by ${sql.literal(orderOf(filter, order))} limit ${limit}`
        return (yield* decodeSummaries(rows)).map(toSummary)
      }, mapSqlErrors),
      find: Effect.fnUntraced(function* (id) {
        const rows = yield* sql`
          select ${sql.literal(summaryColumns)}, doc, doc as connection, progress,
            (select expires_at from credentials where connection_id = connections.id) as "credentialUntil"
          from connections where id = ${id}`
        return Option.map(Array.head(yield* decodeInspected(rows)), ({ credentialUntil, ...row }) => ({
          ...Struct.pick(row, "connection", "progress", "doc"),
          summary: toSummary(row),
          credentialUntil: Option.fromNullable(credentialUntil)
        }))
      }, mapSqlErrors),
      readOverview: Effect.gen(function* () {
        const [states, failures, phases, webhooks, endpoints] = yield* Effect.all([
          sql`select state, count(*)::int from connections where ${sql.literal(notEndedCondition)}
            group by state order by state`.pipe(Effect.flatMap(decodeStates)),
          sql`select provider_id as "providerId", failure, count(*)::int from connections
            where failure is not null and updated_at > now() - interval '1 day' group by 1, 2 order by 3 desc, 1, 2 limit ${maxGroups}`.pipe(
            Effect.flatMap(decodeFailures)
          ),
          sql`select ${sql.literal(backlogSql)} from (
              select due_at from connections where due_at <= now() order by due_at limit 10000
            ) as due`.pipe(Effect.flatMap(decodeBacklogs)),
          sql`select ${sql.literal(backlogSql)} from (
              select d.due_at from webhook_deliveries as d join webhook_endpoints as e on e.id = d.endpoint_id
              where d.status = 'pending' and d.due_at <= now() and e.pause_reason is null limit 10000
            ) as due`.pipe(Effect.flatMap(decodeBacklogs)),
          sql`select id, application_id as "applicationId", pause_reason as "pauseReason",
              failing_since as "failingSince"
            from webhook_endpoints where pause_reason is not null or failing_since is not null
            order by id limit ${maxGroups}`.pipe(Effect.flatMap(decodeEndpoints))
        ])
        return {
          states,
          failures: failures.map(({ providerId, ...row }) => ({
            ...row,
            ...(providerId === null ? {} : { providerId })
          })),
          phases: phases[0] ?? noBacklog,
          webhooks: webhooks[0] ?? noBacklog,
          failingEndpoints: endpoints.map(({ failingSince, pauseReason, ...row }) => ({
            ...row,
            ...(pauseReason === null ? {} : { pauseReason }),
            ...(failingSince === null ? {} : { failingSince })
          }))
        }
      }).pipe(mapSqlErrors),
      listProviderCalls: Effect.fnUntraced(function* (id, limit) {
        const rows = yield* sql`
          select run, step, provider_id as "providerId", change, status, planned_at as "plannedAt",
            settled_at as "settledAt"
          from journal where connection_id = ${id} order by position desc limit ${limit}`
        return (yield* decodeCalls(rows)).map(toCall)
      }, mapSqlErrors),
      listDeliveries: Effect.fnUntraced(function* (id, limit) {
        const rows = yield* sql`
          select d.endpoint_id as "endpointId", ${sql.literal(deliveryColumns)}
          from webhook_events as e join webhook_deliveries as d on d.event_id = e.id
          where e.connection_id = ${id} order by e.id desc limit ${limit}`
        return (yield* decodeConnectionDeliveries(rows)).map(({ endpointId, ...row }) => ({
          endpointId,
          ...toDelivery(row)
        }))
      }, mapSqlErrors)
    }))
  )
}

/** How many groups of failures and endpoints an overview has. */
const maxGroups = 100

const noBacklog = { waiting: 0, oldestSeconds: 0 }

const backlogSql = `count(*)::int as waiting,
  coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestSeconds"`

const decodeBacklogs = decodeRows(Schema.Struct(backlogColumns))

const decodeStates = decodeRows(Schema.Struct({ state: ConnectionState, count: Schema.Int }))

const decodeFailures = decodeRows(
  Schema.Struct({ providerId: Schema.NullOr(Schema.String), failure: FailureCode, count: Schema.Int })
)

const decodeEndpoints = decodeRows(
  Schema.Struct({
    id: WebhookEndpointId,
    applicationId: ApplicationId,
    pauseReason: Schema.NullOr(PauseReason),
    failingSince: Schema.NullOr(Schema.DateTimeUtcFromDate)
  })
)

const conditionsOf = (
  sql: SqlClient.SqlClient,
  { applicationId, domain, exceptFailed, failure, id, overdueSeconds, providerId, states, tenantId }: InspectionFilter
) => [
  ...(id === undefined ? [] : [sql`id = ${id}`]),
  ...(states === undefined ? [] : [sql`state = any(${states})`]),
  // The planner takes the index of unusual states only where the statement names its condition.
  ...(states !== undefined && areUnusual(states)
    ? [sql.literal("state not in ('active', 'expired', 'canceled', 'disconnected')")]
    : []),
  ...(failure === undefined ? [] : [sql`failure = ${failure}`]),
  ...(exceptFailed === undefined
    ? []
    : [sql`(state <> 'failed' or failure is null or failure <> all(${exceptFailed}))`]),
  ...(providerId === undefined ? [] : [sql`provider_id = ${providerId}`]),
  ...(applicationId === undefined ? [] : [sql`application_id = ${applicationId}`]),
  ...(tenantId === undefined ? [] : [sql`tenant_id = ${tenantId}`]),
  ...(domain === undefined ? [] : [atOrBelow(sql, toReversedName(domain))]),
  ...(overdueSeconds === undefined
    ? []
    : [
        sql`id in (
          select id from connections
            where due_at <= now() - ${overdueSeconds}::float8 * interval '1 second' and due_at is not null
          union all
          select id from connections
            where ${sql.literal(isAtWork)} and updated_at <= now() - ${overdueSeconds}::float8 * interval '1 second'
              and due_at <= now() + interval '2 minutes')`
      ])
]

/** The states in which nothing but the service has to act. A provider that asks for a pause makes the phase due later. */
const isAtWork = `state in ('requested', 'authorized', 'applying')
  and state not in ('active', 'expired', 'canceled', 'disconnected')`

/** Whether so few connections fit that they are found before they are sorted. */
const isFoundFirst = ({ domain, failure, overdueSeconds, providerId, states }: InspectionFilter): boolean =>
  overdueSeconds === undefined &&
  (domain !== undefined ||
    (failure === undefined &&
      providerId === undefined &&
      states !== undefined &&
      states.length > 1 &&
      areUnusual(states)))

/** Whether the index of states has all of these. */
const areUnusual = (states: ReadonlyArray<ConnectionState>): boolean =>
  !states.some((state) => state === "active" || finalStates.includes(state))

/** The order of a list, with the columns before it that are the same in all of its rows: so that their index is taken. */
const orderOf = (
  { applicationId, failure, overdueSeconds, providerId, states = [], tenantId }: InspectionFilter,
  order: ListOrder
): string => {
  if (overdueSeconds !== undefined) return `case when ${isAtWork} then least(due_at, updated_at) else due_at end`
  const same =
    failure !== undefined
      ? ["failure"]
      : providerId !== undefined
        ? ["provider_id"]
        : states.length === 1 && areUnusual(states)
          ? ["state"]
          : applicationId !== undefined && tenantId !== undefined
            ? ["application_id", "tenant_id"]
            : []
  return [...same, "id"].map((column) => `${column} ${order}`).join(", ")
}

/** In the order of bytes, `/` follows `.`, and no name holds it. */
const atOrBelow = (sql: SqlClient.SqlClient, reversed: string) =>
  sql`(reverse(domain) = ${reversed}
    or (reverse(domain) ~>=~ ${`${reversed}.`} and reverse(domain) ~<~ ${`${reversed}/`}))`

const summaryColumns = `id, application_id as "applicationId", tenant_id as "tenantId", domain, state,
  provider_id as "providerId", failure, phase, attempt, due_at as "dueAt", taken_by as "takenBy",
  coalesce(greatest(0, floor(extract(epoch from now() - due_at))), 0)::int as "overdueSeconds",
  updated_at as "updatedAt"`

const summaryFields = {
  id: ConnectionId,
  applicationId: ApplicationId,
  tenantId: TenantId,
  domain: Schema.String,
  state: ConnectionState,
  providerId: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(FailureCode),
  phase: Schema.NullOr(Phase),
  attempt: Schema.Int,
  dueAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  takenBy: Schema.NullOr(Schema.String),
  overdueSeconds: Schema.Int,
  updatedAt: Schema.DateTimeUtcFromDate
}

const SummaryRow = Schema.Struct(summaryFields)

const toSummary = (row: typeof SummaryRow.Type): ConnectionSummary => ({
  ...Struct.pick(row, "id", "applicationId", "tenantId", "domain", "state", "attempt", "overdueSeconds", "updatedAt"),
  ...(row.providerId === null ? {} : { providerId: row.providerId }),
  ...(row.failure === null ? {} : { failure: row.failure }),
  ...(row.phase === null ? {} : { phase: row.phase }),
  ...(row.dueAt === null ? {} : { dueAt: row.dueAt }),
  ...(row.takenBy === null ? {} : { takenBy: row.takenBy })
})

const decodeSummaries = decodeRows(SummaryRow)

const decodeInspected = decodeConnectionRecords(
  Schema.Struct({ ...summaryFields, doc: Schema.String, credentialUntil: Schema.NullOr(Schema.DateTimeUtcFromDate) })
)

const CallRow = Schema.Struct({
  run: Schema.String,
  step: Schema.Int,
  providerId: Schema.String,
  change: Schema.parseJson(RunChange),
  status: JournalStatus,
  plannedAt: Schema.DateTimeUtcFromDate,
  settledAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

const decodeCalls = decodeRows(CallRow)

const toCall = ({ change, settledAt, ...call }: typeof CallRow.Type): ProviderCall => ({
  ...call,
  action: change.action,
  host: hostOfChange(change),
  type: (change.after ?? change.before)?.type ?? "",
  ...(settledAt === null ? {} : { settledAt })
})

const decodeConnectionDeliveries = decodeRows(Schema.Struct({ endpointId: Schema.String, ...DeliveryRow.fields }))

import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { ConnectionId, finalStates } from "../../../domain/connection/Connection.ts"
import type { HostHolding } from "../../../domain/connection/Control.ts"
import type { DomainName } from "../../../domain/names/DomainName.ts"
import type { NameSet } from "../../../domain/names/NameSet.ts"
import { ApplicationId, type Tenancy, TenantId } from "../../../domain/access/Tenancy.ts"
import { TakeoverRight } from "../../../domain/connection/TakeoverRight.ts"
import { mapSqlErrors, type StoreUnavailable } from "../../StoreUnavailable.ts"
import { decodeRows } from "../decodeRows.ts"
import { hostDigest, toRememberedNames } from "./requestedHosts.ts"
import { nameRangesSql, toReversedName } from "./reversedNames.ts"
import { anyOf } from "../anyOf.ts"

/** A claim of names for the tenant of a connection. */
interface HostClaim {
  readonly tenancy: Tenancy
  readonly connectionId: ConnectionId
  /** Whether the connection had lost hosts when it was read; one that has lost them since gets nothing. */
  readonly hadLostHosts: boolean
  readonly names: ReadonlyArray<DomainName>
  /** From whom the claim takes names; `Nothing`: only those that no live connection holds or has proven. */
  readonly right: TakeoverRight
}

/** A live connection of another tenant of the same application. */
const CompetingConnection = Schema.Struct({
  connectionId: ConnectionId,
  applicationId: ApplicationId,
  tenantId: TenantId
})
export type CompetingConnection = typeof CompetingConnection.Type

/** Which tenant holds each name: one at a time, so that no two are active on a host (see `prepareWriteTransitions`). */
export class HostHolderStore extends Context.Tag("persistence/HostHolderStore")<
  HostHolderStore,
  {
    /** Claims all names or none: not against a proof beyond its right, nor if hosts were lost since the read. */
    readonly claim: (claim: HostClaim) => Effect.Effect<boolean, StoreUnavailable>
    readonly isHolder: (tenancy: Tenancy, names: ReadonlyArray<DomainName>) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Whether another tenant has ever asked for one of these names since the creation of a connection, holding it or not. A
     * request for a wildcard asks for every name below it.
     */
    readonly isRequestedByAnother: (
      tenancy: Tenancy,
      names: ReadonlyArray<DomainName>
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** The connections of other tenants of the application that hold names, the oldest hundred of them. */
    readonly listHolders: (
      tenancy: Tenancy,
      scope: NameSet
    ) => Effect.Effect<ReadonlyArray<ConnectionId>, StoreUnavailable>
    /** Every connection of other tenants of the application that has a plan, has not ended and concerns these names. */
    readonly listCompetingConnections: (
      tenancy: Tenancy,
      names: ReadonlyArray<DomainName>
    ) => Effect.Effect<ReadonlyArray<CompetingConnection>, StoreUnavailable>
    /** Who holds names of the scope; another tenant counts more than the own one. */
    readonly findHolding: (tenancy: Tenancy, scope: NameSet) => Effect.Effect<HostHolding, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    HostHolderStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** Whether the connection `c` serves a name: the intent that counts has it. The name is an expression. */
      const serves = (reversedName: string) => sql`exists (
        select from jsonb_array_elements(c.doc::jsonb #> '{effectiveIntent,records}') as record, lateral (
          select record ->> 'host' as host
        ) as hosts
        where reverse(case host when '@' then '' else host || '.' end || c.domain) = ${sql.literal(reversedName)}
      )`

      /** Whether connection `c` desires the name of holder `h` for its tenant, or serves it during a change. */
      const holds = sql`c.application_id = h.application_id and c.tenant_id = h.tenant_id
        and (c.state in ('active', 'degraded') or (c.id = h.connection_id and c.state <> all(${finalStates}))
          or c.doc::jsonb -> 'allowedNames' ? reverse(h.reversed_name)
          or (c.progress::jsonb #>> '{intentChange,returnsTo}' in ('active', 'degraded') and ${serves("h.reversed_name")}))`

      /** Whether the holder `h` of a name has a live connection that holds it. */
      const isLive = sql`exists (
        select from connection_hosts as ch join connections as c on c.id = ch.connection_id
        where ch.reversed_name = h.reversed_name and ${holds}
      )`

      const liveHolders = ({ applicationId }: Tenancy, scope: NameSet) => sql`
        ${nameRangesSql(sql, scope)}, lateral (
          select * from host_holders as h
          where h.application_id = ${applicationId} and h.reversed_name between low and high and ${isLive} offset 0
        ) as h`

      /** Whether the connection `c` has a proof of control that a claim with this right does not reach. */
      const hasNewerProof = TakeoverRight.$match({
        Nothing:
          () => sql`case when c.progress::jsonb ? 'control' then c.progress::jsonb #>> '{control,provenBy}' is not null
          else (c.progress::jsonb -> 'proven')::boolean end`,
        OlderProofs: ({ provenAt }) =>
          Option.match(provenAt, {
            onNone: () => sql`c.progress::jsonb #>> '{control,provenAt}' is not null`,
            onSome: (at) => sql`(c.progress::jsonb #>> '{control,provenAt}')::timestamptz > ${DateTime.toDateUtc(at)}`
          }),
        Everything: () => sql`false`
      })

      return {
        claim: Effect.fnUntraced(function* ({ connectionId, hadLostHosts, names, right, tenancy }) {
          const reversed = Array.dedupe(names.map(toReversedName))
          const { applicationId, tenantId } = tenancy
          const canTakeOver = right._tag !== "Nothing"
          // In the order of the names, and before the connection, so that no two writes wait for each other. The connection
          // is locked, so that its loss is seen even where this statement has waited for the write that brought it.
          const claimed = yield* sql`
            with requests as (
              select name from unnest(${reversed}::text[]) as name order by name collate "C"
            ), held as (
              select from host_holders as h join requests on h.reversed_name = name
              where h.application_id = ${applicationId} order by name collate "C" for update of h
            ), claimer as (
              select from connections
              where id = ${connectionId} and (select count(*) from held) >= 0
                and (${hadLostHosts} or (progress::jsonb #>> '{control,isLost}')::boolean is not true)
              for share
            ), blocked as (
              select from host_holders as h join requests on h.reversed_name = name
              where h.application_id = ${applicationId} and h.tenant_id <> ${tenantId}
                and not ${canTakeOver} and ${isLive}
              union all
              select from requests join connection_hosts as ch on ch.reversed_name = name
                join connections as c on c.id = ch.connection_id
              where c.application_id = ${applicationId} and c.tenant_id <> ${tenantId}
                and c.state <> all(${[...finalStates, "requested"]}) and c.doc::jsonb ->> 'direction' is distinct from 'restore'
                and ${hasNewerProof(right)} and ${serves("ch.reversed_name")}
            )
            insert into host_holders as h (application_id, reversed_name, tenant_id, connection_id)
            select ${applicationId}, name, ${tenantId}, ${connectionId} from requests
            where exists (select from claimer) and not exists (select from blocked)
            on conflict (application_id, reversed_name) do update
              set tenant_id = excluded.tenant_id, connection_id = excluded.connection_id
              where ${canTakeOver} or h.tenant_id = excluded.tenant_id or not ${isLive}
            returning 1 as claimed`
          return claimed.length === reversed.length
        }, mapSqlErrors),
        isHolder: Effect.fnUntraced(function* ({ applicationId, tenantId }, names) {
          const reversed = Array.dedupe(names.map(toReversedName))
          const held = yield* sql`
            select 1 as held from host_holders
            where application_id = ${applicationId} and reversed_name = ${anyOf(sql, reversed)} and tenant_id = ${tenantId}`
          return held.length === reversed.length
        }, mapSqlErrors),
        isRequestedByAnother: Effect.fnUntraced(function* ({ applicationId, tenantId }, names) {
          const { at, below } = toRememberedNames(names)
          const remembered = [...at.map(toReversedName), ...below.map((name) => `${toReversedName(name)}.`)]
          const requests = yield* sql`
            select 1 as found from requested_hosts
            where application_id = ${applicationId} and tenant_id <> ${tenantId} and host_digest = any(array(
              select ${sql.literal(hostDigest("remembered"))} from (select ${applicationId}::text as application_id) as own,
                unnest(${remembered}::text[]) as remembered
            )) limit 1`
          return requests.length > 0
        }, mapSqlErrors),
        listHolders: Effect.fnUntraced(function* (tenancy, scope) {
          const rows = yield* sql`
            select distinct c.id from ${liveHolders(tenancy, scope)},
              lateral (select * from connection_hosts where reversed_name = h.reversed_name offset 0) as ch,
              lateral (select * from connections where id = ch.connection_id offset 0) as c
            where h.tenant_id <> ${tenancy.tenantId} and ${holds}
            order by c.id limit 100`
          return (yield* decodeIds(rows)).map(({ id }) => id)
        }, mapSqlErrors),
        listCompetingConnections: Effect.fnUntraced(function* ({ applicationId, tenantId }, names) {
          const rows = yield* sql`
            select distinct c.id as "connectionId", application_id as "applicationId", tenant_id as "tenantId"
            from connection_hosts join connections as c on c.id = connection_id
            where reversed_name = ${anyOf(sql, Array.dedupe(names.map(toReversedName)))}
              and application_id = ${applicationId} and tenant_id <> ${tenantId} and state <> all(${[...finalStates, "requested"]})
            order by c.id`
          return yield* decodeCompeting(rows)
        }, mapSqlErrors),
        findHolding: Effect.fnUntraced(function* (tenancy, scope) {
          const rows = yield* sql`
            select distinct h.tenant_id = ${tenancy.tenantId} as "isOwn" from ${liveHolders(tenancy, scope)}`
          const found = yield* decodeHoldings(rows)
          if (found.some(({ isOwn }) => !isOwn)) return "another_tenant"
          return found.length === 0 ? "nobody" : "this_tenant"
        }, mapSqlErrors)
      }
    })
  )
}

const decodeIds = decodeRows(Schema.Struct({ id: ConnectionId }))

const decodeCompeting = decodeRows(CompetingConnection)

const decodeHoldings = decodeRows(Schema.Struct({ isOwn: Schema.Boolean }))

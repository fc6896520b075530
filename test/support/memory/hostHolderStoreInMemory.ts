import { Effect, Layer } from "effect"
import { finalStates } from "../../../src/domain/connection/Connection.ts"
import { desiredNamesOf, servedNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import type { NameSet } from "../../../src/domain/names/NameSet.ts"
import { isProofOlder, type TakeoverRight } from "../../../src/domain/connection/TakeoverRight.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { hasProvenControl } from "../../../src/lifecycle/state/provenHosts.ts"
import { HostHolderStore } from "../../../src/persistence/stores/connections/HostHolderStore.ts"
import { toRememberedNames } from "../../../src/persistence/stores/connections/requestedHosts.ts"
import { type ConnectionRow, type HostHolderRow, hostKeyOf, isSameTenancy, Tables } from "./Tables.ts"
import { connectionRecordOf } from "./connectionStoreInMemory.ts"
import { isNameIn } from "./isNameIn.ts"

/** Keeps the holders of names in a map, with the same guarantees as the table of PostgreSQL. */
export const hostHolderStoreInMemory = Layer.effect(
  HostHolderStore,
  Effect.map(Tables, ({ connections, hostHolders, requestedHosts }) => {
    const isLive = (holder: HostHolderRow) => [...connections.values()].some((row) => holds(holder, row))

    const liveHolders = ({ applicationId }: Tenancy, scope: NameSet) =>
      [...hostHolders.values()].filter(
        (holder) => holder.tenancy.applicationId === applicationId && isNameIn(holder.name, scope) && isLive(holder)
      )

    const isOwnName = (tenancy: Tenancy, name: string) => {
      const holder = hostHolders.get(hostKeyOf(tenancy, name))
      return holder !== undefined && isSameTenancy(holder.tenancy, tenancy)
    }

    const isFree = (tenancy: Tenancy, name: string) => {
      const holder = hostHolders.get(hostKeyOf(tenancy, name))
      return holder === undefined || isSameTenancy(holder.tenancy, tenancy) || !isLive(holder)
    }

    const listCompeting = ({ applicationId, tenantId }: Tenancy, isConcerned: (name: string) => boolean) =>
      [...connections.values()]
        .filter(({ tenancy }) => tenancy.applicationId === applicationId && tenancy.tenantId !== tenantId)
        .filter(({ state }) => state !== "requested" && !finalStates.includes(state))
        .filter((row) => concerns(row, isConcerned))

    return {
      claim: ({ connectionId, hadLostHosts, names, right, tenancy }) =>
        Effect.sync(() => {
          const claimer = connections.get(connectionId)
          if (claimer === undefined || (hasLostHosts(claimer) && !hadLostHosts)) return false
          if (right._tag === "Nothing" && !names.every((name) => isFree(tenancy, name))) return false
          if (
            listCompeting(tenancy, (name) => names.some((one) => one === name)).some((row) =>
              hasNewerProof(row, names, right)
            )
          )
            return false
          for (const name of names) hostHolders.set(hostKeyOf(tenancy, name), { name, tenancy, connectionId })
          return true
        }),
      isHolder: (tenancy, names) => Effect.sync(() => names.every((name) => isOwnName(tenancy, name))),
      isRequestedByAnother: (tenancy, names) =>
        Effect.sync(() => {
          const scope = toRememberedNames(names)
          return requestedHosts
            .values()
            .some(
              (requested) =>
                requested.tenancy.applicationId === tenancy.applicationId &&
                !isSameTenancy(requested.tenancy, tenancy) &&
                isNameIn(requested.name, scope)
            )
        }),
      listHolders: (tenancy, scope) =>
        Effect.sync(() => {
          const others = liveHolders(tenancy, scope).filter((holder) => !isSameTenancy(holder.tenancy, tenancy))
          return [...connections.values()]
            .filter((row) => others.some((holder) => holds(holder, row)))
            .map(({ id }) => id)
            .toSorted()
            .slice(0, 100)
        }),
      listCompetingConnections: (tenancy, names) =>
        Effect.sync(() =>
          listCompeting(tenancy, (name) => names.some((one) => one === name))
            .map(({ id, tenancy }) => ({ connectionId: id, ...tenancy }))
            .toSorted((one, other) => (one.connectionId < other.connectionId ? -1 : 1))
        ),
      findHolding: (tenancy, scope) =>
        Effect.sync(() => {
          const holders = liveHolders(tenancy, scope)
          if (holders.some((holder) => !isSameTenancy(holder.tenancy, tenancy))) return "another_tenant"
          return holders.length === 0 ? "nobody" : "this_tenant"
        })
    }
  })
)

/** Whether a connection has a proof for one of these names that a claim with this right does not reach. */
const hasNewerProof = (row: ConnectionRow, names: ReadonlyArray<string>, right: TakeoverRight): boolean => {
  const { connection, progress } = connectionRecordOf(row)
  return (
    connection.direction !== "restore" &&
    hasProvenControl(progress) &&
    !isProofOlder(right, progress.control?.provenAt) &&
    servedNamesOf(connection).some((name) => names.includes(name))
  )
}

const hasLostHosts = (row: ConnectionRow): boolean => connectionRecordOf(row).progress.control?.isLost === true

const concerns = (row: ConnectionRow, isConcerned: (name: string) => boolean): boolean =>
  desiredNamesOf(connectionRecordOf(row).connection).some(isConcerned)

const holds = (holder: HostHolderRow, row: ConnectionRow): boolean => {
  const { connection, progress } = connectionRecordOf(row)
  const isServing = [row.state, progress.intentChange?.returnsTo].some(
    (state) => state === "active" || state === "degraded"
  )
  return (
    isSameTenancy(row.tenancy, holder.tenancy) &&
    concerns(row, (name) => name === holder.name) &&
    ((row.id === holder.connectionId && !finalStates.includes(row.state)) ||
      connection.allowedNames?.includes(holder.name) === true ||
      (isServing && servedNamesOf(connection).some((name) => name === holder.name)))
  )
}

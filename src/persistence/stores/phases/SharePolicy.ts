import type { Tenancy } from "../../../domain/access/Tenancy.ts"

export interface TenantLoad {
  readonly tenancy: Tenancy
  readonly inFlight: number
  /** How many more of its phases may be taken at most. */
  readonly room: number
  /** Grows with each turn of any tenant: of two with the same number in flight, the one whose last turn is older comes first. */
  readonly lastTurn: number
}

export interface SharePolicy {
  /** How many phases a tenant may have under way, together with those it has, while phases of another one are due. */
  readonly perTenant: number
  /** The tenants that have anything under way or had a turn lately. */
  readonly loads: ReadonlyArray<TenantLoad>
}

/** No tenant has anything under way, and none is limited. */
export const unlimitedShare: SharePolicy = { perTenant: 1_000_000, loads: [] }

/** The number of phases that every tenant may still start. */
export const computeTenantCapacity = ({ loads, perTenant }: SharePolicy): number =>
  loads.reduce((least, { inFlight, room }) => Math.min(least, room, perTenant - inFlight), perTenant)

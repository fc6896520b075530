import type { ConnectionId } from "../../domain/Connection.ts"
import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"

/** Whose rate and whose turn a request counts for. */
export interface RequestSource {
  /** Credentials that are invalid, or not verified yet, are `unknown`. */
  readonly kind: "server" | "browser" | "unknown"
  /** By `toTenantKey`; that of unknown credentials is empty. */
  readonly tenant: string
  /** The connection of a browser's token, the address turn (`addressTurnOf`) of an unknown credential, and nothing for servers. */
  readonly client: string
}

/** A source whose tenant is known. */
export type KnownSource = RequestSource & { readonly kind: "server" | "browser" }

/** The servers of a tenant. */
export const serverSource = (tenancy: Tenancy): KnownSource => ({
  kind: "server",
  tenant: toTenantKey(tenancy),
  client: ""
})

/** The browsers with tokens of a connection. */
export const browserSource = (tenancy: Tenancy, id: ConnectionId): KnownSource => ({
  kind: "browser",
  tenant: toTenantKey(tenancy),
  client: id
})

/** The clients of an address with credentials that are not known. */
export const unknownSource = (addressTurn: string): RequestSource => ({
  kind: "unknown",
  tenant: "",
  client: addressTurn
})

export const isSameSource = (one: RequestSource, other: RequestSource): boolean =>
  one.kind === other.kind && one.tenant === other.tenant && one.client === other.client

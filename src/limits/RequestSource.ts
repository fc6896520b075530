import { Array, Context, Option } from "effect"
import type { ConnectionId } from "../domain/connection/Connection.ts"
import { isInNetworks, type Network, toCustomerNetwork, unmapAddress } from "../domain/names/IpAddress.ts"
import type { AdminKeyId } from "../domain/access/AdminKey.ts"
import { type ApplicationId, type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"

/** On whose behalf work is done: `applicationId/tenantId`, or empty for the service itself. Requesters take turns. */
export class Requester extends Context.Reference<Requester>()("limits/Requester", { defaultValue: () => "" }) {}

/** Whose rate and whose turn a request counts for. */
export interface RequestSource {
  /** Credentials that are invalid, or not verified yet, are `unknown`. */
  readonly kind: "server" | "browser" | "unknown"
  /** The tenant as `toTenantKey` formats it; empty for unknown credentials. */
  readonly tenant: string
  /** The connection of a browser's token, the address (`clientNetworkOf`) of an unknown credential, and nothing for servers. */
  readonly client: string
}

export type KnownSource = RequestSource & { readonly kind: "server" | "browser" }

export const serverSource = (tenancy: Tenancy): KnownSource => ({
  kind: "server",
  tenant: toTenantKey(tenancy),
  client: ""
})

export const browserSource = (tenancy: Tenancy, id: ConnectionId): KnownSource => ({
  kind: "browser",
  tenant: toTenantKey(tenancy),
  client: id
})

/** The browsers of a customer who types a domain, with the token of this id. */
export const entrySource = (tenancy: Tenancy, tokenId: string): KnownSource => ({
  kind: "browser",
  tenant: toTenantKey(tenancy),
  client: tokenId
})

/** An administrator with this key; no tenant has such a name. */
export const adminSource = (id: AdminKeyId): KnownSource => ({ kind: "server", tenant: `admin ${id}`, client: "" })

/** The web servers that ask for hosts of an application; no tenant has such a name. */
export const askSource = (id: ApplicationId): KnownSource => ({ kind: "server", tenant: `ask ${id}`, client: "" })

/** The clients of an address with credentials that are not known. */
export const unknownSource = (clientNetwork: string): RequestSource => ({
  kind: "unknown",
  tenant: "",
  client: clientNetwork
})

export const isSameSource = (one: RequestSource, other: RequestSource): boolean =>
  one.kind === other.kind && one.tenant === other.tenant && one.client === other.client

/**
 * The address of the client of a request: that of its connection or, if that is a trusted proxy's, the last one in
 * `X-Forwarded-For` that is not. An entry that is no address ends the search: what stands before it may be forged.
 */
export const findClientAddress = (
  peer: Option.Option<string>,
  forwardedFor: string,
  trustedProxies: ReadonlyArray<Network>
): Option.Option<string> =>
  Option.map(Option.flatMap(peer, unmapAddress), (address) => {
    let client = address
    for (const hop of Array.reverse(forwardedFor.split(","))) {
      if (!isInNetworks(client, trustedProxies)) return client
      const next = Option.flatMap(parseHop(hop), unmapAddress)
      if (Option.isNone(next)) return client
      client = next.value
    }
    return client
  })

/** The key of all limits by client address: an IPv4 address, or the /64 network of an IPv6 address. */
export const clientNetworkOf = (address: Option.Option<string>): string =>
  Option.getOrElse(Option.flatMap(address, toCustomerNetwork), () => "unknown")

/** An entry of `X-Forwarded-For`, which some proxies write with a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const parseHop = (text: string): Option.Option<string> =>
  Option.fromNullable(
    /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim())?.[1] ??
      /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text.trim())?.[1] ??
      text.trim()
  )

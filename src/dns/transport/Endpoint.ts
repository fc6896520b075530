import { Array, Option } from "effect"
import { getServers } from "node:dns"
import { addressFamilyOf, canonicalizeAddress } from "../../domain/names/IpAddress.ts"

/** Where a DNS server listens: an IP address and a port, the same for UDP and TCP. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Port 53 at an address. */
export const makeStandardEndpoint = (address: string): Endpoint => ({ host: address, port: 53 })

/** Reads `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`; the default port is 53. */
export const parseEndpoint = (input: string): Option.Option<Endpoint> => {
  const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(input) ?? []
  const host = bracketed ?? plain ?? input
  const isFamilyAllowed = bracketed === undefined || Option.contains(addressFamilyOf(bracketed), 6)
  return isFamilyAllowed && Number(port) > 0 && Number(port) <= 65_535
    ? Option.map(canonicalizeAddress(host), (address) => ({ host: address, port: Number(port) }))
    : Option.none()
}

/** The address, with the port unless it is 53. */
export const formatEndpoint = ({ host, port }: Endpoint): string =>
  port === makeStandardEndpoint(host).port ? host : `${host}:${port}`

/** The recursive resolvers of the operating system, or one on this machine. */
export const listSystemResolvers = (): Array.NonEmptyReadonlyArray<Endpoint> => {
  const resolvers = Array.filterMap(getServers(), parseEndpoint)
  return Array.isNonEmptyReadonlyArray(resolvers) ? resolvers : [makeStandardEndpoint("127.0.0.1")]
}

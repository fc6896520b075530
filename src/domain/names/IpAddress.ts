import { Option } from "effect"

/** An IPv4 or IPv6 network: the integer of its first address and its prefix length in bits. */
export interface Network {
  readonly family: 4 | 6
  readonly base: bigint
  readonly prefix: number
}

/** Parses CIDR notation, `10.0.0.0/8` or `2001:db8::/32`, or a single address. */
export const parseNetwork = (input: string): Option.Option<Network> => {
  const [address = "", prefixText, ...rest] = input.split("/")
  return Option.flatMap(parseAddress(address), ({ family, value }) => {
    const width = widthOf(family)
    const prefix = prefixText === undefined ? width : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1
    return rest.length > 0 || prefix < 0 || prefix > width
      ? Option.none()
      : Option.some({ family, base: networkAddress(value, width, prefix), prefix })
  })
}

/** Parses as `parseNetwork` does, but mapped IPv4 addresses (RFC 4291 section 2.5.5.2) as an IPv4 network. */
export const parseUnmappedNetwork = (input: string): Option.Option<Network> =>
  Option.map(parseNetwork(input), (network) =>
    network.family === 6 && network.prefix >= 96 && network.base >> 32n === 0xffffn
      ? { family: 4, base: network.base & 0xffff_ffffn, prefix: network.prefix - 96 }
      : network
  )

/** Whether packets may go to this address: global unicast or allowed by the operator, in usual notation. */
export const isOutboundAllowed = (address: string, allowed: ReadonlyArray<Network> = []): boolean =>
  Option.match(parseAddress(address), {
    onNone: () => false,
    onSome: (parsed) =>
      allowed.some((network) => contains(network, parsed)) ||
      (parsed.family === 4
        ? !specialPurpose4.some((network) => contains(network, parsed))
        : contains(globalUnicast6, parsed) && !specialPurpose6.some((network) => contains(network, parsed)))
  })

/** The canonical text of an IPv4 (dotted decimal) or IPv6 (RFC 5952) address; none if the input is no address. */
export const canonicalizeAddress = (input: string): Option.Option<string> => Option.map(parseAddress(input), format)

/** As `canonicalizeAddress`, for one family only. */
export const canonicalizeAddressOfFamily = (family: 4 | 6, input: string): Option.Option<string> =>
  Option.map(
    Option.filter(parseAddress(input), (address) => address.family === family),
    format
  )

/** 4 or 6; none if the input is no address in the usual notation. */
export const addressFamilyOf = (input: string): Option.Option<4 | 6> =>
  Option.map(parseAddress(input), ({ family }) => family)

/** Whether an address is in one of these networks; text that is no address never is. */
export const isInNetworks = (address: string, networks: ReadonlyArray<Network>): boolean =>
  Option.exists(parseAddress(address), (parsed) => networks.some((network) => contains(network, parsed)))

/** The IPv4 address that an IPv6 address embeds (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2); any other, canonical. */
export const unmapAddress = (input: string): Option.Option<string> =>
  Option.map(parseAddress(input), (address) =>
    address.family === 6 && address.value >> 32n === 0xffffn ? format4(address.value & 0xffff_ffffn) : format(address)
  )

/** The /64 network of an IPv6 address, which one customer usually holds; an IPv4 address itself. */
export const toCustomerNetwork = (input: string): Option.Option<string> =>
  Option.map(parseAddress(input), ({ family, value }) =>
    family === 4 ? format4(value) : `${format6(networkAddress(value, widthOf(6), 64))}/64`
  )

/** The canonical text (RFC 5952) of the eight groups of an IPv6 address: the first of the longest runs of zeros is left out. */
export const formatIpv6Groups = (groups: ReadonlyArray<number>): string => {
  let start = 0
  let longest = 1
  let run = 0
  groups.forEach((group, index) => {
    run = group === 0 ? run + 1 : 0
    if (run <= longest) return
    longest = run
    start = index + 1 - run
  })
  const format = (from: number, to?: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":")
  return longest === 1 ? format(0) : `${format(0, start)}::${format(start + longest)}`
}

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

const parseAddress = (input: string): Option.Option<Address> => (input.includes(":") ? parse6(input) : parse4(input))

const parse4 = (input: string): Option.Option<Address> => {
  const octets = input.split(".")
  return octets.length === 4 && octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255)
    ? Option.some({ family: 4, value: BigInt(octets.reduce((value, octet) => value * 256 + Number(octet), 0)) })
    : Option.none()
}

const parse6 = (input: string): Option.Option<Address> => {
  const [head = "", tail, ...rest] = expandEmbedded4(input).split("::")
  if (rest.length > 0) return Option.none()
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return Option.none()
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...after]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? Option.some({ family: 6, value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) })
    : Option.none()
}

const expandEmbedded4 = (input: string): string => {
  const start = input.lastIndexOf(":") + 1
  return Option.match(parse4(input.slice(start)), {
    onNone: () => input,
    onSome: ({ value }) => `${input.slice(0, start)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  })
}

const format = ({ family, value }: Address): string => (family === 4 ? format4(value) : format6(value))

const format4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".")

const format6 = (value: bigint): string =>
  formatIpv6Groups([112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => Number((value >> shift) & 0xffffn)))

const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

const networkAddress = (value: bigint, width: number, prefix: number): bigint => {
  const hostBits = BigInt(width - prefix)
  return (value >> hostBits) << hostBits
}

const contains = (network: Network, address: Address): boolean =>
  network.family === address.family &&
  networkAddress(address.value, widthOf(address.family), network.prefix) === network.base

const parseNetworks = (...inputs: ReadonlyArray<string>): ReadonlyArray<Network> =>
  inputs.flatMap((input) => Option.toArray(parseNetwork(input)))

export const loopbackNetworks = parseNetworks("127.0.0.0/8", "::1")

/** IANA IPv4 Special-Purpose Address Registry, multicast and the former class E. */
const specialPurpose4 = parseNetworks(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
)

const globalUnicast6: Network = { family: 6, base: 0x2000n << 112n, prefix: 3 }

/** The networks in 2000::/3 that the IANA IPv6 Special-Purpose Address Registry reserves. */
const specialPurpose6 = parseNetworks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

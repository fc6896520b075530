import { expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import {
  addressFamilyOf,
  canonicalizeAddress,
  isOutboundAllowed,
  type Network,
  parseNetwork,
  parseUnmappedNetwork
} from "../../../src/domain/names/IpAddress.ts"

test("special-purpose addresses are not reachable", () => {
  const special = `
    127.0.0.1 127.254.254.254 0.0.0.0 0.1.2.3 10.254.0.0 172.16.10.65 192.168.254.254 169.254.169.254 100.64.0.1
    100.127.255.254 192.0.0.170 192.0.2.255 198.18.0.0 198.51.100.65 203.0.113.6 192.88.99.3 224.1.2.3 233.252.0.16
    240.240.240.240 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::a00:1 64:ff9b:1::dead:beef
    2002:c0a8:1::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 3fff::dead:beef 5f00::1 100::1:2:3:4 fe80::1
    febf:ffff::1 fd7a:115c:a1e0::1 fc00::1 ff02::2 fec0::1 2001:10::1 fe80::1%eth0`
  expect(words(special).filter((address) => isOutboundAllowed(address))).toEqual([])
})

test("global unicast addresses are reachable", () => {
  const global = `
    8.8.8.8 1.1.1.1 128.0.0.1 192.169.255.255 172.32.0.1 100.63.255.254 100.128.0.1 9.255.255.255 11.0.0.0
    2001:4860:4860::8888 2606:4700:4700::1111 2a00::1`
  expect(words(global).filter((address) => !isOutboundAllowed(address))).toEqual([])
})

test("each special network has the bounds of its registry entry", () => {
  const networks = `
    0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255 127.0.0.0-127.255.255.255
    169.254.0.0-169.254.255.255 172.16.0.0-172.31.255.255 192.0.0.0-192.0.0.255 192.0.2.0-192.0.2.255
    192.88.99.0-192.88.99.255 192.168.0.0-192.168.255.255 198.18.0.0-198.19.255.255 198.51.100.0-198.51.100.255
    203.0.113.0-203.0.113.255 224.0.0.0-255.255.255.255
    2001::-2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8::-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
    2002::-2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff::-3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff`
  const outside = `
    1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
    172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
    223.255.255.255 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff
    2001:db9:: 2003:: 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::`
  expect(words(networks).flatMap((range) => range.split("-").filter((address) => isOutboundAllowed(address)))).toEqual(
    []
  )
  expect(words(outside).filter((address) => !isOutboundAllowed(address))).toEqual([])
})

test("an unusual notation is not an address, and its URL hostname is not reachable either", () => {
  const odd = [
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "2130706433",
    "127.1",
    "127.0.1",
    "１２７.0.0.1",
    "0300.0250.1"
  ]
  expect(odd.map(canonicalizeAddress)).toEqual(odd.map(() => Option.none()))
  expect(odd.filter((notation) => isOutboundAllowed(notation))).toEqual([])
  expect(odd.filter((notation) => isOutboundAllowed(new URL(`http://${notation}`).hostname))).toEqual([])
})

test("only networks that the operator allows become reachable", () => {
  const allowed = networksIn("10.1.0.0/16", "fd00:1::/32", "127.0.0.1")
  const reachable = ["10.1.0.0", "10.1.255.255", "fd00:1:ffff::", "127.0.0.1", "8.8.8.8"]
  const unreachable = [
    "10.0.255.255",
    "10.2.0.0",
    "fd00:2::",
    "127.0.0.2",
    "::ffff:10.1.0.0",
    "10.1.0.0%eth0",
    "example.com"
  ]
  expect(reachable.filter((address) => !isOutboundAllowed(address, allowed))).toEqual([])
  expect(unreachable.filter((address) => isOutboundAllowed(address, allowed))).toEqual([])
  expect(isOutboundAllowed("10.1.0.0", networksIn("0.0.0.0/0"))).toBe(true)
  expect(isOutboundAllowed("fe80::1", networksIn("0.0.0.0/0"))).toBe(false)
  expect(isOutboundAllowed("fe80::1", networksIn("::/0"))).toBe(true)
})

test("a network of mapped IPv4 addresses is that of the addresses, where a setting names one", () => {
  const same = [
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["2001:db8::/32", "2001:db8::/32"]
  ] as const
  for (const [mapped, plain] of same) expect(parseUnmappedNetwork(mapped)).toEqual(parseNetwork(plain))
  expect(parseUnmappedNetwork("::ffff:0:0/80")).toEqual(parseNetwork("::ffff:0:0/80"))
})

test("a network is an address with a prefix length that fits its family", () => {
  expect(parseNetwork("10.1.2.3/8")).toEqual(parseNetwork("10.0.0.0/8"))
  expect(parseNetwork("10.0.0.0/8")).toEqual(Option.some({ family: 4, base: 10n << 24n, prefix: 8 }))
  expect(parseNetwork("192.0.2.1")).toEqual(parseNetwork("192.0.2.1/32"))
  expect(parseNetwork("2001:db8::1")).toEqual(parseNetwork("2001:db8::1/128"))
  const malformed = [
    "",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10/8",
    "a/8",
    "::/a"
  ]
  expect(malformed.map(parseNetwork)).toEqual(malformed.map(() => Option.none()))
})

test("malformed addresses are refused", () => {
  const malformed = `
    256.0.0.1 1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.4. +1.2.3.4 1e1.0.0.0 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 ::1::
    1:2:3:4:5:6:7:8:: :1:2:3:4:5:6:7 1:2:3:4:5:6:7: 12345:: g:: [::1] ::1%lo ::1.2.3 ::256.1.1.1 1.2.3.4:: example.com`
  expect(
    ["", " ", ":", ":::", ...words(malformed)].filter((input) => Option.isSome(canonicalizeAddress(input)))
  ).toEqual([])
})

test("an IPv6 address has the same canonical text as in a URL", () =>
  fc.assert(
    fc.property(address6, (address) => {
      // Bun refuses a URL such as http://[1:2::3:4:192.0.2.1]/, which is valid.
      fc.pre(URL.canParse(`http://[${address}]`))
      const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
      expect(canonicalizeAddress(address)).toEqual(Option.some(canonical))
      expect(canonicalizeAddress(canonical)).toEqual(Option.some(canonical))
      expect(addressFamilyOf(address)).toEqual(Option.some(6))
    }),
    { numRuns: 2_000 }
  ))

test("an IPv6 address may end in an IPv4 address", () => {
  const embedded = ["::ffff:192.0.2.1", "64:ff9b::192.0.2.1", "1:2::3:4:192.0.2.1", "1:2:3:4:5:6:192.0.2.1"]
  expect(embedded.map((address) => Option.getOrThrow(canonicalizeAddress(address)))).toEqual([
    "::ffff:c000:201",
    "64:ff9b::c000:201",
    "1:2::3:4:c000:201",
    "1:2:3:4:5:6:c000:201"
  ])
})

test("an IPv4 address has the same canonical text as in a URL", () =>
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(canonicalizeAddress(address)).toEqual(Option.some(new URL(`http://${address}`).hostname))
      expect(addressFamilyOf(address)).toEqual(Option.some(4))
    })
  ))

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const networksIn = (...inputs: ReadonlyArray<string>): ReadonlyArray<Network> =>
  inputs.map((input) => Option.getOrThrow(parseNetwork(input)))

/** IPv6 addresses in either letter case, with some runs of zeros compressed. */
const address6 = fc.oneof(
  fc.ipV6(),
  fc
    .tuple(
      fc.array(fc.constantFrom("0", "0000", "1", "0A", "fFfF", "00b"), { minLength: 8, maxLength: 8 }),
      fc.nat({ max: 7 }),
      fc.nat({ max: 8 })
    )
    .map(([groups, from, count]) => {
      const zeros = groups.slice(from).findIndex((group) => Number.parseInt(group, 16) !== 0)
      const run = Math.min(count, zeros === -1 ? 8 - from : zeros)
      return run === 0 ? groups.join(":") : `${groups.slice(0, from).join(":")}::${groups.slice(from + run).join(":")}`
    })
)

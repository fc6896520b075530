import { describe, expect, test } from "bun:test"
import { Array, Option } from "effect"
import { clientNetworkOf, findClientAddress } from "../../src/limits/RequestSource.ts"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"

const trusted = Array.getSomes(["10.0.0.0/8", "2001:db8:1::/48"].map(parseNetwork))

const clientOf = (peer: string, forwardedFor = "", proxies = trusted) =>
  Option.getOrUndefined(findClientAddress(Option.some(peer), forwardedFor, proxies))

const networkOf = (address: string) => clientNetworkOf(Option.some(address))

describe("the address of a client", () => {
  test("is that of the connection, whatever X-Forwarded-For says, unless a proxy is trusted", () => {
    expect(clientOf("192.0.2.1", "198.51.100.7", [])).toBe("192.0.2.1")
    expect(clientOf("192.0.2.1", "198.51.100.7")).toBe("192.0.2.1")
    expect(clientOf("::ffff:192.0.2.1")).toBe("192.0.2.1")
  })

  test("is the last one before the trusted proxies", () => {
    expect(clientOf("10.0.0.1", "198.51.100.7")).toBe("198.51.100.7")
    expect(clientOf("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.2.3.4")).toBe("198.51.100.7")
    expect(clientOf("::ffff:10.0.0.1", "1.1.1.1,2001:db8:2::9 ,2001:DB8:1::5")).toBe("2001:db8:2::9")
    expect(clientOf("10.0.0.1", "198.51.100.7:4711")).toBe("198.51.100.7")
    expect(clientOf("10.0.0.1", "[2001:db8:2::9]:4711")).toBe("2001:db8:2::9")
  })

  test("is that of the last proxy that wrote an address, where no client is named", () => {
    expect(clientOf("10.0.0.1")).toBe("10.0.0.1")
    expect(clientOf("10.0.0.1", "198.51.100.7, unknown")).toBe("10.0.0.1")
    expect(clientOf("10.0.0.1", "198.51.100.7, , 10.0.0.2")).toBe("10.0.0.2")
    expect(clientOf("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3")
  })

  test("counts by /64 for IPv6, and alone for IPv4", () => {
    expect(networkOf("2001:db8:2:3:4::5")).toBe(networkOf("2001:db8:2:3:ffff:1:2:3"))
    expect(networkOf("2001:db8:2:3::")).not.toBe(networkOf("2001:db8:2:4::"))
    expect(networkOf("192.0.2.1")).not.toBe(networkOf("192.0.2.2"))
    expect(clientNetworkOf(Option.none())).toBe("unknown")
  })
})

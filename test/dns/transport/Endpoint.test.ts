import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { parseEndpoint } from "../../../src/dns/transport/Endpoint.ts"

describe("the endpoint of a resolver", () => {
  test.each([
    ["192.0.2.53", { host: "192.0.2.53", port: 53 }],
    ["192.0.2.53:5353", { host: "192.0.2.53", port: 5353 }],
    ["2001:DB8::53", { host: "2001:db8::53", port: 53 }],
    ["[2001:db8::53]", { host: "2001:db8::53", port: 53 }],
    ["[2001:db8::53]:5353", { host: "2001:db8::53", port: 5353 }]
  ])("%s is parsed", (input, endpoint) => {
    expect(parseEndpoint(input)).toEqual(Option.some(endpoint))
  })

  test.each([
    "",
    "dns.example.com",
    "192.0.2.53:",
    "192.0.2.53:0",
    "192.0.2.53:65536",
    "[192.0.2.53]:53",
    "192.0.2.1.5",
    "[::1]53"
  ])("%p is rejected", (input) => {
    expect(parseEndpoint(input)).toEqual(Option.none())
  })
})

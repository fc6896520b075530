import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import {
  makePowerDnsClient,
  powerDnsCapabilities
} from "../../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClient } from "../../httpClient.ts"

const zone = DomainName.make("example.com")

const rrset = (name: string, type: string, ...contents: ReadonlyArray<string>) => ({
  name,
  type,
  ttl: 300,
  records: contents.map((content) => ({ content, disabled: false }))
})

const repeat = <A>(count: number, make: (index: number) => A) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Opens the zone at a server that has these RRsets in it, and reads it. */
const readZone = (rrsets: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const text = JSON.stringify({
      kind: "Native",
      rrsets: [rrset("example.com.", "NS", "ns1.acme-dns.net."), ...rrsets]
    })
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(text) })),
      (running) => Effect.promise(() => running.stop(true))
    )
    const client = makePowerDnsClient({
      settings: { baseUrl: `http://127.0.0.1:${server.port}`, serverId: "localhost" },
      capabilities: powerDnsCapabilities,
      http: httpClient
    })
    const opened = yield* client.openZone({
      connectionId: "con_1",
      credential: { _tag: "api_token", apiToken: Redacted.make("key") },
      domain: zone,
      zone,
      nameServers: ["ns1.acme-dns.net"]
    })
    return yield* opened.read
  })

const codeOf = (rrsets: ReadonlyArray<object>) => Effect.map(Effect.flip(readZone(rrsets)), ({ code }) => code)

live("a zone of 20,000 RRsets is read as it is", () =>
  Effect.gen(function* () {
    const addresses = repeat(20_000, (index) => `10.0.${index >> 8}.${index & 255}`)
    const hosts = addresses.map((address, index) => rrset(`host${index}.example.com.`, "A", address))
    const { zone: read } = yield* readZone(hosts)
    expect(read.records.length).toBe(20_001)
    expect(read.records.slice(1).map(({ value }) => value)).toEqual(addresses)
  })
)

live("an RRset that fits into a DNS message is read", () =>
  Effect.gen(function* () {
    const addresses = repeat(4_095, (index) => `10.0.${index >> 8}.${index & 255}`)
    const text = repeat(257, () => `"${"x".repeat(250)}"`).join(" ")
    const { zone: read } = yield* readZone([
      rrset("example.com.", "A", ...addresses),
      rrset("example.com.", "TXT", text),
      { ...rrset("www.example.com.", "A"), records: addresses.map((content) => ({ content, disabled: true })) }
    ])
    expect(read.records.length).toBe(1 + 4_095 + 1)
  })
)

live("an RRset of more records than a DNS message can hold makes the zone too large", () =>
  Effect.gen(function* () {
    const issuers = repeat(5_000, (index) => `0 issue "ca${index}.example.net"`)
    expect(yield* codeOf([rrset("example.com.", "CAA", ...issuers)])).toBe("zone_too_large")
  })
)

live("an RRset of longer texts than a DNS message can hold makes the zone too large", () =>
  Effect.gen(function* () {
    const policies = repeat(2_500, (index) => `"v=spf1 ip4:10.0.${index >> 8}.${index & 255} -all"`)
    expect(yield* codeOf([rrset("example.com.", "TXT", ...policies)])).toBe("zone_too_large")
  })
)

live("an RRset of more than a megabyte makes the zone too large before it is parsed", () =>
  Effect.gen(function* () {
    const comments = [{ content: "x".repeat(2 ** 20), account: "", modified_at: 0 }]
    expect(yield* codeOf([{ ...rrset("example.com.", "A", "192.0.2.1"), comments }])).toBe("zone_too_large")
  })
)

live("a zone of more than 32 MiB is too large", () =>
  Effect.gen(function* () {
    const texts = repeat(600, (index) => rrset(`host${index}.example.com.`, "TXT", `"${"x".repeat(60_000)}"`))
    expect(yield* codeOf(texts)).toBe("zone_too_large")
  })
)

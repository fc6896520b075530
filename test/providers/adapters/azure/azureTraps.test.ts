import { expect } from "bun:test"
import { Effect } from "effect"
import { failureOf } from "../AdapterUnderTest.ts"
import {
  address,
  createChange,
  deleteChange,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  updateChange,
  writeAt,
  zone
} from "../DescribedAdapter.ts"
import { expectLocked, testAtFake, testTraps } from "../vendorTests.ts"
import { azure } from "./azure.ts"
import { principal, servicePrincipal } from "./azureTokens.ts"

const shown = (properties: object) => ({ status: 200, body: { location: "global", properties } })

testTraps(azure, {
  "PUT without If-Match overwrites": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(azure, "www 3600 A 192.0.2.1")
    yield* writeAt(azure, fake, createChange(recordAt("new", "A", "192.0.2.1")))
    yield* writeAt(azure, fake, updateChange(address(1), address(2)))
    yield* writeAt(azure, fake, deleteChange(address(2)))
    const writes = fake.calls().filter(({ isWrite }) => isWrite)
    const conditions = writes.map(({ conditions, method }) => `${method} ${Object.keys(conditions ?? {}).join()}`)
    expect(conditions).toEqual(["PUT if-none-match", "PUT if-match", "DELETE if-match"])
  }),

  "metadata and targetResource of a set are lost if not sent back": Effect.fnUntraced(function* () {
    const metadata = { owner: "shop", note: "do not remove" }
    const target = `/subscriptions/${principal.subscriptionId}/resourceGroups/x/providers/Microsoft.Network/frontDoors/y`
    const described = storedAt("www", "A", { stored: { ipv4Address: "192.0.2.1" }, metadata })
    const fake = yield* makeFakeOf(azure, [described])
    yield* writeAt(azure, fake, createChange(address(2)))
    const expected = ["192.0.2.1", "192.0.2.2"].map((ipv4Address) => ({ data: { stored: { ipv4Address }, metadata } }))
    expect(recordsIn(fake).slice(-2)).toMatchObject(expected)

    yield* expectLocked(azure, [{ stored: {}, target }], { value: target })
  }),

  "two zones of one name": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(azure)
    const answer = shown({ nameServers: ["ns1-09.azure-dns.com.", "ns2-09.azure-dns.net."] })
    fake.injectFault({ where: ({ path }) => path.includes("/other/") }, { change: "not_made", answer })
    const credential = servicePrincipal({ resourceGroup: "other" })
    const { code, detail } = yield* Effect.flip(openAt(azure, fake, { credential }))
    expect([code, detail]).toEqual(["authorization_zone_mismatch", expect.stringContaining("another resource group")])
    yield* openAt(azure, fake)

    const own = { nameServers: azure.nameServers, zoneType: "Private" }
    fake.injectFault({ method: "GET" }, { change: "not_made", answer: shown(own) })
    expect(yield* failureOf(openAt(azure, fake))).toBe("authorization_zone_mismatch")
  }),

  "nextLink to another host": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(azure, hostLines(150))
    const read = yield* readAt(azure, fake)
    expect(read.filter(({ type }) => type === "A")).toHaveLength(150)
    // The client of the tests throws at a request for a host that no fake stands for.
    const nextLink = "https://evil.example/subscriptions?api-version=2018-05-01&$skipToken=100"
    const answer = { status: 200, body: { value: [], nextLink } }
    const opened = yield* openAt(azure, fake)
    fake.injectFault({ where: ({ query }) => !query.has("$skipToken") }, { change: "not_made", answer })
    yield* opened.read
    const last = fake.calls().findLast(({ query }) => query.includes("skipToken"))
    expect(last?.path).toEndWith(`/dnsZones/${zone}/recordsets`)
  })
})

testAtFake(azure, {
  "a long text is written in strings of 255 characters, and what stays as it was read": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(azure, [storedAt("www", "TXT", { stored: { value: ["v=spf1 ", "-all"] } })])
    const read = yield* readAt(azure, fake)
    expect(read.filter(({ type }) => type === "TXT")).toMatchObject([{ value: "v=spf1 -all" }])
    yield* writeAt(azure, fake, createChange(recordAt("www", "TXT", `say "hi" \\ ${"k".repeat(300)}`)))
    const texts = recordsIn(fake).flatMap(({ data, type }) => (type === "TXT" ? [data.stored["value"]] : []))
    expect(texts).toEqual([
      ["v=spf1 ", "-all"],
      [`say "hi" \\ ${"k".repeat(244)}`, "k".repeat(56)]
    ])
  }),

  "the name servers of the zone itself are locked, and those of a part of it are not": Effect.fnUntraced(function* () {
    const read = yield* readAt(azure, yield* makeFakeOf(azure, "team 3600 NS ns1.example.net."))
    const locked = read.filter(({ type }) => type === "NS").map(({ host, locked }) => [host, locked])
    expect(locked).toEqual([...azure.nameServers.map(() => ["@", "fixed"]), ["team", undefined]])
  })
})

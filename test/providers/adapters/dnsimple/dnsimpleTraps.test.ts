import { expect } from "bun:test"
import { Effect, Option } from "effect"
import { catalogAdapters } from "../../../../src/providers/catalog/catalogAdapters.ts"
import { applyFailureOf, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import type { VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  callFake,
  createChange,
  deleteChange,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { planFor } from "../planFor.ts"
import { testAtFake, testTraps } from "../vendorTests.ts"
import {
  account,
  accountId,
  aZone,
  dnsimple,
  dnsimpleVendor,
  type DnsimpleData,
  error,
  formerDnsimpleVendor,
  headers
} from "./dnsimple.ts"

/** The vendor for the token of a person who has access to these accounts. */
const ofPerson = (...accounts: ReadonlyArray<number>): VendorDescription<DnsimpleData> => {
  const data = accounts.map((id) => ({ ...account, id }))
  const identity = { "GET /whoami": () => ({ status: 200, body: { data: { account: null, user: account } } }) }
  const listed = { "GET /accounts": () => ({ status: 200, body: { data } }) }
  return { ...dnsimpleVendor, operations: { ...dnsimpleVendor.operations, ...identity, ...listed } }
}

const anAddress = { content: "192.0.2.1", priority: null }

/** Tests by the words of `vendor-facts.json`. */
testTraps(dnsimple, {
  "a write without integrated_zones also goes to integrated providers (Route 53 …)": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple)
    yield* writeAt(dnsimple, fake, createChange(address(1)))
    const { id } = recordsIn(fake).at(-1) ?? {}
    yield* writeAt(dnsimple, fake, updateChange(address(1), address(2)))
    expect(recordsIn(fake).at(-1)).toMatchObject({ id, data: { content: "192.0.2.2" } })
    yield* writeAt(dnsimple, fake, updateChange(address(2), recordAt("www", "CNAME", "shops.example.net")))
    yield* writeAt(dnsimple, fake, createChange(recordAt("@", "CNAME", "shops.example.net")))
    const written = writesTo(fake).map(({ body = {}, method }: any) => [
      method,
      body.type,
      body.name,
      body.integrated_zones
    ])
    expect(written).toEqual([
      ["POST", "A", "www", ["dnsimple"]],
      ["PATCH", undefined, "www", ["dnsimple"]],
      ["DELETE", undefined, undefined, undefined],
      ["POST", "CNAME", "www", ["dnsimple"]],
      ["POST", "ALIAS", "", ["dnsimple"]]
    ])
  }),

  "system_record and parent_id records are not modifiable": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple, "@ 3600 CNAME shops.example.net.")
    const before = recordsIn(fake)
    const listed = yield* callFake(fake, "GET", `/${accountId}/zones/${zone}/records`, { headers })
    expect(listed.body.data.at(-1)).toMatchObject({ type: "TXT", content: '"ALIAS for shops.example.net"' })
    const locks = (yield* readAt(dnsimple, fake)).map(({ locked, type }) => `${type} ${locked}`)
    expect(locks).toEqual(["SOA fixed", ...dnsimple.nameServers.map(() => "NS fixed"), "ALIAS undefined"])
    expect(yield* applyDesired(dnsimple, fake, ["@ 600 TXT hello", "@ 600 MX 10 mail.example.net"])).toEqual([])
    expect(recordsIn(fake).slice(0, before.length)).toEqual([...before])
    yield* writeAt(dnsimple, fake, deleteChange(recordAt("@", "ALIAS", "shops.example.net")))
    expect(recordsIn(fake).map(({ type }) => type)).not.toContain("ALIAS")
  }),

  "PATCH without priority keeps the old one; 0 must be sent": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple, "@ 3600 MX 10 mail.example.net.")
    const before = recordAt("@", "MX", "mail.example.net", { priority: 10 })
    yield* writeAt(dnsimple, fake, updateChange(before, recordAt("@", "MX", ".", { priority: 0 })))
    expect(writesTo(fake)).toMatchObject([{ method: "PATCH", body: { content: ".", priority: 0 } }])
    expect((yield* readAt(dnsimple, fake)).at(-1)).toMatchObject({ type: "MX", priority: 0, value: "." })
  }),

  "regions: a record may be served in some places only": Effect.fnUntraced(function* () {
    const stored = [["SV1", "IAD"], ["global"], []].map((regions, index) =>
      storedAt(`www${index}`, "A", { ...anAddress, regions })
    )
    const others = [storedAt("a-redirect", "URL", anAddress), storedAt("a-pool", "POOL", anAddress)]
    const fake = yield* makeFakeOf(dnsimple, [...stored, ...others])
    const read = (yield* readAt(dnsimple, fake)).slice(-5).map(({ locked, type }) => `${type} ${locked}`)
    expect(read).toEqual(["A fixed", "A undefined", "A undefined", "ALIAS fixed", "CNAME fixed"])
    const request = yield* planFor(underTest(dnsimple, fake), ["www0 600 A 192.0.2.2"])
    const failure = yield* withPlanApplierOnRealClock(applyFailureOf(request))
    expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
    expect(yield* applyDesired(dnsimple, fake, ["www1 600 A 192.0.2.2", "www2 600 A 192.0.2.2"])).toEqual([])
    expect(catalogAdapters["dnsimple"]?.limitations?.join(" ")).toContain("limited to some regions")
  }),

  "two account kinds of token": Effect.fnUntraced(function* () {
    const own = [`/${accountId}/zones/${zone}`, `/${accountId}/zones/${zone}/records`]
    for (const [vendor, paths] of [
      [ofPerson(123, accountId), ["/whoami", "/accounts", `/123/zones/${zone}`, ...own]],
      [dnsimpleVendor, ["/whoami", ...own]]
    ] as const) {
      const fake = yield* makeFakeOf({ vendor })
      yield* openAt(dnsimple, fake)
      expect(fake.calls().map(({ path }) => path)).toEqual([...paths])
    }
  })
})

testAtFake(dnsimple, {
  "an account that refuses hides no zone of another one, and says why where there is none": Effect.fnUntraced(
    function* () {
      for (const [status, accounts, code] of [
        [402, [123], "account_not_entitled"],
        [403, [123], "authorization_insufficient_scope"],
        [403, [123, accountId], undefined],
        [503, [123, accountId], "provider_unavailable"]
      ] as const) {
        const fake = yield* makeFakeOf({ vendor: ofPerson(...accounts) })
        const answer = error(status, "Permission Denied. Required Scope: zones:*:read")
        fake.injectFault({ where: ({ path }) => path.startsWith("/123/") }, { change: "not_made", answer })
        const opened = Effect.option(Effect.flip(openAt(dnsimple, fake)))
        expect(Option.getOrUndefined(yield* opened)?.code).toBe(code)
      }
    }
  ),

  "a zone is opened where it is served: not if it is switched off, or a copy": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(dnsimple)
    for (const [more, code] of [
      [{ active: false }, "authorization_zone_mismatch"],
      [{ secondary: true }, "provider_zone_locked"]
    ] as const) {
      const answer = { status: 200, body: { data: { ...aZone, name: zone, ...more } } }
      fake.injectFault({ where: ({ path }) => path.endsWith(`/zones/${zone}`) }, { change: "not_made", answer })
      expect(yield* failureOf(openAt(dnsimple, fake))).toBe(code)
      fake.heal()
    }
  }),

  "a text is written in quotes, and one from before November 2023 is read without them": Effect.fnUntraced(
    function* () {
      const end = `and ä; ${"k".repeat(400)}`
      const fake = yield* makeFakeOf(dnsimple)
      yield* writeAt(dnsimple, fake, createChange(recordAt("say", "TXT", `say "hi" to C:\\ ${end}`)))
      expect(writesTo(fake)).toMatchObject([{ body: { content: `"say \\"hi\\" to C:\\\\ ${end}"` } }])
      const former = yield* makeFakeOf({ vendor: formerDnsimpleVendor })
      former.update(fake.state)
      for (const each of [fake, former])
        expect((yield* readAt(dnsimple, each)).at(-1)?.value).toBe(`say "hi" to C:\\ ${end}`)
    }
  ),

  "a guard before a write asks for the name, and at the apex for the whole zone": Effect.fnUntraced(function* () {
    for (const [host, query] of [
      ["new", "sort=id%3Aasc&name=new&page=1&per_page=100"],
      ["@", "sort=id%3Aasc&page=1&per_page=100"]
    ] as const) {
      const fake = yield* makeFakeOf(dnsimple, hostLines(250))
      const snapshot = yield* Effect.flatMap(openAt(dnsimple, fake), ({ read }) => read)
      const calls = fake.calls().length
      yield* sendWrites(snapshot, [createChange(recordAt(host, "A", "192.0.2.7"))])
      expect(fake.calls()[calls]?.query).toBe(query)
    }
  })
})

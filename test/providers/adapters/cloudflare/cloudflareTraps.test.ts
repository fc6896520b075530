import { describe, expect, test } from "bun:test"
import { Array, DateTime, Effect, Order, Struct } from "effect"
import { ConnectionId } from "../../../../src/domain/connection/Connection.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { emptyPlanContext } from "../../../../src/planning/PlanContext.ts"
import { applyFailureOf, requestAt, withPlanApplierOnRealClock } from "../../../lifecycle/apply/applyFixtures.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData, vendorData } from "../../../support/vendors/vendorData.ts"
import { planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  creation,
  fakeWith,
  open,
  readRecords,
  recordOf,
  recordsAt,
  update,
  write,
  zone
} from "./cloudflareExamples.ts"
import { clientFor } from "./cloudflareUnderTest.ts"
import { cloudflareState, makeFakeCloudflare } from "./FakeCloudflare.ts"
import { storedRecord, toId } from "./storedCloudflareRecords.ts"
import { planZoneRestore } from "../../../support/planZone.ts"

/** The traps of vendor-facts.json by their first words, each with the tests that it has here. */
const traps: Readonly<Record<string, string>> = {
  "TXT read back quoted": "a text is read and written in each spelling",
  "records with meta.read_only": "a record that Cloudflare keeps is locked",
  "proxied A/AAAA/CNAME": "what is written is not proxied, and proxied siblings stay so",
  "PUT clears comment": "an update keeps comment, tags and settings",
  "an ALIAS or SPF type": "types that the adapter does not know are read",
  "IDN zones appear in Unicode": "a zone that is listed in Unicode is found"
}

/** What the fake stores, whenever it was created. */
const storedAt = (fake: Effect.Effect.Success<ReturnType<typeof fakeWith>>) =>
  Array.sortWith(
    recordsAt(fake).map((record) => Struct.omit(record, "id")),
    ({ name, type }) => `${name} ${type}`,
    Order.string
  )

describe("a guard before a write", () => {
  const records = Array.makeBy(5001, (index) =>
    storedRecord({ id: toId(100 + index), name: `host${index}.${zone}`, type: "A", content: "192.0.2.1" })
  )
  const large = makeFakeCloudflare(cloudflareState({ [zone]: { plan: "enterprise", records } }))
  const readers = (fake: Effect.Effect.Success<typeof large>) =>
    fake
      .calls()
      .filter(({ operation }) => operation === "GET /zones/{zone_id}/dns_records")
      .map(({ query }) => query)

  live("asks for the touched names only, where the zone takes more calls", () =>
    Effect.gen(function* () {
      const fake = yield* large
      yield* write(fake, creation(recordOf({ host: "host7", type: "TXT", value: "hello" })))
      expect(readers(fake).at(-1)).toBe(`name=host7.${zone}&page=1&per_page=5000`)
    })
  )

  live("reads the whole zone for a name that may be listed in Unicode", () =>
    Effect.gen(function* () {
      const fake = yield* large
      yield* write(fake, creation(recordOf({ host: "xn--bcher-kva", type: "TXT", value: "hello" })))
      expect(readers(fake).filter((query) => query.includes("name="))).toEqual([])
    })
  )
})

describeIfPossible("the traps at Cloudflare", missingVendorData, () => {
  test("have a test each", async () => {
    const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
    const found: ReadonlyArray<string> = vendors
      .find(({ id }: { readonly id: string }) => id === "cloudflare")
      .traps.map(({ trap }: { readonly trap: string }) => trap)
    const beginnings = Object.keys(traps)
    expect(found.map((trap) => beginnings.find((words) => trap.startsWith(words)))).toEqual(beginnings)
  })

  const long = `${"x".repeat(255)}${"y".repeat(45)}`
  const spellings: ReadonlyArray<readonly [what: string, content: string, text: string]> = [
    ["one word", "token", "token"],
    ["one quoted word", '"token"', "token"],
    ["words without quotes", "v=spf1 include:spf.example.net -all", "v=spf1 include:spf.example.net -all"],
    ["quoted words", '"v=spf1 include:spf.example.net -all"', "v=spf1 include:spf.example.net -all"],
    ["one quoted string", '"one two"', "one two"],
    ["several quoted strings", '"one " "two"', "one two"],
    ["quotes in it, unquoted", 'say "hi" now', 'say "hi" now'],
    ["quotes in it, quoted", String.raw`"say \"hi\" now"`, 'say "hi" now'],
    ["300 bytes, unquoted", long, long],
    ["300 bytes in one string", `"${long}"`, long],
    ["300 bytes in two strings", `"${long.slice(0, 255)}" "${long.slice(255)}"`, long]
  ]
  describe(traps["TXT read back quoted"] ?? "", () => {
    for (const [what, content, text] of spellings)
      live(`read: ${what}`, () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith({ type: "TXT", content, ttl: 300 })
          expect((yield* readRecords(fake)).map(({ value }) => value)).toEqual([text])
          yield* write(fake, { action: "delete", before: recordOf({ type: "TXT", value: text }), destructive: true })
          expect(recordsAt(fake)).toEqual([])
        })
      )

    for (const text of new Set(spellings.map(([, , text]) => text)))
      live(`written and read back: ${text.slice(0, 40)}`, () =>
        Effect.gen(function* () {
          const fake = yield* fakeWith()
          yield* write(fake, creation(recordOf({ type: "TXT", value: text })))
          const quoted = spellings.flatMap(([, content, read]) => (read === text && content[0] === '"' ? content : []))
          expect(quoted).toContain(recordsAt(fake)[0]?.content ?? "")
          expect((yield* readRecords(fake)).map(({ value }) => value)).toEqual([text])
        })
      )
  })

  live(`${traps["records with meta.read_only"]}: a plan that would replace it fails before the first write`, () =>
    Effect.gen(function* () {
      const routing = { type: "MX", priority: 10, content: "route1.mx.cloudflare.net", meta: { read_only: true } }
      const fake = yield* fakeWith(routing)
      const client = yield* open(clientFor(fake))
      const snapshot = yield* client.read
      expect(snapshot.zone.records).toMatchObject([{ type: "MX", locked: "fixed" }])
      const desired = ["@ 300 MX 5 mx.example.net", "www 300 A 192.0.2.1"]
      const { changes } = planFrom(snapshot, resolvedIntentOf(zone, { desired }), client)
      const at = { client, snapshotNow: () => snapshot, now: () => snapshot.zone }
      const failure = yield* withPlanApplierOnRealClock(applyFailureOf(requestAt(at, changes, { domain: zone, zone })))
      expect(failure).toEqual({ code: "provider_record_locked", hasWrites: false })
      expect(fake.calls().filter(({ method }) => method !== "GET")).toEqual([])
      expect(recordsAt(fake)).toMatchObject([routing])
    })
  )

  live(traps["proxied A/AAAA/CNAME"] ?? "", () =>
    Effect.gen(function* () {
      const proxied = { name: `www.${zone}`, type: "A", proxied: true, ttl: 1 }
      const fake = yield* fakeWith({ ...proxied, content: "192.0.2.1" }, { ...proxied, content: "192.0.2.2" })
      expect(yield* readRecords(fake)).toMatchObject([{ proxied: true }, { proxied: true }])
      const before = recordOf({ host: "www", type: "A", value: "192.0.2.1" })
      yield* write(
        fake,
        update(before, { ...before, value: "203.0.113.1" }),
        creation(recordOf({ host: "shop", type: "CNAME", value: "shops.example.net" })),
        creation(recordOf({ host: "www", type: "AAAA", value: "2001:db8::1" }))
      )
      expect(recordsAt(fake).map(({ content, proxied, ttl }) => [content, proxied, ttl])).toEqual([
        ["203.0.113.1", false, 300],
        ["192.0.2.2", true, 1],
        ["shops.example.net", false, 300],
        ["2001:db8::1", false, 300]
      ])
    })
  )

  live("a record that a plan replaced is proxied or flattened again when the zone is restored", () =>
    Effect.gen(function* () {
      const proxied = { name: `www.${zone}`, proxied: true, ttl: 1 }
      const alias = { type: "CNAME", content: "old.example.net" }
      const fake = yield* fakeWith(
        { ...proxied, type: "A", content: "192.0.2.1" },
        { ...proxied, type: "AAAA", content: "2001:db8::1" },
        { type: "A", name: `shop.${zone}`, content: "192.0.2.2" },
        { ...alias, name: `scan.${zone}`, proxied: true, ttl: 1 },
        { type: "MX", name: `scan.${zone}`, priority: 10, content: "mx.example.net" },
        { ...alias, name: `app.${zone}`, settings: { flatten_cname: true } },
        { type: "TXT", name: `app.${zone}`, content: '"hello"' },
        { ...alias, name: `blog.${zone}`, settings: { flatten_cname: true } }
      )
      const before = storedAt(fake)
      const intent = resolvedIntentOf(zone, {
        desired: [
          "www 300 CNAME shops.example.net",
          "shop 300 A 198.51.100.1",
          "scan 300 TXT platform-verify=1",
          "app 300 CNAME shops.example.net",
          "blog 300 A 198.51.100.1"
        ]
      })
      const opened = yield* open(clientFor(fake))
      const connecting = yield* opened.read
      const { changes } = planFrom(connecting, intent, opened)
      yield* sendWrites(connecting, changes, opened)
      const written = recordsAt(fake).filter(({ name }) => /^(scan|app)\./.test(name))
      expect(written.map(({ content, proxied, settings, type }) => [type, content, proxied, settings])).toEqual([
        ["CNAME", "old.example.net", true, { flatten_cname: false }],
        ["MX", "mx.example.net", false, {}],
        ["CNAME", "shops.example.net", false, { flatten_cname: false }],
        ["TXT", '"platform-verify=1"', false, {}]
      ])
      const restoring = yield* opened.read
      const now = yield* DateTime.now
      const leaving = { id: ConnectionId.make("con_a"), intent }
      const restore = planZoneRestore({
        zone: restoring.zone,
        domain: zone,
        journal: changes.map((change) => ({ connectionId: leaving.id, domain: zone, change, writtenAt: now })),
        leaving,
        others: [],
        limits: opened.limits,
        context: emptyPlanContext,
        now,
        putBack: []
      })
      yield* sendWrites(restoring, restore.changes, opened)
      expect(storedAt(fake)).toEqual(before)
    })
  )

  live(traps["PUT clears comment"] ?? "", () =>
    Effect.gen(function* () {
      const kept = {
        comment: "the shop",
        tags: ["owner:dns-team"],
        settings: { flatten_cname: false, ipv4_only: true }
      }
      const fake = yield* fakeWith({ name: `www.${zone}`, type: "CNAME", content: "old.example.net", ...kept })
      const before = recordOf({ host: "www", type: "CNAME", value: "old.example.net" })
      yield* write(fake, update(before, { ...before, value: "new.example.net", ttl: 600 }))
      expect(recordsAt(fake)).toMatchObject([{ id: toId(100), content: "new.example.net", ttl: 600, ...kept }])
    })
  )

  live(traps["an ALIAS or SPF type"] ?? "", () =>
    Effect.gen(function* () {
      const fake = yield* fakeWith(
        { type: "ALIAS", content: "shops.example.net" },
        { type: "SPF", content: "v=spf1 -all" },
        { type: "LATER", content: "something new" }
      )
      expect(yield* readRecords(fake)).toEqual([
        { host: "@", type: "ALIAS", value: "shops.example.net", ttl: 300 },
        { host: "@", type: "SPF", value: "v=spf1 -all", ttl: 300 },
        { host: "@", type: "LATER", value: "something new", ttl: 300 }
      ])
      // The document does not know these types.
      expect(fake.takeViolations().length).toBeGreaterThan(0)
    })
  )

  live(traps["IDN zones appear in Unicode"] ?? "", () =>
    Effect.gen(function* () {
      const name = DomainName.make("xn--bcher-kva.example")
      const records = [storedRecord({ id: toId(1), name, type: "TXT", content: "here" })]
      const fake = yield* makeFakeCloudflare(cloudflareState({ "bücher.example": { records } }))
      const found = yield* readRecords(fake, { zone: name, domain: name })
      expect(found.map(({ value }) => value)).toEqual(["here"])
    })
  )
})

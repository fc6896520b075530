import { expect } from "bun:test"
import { Effect } from "effect"
import { keyPages } from "../../../../src/web/steps/credentialFields.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  aRead,
  createChange,
  deleteChange,
  editRecords,
  makeFakeOf,
  openAt,
  recordAt,
  recordsIn,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { porkbun, type PorkbunData, validKeys } from "./porkbun.ts"

const refuse = (message: string) =>
  ({ change: "not_made", answer: { status: 200, body: { status: "ERROR", message } } }) as const

const notOptedIn = "Domain is not opted in to API access."

const linesOf = (fake: Parameters<typeof recordsIn<PorkbunData>>[0]) =>
  recordsIn(fake).flatMap(({ data, name, type }) => (type === "NS" ? [] : `${name} ${type} ${data.content}`))

/** Tests by the words of `vendor-facts.json`. */
testTraps(porkbun, {
  "ttl and prio come as strings": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(
      porkbun,
      "@ 900 MX 10 mx.mailprov.net.\n_sip._tcp 900 SRV 5 20 5060 sip.example.net."
    )
    const { zone: read } = yield* Effect.flatMap(openAt(porkbun, fake), ({ read }) => read)
    expect(read.records.filter(({ type }) => type !== "NS")).toEqual([
      { host: "@", type: "MX", ttl: 900, priority: 10, value: "mx.mailprov.net" },
      { host: "_sip._tcp", type: "SRV", ttl: 900, priority: 5, value: "20 5060 sip.example.net" }
    ])
    yield* writeAt(porkbun, fake, createChange(recordAt("@", "MX", "mx2.mailprov.net", { priority: 20 })))
    expect(recordsIn(fake).at(-1)).toMatchObject({ data: { content: "mx2.mailprov.net", prio: "20" } })
  }),

  "errors in 200 answers": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(porkbun)
    const opened = yield* openAt(porkbun, fake)
    fake.injectFault(aRead, refuse("Invalid domain."))
    expect(yield* failureOf(opened.read)).toBe("authorization_zone_mismatch")
    fake.heal()
    const snapshot = yield* opened.read
    fake.injectFault(
      { where: ({ isWrite }) => isWrite },
      refuse("Create error: We were unable to create the DNS record.")
    )
    const failure = yield* Effect.flip(sendWrites(snapshot, [createChange(recordAt("new", "A", "192.0.2.2"))]))
    expect(failure).toMatchObject({ code: "apply_rejected" })
  }),

  "default records to pixie.porkbun.com (ALIAS at the apex, CNAME *) are parking": Effect.fnUntraced(function* () {
    const parked = ["@ 600 CNAME pixie.porkbun.com.", "* 600 CNAME pixie.porkbun.com."].join("\n")
    const fake = yield* makeFakeOf(porkbun, parked)
    expect(linesOf(fake)).toEqual([`${zone} ALIAS pixie.porkbun.com`, `*.${zone} CNAME pixie.porkbun.com`])
    const opened = yield* openAt(porkbun, fake)
    const intent = resolvedIntentOf(zone, { desired: ["@ 600 A 192.0.2.1", "www 600 CNAME shops.example.net"] })
    const snapshot = yield* opened.read
    yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
    expect(linesOf(fake)).toEqual(
      expect.arrayContaining([`${zone} A 192.0.2.1`, `www.${zone} CNAME shops.example.net`])
    )
    expect(linesOf(fake)).not.toContain(`${zone} ALIAS pixie.porkbun.com`)
  }),

  "names read are absolute, written relative": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(porkbun)
    const hosts = ["@", "www", "*"]
    for (const host of hosts) yield* writeAt(porkbun, fake, createChange(recordAt(host, "A", "192.0.2.1")))
    expect(writesTo(fake).map(({ body }: any) => body.name)).toEqual(["", "www", "*"])
    expect(linesOf(fake)).toEqual([zone, `www.${zone}`, `*.${zone}`].map((name) => `${name} A 192.0.2.1`))
    const { zone: read } = yield* Effect.flatMap(openAt(porkbun, fake), ({ read }) => read)
    expect(read.records.flatMap(({ host, type }) => (type === "A" ? host : []))).toEqual(hosts)
  }),

  "API access is switched on per domain, in Domain Management; a key alone opens none": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(porkbun)
    fake.injectFault(aRead, {
      change: "not_made",
      answer: { status: 400, body: { status: "ERROR", message: notOptedIn } }
    })
    const failure = yield* Effect.flip(openAt(porkbun, fake))
    expect(failure).toMatchObject({
      code: "account_not_entitled",
      detail: expect.stringMatching(/not opted in.*Domain Management, Details of the domain, API Access/)
    })
    expect(keyPages["porkbun"]?.access).toEqual({
      url: "https://porkbun.com/account/domainsSpeedy",
      path: "Domain Management · Details · API Access: ON"
    })
  })
})

describeIfPossible("at Porkbun", missingVendorData, () => {
  live("a record is edited in its place, and an alias at the apex is an ALIAS", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun, "www 3600 A 192.0.2.1")
      const [id, apex] = [recordsIn(fake).at(-1)?.id, recordAt("@", "CNAME", "shops.example.net")]
      yield* writeAt(porkbun, fake, updateChange(recordAt("www", "A", "192.0.2.1"), recordAt("www", "A", "192.0.2.2")))
      expect(recordsIn(fake).at(-1)).toMatchObject({ id, data: { content: "192.0.2.2" } })
      yield* writeAt(porkbun, fake, createChange(apex))
      expect(linesOf(fake)).toContain(`${zone} ALIAS shops.example.net`)
      yield* writeAt(porkbun, fake, deleteChange(recordAt("@", "ALIAS", "shops.example.net")))
      expect(linesOf(fake)).toEqual([`www.${zone} A 192.0.2.2`])
      expect(writesTo(fake).map(({ path }) => path.split("/")[2])).toEqual(["edit", "create", "delete"])
    })
  )

  live("both halves of the key are in the body of each call, and nowhere else", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun)
      yield* writeAt(porkbun, fake, createChange(recordAt("www", "A", "192.0.2.1")))
      expect(fake.calls().map(({ body, path, query }) => [body, `${path}${query}`.includes("_valid")])).toEqual(
        fake.calls().map(() => [expect.objectContaining(validKeys), false])
      )
    })
  )

  live("halves in each other's place are refused before any call", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun)
      for (const credential of porkbun.wrongCredentials.slice(2))
        expect(yield* failureOf(openAt(porkbun, fake, { credential }))).toBe("credential_invalid")
      expect(fake.calls()).toEqual([])
    })
  )

  live("a text in quotes that somebody entered is read without them, and name servers of the zone are fixed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun)
      editRecords(fake, (records) => [
        ...records,
        { id: "7", name: zone, type: "TXT", ttl: 600, data: { content: '"v=spf1 -all"', prio: "0" } }
      ])
      const { zone: read } = yield* Effect.flatMap(openAt(porkbun, fake), ({ read }) => read)
      expect(read.records.map(({ locked, type, value }) => [type, locked ?? value])).toEqual([
        ["NS", "fixed"],
        ["NS", "fixed"],
        ["NS", "fixed"],
        ["TXT", "v=spf1 -all"]
      ])
    })
  )

  live("a zone that other servers than Porkbun's serve is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(porkbun)
      for (const nameServers of [
        ["maceio.ns.porkbun.com.evil.example"],
        ["maceio.ns.porkbun.com", "ns1.other.example"],
        []
      ])
        expect(yield* failureOf(openAt(porkbun, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      yield* openAt(porkbun, fake, { nameServers: ["MACEIO.porkbun.com.", "salvador.ns.porkbun.com"] })
    })
  )
})

import { HttpClient } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Fiber, TestClock, TestContext } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  aRead,
  createChange,
  deleteChange,
  editRecords,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  underTest,
  updateChange,
  writeAt,
  writesTo,
  zone
} from "../DescribedAdapter.ts"
import { testTraps } from "../vendorTests.ts"
import { namecom } from "./namecom.ts"

/** Opens the zone, where each answer comes so late. */
const openLate = (delay: "29 seconds" | "31 seconds") =>
  Effect.gen(function* () {
    const fake = yield* makeFakeOf(namecom)
    const http = HttpClient.transform(httpClientFor(fake), Effect.delay(delay))
    const fiber = yield* Effect.fork(Effect.either(openZone(underTest(namecom, fake, { http }), {})))
    yield* TestClock.adjust(delay)
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(TestContext.TestContext))

/** Tests by the words of `vendor-facts.json`. */
testTraps(namecom, {
  "CAA cannot be written": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(namecom)
    const opened = yield* openAt(namecom, fake)
    const snapshot = yield* opened.read
    expect(opened.limits.capabilities.caaRecords).toBe("unsupported")
    const caa = recordAt("@", "CAA", '0 issue "ca.example"')
    const failure = yield* Effect.flip(
      sendWrites(snapshot, [createChange(recordAt("www", "A", "192.0.2.1")), createChange(caa)], opened)
    )
    expect(failure).toMatchObject({ code: "record_type_unsupported" })
    expect(writesTo(fake)).toEqual([])
    const wanted = resolvedIntentOf(zone, { desired: ['@ 600 CAA 0 issue "ca.example"', "www 600 A 192.0.2.1"] })
    expect(() => planFrom(snapshot, wanted, opened)).toThrow()
    const { effectiveIntent } = wanted
    const records = effectiveIntent.records.map((record) => ({ ...record, optional: record.type === "CAA" }))
    const planned = planFrom(snapshot, { ...wanted, effectiveIntent: { ...effectiveIntent, records } }, opened)
    expect(planned.changes.map(({ after }) => after?.type)).toEqual(["A"])
    expect(planned.optionalFailures).toMatchObject([{ type: "CAA" }])
  }),

  "duplicate is 400, not 409": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(namecom)
    const opened = yield* openAt(namecom, fake)
    const snapshot = yield* opened.read
    const record = recordAt("www", "A", "192.0.2.1")
    fake.beforeCall({ method: "POST" }, () =>
      editRecords(fake, (records) => [
        ...records,
        { id: "7", name: `www.${zone}`, type: "A", ttl: 3600, data: { answer: "192.0.2.1" } }
      ])
    )
    expect((yield* Effect.flip(sendWrites(snapshot, [createChange(record)], opened)))._tag).toBe("ZoneChanged")
    expect((yield* opened.read).zone.records.filter(({ host }) => host === "www")).toMatchObject([
      { type: "A", value: "192.0.2.1" }
    ])
  }),

  "answers are slow": Effect.fnUntraced(function* () {
    expect(yield* openLate("29 seconds")).toMatchObject({ _tag: "Right" })
    expect(yield* openLate("31 seconds")).toMatchObject({ left: { code: "provider_unavailable" } })
  }),

  "an HTML answer": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(namecom)
    const opened = yield* openAt(namecom, fake)
    const page = { status: 200, headers: { "content-type": "text/html" }, text: "<html>Not found</html>" }
    fake.injectFault(aRead, { change: "not_made", answer: page })
    expect(yield* failureOf(opened.read)).toBe("provider_snapshot_failed")
  })
})

describeIfPossible("at Name.com", missingVendorData, () => {
  live("a record is replaced in its place, and an alias at the apex is an ANAME", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(namecom, "www 3600 A 192.0.2.1")
      const id = recordsIn(fake).at(-1)?.id
      yield* writeAt(namecom, fake, updateChange(recordAt("www", "A", "192.0.2.1"), recordAt("www", "A", "192.0.2.2")))
      expect(recordsIn(fake).at(-1)).toMatchObject({ id, data: { answer: "192.0.2.2" } })
      yield* writeAt(namecom, fake, createChange(recordAt("@", "CNAME", "shops.example.net")))
      expect(recordsIn(fake).at(-1)).toMatchObject({ name: zone, type: "ANAME", data: { answer: "shops.example.net" } })
      yield* writeAt(namecom, fake, deleteChange(recordAt("@", "ALIAS", "shops.example.net")))
      expect(writesTo(fake).map(({ method }) => method)).toEqual(["PUT", "POST", "DELETE"])
      expect(recordsIn(fake).at(-1)).toMatchObject({ id })
    })
  )

  live("a short text is written as it is, a long one in quoted strings, and both are read alike", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(namecom)
      const long = `v=DKIM1; p=${"k".repeat(390)}`
      for (const text of ["ä; b c", long]) yield* writeAt(namecom, fake, createChange(recordAt("here", "TXT", text)))
      expect(writesTo(fake).map(({ body }: any) => body.answer)).toEqual([
        "ä; b c",
        `"${long.slice(0, 255)}" "${long.slice(255)}"`
      ])
      const read = yield* readAt(namecom, fake)
      expect(read.flatMap(({ type, value }) => (type === "TXT" ? value : []))).toEqual(["ä; b c", long])
    })
  )

  live("a zone of more than 1,000 records is read to its end, and its own name servers are fixed", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(namecom, hostLines(1010))
      const read = yield* readAt(namecom, fake)
      expect(read).toHaveLength(1014)
      expect(read.filter(({ locked }) => locked === "fixed").map(({ type }) => type)).toEqual(Array(4).fill("NS"))
      expect(fake.calls().map(({ query }) => query)).toContain("page=2&perPage=1000")
    })
  )

  live("a zone whose domain has other name servers than Name.com's is not opened", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(namecom)
      const body = { domainName: zone, nameservers: ["ns1.other.example", "ns1abc.name.com.evil.example"] }
      fake.injectFault(aRead, { change: "not_made", answer: { status: 200, body } })
      for (const nameServers of [body.nameservers, ["ns1cvw.name.com"], []])
        expect(yield* failureOf(openAt(namecom, fake, { nameServers }))).toBe("authorization_zone_mismatch")
      fake.heal()
      yield* openAt(namecom, fake, { nameServers: ["NS1CVW.name.com."] })
    })
  )
})

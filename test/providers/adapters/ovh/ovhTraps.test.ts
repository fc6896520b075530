import { HttpClient } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { httpClientWithin } from "../../../support/vendors/httpClientWithin.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { makeVirtualTime } from "../../../support/vendors/virtualTime.ts"
import { openZone } from "../AdapterUnderTest.ts"
import {
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
import { makeMatrixRun } from "../matrixRun.ts"
import { testTraps } from "../vendorTests.ts"
import { ovh } from "./ovh.ts"

const records = `/domain/zone/${zone}/record`
const refresh = { method: "POST", path: `/domain/zone/${zone}/refresh`, body: undefined }

/** A record as OVHcloud keeps it. */
const stored = (host: string, type: string, value: string, ttl = 3600) => ({
  name: host === "" ? zone : `${host}.${zone}`,
  type,
  ttl,
  data: { value }
})

/** Tests by the words of `vendor-facts.json`. */
testTraps(ovh, {
  "without refresh nothing is served": Effect.fnUntraced(function* () {
    const run = yield* makeMatrixRun(
      {
        writes: "records",
        makeFake: (options) => makeFakeOf(ovh, "", options),
        adapterFor: (fake, http) => underTest(ovh, fake, { http })
      },
      {}
    )
    const writesFrom = (first: number) =>
      run.fake
        .calls()
        .slice(first)
        .flatMap(({ method, path }) => (method === "GET" ? [] : `${method} ${path}`))
    run.fake.beforeCall({ operation: "POST /domain/zone/{zone}/refresh", nth: 1 }, run.kill)
    run.fake.injectFault({ method: "POST", nth: 2 }, { change: "not_made", answer: "silence" })
    yield* run.attempt("first")
    expect(writesFrom(0)).toEqual([`POST ${records}`, `POST ${refresh.path}`])
    expect(yield* run.dump).toContain(`; not served: new.${zone}. 3600 A 192.0.2.9`)
    run.fake.heal()
    const killedAfter = run.fake.calls().length
    yield* run.attempt("first")
    const [first, second] = writesFrom(killedAfter)
    expect([first, second]).toEqual([`POST ${refresh.path}`, expect.stringMatching(/^(PUT|DELETE) /)])
    expect(yield* run.dump).not.toContainEqual(expect.stringContaining("served"))
  }),

  "fieldType DKIM, SPF, DMARC are TXT in DNS and read-only in type": Effect.fnUntraced(function* () {
    const fake = yield* makeFakeOf(ovh, [
      stored("", "SPF", '"v=spf1 -all"'),
      stored("", "TXT", '"beside it"'),
      stored("_dmarc", "DMARC", '"v=DMARC1; p=none"'),
      stored("key._domainkey", "DKIM", '"v=DKIM1; p=abc"')
    ])
    const read = yield* readAt(ovh, fake)
    expect(read.flatMap(({ host, type, value }) => (type === "TXT" ? `${host} ${value}` : []))).toEqual([
      "@ v=spf1 -all",
      "@ beside it",
      "_dmarc v=DMARC1; p=none",
      "key._domainkey v=DKIM1; p=abc"
    ])
    const after = recordAt("@", "TXT", "v=spf1 include:_spf.mailprov.net -all")
    yield* writeAt(ovh, fake, updateChange(recordAt("@", "TXT", "v=spf1 -all"), after))
    const { id } = recordsIn(fake).find(({ type }) => type === "SPF") ?? { id: "" }
    const body = { subDomain: "", target: `"${after.value}"`, ttl: 3600 }
    expect(writesTo(fake)).toEqual([{ method: "PUT", path: `${records}/${id}`, body }, refresh])
  }),

  "n+1 reads": Effect.fnUntraced(function* () {
    const time = makeVirtualTime()
    const fake = yield* makeFakeOf(ovh, hostLines(2000), { clock: time.now, isServed: false })
    const http = HttpClient.transform(time.track(httpClientWithin(fake), fake), Effect.delay("200 millis"))
    const read = Effect.flatMap(openZone(underTest(ovh, fake, { http }), {}), (opened) => opened.read)
    expect((yield* time.run(read)).zone.records).toHaveLength(2002)
  })
})

describeIfPossible("at OVHcloud", missingVendorData, () => {
  live("a target without a dot at its end is relative to the zone, and one that is written has the dot", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh, [stored("www", "CNAME", "shop"), stored("", "MX", "1 mail.example.net.")])
      const read = yield* readAt(ovh, fake)
      expect(read.flatMap(({ type, value }) => (type === "NS" ? [] : value))).toEqual([
        `shop.${zone}`,
        "mail.example.net"
      ])
      yield* writeAt(ovh, fake, createChange(recordAt("@", "MX", "new.example.net", { priority: 30 })))
      expect(writesTo(fake)[0]).toMatchObject({ body: { fieldType: "MX", target: "30 new.example.net.", ttl: 3600 } })
    })
  )

  live("a TTL of 0 is the zone's own, and is written back as 0", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh, [stored("www", "A", "192.0.2.1", 0)])
      expect((yield* readAt(ovh, fake)).find(({ host }) => host === "www")).toMatchObject({
        ttl: 3600,
        automaticTtl: true
      })
      const before = recordAt("www", "A", "192.0.2.1")
      yield* writeAt(ovh, fake, updateChange(before, { ...recordAt("www", "A", "192.0.2.2"), automaticTtl: true }))
      expect(writesTo(fake)[0]).toMatchObject({ body: { ttl: 0 } })
    })
  )

  live("a record that goes while the zone is read is left out, but a zone that goes is no empty zone", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh, "www 3600 A 192.0.2.1\nold 3600 A 192.0.2.2")
      const opened = yield* openAt(ovh, fake)
      const one = { operation: "GET /domain/zone/{zone}/record/{id}", nth: 1 }
      fake.beforeCall(one, () => editRecords(fake, (all) => all.filter(({ name }) => !name.startsWith("old"))))
      expect((yield* opened.read).zone.records.map(({ host }) => host)).toEqual(["@", "@", "www"])
      fake.beforeCall({ ...one }, () => fake.update((state) => ({ ...state, zones: {} })))
      expect(yield* Effect.flip(opened.read)).toMatchObject({ code: "authorization_zone_mismatch" })
    })
  )

  live("a call is signed with the time of OVHcloud's clock, however wrong the service's own is", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh, "www 3600 A 192.0.2.1", { clock: () => Date.UTC(2031, 5, 1) })
      yield* writeAt(ovh, fake, deleteChange(recordAt("www", "A", "192.0.2.1")))
      expect(writesTo(fake).map(({ method }) => method)).toEqual(["DELETE", "POST"])
    })
  )

  live("a refresh that is refused leaves the write unknown, for the record is written", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeOf(ovh)
      const answer = { status: 403, body: { errorCode: "NOT_GRANTED_CALL", message: "This call has not been granted" } }
      fake.injectFault({ operation: "POST /domain/zone/{zone}/refresh" }, { change: "not_made", answer })
      const failure = yield* Effect.flip(writeAt(ovh, fake, createChange(recordAt("new", "A", "192.0.2.1"))))
      expect(failure).toMatchObject({ _tag: "OutcomeUnknown", detail: expect.stringContaining("not published") })
    })
  )
})

import { describe, expect, test } from "bun:test"
import { Duration, Effect, Option, Redacted, type Scope } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { ProviderFailureCode } from "../../../src/providers/ProviderFailure.ts"
import { parseContent } from "../../../src/providers/writing/recordContent.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import {
  describedZones,
  type DescribedZones,
  makeDescribedVendor,
  tryToEnter
} from "../../support/vendors/DescribedVendor.ts"
import { vendorFaults } from "../../support/vendors/FakeVendor.ts"
import { httpClientWithin } from "../../support/vendors/httpClientWithin.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"
import { toAbsoluteName } from "../../support/vendors/VendorZones.ts"
import { makeVirtualTime } from "../../support/vendors/virtualTime.ts"
import { failureOf, openZone, sendWrites } from "./AdapterUnderTest.ts"
import {
  address,
  applyDesired,
  aRead,
  callFake,
  codesOf,
  createChange,
  deleteChange,
  type DescribedAdapter,
  editRecords,
  hostLines,
  makeFakeOf,
  openAt,
  readAt,
  recordAt,
  recordsIn,
  storedAt,
  underTest,
  undocumented,
  updateChange,
  type VendorErrorCase,
  writeAt,
  writesTo,
  zone
} from "./DescribedAdapter.ts"
import { type FaultKinds, faultMatrix } from "./faultMatrix.ts"
import { vendorContract } from "./vendorContract.ts"

/** Declares the contract of a described adapter, and its errors in the words of the vendor. */
export const testVendor = <Data>(adapter: DescribedAdapter<Data>): void =>
  describeIfPossible(`the adapter of ${adapter.name} on its fake`, missingVendorData, () => {
    vendorContract<Scope.Scope>(
      live,
      Effect.map(makeFakeOf(adapter), (fake) => underTest(adapter, fake))
    )
    for (const error of [...adapter.errors, pageOfHtml]) {
      const { answer, word } = error
      const [opening, reading, writing] = codesOf(error)
      const fault = { change: "not_made", answer } as const

      live(`${word} while opening is ${opening}`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          fake.injectFault(aRead, fault)
          expect(yield* failureOf(openAt(adapter, fake))).toBe(opening)
        })
      )

      live(`${word} while reading is ${reading}`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          const opened = yield* openAt(adapter, fake)
          fake.injectFault(aRead, fault)
          expect(yield* failureOf(opened.read)).toBe(reading)
        })
      )

      live(`${word} to a write is ${writing}`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          fake.injectFault({ where: ({ isWrite }) => isWrite }, fault)
          const change = createChange(recordAt("new", "A", "192.0.2.2"))
          expect(yield* failureOf(writeAt(adapter, fake, change))).toBe(writing)
        })
      )
    }

    live("a limit says how long to wait", () =>
      Effect.gen(function* () {
        const { seconds, ...answer } = adapter.limit
        const fake = yield* makeFakeOf(adapter)
        const { read } = yield* openAt(adapter, fake)
        fake.injectFault(aRead, { change: "not_made", answer })
        const failure = yield* Effect.flip(read)
        expect([failure.code, Duration.toSeconds(failure.retryAfter ?? 0)]).toEqual(["provider_rate_limited", seconds])
      })
    )

    const { recordsOfTwoPages } = adapter
    if (recordsOfTwoPages !== undefined)
      live("every page of a zone is read", () =>
        Effect.gen(function* () {
          const hosts = 2 * recordsOfTwoPages
          const read = yield* readAt(adapter, yield* makeFakeOf(adapter, hostLines(hosts)))
          expect(read.filter(({ type }) => type === "A")).toHaveLength(hosts)
        })
      )

    // Where a credential is exchanged for a token, the vendor does not see the credential.
    if (adapter.tokens === undefined)
      live("quotes no secret of the credential that an answer repeats", () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          const { read } = yield* openAt(adapter, fake)
          const secrets = Object.values(adapter.credential).filter(Redacted.isRedacted).map(Redacted.value)
          const answer = { status: 401, body: { message: `you sent ${secrets.join(" ")}` } }
          fake.injectFault(aRead, { change: "not_made", answer })
          const { detail } = yield* Effect.flip(read)
          expect(detail).toContain("you sent ***")
          for (const secret of secrets) expect(detail).not.toContain(String(secret))
        })
      )

    live("a record that is gone before it is removed is a zone that has changed", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeOf(adapter, "www 3600 A 192.0.2.1\nwww 3600 A 192.0.2.2")
        const opened = yield* openAt(adapter, fake)
        const snapshot = yield* opened.read
        const before = recordAt("www", "A", "192.0.2.1")
        yield* underTest(adapter, fake).replaceSets([
          { name: `www.${underTest(adapter, fake).zone}.`, type: "A", ttl: 3600, data: "192.0.2.2" }
        ])
        const failure = yield* Effect.flip(
          sendWrites(snapshot, [{ action: "delete", before, destructive: true }], opened)
        )
        expect(failure._tag).toBe("ZoneChanged")
      })
    )

    const { readOnlyCredential } = adapter
    if (readOnlyCredential !== undefined)
      live("a credential that may only read opens and reads the zone, and its writes lack a scope", () =>
        Effect.gen(function* () {
          const opened = yield* openAt(adapter, yield* makeFakeOf(adapter), { credential: readOnlyCredential })
          const write = sendWrites(yield* opened.read, [createChange(address(1))], opened)
          expect(yield* Effect.flip(write)).toMatchObject({ code: "authorization_insufficient_scope" })
        })
      )

    if (adapter.refusesAliases === true)
      live("an alias that took the name just before the call arrives is a zone that has changed", () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter)
          const alias = { name: `www.${zone}.`, type: "CNAME", ttl: 3600, data: "web.hostprov.net." }
          fake.beforeCall({ where: ({ isWrite }) => isWrite }, () =>
            Effect.runPromise(underTest(adapter, fake).replaceSets([alias]))
          )
          const isWhole = adapter.limitations.writesInParts === undefined
          const others = isWhole ? [createChange(recordAt("a", "A", "192.0.2.2"))] : []
          const failure = yield* Effect.flip(writeAt(adapter, fake, ...others, createChange(address(1))))
          expect(failure._tag).toBe("ZoneChanged")
          expect(recordsIn(fake).filter(({ type }) => type === "A")).toEqual([])
        })
      )

    if (adapter.writes === "records")
      live("a record that is gone when the call arrives that replaces it is a zone that has changed", () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter, "www 3600 A 192.0.2.1")
          const opened = yield* openAt(adapter, fake)
          const snapshot = yield* opened.read
          fake.beforeCall({ where: ({ isWrite }) => isWrite, nth: 1 }, () =>
            editRecords(fake, (records) => records.filter(({ type }) => type !== "A"))
          )
          const failure = yield* Effect.flip(sendWrites(snapshot, [updateChange(address(1), address(2))], opened))
          expect(failure._tag).toBe("ZoneChanged")
        })
      )

    if (adapter.comparesSets === true)
      for (const [about, { before, change, meanwhile }] of Object.entries(setsThatChange))
        live(`a set that ${about} just before the call arrives is a zone that has changed, and loses nothing`, () =>
          Effect.gen(function* () {
            const fake = yield* makeFakeOf(adapter, before)
            const foreign = describedZones(adapter.vendor, { [zone]: meanwhile })
            fake.beforeCall({ where: ({ isWrite }) => isWrite }, () => fake.update(() => foreign))
            expect((yield* Effect.flip(writeAt(adapter, fake, change)))._tag).toBe("ZoneChanged")
            expect(fake.state()).toBe(foreign)
          })
        )

    if (adapter.limitations.writesInParts === undefined)
      for (const [about, fault] of Object.entries(vendorFaults))
        live(`a plan of three sets is written as a whole or not at all: ${about}`, () =>
          Effect.gen(function* () {
            const time = makeVirtualTime()
            yield* time.trackCrypto
            const before = "old 3600 A 192.0.2.9"
            const fake = yield* makeFakeOf(adapter, before, { clock: time.now, isServed: false })
            const subject = underTest(adapter, fake, { http: time.track(httpClientWithin(fake), fake) })
            const changes = [
              createChange(recordAt("shop", "CNAME", "shops.example.net")),
              createChange(address(1)),
              deleteChange(recordAt("old", "A", "192.0.2.9"))
            ]
            const opened = yield* time.run(openZone(subject, {}))
            const snapshot = yield* time.run(opened.read)
            fake.injectFault({ where: ({ isWrite }) => isWrite }, fault)
            const failure = yield* Effect.flip(time.run(sendWrites(snapshot, changes, opened)))
            expect(failure._tag).toBe("OutcomeUnknown")
            const after = fault.change === "made" ? "shop 3600 CNAME shops.example.net.\nwww 3600 A 192.0.2.1" : before
            expect(yield* subject.dump).toEqual(yield* underTest(adapter, yield* makeFakeOf(adapter, after)).dump)
            expect(fake.calls().filter(({ isWrite }) => isWrite)).toHaveLength(1)
          })
        )
  })

/** What a proxy, or a vendor while it is repaired, may answer to any call. */
const pageOfHtml: VendorErrorCase = {
  word: "200 with a page of HTML",
  answer: vendorFaults["a page of HTML, nothing done"].answer,
  codes: undocumented
}

const oneAddress = "www 3600 A 192.0.2.1"
const twoAddresses = `${oneAddress}\nwww 3600 A 192.0.2.8`

/** A set when it is read, and when the call arrives that makes a change of it. */
const setsThatChange = {
  appears: { before: "", meanwhile: oneAddress, change: createChange(address(2)) },
  "gets another TTL": { before: oneAddress, meanwhile: "www 3601 A 192.0.2.1", change: createChange(address(2)) },
  "gets another record": { before: oneAddress, meanwhile: twoAddresses, change: updateChange(address(1), address(2)) },
  "gets a sibling of what is removed": {
    before: oneAddress,
    meanwhile: twoAddresses,
    change: deleteChange(address(1))
  },
  disappears: { before: oneAddress, meanwhile: "", change: createChange(address(2)) }
}

/** Declares a test for each body that the fake of a vendor must refuse when it comes to a path, with nothing stored. */
export const testRefusedBodies = <Data>(
  adapter: DescribedAdapter<Data>,
  { headers, path, records = "", status }: RefusingPath<Data>,
  bodies: Readonly<Record<string, object>>
): void =>
  describeIfPossible(`the fake of ${adapter.name}`, missingVendorData, () => {
    for (const [what, body] of Object.entries(bodies))
      live(`refuses ${what}, and stores nothing`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFakeOf(adapter, records)
          const before = fake.state()
          expect((yield* callFake(fake, "POST", path, { body, headers })).status).toBe(status)
          expect(fake.state()).toBe(before)
        })
      )
  })

/** Where records are created, and how the vendor refuses one. */
interface RefusingPath<Data> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** The zone before. */
  readonly records?: DescribedZones<Data>[string]
}

/** Where a record stands, its data as in a zone file, and how the vendor refuses it, if it does, in this zone or another. */
type RecordRule = readonly [
  host: string,
  type: string,
  content: string,
  code?: ProviderFailureCode | undefined,
  inZone?: string
]

/** Declares for each record that the adapter refuses it exactly if the fake does. */
export const testRecordRules = <Data>(adapter: DescribedAdapter<Data>, rules: ReadonlyArray<RecordRule>): void =>
  describe(`a record that ${adapter.name} refuses is refused before the request, and one that it stores is not`, () => {
    for (const [host, type, content, code, inZone = zone] of rules)
      live(`${inZone}: ${host.slice(0, 20)} ${type} ${content}`, () =>
        Effect.gen(function* () {
          const fake = yield* makeDescribedVendor(adapter.vendor, { [inZone]: "" })
          const domain = DomainName.make(inZone)
          const { checkRecord } = yield* openAt(adapter, fake, { domain, zone: domain })
          const { priority, value } = parseContent(type, content)
          const record = recordAt(host, type, value, priority === undefined ? {} : { priority })
          expect(Option.getOrUndefined(checkRecord(record))?.code).toBe(code)
          const name = toAbsoluteName(host, inZone)
          const entered = tryToEnter(adapter.vendor, { name, type, ttl: record.ttl, data: content }, inZone)
          expect(typeof entered).toBe(code === undefined ? "object" : "string")
        })
      )
  })

/** Declares the fault matrix of a described adapter; without `kinds`, with what the shared clients leave to an adapter. */
export const testFaults = <Data>(adapter: DescribedAdapter<Data>, kinds?: FaultKinds): void => {
  const { name, recordsOfTwoPages, storesApexAlias, vendor, writes } = adapter
  describeIfPossible(`at ${name}`, missingVendorData, () =>
    faultMatrix(
      name,
      {
        makeFake: (options) => makeFakeOf(adapter, "", options),
        adapterFor: (fake, http) => underTest(adapter, fake, { http }),
        writes,
        ...(vendor.servesAfter === undefined ? {} : { servesAfter: vendor.servesAfter }),
        ...(storesApexAlias === undefined ? {} : { storesApexAlias }),
        ...(recordsOfTwoPages === undefined ? {} : { recordsOfTwoPages })
      },
      kinds
    )
  )
}

/** Tests by their sentences. */
type VendorTests = Readonly<Record<string, () => Effect.Effect<unknown, unknown, Scope.Scope>>>

/** Declares tests of an adapter on its fake. */
export const testAtFake = ({ name }: Pick<DescribedAdapter<never>, "name">, tests: VendorTests): void =>
  describeIfPossible(`at ${name}`, missingVendorData, () => {
    for (const [sentence, body] of Object.entries(tests)) live(sentence, body)
  })

/** Declares a test for each trap of a vendor, by the words of `vendor-facts.json`, which must have these and no other. */
export const testTraps = ({ id, name }: Pick<DescribedAdapter<never>, "id" | "name">, traps: VendorTests): void =>
  describeIfPossible(`at ${name}`, missingVendorData, () =>
    describe("trap:", () => {
      for (const [words, body] of Object.entries(traps)) live(words, body)

      test("each one of the vendor's facts is tested here", async () => {
        const { vendors } = await Bun.file(`${vendorData}vendor-facts.json`).json()
        const facts = Object.values<any>(vendors).find((vendor) => vendor.id === id)
        expect(Object.keys(traps)).toEqual(facts.traps.map(({ trap }: { readonly trap: string }) => trap))
      })
    })
  )

/**
 * Expects that a set which the vendor keeps in this way is shown locked, that no plan changes it, and
 * that it stays as it is while a set of another type is written beside it.
 */
export const expectLocked = <Data>(adapter: DescribedAdapter<Data>, stored: ReadonlyArray<Data>, shown: object = {}) =>
  Effect.gen(function* () {
    const fake = yield* makeFakeOf(
      adapter,
      stored.map((data) => storedAt("www", "A", data))
    )
    const before = recordsIn(fake)
    const read = (yield* readAt(adapter, fake)).filter(({ host }) => host === "www")
    expect(read).toMatchObject(stored.map(() => ({ type: "A", locked: "fixed", ...shown })))
    for (const desired of ["www 300 A 192.0.2.9", "www 300 CNAME shops.example.net"])
      expect(yield* failureOf(applyDesired(adapter, fake, [desired]))).toBe("provider_record_locked")
    expect(writesTo(fake)).toEqual([])
    yield* writeAt(adapter, fake, createChange(recordAt("www", "TXT", "beside")))
    expect(recordsIn(fake)).toEqual([...before, expect.objectContaining({ type: "TXT" })])
  })

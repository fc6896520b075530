import { describe, expect, test } from "bun:test"
import { Duration, Effect, Redacted, type Scope } from "effect"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import { describedZones, type DescribedZones } from "../../support/vendors/DescribedVendor.ts"
import { missingVendorData, vendorData } from "../../support/vendors/vendorData.ts"
import { failureOf, sendWrites } from "./AdapterUnderTest.ts"
import {
  address,
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
  underTest,
  updateChange,
  writeAt,
  zone
} from "./DescribedAdapter.ts"
import { faultMatrix } from "./faultMatrix.ts"
import { vendorContract } from "./vendorContract.ts"

/** Declares the contract of a described adapter, and its errors in the words of the vendor. */
export const testVendor = <Data>(adapter: DescribedAdapter<Data>): void =>
  describeIfPossible(`the adapter of ${adapter.name} on its fake`, missingVendorData, () => {
    vendorContract<Scope.Scope>(
      live,
      Effect.map(makeFakeOf(adapter), (fake) => underTest(adapter, fake))
    )
    for (const error of adapter.errors) {
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
  })

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

/** Declares the fault matrix of a described adapter. */
export const testFaults = <Data>(adapter: DescribedAdapter<Data>): void => {
  const { name, recordsOfTwoPages, storesApexAlias, vendor, writes } = adapter
  describeIfPossible(`at ${name}`, missingVendorData, () =>
    faultMatrix(name, {
      makeFake: (options) => makeFakeOf(adapter, "", options),
      adapterFor: (fake, http) => underTest(adapter, fake, { http }),
      writes,
      ...(vendor.servesAfter === undefined ? {} : { servesAfter: vendor.servesAfter }),
      ...(storesApexAlias === undefined ? {} : { storesApexAlias }),
      ...(recordsOfTwoPages === undefined ? {} : { recordsOfTwoPages })
    })
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

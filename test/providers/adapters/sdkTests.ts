import { expect } from "bun:test"
import { Effect } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import type { FakeVendor } from "../../support/vendors/FakeVendor.ts"
import { missingVendorData } from "../../support/vendors/vendorData.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../support/vendors/VendorHosts.ts"
import { serveVendor } from "../../support/vendors/VendorServer.ts"
import { applyDesired, type DescribedAdapter, hostLines, makeFakeOf, readAt } from "./DescribedAdapter.ts"

/** A call of a vendor's own client, as its program takes it: the name of the operation, and its parameters. */
export type SdkCall = ReadonlyArray<unknown>

/** How a vendor's own client, unaltered, judges the fake of the vendor. */
export interface SdkJudge<Data> {
  readonly adapter: DescribedAdapter<Data>
  /** Among the judges. */
  readonly program: string
  /** From npm. */
  readonly package: string
  /** What else the client calls, at hosts of their own. */
  readonly services?: ReadonlyArray<Pick<FakeVendor<never>, "baseUrl" | "react">>
  /** With a credential that the vendor takes, or one that it refuses; the directory is for files, and goes with the test. */
  readonly environment: (isRefused: boolean, directory: string) => Readonly<Record<string, string>>
}

/** What a client and an adapter have to say about the same records, all of which have a TTL of 300. */
export interface SdkRecords {
  /** Creates the records of `readFromAll`, and others. */
  readonly creates: ReadonlyArray<SdkCall>
  /** What the adapter reads besides those of all. */
  readonly reads?: ReadonlyArray<Pick<ZoneRecord, "host" | "priority" | "type" | "value">>
  /** Lines of an intent besides those of all. */
  readonly desired?: ReadonlyArray<string>
  readonly list: SdkCall
  /** The client reads the first page only. */
  readonly readsOnePage?: true
  /** What the client lists at the end, in any order. */
  readonly listed: ReadonlyArray<object>
}

const readFromAll = [
  { host: "@", type: "CAA", value: '0 issue "ca.example.net; account=1"' },
  { host: "say", type: "TXT", value: 'say "hi" & \\ <go>' },
  { host: "_sip._tcp", type: "SRV", priority: 10, value: "20 5060 sip.example.net" },
  { host: "team", type: "NS", value: "ns1.example.net" },
  { host: "team", type: "NS", value: "ns2.example.net" },
  { host: "www6", type: "AAAA", value: "2001:db8::1" }
]

const desiredOfAll = [
  "say 300 TXT green & <blue>",
  "*.shop 300 CNAME shops.example.net",
  "mail 300 MX 5 mail.example.net",
  'secure 300 CAA 0 issue "letsencrypt.org"'
]

/** A host, a type, and data as in a zone file. */
type SdkSet = readonly [host: string, type: string, ...values: ReadonlyArray<string>]

const say: SdkSet = ["say", "TXT", String.raw`"say \"hi\" & \\ <go>"`]

const createdSets: ReadonlyArray<SdkSet> = [
  ["_sip._tcp", "SRV", "10 20 5060 sip.example.net."],
  ["www6", "AAAA", "2001:db8::1"],
  ["team", "NS", "ns1.example.net.", "ns2.example.net."],
  ["@", "CAA", '0 issue "ca.example.net; account=1"']
]

const appliedSets: ReadonlyArray<SdkSet> = [
  [...say, '"green & <blue>"'],
  ["*.shop", "CNAME", "shops.example.net."],
  ["mail", "MX", "5 mail.example.net."],
  ["secure", "CAA", '0 issue "ca.example.net; account=1"', '0 issue "letsencrypt.org"']
]

/** The sets that a client creates of all, and those that it lists at the end, where they have data as in a zone file. */
export const sdkSets = <Shown>(toSet: (...set: SdkSet) => Shown) => ({
  created: [say, ...createdSets].map((set) => toSet(...set)),
  listed: [...createdSets, ...appliedSets].map((set) => toSet(...set))
})

/** Declares tests of a client, if it can run here. */
export const describeSdk = <Data>({ adapter, package: name }: SdkJudge<Data>, tests: () => void): void =>
  describeIfPossible(
    `the client of ${adapter.name}`,
    missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/${name}/package.json`),
    tests
  )

/** Declares that a client and the adapter read what the other wrote. */
export const testSdkRecords = <Data>(judge: SdkJudge<Data>, records: SdkRecords): void => {
  const { creates, desired = [], list, listed, reads = [], readsOnePage = false } = records
  const title = readsOnePage
    ? "writes records that the adapter reads, and reads those that the adapter writes"
    : "writes records that the adapter reads, and reads those that the adapter writes, on every page"
  live(title, () =>
    Effect.gen(function* () {
      const { adapter } = judge
      const others = readsOnePage ? 0 : 120
      const { fake, sdk } = yield* makeSdk(judge, hostLines(others))
      yield* sdk(...creates)

      // Only what runs at the vendor's host trusts the certificate there.
      const plain = yield* makeFakeOf(adapter)
      plain.update(fake.state)
      expectAll(
        yield* readAt(adapter, plain),
        [...readFromAll, ...reads].map((record) => ({ ...record, ttl: 300 }))
      )
      expect(yield* applyDesired(adapter, plain, [...desiredOfAll, ...desired])).toEqual([])
      fake.update(plain.state)
      const [shown] = yield* sdk(list)
      expect(shown.length).toBeGreaterThan(others)
      expectAll(shown, listed)
    })
  )
}

/** Expects each of these, and no others, among what has a TTL of 300, whatever the client calls it. */
const expectAll = (
  all: ReadonlyArray<{ readonly ttl?: number; readonly TTL?: number }>,
  expected: ReadonlyArray<object>
) => {
  const found = all.filter(({ TTL, ttl = TTL }) => ttl === 300)
  expect(found).toEqual(expect.arrayContaining(expected.map((each) => expect.objectContaining(each))))
  expect(found).toHaveLength(expected.length)
}

const hostOf = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).hostname

/** Starts the fakes at the hosts of a vendor, and its client there. */
export const makeSdk = <Data>({ adapter, environment, program, services = [] }: SdkJudge<Data>, lines = "") =>
  Effect.gen(function* () {
    const { tokens, vendor } = adapter
    const others = [...(tokens === undefined ? [] : [tokens]), ...services]
    const hosts = yield* makeVendorHosts([vendor, ...others].map(hostOf))
    for (const other of others) yield* Effect.orDie(serveVendor(other.react, hosts.listener(hostOf(other))))
    const fake = yield* makeFakeOf(adapter, lines, hosts.listener(hostOf(vendor)))
    const run = (calls: ReadonlyArray<SdkCall>, isStranger: boolean) =>
      hosts.run(
        [process.execPath, `${judges}${program}`, JSON.stringify(calls)],
        environment(isStranger, hosts.environment["HOME"] ?? "")
      )
    return {
      fake,
      /** What calls return that succeed. */
      sdk: (...calls: ReadonlyArray<SdkCall>) =>
        Effect.map(run(calls, false), ({ exitCode, stderr, stdout }) => {
          expect([exitCode, stderr]).toEqual([0, ""])
          return JSON.parse(stdout)
        }),
      /** What the client says to a call that fails. */
      refusalOf: (call: SdkCall, { isStranger = false } = {}) =>
        Effect.map(run([call], isStranger), ({ exitCode, stderr }) => {
          expect(exitCode).toBe(1)
          return stderr
        })
    }
  })

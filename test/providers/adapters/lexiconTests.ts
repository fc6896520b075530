import { expect } from "bun:test"
import { Effect } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { describeIfPossible } from "../../support/describeIfPossible.ts"
import { live } from "../../support/effectTest.ts"
import type { VendorDescription } from "../../support/vendors/DescribedVendor.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "./AdapterUnderTest.ts"
import { type DescribedAdapter, makeFakeOf, underTest, zone } from "./DescribedAdapter.ts"

/** How Debian's Lexicon, unaltered, judges the fake of a vendor. */
export interface LexiconJudge<Data> {
  readonly adapter: DescribedAdapter<Data>
  /** What the fake is that Lexicon calls, where it speaks another version of the API than the adapter. */
  readonly vendor?: VendorDescription<Data>
  /** As Lexicon names it. */
  readonly provider: string
  /** The vendor's own, which leads to the fake. */
  readonly host: string
  /** With a credential that the vendor takes, or one that it refuses. */
  readonly environment: (isRefused: boolean) => Readonly<Record<string, string>>
  /** The status in the error of Lexicon when the credential is refused. */
  readonly refusedBy: number
  /** What is created by Lexicon besides the records of all, as in `www AAAA 2001:db8::1`. */
  readonly creates: ReadonlyArray<string>
  /** Whether Lexicon writes a target with its final dot. */
  readonly hasFinalDot?: boolean
  /** The TTL of what Lexicon creates, and of what it lists, where the vendor does not have those that all ask for. */
  readonly ttls?: { readonly created: number; readonly listed: number }
  /** The lines of an intent besides those of all, and what Lexicon lists as the content of each. */
  readonly lists: Readonly<Record<string, string>>
}

const texts = ["_acme-challenge TXT one", "_acme-challenge TXT other"]
const createdAtAll = ["www A 192.0.2.1", "shop CNAME shops.example.net", ...texts]
const listedAtAll = { "www 900 A 192.0.2.2": "192.0.2.2", "say 900 TXT three four": "three four" }

/** Declares that Lexicon and the adapter read what the other wrote, and that Lexicon reports a refused credential. */
export const testLexicon = <Data>(judge: LexiconJudge<Data>): void =>
  describeIfPossible("Lexicon", vendorHostsUnavailableReason("lexicon"), () => {
    const { adapter, creates, lists, refusedBy, ttls = { created: 600, listed: 900 } } = judge

    live("writes records that the adapter reads, and lists those that the adapter writes", () =>
      Effect.gen(function* () {
        const { fake, lexicon, update } = yield* makeLexicon(judge)
        const created = [...createdAtAll, ...creates]
        for (const line of created) expect(yield* update("create", line)).toMatchObject({ exitCode: 0 })

        // Only what runs at the vendor's host trusts the certificate there.
        const plain = yield* makeFakeOf(adapter)
        plain.update(fake.state)
        const opened = yield* openZone(underTest(adapter, plain), {})
        const snapshot = yield* opened.read
        const read = snapshot.zone.records.filter(({ ttl }) => ttl === ttls.created).map(toLine)
        expect(read.toSorted()).toEqual(created.toSorted())

        const listed = { ...listedAtAll, ...lists }
        const intent = resolvedIntentOf(zone, { desired: Object.keys(listed) })
        yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
        fake.update(plain.state)
        for (const [line, content] of Object.entries(listed)) {
          const [host, , type = ""] = line.split(" ")
          const { stdout } = yield* lexicon("list", type)
          const written = JSON.parse(stdout).filter(({ ttl }: any) => Number(ttl) === ttls.listed)
          expect(written.map((record: any) => [record.name, record.content])).toEqual([[`${host}.${zone}`, content]])
        }

        expect(yield* update("delete", "_acme-challenge TXT one")).toMatchObject({ exitCode: 0 })
        plain.update(fake.state)
        const after = yield* opened.read
        expect(after.zone.records.map(toLine).filter((line) => texts.includes(line))).toEqual([
          "_acme-challenge TXT other"
        ])
      })
    )

    live("reports a credential that is refused", () =>
      Effect.gen(function* () {
        const { fake, update } = yield* makeLexicon(judge, true)
        const before = fake.state()
        const { exitCode, stderr } = yield* update("create", "www A 192.0.2.1")
        expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(String(refusedBy))])
        expect(fake.state()).toEqual(before)
      })
    )
  })

const toLine = ({ host, priority, type, value }: ZoneRecord): string =>
  [host, type, ...(priority === undefined ? [] : [priority]), value].join(" ")

/** Starts a fake at the vendor's host, and Lexicon's commands there. */
export const makeLexicon = <Data>(judge: LexiconJudge<Data>, isRefused = false, records = "") =>
  Effect.gen(function* () {
    const { adapter, environment, hasFinalDot = false, host, provider, vendor = adapter.vendor } = judge
    const hosts = yield* makeVendorHosts([host])
    const fake = yield* makeFakeOf({ vendor }, records, hosts.listener(host))
    const lexicon = (action: string, type: string, options: ReadonlyArray<string> = []) =>
      hosts.run(["lexicon", provider, "--output", "JSON", action, zone, type, ...options], environment(isRefused))
    const update = (action: "create" | "delete", line: string) => {
      const [name = "", type = "", ...content] = line.split(" ")
      const priority = type === "MX" ? ["--priority", content.shift() ?? ""] : []
      const isTarget = type === "CNAME" || type === "NS" || type === "MX"
      const written = `${content.join(" ")}${isTarget && hasFinalDot ? "." : ""}`
      return lexicon(action, type, ["--name", name, "--content", written, "--ttl", "600", ...priority])
    }
    return { fake, lexicon, update }
  })

import { describe, expect, test } from "bun:test"
import { Either, FastCheck as fc } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { anyTtl } from "../../../src/domain/provider/Provider.ts"
import { severityOf } from "../../../src/domain/plan/Warning.ts"
import { isRecordType } from "../../../src/domain/records/recordTypes.ts"
import { addValidRecords } from "../arbitraries.ts"
import { declareProperties } from "../declareProperties.ts"
import { AuthoritativeZone } from "../evaluators/AuthoritativeZone.ts"
import { applyChanges, capabilities, desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { planZone } from "../../support/planZone.ts"

const detailsOf = (live: ReadonlyArray<string>, ...desired: ReadonlyArray<string>) => {
  const { changes, warningDetails } = planOrThrow({ zone: zoneOf(...live), desired: desiredRecords(...desired) })
  return {
    isDestructive: changes.some(({ destructive }) => destructive),
    details: warningDetails.map(({ changes: places, code, findings, severity = severityOf(code) }) =>
      [code, severity, places.join(), ...(findings ?? [])].join(" | ")
    )
  }
}

const hidden = (kind: string) => ({
  isDestructive: true,
  details: [`wildcard_hidden | serious | 0 | x.app.example.com no longer answers with ${kind}.`]
})

const codesOf = (live: ReadonlyArray<string>, desired: string) =>
  detailsOf(live, desired).details.map((detail) => detail.split(" | ")[0])

describe("a new name below which a wildcard no longer answers for", () => {
  const address = "* 300 A 192.0.2.7"

  test("the target of an alias takes its website away", () => {
    const desired = "app 300 A 192.0.2.7"
    expect(detailsOf([address, "www 300 CNAME x.app.example.com"], desired)).toEqual(hidden("A"))
    expect(detailsOf([address, "@ 300 ALIAS x.app.example.com"], desired)).toEqual(hidden("A"))
    expect(detailsOf([address, "www 300 HTTPS 0 x.app.example.com."], desired)).toEqual(hidden("A"))
    expect(detailsOf([address, "www 300 CNAME w.example.com", "w 300 CNAME x.app.example.com"], desired)).toEqual(
      hidden("A")
    )
    expect(
      detailsOf(["* 300 CNAME z.example.net", "www 300 CNAME x.app.example.com"], "app 300 CNAME z.example.net")
    ).toEqual(hidden("CNAME"))
  })

  test("the target of an alias that the plan answers for, too, takes nothing away", () => {
    const live = [address, "www 300 CNAME x.app.example.com"]
    const kept = { isDestructive: false, details: [] }
    expect(detailsOf(live, "app 300 A 192.0.2.7", "*.app 300 A 192.0.2.7")).toEqual(kept)
    expect(detailsOf(live, "app 300 A 192.0.2.7", "x.app 300 A 192.0.2.7")).toEqual(kept)
    expect(detailsOf([address, "www 300 CNAME app.example.com"], "app 300 A 192.0.2.7")).toEqual(kept)
    expect(detailsOf([address, "_x 300 CNAME x.app.example.com"], "app 300 A 192.0.2.7")).toEqual(kept)
  })

  test("an SPF policy that another one uses breaks the mail of that one", () => {
    const policy = "TXT v=spf1 ip4:192.0.2.1 -all"
    const broken = ["mail_records_removed", "mail_target_changed", "wildcard_hidden"]
    expect(
      codesOf([`* 300 ${policy}`, "@ 300 TXT v=spf1 include:x.app.example.com -all"], `app 300 ${policy}`)
    ).toEqual(broken)
    expect(
      codesOf(
        [`* 300 ${policy}`, "* 300 TXT hello", "@ 300 TXT v=spf1 redirect=_spf.mail.example.com"],
        `mail 300 ${policy}`
      )
    ).toEqual(broken)
  })

  test("a DKIM key behind an alias makes its signatures invalid", () => {
    const { details } = detailsOf(
      ["* 300 TXT v=DKIM1; p=abcd", "s._domainkey 300 CNAME k.app.example.com"],
      "app 300 TXT v=DKIM1; p=abcd"
    )
    expect(details).toEqual([
      "mail_records_removed | serious | 0",
      "mail_target_changed | serious | 0",
      "wildcard_hidden | serious | 0 | k.app.example.com no longer answers with DKIM."
    ])
  })
})

const apex = DomainName.make("example.com")
const hosts = ["a", "b.a", "c.b.a", "www", "*", "*.a", "*.b.a", "x"]
const targets = ["q.b.a", "c.b.a", "q.a", "a", "q", "www"].map((host) => `${host}.example.com`)

const record = (host: string): fc.Arbitrary<ZoneRecord> =>
  fc
    .constantFrom(
      { type: "A", value: "192.0.2.1" },
      { type: "A", value: "192.0.2.2" },
      { type: "TXT", value: "hello" },
      ...targets.map((value) => ({ type: "CNAME", value }))
    )
    .map((data) => ({ host, ttl: 300, ...data }))

const records = fc.constantFrom(...hosts).chain(record)

const addressesOf = (served: ReadonlyArray<ZoneRecord>) => {
  const zone = new AuthoritativeZone(
    apex,
    served.map((each) => ({ ...each, name: each.host === "@" ? apex : `${each.host}.${apex}` }))
  )
  return (name: string) => new Set(zone.answer(name, "A"))
}

const property = declareProperties({
  inputs: fc.record({
    live: fc.array(records, { maxLength: 6 }),
    desired: fc.array(records, { minLength: 1, maxLength: 2 })
  }),
  prepare: ({ desired, live }) => {
    const served = addValidRecords([], live, false)
    const intent = resolveIntent({
      domain: apex,
      records: desired.flatMap(({ type, ...rest }) => (isRecordType(type) ? [{ ...rest, type }] : []))
    })
    const zone = { name: apex, basis: "provider" as const, records: served }
    const planned = Either.flatMap(intent, (resolved) =>
      planZone({
        intent: resolved,
        zone,
        limits: { capabilities: capabilities("supported"), ttl: anyTtl },
        context: { answers: new Map(), others: [] }
      })
    )
    return { desired, served, zone, planned }
  },
  numRuns: propertyRuns(4_000)
})

property(
  "a name that currently resolves resolves to something else or to nothing only with a serious warning",
  (drawn) => {
    const { desired, planned, served, zone } = drawn
    if (Either.isLeft(planned)) return
    const { changes, warningDetails } = planned.right
    const isAnnounced = warningDetails.some(
      ({ code, severity = severityOf(code) }) => replacing.has(code) && severity === "serious"
    )
    const [before, after] = [addressesOf(served), addressesOf(applyChanges(zone, changes).records)]
    const names = served.filter(({ host }) => !host.startsWith("*")).map(({ host }) => `${host}.${apex}`)
    // More addresses, or fewer, are no other website.
    const lost = names.filter((name) => {
      const [previous, next] = [before(name), after(name)]
      return !previous.isSubsetOf(next) && (next.size === 0 || !next.isSubsetOf(previous))
    })
    expect(isAnnounced ? [] : lost.map((name) => ({ name, desired }))).toEqual([])
  }
)

const replacing: ReadonlySet<string> = new Set([
  "website_replaced",
  "wildcard_hidden",
  "cname_removed",
  "cname_replaces_records"
])

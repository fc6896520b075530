import { describe, expect, test } from "bun:test"
import { DateTime } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { Leftover } from "../../../src/domain/plan/Plan.ts"
import type { RestoreResult } from "../../../src/planning/restore/planRestore.ts"
import { describeChange, desiredRecords, exampleCom, intentFor, zoneOf } from "../../support/planFixtures.ts"
import {
  connectionIntentIn,
  disconnect,
  edit,
  join,
  later,
  planRestoreIn,
  pristineZone,
  repair,
  servedRecords,
  type SimulatedZone
} from "./SimulatedZone.ts"

const zoneWith = (...lines: ReadonlyArray<string>): SimulatedZone => pristineZone(zoneOf(...lines))

const joined = (state: SimulatedZone, id: string, ...desired: ReadonlyArray<string>): SimulatedZone =>
  join(state, { id: ConnectionId.make(id), intent: intentFor(exampleCom, desiredRecords(...desired)) })

/** The customer replaces one record outside the journal. */
const edited = (state: SimulatedZone, from: string, ...to: ReadonlyArray<string>): SimulatedZone =>
  edit(state, (records) => {
    const [gone] = zoneOf(from).records
    const staying = records.filter(
      ({ host, type, value }) => host !== gone?.host || type !== gone.type || value !== gone.value
    )
    expect(staying.length).toBe(records.length - 1)
    return [...staying, ...zoneOf(...to).records]
  })

const added = (state: SimulatedZone, ...lines: ReadonlyArray<string>): SimulatedZone =>
  edit(state, (records) => [...records, ...zoneOf(...lines).records])

const leaving = (state: SimulatedZone, id: string, options: Parameters<typeof planRestoreIn>[2] = {}) =>
  describeRestore(planRestoreIn(state, connectionIntentIn(state, id), options))

/** The zone while it is known that the mail server of the platform has no TLSA record. */
const unpinned = (state: SimulatedZone): SimulatedZone => ({
  ...state,
  context: { answers: new Map([["_25._tcp.in.example.net TLSA", []]]), others: [] }
})

const describeRestore = ({ changes, leftovers: left, warnings }: RestoreResult) => ({
  changes: changes.map(describeChange),
  left: left.map(formatLeftover),
  warnings
})

const formatLeftover = ({ reason, record: { host, priority, type, value } }: Leftover): string =>
  `${reason} ${[host, type, ...(priority === undefined ? [] : [priority]), value].join(" ")}`

const dkimWarningsAfter = (own: string, ...earlier: ReadonlyArray<string>) =>
  leaving(joined(zoneWith(...earlier), "con_a", own), "con_a").warnings.filter((warning) => warning.startsWith("dkim_"))

describe("restore removes the records of the connection", () => {
  test("an added record is removed, a replaced record comes back with its TTL", () => {
    const state = joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1", "new 60 A 198.51.100.1")
    expect(leaving(state, "con_a")).toEqual({
      changes: ["update! | www 60 A 198.51.100.1 | www 300 A 192.0.2.1", "delete! | new 60 A 198.51.100.1"],
      left: [],
      warnings: ["address_records_replaced", "website_replaced"]
    })
  })

  test("a DKIM key of the connection is removed, whatever was there before", () => {
    const selector = "s1._domainkey"
    const key = `${selector} 60 TXT v=DKIM1; p=new`
    expect(dkimWarningsAfter(key)).toEqual(["dkim_key_removed"])
    expect(dkimWarningsAfter(key, `${selector} 60 TXT v=DKIM1; p=old`)).toEqual(["dkim_key_removed"])
    expect(dkimWarningsAfter(`${selector} 60 CNAME new.example.net`)).toEqual(["dkim_key_removed"])
  })

  test("all records that a CNAME replaced come back once the CNAME is removed", () => {
    const original = zoneWith("www 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1", "www 60 TXT hello")
    expect(leaving(joined(original, "con_a", "www 60 CNAME shops.example.net"), "con_a").changes).toEqual([
      "delete! | www 60 CNAME shops.example.net",
      "create | www 300 A 192.0.2.1",
      "create | www 300 AAAA 2001:db8::1",
      "create | www 60 TXT hello"
    ])
  })

  test("an RRset comes back member by member", () => {
    const original = zoneWith("@ 300 MX 10 mx1.example.com", "@ 300 MX 20 mx2.example.com")
    expect(leaving(unpinned(joined(original, "con_a", "@ 60 MX 10 in.example.net")), "con_a")).toEqual({
      changes: [
        "create | @ 300 MX 10 mx1.example.com",
        "create | @ 300 MX 20 mx2.example.com",
        "delete! | @ 60 MX 10 in.example.net"
      ],
      left: [],
      warnings: ["mx_replaced"]
    })
  })

  test("a priority that was changed is changed back", () => {
    const state = joined(zoneWith("@ 300 MX 20 in.example.net"), "con_a", "@ 60 MX 10 in.example.net")
    expect(leaving(state, "con_a").changes).toEqual(["update | @ 60 MX 10 in.example.net | @ 300 MX 20 in.example.net"])
  })

  test("record types that no intent supports come back too", () => {
    const state = joined(zoneWith("www 300 HTTPS 1 edge.example.org"), "con_a", "www 60 A 198.51.100.1")
    expect(leaving(state, "con_a").changes).toEqual([
      "create | www 300 HTTPS 1 edge.example.org",
      "delete! | www 60 A 198.51.100.1"
    ])
  })

  test("a record that is no longer served needs no removal", () => {
    const state = joined(zoneWith(), "con_a", "www 60 A 198.51.100.1")
    expect(leaving(edited(state, "www 60 A 198.51.100.1"), "con_a")).toEqual({
      changes: [],
      left: ["changed_since www A 198.51.100.1"],
      warnings: []
    })
  })

  test("a desired record that existed before the connection is not removed", () => {
    const state = joined(zoneWith("www 300 A 198.51.100.1"), "con_a", "www 60 A 198.51.100.1")
    expect(leaving(state, "con_a")).toEqual({ changes: [], left: [], warnings: [] })
  })

  test("records above the domain of the connection stay unchanged", () => {
    const shop = DomainName.make("shop.example.com")
    const intent = intentFor(shop, desiredRecords("@ 60 A 198.51.100.1", "www 60 CNAME shop.example.com"))
    const state = join(zoneWith("@ 300 A 192.0.2.1", "shop 300 A 192.0.2.2"), {
      id: ConnectionId.make("con_a"),
      intent
    })
    expect(leaving(state, "con_a").changes).toEqual([
      "update! | @ 60 A 198.51.100.1 | @ 300 A 192.0.2.2",
      "delete! | www 60 CNAME shop.example.com"
    ])
  })
})

describe("restore removes SPF mechanisms", () => {
  const merged = joined(zoneWith("@ 300 TXT v=spf1  MX -ALL"), "con_a", "@ 60 TXT v=spf1 include:a.example.net ~all")

  test("the old text comes back byte for byte if only the connection edited it", () => {
    expect(leaving(merged, "con_a").changes).toEqual([
      "update! | @ 300 TXT v=spf1 MX include:a.example.net -ALL | @ 300 TXT v=spf1  MX -ALL"
    ])
  })

  test("terms that were added since stay", () => {
    const state = edited(
      merged,
      "@ 300 TXT v=spf1 MX include:a.example.net -ALL",
      "@ 300 TXT v=spf1 MX include:a.example.net ip4:192.0.2.1 -ALL"
    )
    expect(leaving(state, "con_a").changes).toEqual([
      "update! | @ 300 TXT v=spf1 MX include:a.example.net ip4:192.0.2.1 -ALL | @ 300 TXT v=spf1 MX ip4:192.0.2.1 -ALL"
    ])
  })

  test("a terminal that the customer set since stays", () => {
    const state = edited(
      merged,
      "@ 300 TXT v=spf1 MX include:a.example.net -ALL",
      "@ 300 TXT v=spf1 MX include:a.example.net ?all"
    )
    expect(leaving(state, "con_a").changes).toEqual([
      "update! | @ 300 TXT v=spf1 MX include:a.example.net ?all | @ 300 TXT v=spf1 MX ?all"
    ])
  })

  test("a mechanism to which the customer gave another qualifier stays", () => {
    const state = edited(
      merged,
      "@ 300 TXT v=spf1 MX include:a.example.net -ALL",
      "@ 300 TXT v=spf1 MX ?include:a.example.net -ALL"
    )
    expect(leaving(state, "con_a").changes).toEqual([])
  })

  const first = joined(zoneWith(), "con_a", "@ 60 TXT v=spf1 include:a.example.net ~all")

  test("a record that the connection created is removed if only a terminal would remain", () => {
    const state = edited(
      first,
      "@ 60 TXT v=spf1 include:a.example.net ~all",
      "@ 60 TXT v=spf1 include:a.example.net -all"
    )
    expect(leaving(state, "con_a").changes).toEqual(["delete! | @ 60 TXT v=spf1 include:a.example.net -all"])
  })

  test("a record that the connection created keeps the terms that were added since", () => {
    const state = edited(
      first,
      "@ 60 TXT v=spf1 include:a.example.net ~all",
      "@ 60 TXT v=spf1 include:a.example.net include:mine.example ~all"
    )
    expect(leaving(state, "con_a").changes).toEqual([
      "update! | @ 60 TXT v=spf1 include:a.example.net include:mine.example ~all | @ 60 TXT v=spf1 include:mine.example ~all"
    ])
  })

  test("the mechanisms of a remaining connection stay, even after the customer added a term", () => {
    const both = joined(merged, "con_b", "@ 60 TXT v=spf1 include:b.example.net ~all")
    const state = edited(
      both,
      "@ 300 TXT v=spf1 MX include:a.example.net include:b.example.net -ALL",
      "@ 300 TXT v=spf1 MX include:a.example.net include:b.example.net ip4:192.0.2.1 -ALL"
    )
    expect(leaving(state, "con_a").changes).toEqual([
      "update! | @ 300 TXT v=spf1 MX include:a.example.net include:b.example.net ip4:192.0.2.1 -ALL | @ 300 TXT v=spf1 MX ip4:192.0.2.1 include:b.example.net -ALL"
    ])
  })
})

describe("restore removes DMARC tags", () => {
  const wish = desiredRecords("_dmarc 60 TXT v=DMARC1; p=none")
  const options = { overrideTags: { p: "quarantine" }, addTagsIfNotExist: { ruf: "mailto:a@example.net" } }
  const merged = join(zoneWith("_dmarc 300 TXT v=DMARC1;p=none; rua=mailto:r@example.com"), {
    id: ConnectionId.make("con_a"),
    intent: intentFor(exampleCom, wish, { dmarcOptions: options })
  })
  const ours = "_dmarc 300 TXT v=DMARC1; p=quarantine; rua=mailto:r@example.com; ruf=mailto:a@example.net"

  test("the old text comes back byte for byte if only the connection edited it", () => {
    expect(leaving(merged, "con_a")).toEqual({
      changes: [`update! | ${ours} | _dmarc 300 TXT v=DMARC1;p=none; rua=mailto:r@example.com`],
      left: [],
      warnings: ["dmarc_policy_weakened"]
    })
  })

  test("tags that the customer added or changed since stay", () => {
    const now = "_dmarc 300 TXT v=DMARC1; p=reject; rua=mailto:r@example.com; ruf=mailto:a@example.net; adkim=s"
    expect(leaving(edited(merged, ours, now), "con_a").changes).toEqual([
      `update! | ${now} | _dmarc 300 TXT v=DMARC1; p=reject; rua=mailto:r@example.com; adkim=s`
    ])
  })

  test("a record that the connection created is removed if no other tag remains", () => {
    const first = joined(zoneWith(), "con_a", "_dmarc 60 TXT v=DMARC1; p=none; rua=mailto:a@example.net")
    const respelt = edited(
      first,
      "_dmarc 60 TXT v=DMARC1; p=none; rua=mailto:a@example.net",
      "_dmarc 60 TXT v=DMARC1;p=none;rua=mailto:a@example.net"
    )
    expect(leaving(respelt, "con_a").changes).toEqual([
      "delete! | _dmarc 60 TXT v=DMARC1;p=none;rua=mailto:a@example.net"
    ])
  })
})

describe("restore leaves records that the customer changed since and reports them", () => {
  test("a replaced value stays, and is reported with the original record", () => {
    const state = joined(zoneWith("www 300 CNAME old.example.org"), "con_a", "www 60 A 198.51.100.1")
    expect(leaving(edited(state, "www 60 A 198.51.100.1", "www 60 A 192.0.2.9"), "con_a")).toEqual({
      changes: [],
      left: ["changed_since www CNAME old.example.org", "changed_since www A 198.51.100.1"],
      warnings: []
    })
  })

  test("a member that was added to an RRset of the connection stays with the records that come back", () => {
    const state = joined(
      zoneWith("@ 300 MX 10 mx1.example.com", "@ 300 MX 20 mx2.example.com"),
      "con_a",
      "@ 60 MX 10 in.example.net"
    )
    expect(servedRecords(disconnect(added(state, "@ 60 MX 30 mine.example.com"), "con_a"))).toEqual([
      "@ MX 10 mx1.example.com 300",
      "@ MX 20 mx2.example.com 300",
      "@ MX 30 mine.example.com 60"
    ])
  })

  test("a member that was added to an RRset of a remaining connection is not removed", () => {
    const both = joined(joined(zoneWith(), "con_a", "@ 60 MX 10 in.a.example"), "con_b", "@ 60 MX 10 in.b.example")
    expect(leaving(added(both, "@ 60 MX 30 mine.example.com"), "con_a").changes).toEqual([])
  })

  test("an alias of a remaining connection does not replace records that the customer wrote", () => {
    const both = joined(joined(zoneWith(), "con_a", "www 60 CNAME a.example.net"), "con_b", "www 60 A 198.51.100.1")
    expect(leaving(added(both, "www 60 TXT mine"), "con_b").changes).toEqual(["delete! | www 60 A 198.51.100.1"])
  })

  test("policies that the customer wrote over those of the connection stay", () => {
    const ours = [
      "@ 60 TXT v=spf1 include:a.example.net ~all",
      "_dmarc 60 TXT v=DMARC1; p=none; rua=mailto:a@example.net"
    ]
    const state = joined(zoneWith(), "con_a", ...ours)
    const theirs = ours.reduce(
      (state, line, index) =>
        edited(state, line, ["@ 60 TXT v=spf1 -all", "_dmarc 60 TXT v=DMARC1; p=none"][index] ?? ""),
      state
    )
    expect(leaving(theirs, "con_a").changes).toEqual([])
  })

  test("a record that the customer wrote again after a disconnect belongs to the customer", () => {
    const left = disconnect(joined(zoneWith(), "con_a", "@ 60 TXT verify=1"), "con_a")
    const state = joined(added(left, "@ 300 TXT verify=1"), "con_b", "@ 60 TXT verify=2")
    expect(leaving(state, "con_b").changes).toEqual(["delete! | @ 300 TXT verify=2"])
  })

  test("a repaired record is restored to the value before the connection, not to the drifted one", () => {
    const state = joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1")
    const repaired = repair(edited(state, "www 300 A 198.51.100.1", "www 300 A 192.0.2.9"), "con_a")
    expect(leaving(repaired, "con_a").changes).toEqual(["update! | www 60 A 198.51.100.1 | www 300 A 192.0.2.1"])
  })

  test("a deleted and repaired record is restored to the value before the connection", () => {
    const state = joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 CNAME shops.example.net")
    const repaired = repair(edited(state, "www 60 CNAME shops.example.net"), "con_a")
    expect(leaving(repaired, "con_a").changes).toEqual([
      "delete! | www 60 CNAME shops.example.net",
      "create | www 300 A 192.0.2.1"
    ])
  })

  test("other records of remaining connections that the customer removed are not repaired", () => {
    const both = joined(
      joined(zoneWith(), "con_a", "@ 60 TXT verify=a"),
      "con_b",
      "@ 60 TXT verify=b",
      "@ 60 A 192.0.2.1"
    )
    const state = edited(edited(both, "@ 60 TXT verify=b"), "@ 60 A 192.0.2.1", "@ 60 A 192.0.2.2")
    expect(leaving(state, "con_a").changes).toEqual(["delete! | @ 60 TXT verify=a"])
  })
})

describe("a record that another active connection desires", () => {
  const both = joined(
    joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1"),
    "con_b",
    "www 60 A 198.51.100.1"
  )

  test("stays while the other connection is active", () => {
    expect(leaving(both, "con_a")).toEqual({
      changes: [],
      left: ["wanted_by_another_connection www A 198.51.100.1", "wanted_by_another_connection www A 192.0.2.1"],
      warnings: []
    })
  })

  test("is removed with the other connection, which never wrote it", () => {
    expect(leaving(disconnect(both, "con_a"), "con_b").changes).toEqual([
      "update! | www 60 A 198.51.100.1 | www 300 A 192.0.2.1"
    ])
  })

  test("comes back if the other connection wrote it before", () => {
    const state = joined(
      joined(zoneWith("@ 300 MX 10 mx.example.com"), "con_a", "@ 60 MX 10 in.a.example"),
      "con_b",
      "@ 60 MX 10 in.b.example"
    )
    expect(leaving(state, "con_b").changes).toEqual(["update! | @ 60 MX 10 in.b.example | @ 60 MX 10 in.a.example"])
  })
})

describe("a record of a disconnected connection is never restored", () => {
  const chain = joined(
    joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1"),
    "con_b",
    "www 60 A 198.51.100.2"
  )

  test("restore goes back to the last value that no connection wrote", () => {
    expect(leaving(disconnect(chain, "con_a"), "con_b").changes).toEqual([
      "update! | www 60 A 198.51.100.2 | www 300 A 192.0.2.1"
    ])
  })

  test("no record comes back if connections wrote every earlier value", () => {
    const state = joined(joined(zoneWith(), "con_a", "www 60 A 198.51.100.1"), "con_b", "www 60 A 198.51.100.2")
    expect(leaving(disconnect(state, "con_a"), "con_b").changes).toEqual(["delete! | www 60 A 198.51.100.2"])
  })
})

describe("restore does not put back a stale address, CNAME or NS", () => {
  const state = joined(
    zoneWith("www 300 A 192.0.2.1", "@ 300 MX 10 mx.example.com"),
    "con_a",
    "www 60 A 198.51.100.1",
    "@ 60 MX 10 in.example.net"
  )

  test("after thirty days the address stays removed, but other record types come back", () => {
    expect(leaving(later(unpinned(state), 31), "con_a")).toEqual({
      changes: ["update! | @ 60 MX 10 in.example.net | @ 300 MX 10 mx.example.com", "delete! | www 60 A 198.51.100.1"],
      left: ["older_than_thirty_days www A 192.0.2.1"],
      warnings: ["mx_replaced"]
    })
  })

  test("within thirty days the address comes back", () => {
    expect(leaving(later(state, 30), "con_a").left).toEqual([])
  })

  test("a stale address comes back if the approval names it", () => {
    const putBack = [{ host: "www", type: "A", value: "192.0.2.1" }]
    expect(leaving(later(state, 31), "con_a", { putBack })).toEqual(leaving(state, "con_a"))
  })

  test("its age counts from the first removal by a connection", () => {
    const first = joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1")
    const second = disconnect(joined(later(first, 20), "con_b", "www 60 A 198.51.100.2"), "con_a")
    expect(leaving(later(second, 20), "con_b").left).toEqual(["older_than_thirty_days www A 192.0.2.1"])
  })

  test("a record that another active connection desires comes back at any age", () => {
    const first = joined(zoneWith("www 300 A 192.0.2.1"), "con_a", "www 60 A 198.51.100.1")
    const second = joined(later(first, 20), "con_b", "www 60 A 198.51.100.2")
    expect(leaving(later(second, 90), "con_b").changes).toEqual([
      "update! | www 60 A 198.51.100.2 | www 60 A 198.51.100.1"
    ])
  })

  const alias = joined(zoneWith("www 300 CNAME old.example.org"), "con_a", "www 60 A 198.51.100.1")
  const knowing = (answers: Readonly<Record<string, ReadonlyArray<string>>>): SimulatedZone => ({
    ...alias,
    context: { answers: new Map(Object.entries(answers)), others: [] }
  })
  const empty = Object.fromEntries(["A", "AAAA", "MX", "TXT"].map((type) => [`old.example.org ${type}`, []]))

  test("a CNAME whose target no longer resolves is not put back", () => {
    expect(leaving(knowing(empty), "con_a")).toEqual({
      changes: ["delete! | www 60 A 198.51.100.1"],
      left: ["target_does_not_resolve www CNAME old.example.org"],
      warnings: []
    })
  })

  test("a CNAME whose target is unknown comes back, and the query is reported", () => {
    const { changes, leftovers: left, unanswered } = planRestoreIn(alias, connectionIntentIn(alias, "con_a"))
    const changed = ["delete! | www 60 A 198.51.100.1", "create | www 300 CNAME old.example.org"]
    expect([changes.map(describeChange), left]).toEqual([changed, []])
    expect(unanswered).toEqual(["A", "AAAA", "MX", "TXT"].map((type) => ({ name: "old.example.org", type }) as never))
  })

  test("a CNAME whose target resolves for any type comes back", () => {
    expect(leaving(knowing({ ...empty, "old.example.org TXT": ["v=DKIM1; p=MIGf"] }), "con_a").left).toEqual([])
  })
})

test("the restore digest depends only on the changes, as for any plan", () => {
  const state = joined(zoneWith(), "con_a", "www 60 A 198.51.100.1")
  const living = connectionIntentIn(state, "con_a")
  const { digest } = planRestoreIn(state, living)
  expect(planRestoreIn({ ...state, now: DateTime.add(state.now, { days: 90 }) }, living).digest).toBe(digest)
  expect(planRestoreIn(disconnect(state, "con_a"), living).digest).not.toBe(digest)
})

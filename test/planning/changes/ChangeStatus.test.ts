import { expect, test } from "bun:test"
import { Array, Either, FastCheck as fc } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import {
  findDuplicatedRecords,
  findPrerequisiteDeletions,
  isApplied,
  makeChangeStatusCheck
} from "../../../src/planning/changes/ChangeStatus.ts"
import { computeResultingRecords } from "../../../src/planning/changes/computeResultingRecords.ts"
import { toLiveZone } from "../../../src/planning/zone/LiveZone.ts"
import {
  describeChange,
  desiredRecords,
  exampleCom,
  planOrThrow,
  zoneOf,
  zonesAfterEachChange
} from "../../support/planFixtures.ts"
import { planInputArbitrary } from "../arbitraries.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { planZone } from "../../support/planZone.ts"

/** The status of each change in a zone. */
const progress = (changes: ReadonlyArray<Change>, ...zone: ReadonlyArray<string>) =>
  changes.map(makeChangeStatusCheck(toLiveZone(zoneOf(...zone), exampleCom), changes))

const planFrom = (zone: ReadonlyArray<string>, desired: ReadonlyArray<string>) =>
  planOrThrow({ zone: zoneOf(...zone), desired: desiredRecords(...desired) }).changes

const toAlias = planFrom(["www 300 A 192.0.2.1"], ["www 300 CNAME web.example.net"])

test("a record that a change adds is duplicated in any spelling, and one that it leaves alone is not", () => {
  const zone = ["mail 300 MX 10 a.example.org", "mail 300 MX 10 a.example.org"]
  const added = planFrom(zone, ["www 300 CNAME web.example.net"])
  const find = (...records: ReadonlyArray<string>) =>
    findDuplicatedRecords(added, zoneOf(...zone, ...records), exampleCom).map(({ host, value }) => `${host} ${value}`)
  expect(find("www 300 CNAME web.example.net")).toEqual([])
  expect(find("www 300 CNAME web.example.net", "WWW 60 CNAME Web.example.net.")).toEqual(["www web.example.net"])
})

test("an alias at the apex that the provider stores as a type of its own is duplicated too, as that type", () => {
  const added = planFrom([], ["@ 300 CNAME web.example.net"])
  const find = (...records: ReadonlyArray<string>) =>
    findDuplicatedRecords(added, zoneOf(...records), exampleCom).map(({ type, value }) => `${type} ${value}`)
  expect(find("@ 300 ALIAS web.example.net")).toEqual([])
  expect(find("@ 300 ALIAS web.example.net", "@ 300 ALIAS Web.example.net.")).toEqual(["ALIAS web.example.net"])
})

test("a deletion is applied before the addition that needs it", () => {
  expect(toAlias.map(describeChange)).toEqual([
    "delete! | www 300 A 192.0.2.1",
    "create | www 300 CNAME web.example.net"
  ])
  expect(progress(toAlias, "WWW 60 a 192.0.2.1")).toEqual(["pending", "pending"])
  expect(progress(toAlias)).toEqual(["applied", "pending"])
  expect(progress(toAlias, "www 300 CNAME Web.Example.NET.")).toEqual(["applied", "applied"])
})

test("a foreign record makes an addition diverge only if both cannot exist together", () => {
  expect(progress(toAlias, "www 300 TXT hello")).toEqual(["applied", "diverged"])
  expect(progress(toAlias, "www 300 CNAME other.example.net")).toEqual(["applied", "diverged"])
  const text = planFrom([], ["www 300 TXT hello"])
  expect(progress(text, "www 300 TXT other", "www 300 A 192.0.2.1")).toEqual(["pending"])
  expect(progress(text, "www 300 CNAME other.example.net")).toEqual(["diverged"])
})

test("a second policy of a kind that a host may have only once makes the addition diverge", () => {
  const policy = planFrom([], ["@ 300 TXT v=spf1 mx -all"])
  expect(progress(policy, "@ 300 TXT hello")).toEqual(["pending"])
  expect(progress(policy, "@ 300 TXT v=spf1 a -all")).toEqual(["diverged"])
})

test("a replacement is applied if only the new record exists, and pending if only the old one does", () => {
  const changes = planFrom(["@ 300 MX 10 mx.example.org"], ["@ 300 MX 10 mx.example.net"])
  expect(changes.map(({ action }) => action)).toEqual(["update"])
  expect(progress(changes, "@ 300 MX 10 mx.example.org")).toEqual(["pending"])
  expect(progress(changes, "@ 300 MX 10 mx.example.net")).toEqual(["applied"])
  expect(progress(changes, "@ 300 MX 10 mx.example.net", "@ 300 MX 10 mx.example.org")).toEqual(["duplicated"])
  expect(progress(changes, "@ 300 MX 10 mx.example.com")).toEqual(["diverged"])
  expect(progress(changes)).toEqual(["diverged"])
})

test("an alias at the apex is applied whichever type the provider uses for it", () => {
  const changes = planFrom([], ["@ 300 CNAME web.example.net"])
  expect(progress(changes, "@ 300 ALIAS web.example.net")).toEqual(["applied"])
  expect(progress(changes, "@ 300 A 192.0.2.1")).toEqual(["diverged"])
})

test("the TTL decides the status of a change that alters only the TTL", () => {
  const record = { host: "www", type: "A", value: "192.0.2.1", optional: false }
  const change = {
    action: "update" as const,
    before: { ...record, ttl: 300 },
    after: { ...record, ttl: 60 },
    destructive: false
  }
  expect([300, 60, 61].map((ttl) => progress([change], `www ${ttl} A 192.0.2.1`))).toEqual([
    ["pending"],
    ["applied"],
    ["diverged"]
  ])
  expect(progress([change])).toEqual(["diverged"])
})

test("each change of a plan is pending before it is written and applied afterwards, and the whole plan is applied after the last one", () =>
  fc.assert(
    fc.property(planInputArbitrary, (input) => {
      const { changes } = Either.getOrElse(planZone(input), () => ({ changes: [] }))
      for (const [made, zone] of [input.zone, ...zonesAfterEachChange(input.zone, changes)].entries()) {
        const now = toLiveZone(zone, input.intent.domain)
        const [behind, ahead] = Array.splitAt(changes, made)
        expect(behind.map(makeChangeStatusCheck(now, ahead))).toEqual(behind.map(() => "applied"))
        expect(ahead.map(makeChangeStatusCheck(now, ahead))).toEqual(ahead.map(() => "pending"))
        const zones = { before: input.zone, after: zone }
        expect(isApplied(changes, zones, input.intent.domain)).toBe(ahead.length === 0)
      }
    }),
    { numRuns: propertyRuns(400) }
  ))

test("a plan is not applied if another record of a changed host was lost or added", () => {
  const before = zoneOf("www 300 TXT one", "www 300 A 192.0.2.1", "mail 300 A 192.0.2.2")
  const changes = planFrom(["www 300 TXT one", "www 300 A 192.0.2.1"], ["www 300 TXT two"])
  const good = computeResultingRecords(before, changes)
  const judge = (records: typeof good) => isApplied(changes, { before, after: { ...before, records } }, exampleCom)
  expect(judge(good.map((record) => ({ ...record, ttl: 1 })))).toBe(true)
  expect(judge(good.filter(({ value }) => value !== "one"))).toBe(false)
  expect(judge([...good, ...zoneOf("www 300 AAAA 2001:db8::1").records])).toBe(false)
  expect(judge(good.filter(({ host }) => host !== "mail"))).toBe(true)
})

test("only deletions at the same host directly before a change make room for it", () => {
  const changes = [
    ...planFrom(["mail 300 A 192.0.2.9"], ["mail 300 CNAME mail.example.net"]),
    ...planFrom(["www 300 A 192.0.2.1", "www 300 A 192.0.2.2"], ["www 300 CNAME web.example.net"]),
    ...planFrom(
      ["www 300 TXT v=spf1 -all", "@ 300 MX 10 a.example.net", "@ 300 MX 20 b.example.net"],
      ["@ 300 MX 10 a.example.net"]
    )
  ]
  expect(changes.map((_, place) => findPrerequisiteDeletions(changes, place).map(describeChange))).toEqual([
    [],
    ["delete! | mail 300 A 192.0.2.9"],
    [],
    [],
    ["delete! | www 300 A 192.0.2.1", "delete! | www 300 A 192.0.2.2"],
    []
  ])
})

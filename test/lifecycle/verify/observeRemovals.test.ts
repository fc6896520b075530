import { expect, test } from "bun:test"
import { DateTime, Option } from "effect"
import type { ServerView } from "../../../src/dns/zone/ServerView.ts"
import { RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import { encodeObservations } from "../../../src/lifecycle/verify/encodeObservations.ts"
import { observeRemovals } from "../../../src/lifecycle/verify/observeRemovals.ts"
import { desiredRecords, exampleCom, zoneOf } from "../../support/planFixtures.ts"

const at = { checkedAt: DateTime.unsafeMake(0), domain: exampleCom }
const [note, page] = desiredRecords("@ 300 TXT old=1", "www 300 A 192.0.2.1")
if (note === undefined || page === undefined) throw new Error("no record")

const serverAt = (name: string, ...lines: ReadonlyArray<string>) => {
  const view: ServerView = {
    server: { name, addresses: [] },
    zone: zoneOf(...lines),
    unknownRRsets: [],
    wildcardRRsets: []
  }
  return { kind: "authoritative" as const, view, compared: [] }
}

test("the observations keep what each server shows of a removed record, where servers differ", () => {
  const servers = [
    serverAt("ns1.one.net", "@ 300 TXT old=1", "www 300 A 192.0.2.1"),
    serverAt("ns1.other.net", "@ 300 TXT new=2", "www 300 A 192.0.2.1")
  ]
  const removals = observeRemovals(servers, [note, page], at)
  expect(
    removals.map(({ expected, observed }) => [
      expected.value,
      ...observed.map(({ server, status }) => [server, status])
    ])
  ).toEqual([
    ["old=1", ["ns1.one.net", "present"], ["ns1.other.net", "different"]],
    ["192.0.2.1", ["ns1.one.net", "present"], ["ns1.other.net", "present"]]
  ])
  const kept = JSON.parse(encodeObservations({ records: [], removals }, Option.some([note, page])))
  expect(kept.removals.map((one: typeof RecordObservation.Encoded) => one.expected.value)).toEqual(["old=1"])
})

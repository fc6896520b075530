import { describe, expect, test } from "bun:test"
import { type ObservationStatus, RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import type { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { catalog } from "../../../src/providers/catalog/catalog.ts"
import { makeManualGuides, type ManualWork } from "../../../src/providers/guides/makeManualGuides.ts"
import { desiredRecords, exampleCom } from "../../support/planFixtures.ts"

const providers = catalog.flatMap(({ provider }) => (["godaddy", "ovh"].includes(provider.id) ? [provider] : []))

const recordOf = (line: string): DnsRecord => {
  const [record] = desiredRecords(line)
  if (record === undefined) throw new Error("no record")
  return record
}

const added = recordOf("www 300 A 192.0.2.9")
const removed = recordOf("www 300 AAAA 2001:db8::1")
const note = recordOf("@ 300 TXT old=1")
const proof = recordOf("@ 300 TXT new=2")

interface SharedZone {
  readonly changes: ManualWork["changes"]
  readonly expected: DnsRecord
  /** Where the observation of `expected` is. */
  readonly place?: "records" | "removals"
  /** What the one server of each provider shows. */
  readonly shown: ReadonlyArray<ReadonlyArray<DnsRecord> | "silent">
  readonly toRemove: ReadonlyArray<DnsRecord>
}

/** Which task is done at each provider. */
const doneAt = ({ changes, expected, place = "records", shown, toRemove }: SharedZone): ReadonlyArray<boolean> => {
  const observed = shown.map((seen, nth) => ({
    server: `ns1.provider${nth}.net`,
    kind: "authoritative" as const,
    status: statusOf(expected, seen),
    seen: seen === "silent" ? [] : seen.map(({ ttl, type, value }) => ({ ttl, type, value }))
  }))
  const observation = RecordObservation.make({ expected, observed, status: "missing" })
  return makeManualGuides({
    domain: exampleCom,
    zone: exampleCom,
    changes,
    providers: providers.map((provider, nth) => ({ provider, nameServers: [`ns1.provider${nth}.net`] })),
    observations: { records: [], [place]: [observation], toRemove }
  }).flatMap(({ tasks }) => tasks.map(({ isDone }) => isDone))
}

const statusOf = (expected: DnsRecord, shown: SharedZone["shown"][number]): ObservationStatus =>
  shown === "silent" ? "unknown" : shown.includes(expected) ? "present" : "missing"

const remove = (expected: DnsRecord, place: SharedZone["place"] & string, ...shown: SharedZone["shown"]) =>
  doneAt({
    changes: [{ action: "delete", before: removed, destructive: true }],
    expected,
    place,
    shown,
    toRemove: [removed]
  })

const replace = (...shown: SharedZone["shown"]) =>
  doneAt({
    changes: [{ action: "update", before: note, after: proof, destructive: true }],
    expected: proof,
    shown,
    toRemove: [note]
  })

describe("with two providers, what is removed is done where its servers no longer show it", () => {
  test("in the place of a desired record", () => {
    expect([
      remove(added, "records", [added], [added, removed]),
      remove(added, "records", [added, removed], [added]),
      remove(added, "records", [added, removed], [added, removed])
    ]).toEqual([
      [true, false],
      [false, true],
      [false, false]
    ])
  })

  test("not where nobody knows: no server shows it there, or its own do not answer", () => {
    expect([
      remove(added, "records", [added], [added]),
      remove(added, "records", "silent", [added, removed]),
      remove(added, "records", [added], "silent")
    ]).toEqual([
      [false, false],
      [false, false],
      [false, false]
    ])
  })

  test("where the removed record is observed itself", () => {
    expect([
      remove(removed, "removals", [], [removed]),
      remove(removed, "removals", [removed], []),
      remove(removed, "removals", [removed], "silent")
    ]).toEqual([
      [true, false],
      [false, true],
      [false, false]
    ])
  })

  test("and what is added in its place is not done before that", () => {
    expect([replace([proof, note], [note]), replace([proof], [note]), replace([proof], [])]).toEqual([
      [false, false],
      [true, false],
      [false, false]
    ])
  })
})

import { expect, test } from "bun:test"
import { describedZones, enterSets, inZoneOf, toZoneFileLine, type VendorDescription } from "./DescribedVendor.ts"
import type { VendorCall } from "./VendorCall.ts"
import {
  endActions,
  findConflict,
  groupIntoSets,
  startAction,
  type VendorAction,
  type VendorZones,
  withRecordsOf
} from "./VendorZones.ts"

interface PlainData {
  readonly content: string
}

const zone = "example.com"

/** A vendor that keeps the values of records, and nothing shorter than a minute. */
const description: VendorDescription<PlainData> = {
  baseUrl: "https://api.plain.example",
  authenticate: () => undefined,
  lists: [],
  operations: {},
  ownRecords: (name) => [{ name, type: "NS", ttl: 3600, data: { content: "ns1.plain.example" } }],
  toData: (_, { value }) => (value === "refused" ? "this text is refused" : { content: value }),
  toFields: ({ data: { content } }) => ({ value: content }),
  ttl: { minimum: 60 },
  refuse: (reason) => ({ status: reason === "no zone" ? 404 : 422 })
}

const state = describedZones(description, { [zone]: '@ 300 TXT "a" "b"\nwww 300 A 192.0.2.1\nwww 300 A 192.0.2.2' })

const lines = ({ zones }: VendorZones<PlainData>) =>
  (zones[zone] ?? []).map((record) => `${record.id} ${toZoneFileLine(description, record, zone)}`)

test("a zone begins with the records that the vendor gives it, and has each of a zone file with an id of its own", () =>
  expect(lines(state)).toEqual([
    "1000 example.com. 3600 NS ns1.plain.example.",
    '1001 example.com. 300 TXT "ab"',
    "1002 www.example.com. 300 A 192.0.2.1",
    "1003 www.example.com. 300 A 192.0.2.2"
  ]))

test("somebody who replaces a set keeps the ids of the records that stay", () => {
  const addresses = ["192.0.2.2", "192.0.2.3"].map((data) => ({ name: `www.${zone}.`, type: "A", ttl: 300, data }))
  expect(lines(enterSets(description, state, zone, addresses)).filter((line) => line.includes("www"))).toEqual([
    "1003 www.example.com. 300 A 192.0.2.2",
    "1004 www.example.com. 300 A 192.0.2.3"
  ])
})

test("nobody enters what the vendor refuses, and a TTL that it does not take becomes the nearest", () => {
  const text = (data: string) => [{ name: `a.${zone}.`, type: "TXT", ttl: 30, data }]
  expect(() => enterSets(description, state, zone, text('"refused"'))).toThrow()
  expect(lines(enterSets(description, state, zone, text('"short"'))).at(-1)).toBe('1004 a.example.com. 60 TXT "short"')
})

test("the records of one name and type are a set, whatever the case of the name", () => {
  const [, , first, second] = state.zones[zone] ?? []
  if (first === undefined || second === undefined) throw new Error("two addresses")
  const sets = groupIntoSets([first, { ...second, name: "WWW.example.com" }])
  expect(sets.map((records) => records.length)).toEqual([2])
})

test("an alias stands beside nothing, and the same record twice only where the vendor takes it", () => {
  const records = state.zones[zone] ?? []
  const record = { name: `www.${zone}`, type: "A", ttl: 300, data: { content: "192.0.2.1" } }
  expect(findConflict(records, record)).toBeUndefined()
  expect(findConflict(records, record, { refusesDuplicates: true })).toBe("duplicate")
  expect(findConflict(records, { ...record, type: "CNAME" })).toBe("alias")
  expect(findConflict([{ ...record, type: "CNAME" }], record)).toBe("alias")
})

test("a recording gives its ids to the records that are entered, in order", () => {
  const next = withRecordsOf({ ...state, nextIds: ["recorded"] }, zone, [
    { name: zone, type: "A", ttl: 300, data: { content: "192.0.2.8" } },
    { name: zone, type: "A", ttl: 300, data: { content: "192.0.2.9" } }
  ])
  expect((next.zones[zone] ?? []).map(({ id }) => id)).toEqual(["recorded", "1004"])
})

const callFor = (name: string): VendorCall => ({
  number: 1,
  method: "POST",
  path: `/${name}`,
  operation: "POST /{zone}",
  isWrite: true,
  pathParameters: { zone: name },
  query: new URLSearchParams(),
  body: undefined,
  now: 0
})

test("an operation changes the zone of its call only, and shows what is new", () => {
  const added = { name: `new.${zone}`, type: "A", ttl: 300, data: { content: "192.0.2.9" } }
  const operation = inZoneOf<PlainData>(() => description)(
    (_, records) => ({ status: 201, records: [...records, added] }),
    (records) => records.map(({ id, name }) => [id, name])
  )
  expect(operation(callFor(zone), state)).toMatchObject({ status: 201, body: [["1004", "new.example.com"]] })
  expect(operation(callFor("example.net"), state)).toEqual({ status: 404 })
})

test("an accepted change is made once, when its time has come, and one that ends in an error never", () => {
  const empties = { command: "empty", zone, startedAt: 0, endsAt: 5, change: () => [] }
  const statesOf = (action: Omit<VendorAction<PlainData>, "hasEnded" | "id">) => {
    const accepted = startAction(state, action).state
    const ended = endActions(accepted, 5)
    return [endActions(accepted, 4), ended, endActions(ended, 6)]
  }
  const [running, made, later] = statesOf(empties)
  expect(lines(running ?? state)).toEqual(lines(state))
  expect(made).toMatchObject({ zones: { [zone]: [] }, actions: [{ command: "empty", hasEnded: true }] })
  expect(later).toBe(made)
  const failed = statesOf({ ...empties, error: null })[1]
  expect(failed).toMatchObject({ zones: state.zones, actions: [{ hasEnded: true }] })
})

import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Leftover } from "../../../src/domain/plan/Plan.ts"
import {
  capabilities,
  describeChange,
  desiredRecords,
  exampleCom,
  intentFor,
  zoneOf
} from "../../support/planFixtures.ts"
import {
  connectionIntentIn,
  edit,
  join,
  planIntentChangeIn,
  planRestoreIn,
  pristineZone,
  type SimulatedZone
} from "./SimulatedZone.ts"

/** The zone of these records after the connection `con_a` has written its own. */
const connectedZone = (records: ReadonlyArray<string>, ...desired: ReadonlyArray<string>): SimulatedZone =>
  join(pristineZone(zoneOf(...records)), {
    id: ConnectionId.make("con_a"),
    intent: intentFor(exampleCom, desiredRecords(...desired))
  })

const leaving = (state: SimulatedZone, options: Parameters<typeof planRestoreIn>[2]) => {
  const { changes, leftovers } = planRestoreIn(state, connectionIntentIn(state, "con_a"), options)
  return { changes: changes.map(describeChange), left: leftovers.map(formatLeftover) }
}

const formatLeftover = ({ reason, record: { host, type, value } }: Leftover): string =>
  `${reason} ${host} ${type} ${value}`

const storesNoKeys = ({ type }: { readonly type: string }): boolean => type !== "SSHFP"
const storesNothing = (): boolean => false

describe("a restore leaves out what the provider cannot store", () => {
  const state = connectedZone(["shop 300 A 192.0.2.1", "shop 300 SSHFP 1 1 AABB"], "shop 60 CNAME shops.example.net")

  test("the other records come back, and the record is a leftover", () => {
    expect(leaving(state, { canStore: storesNoKeys })).toEqual({
      changes: ["delete! | shop 60 CNAME shops.example.net", "create | shop 300 A 192.0.2.1"],
      left: ["provider_cannot_store shop SSHFP 1 1 AABB"]
    })
  })

  test("the record of the connection goes nevertheless", () => {
    const replaced = connectedZone(["shop 300 TXT old"], "shop 60 CNAME shops.example.net")
    expect(leaving(replaced, { canStore: storesNothing })).toEqual({
      changes: ["delete! | shop 60 CNAME shops.example.net"],
      left: ["provider_cannot_store shop TXT old"]
    })
  })

  test("a merged policy is not removed because its old text cannot be written", () => {
    const merged = connectedZone(
      ["@ 300 TXT v=spf1 include:a.example.net ~all"],
      "@ 60 TXT v=spf1 include:b.example.net ~all"
    )
    expect(leaving(merged, { canStore: storesNothing })).toEqual({
      changes: [],
      left: ["provider_cannot_store @ TXT v=spf1 include:a.example.net ~all"]
    })
  })

  test("the plan of a new intent leaves it out too", () => {
    const intent = intentFor(exampleCom, desiredRecords("www 60 A 198.51.100.1"))
    const planned = planIntentChangeIn(state, "con_a", intent, { canStore: storesNoKeys })
    const { changes, leftovers } = Either.getOrThrow(planned)
    expect([changes.map(describeChange), leftovers.map(formatLeftover)]).toEqual([
      ["create | www 60 A 198.51.100.1", "delete! | shop 60 CNAME shops.example.net", "create | shop 300 A 192.0.2.1"],
      ["provider_cannot_store shop SSHFP 1 1 AABB"]
    ])
  })
})

describe("a restore gives records TTLs that the provider can store", () => {
  const limits = { capabilities: capabilities("supported"), ttl: { minimum: 3600, maximum: 86_400 } }

  test("a record that comes back gets the next TTL that can be stored", () => {
    const state = connectedZone(["shop 300 A 192.0.2.1"], "shop 7200 CNAME shops.example.net")
    expect(leaving(state, { limits }).changes).toEqual([
      "delete! | shop 7200 CNAME shops.example.net",
      "create | shop 3600 A 192.0.2.1"
    ])
  })

  test("a served record is not written again for a TTL that cannot be stored", () => {
    const state = connectedZone(
      ["@ 300 TXT v=spf1 include:a.example.net ~all"],
      "@ 300 TXT v=spf1 include:b.example.net ~all"
    )
    const moved = edit(state, (records) => records.map((record) => ({ ...record, ttl: 3600 })))
    expect(leaving(moved, { limits }).changes).toEqual([
      "update! | @ 3600 TXT v=spf1 include:a.example.net include:b.example.net ~all | @ 3600 TXT v=spf1 include:a.example.net ~all"
    ])
  })

  test("a record that joins a served set keeps the TTL of the set, which the provider has stored", () => {
    const state = connectedZone(
      ["@ 300 MX 10 mx1.example.com", "@ 300 MX 20 mx2.example.com"],
      "@ 300 MX 10 in.example.net"
    )
    const edited = edit(state, (records) => [...records, ...zoneOf("@ 300 MX 30 mx3.example.com").records])
    expect(leaving(edited, { limits }).changes).toEqual([
      "create | @ 300 MX 10 mx1.example.com",
      "create | @ 300 MX 20 mx2.example.com",
      "delete! | @ 300 MX 10 in.example.net"
    ])
  })
})

import { expect, test } from "bun:test"
import { Either } from "effect"
import { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { describeChange, desiredRecords, exampleCom, intentFor, zoneOf } from "../../support/planFixtures.ts"
import { join, planIntentChangeIn, pristineZone } from "../restore/SimulatedZone.ts"

const id = ConnectionId.make("con_changed")

const intentOf = (line: string) => intentFor(exampleCom, desiredRecords(line))

test("an intent that changes the spelling of its DKIM key loses no key", () => {
  const connected = join(pristineZone(zoneOf()), { id, intent: intentOf("s1._domainkey 300 TXT v=DKIM1; p=AAAA") })
  const { changes, warnings } = Either.getOrThrow(
    planIntentChangeIn(connected, id, intentOf("s1._domainkey 300 TXT v=DKIM1;p=AAAA"))
  )
  expect([changes.map(describeChange), warnings]).toEqual([
    ["update | s1._domainkey 300 TXT v=DKIM1; p=AAAA | s1._domainkey 300 TXT v=DKIM1;p=AAAA"],
    []
  ])
})

test("a change of an intent is warned of what it changes, and not of what stands", () => {
  const zone = zoneOf("@ 300 TXT v=spf1 mx -all", "_dmarc 300 TXT v=DMARC1; p=reject", "@ 300 CAA 0 issue ca.test")
  const standing = [
    "@ 600 TXT v=spf1 include:a.example.net ~all",
    "_dmarc 600 TXT v=DMARC1; p=none",
    "www.example 300 A 192.0.2.1",
    "www.example 600 A 192.0.2.2",
    "twice 300 TXT a",
    "twice 300 TXT a"
  ]
  const changeTo = (...lines: ReadonlyArray<string>) => {
    const before = intentFor(exampleCom, desiredRecords(...standing))
    const connected = join(pristineZone(zone), { id, intent: before })
    const after = intentFor(exampleCom, desiredRecords(...standing, ...lines))
    return Either.getOrThrow(planIntentChangeIn(connected, id, after)).warnings
  }
  expect(changeTo("new 300 A 192.0.2.9")).toEqual([])
  expect(changeTo("twice 300 TXT b", "twice 300 TXT b")).toEqual(["record_repeated"])
  expect(changeTo("app.example 300 A 192.0.2.9")).toEqual(["host_repeats_domain"])
})

test("a policy that began as that of a wildcard keeps what the wildcard permits", () => {
  const policy = "shop 300 TXT v=spf1 include:ours.example.net ~all"
  const connected = join(pristineZone(zoneOf("* 300 TXT v=spf1 include:corp.example.net -all")), {
    id,
    intent: intentFor(exampleCom, desiredRecords(policy))
  })
  const after = intentFor(exampleCom, desiredRecords(policy, "store 300 CNAME shops.example.net"))
  expect(Either.getOrThrow(planIntentChangeIn(connected, id, after)).changes.map(describeChange)).toEqual([
    "create! | store 300 CNAME shops.example.net"
  ])
})

test("a proxied record that both intents have stays proxied in the effective intent", () => {
  const before = intentOf("shop 300 CNAME shops.example.net")
  const zone = zoneOf("shop 300 CNAME shops.example.net")
  const proxied = { ...zone, records: zone.records.map((record) => ({ ...record, proxied: true })) }
  const connected = join(pristineZone(proxied), { id, intent: before })
  const after = intentFor(exampleCom, desiredRecords("shop 300 CNAME shops.example.net", "new 300 A 192.0.2.9"))
  const { changes, effectiveIntent } = Either.getOrThrow(planIntentChangeIn(connected, id, after))
  expect(changes.map(describeChange)).toEqual(["create | new 300 A 192.0.2.9"])
  expect(effectiveIntent.records.map((record) => [record.host, record.proxied])).toEqual([
    ["shop", true],
    ["new", undefined]
  ])
})

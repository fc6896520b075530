import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import { type IntentRequest, resolveIntent } from "../../src/domain/connection/Intent.ts"
import { anyTtl, type Capability } from "../../src/domain/provider/Provider.ts"
import { emptyPlanContext } from "../../src/planning/PlanContext.ts"
import { ConnectionId } from "../../src/domain/connection/Connection.ts"
import { applyChanges, capabilities, zoneOf } from "../support/planFixtures.ts"
import { changeIntent, disconnect, join, pristineZone, servedRecords } from "./restore/SimulatedZone.ts"
import { planZone } from "../support/planZone.ts"

const alternatives = [
  { type: "A", value: "192.0.2.10" },
  { type: "A", value: "192.0.2.11" },
  { type: "AAAA", value: "2001:DB8::10" }
] as const

const apex = { host: "@", type: "CNAME", value: "shops.example.net", alternatives } as const

const verification = { host: "_verify", type: "TXT", value: "token" } as const

const resolve = (domain: string, records: IntentRequest["records"]) =>
  Either.getOrThrow(resolveIntent({ domain, records }))

const zone = zoneOf("@ 300 A 192.0.2.1", "www 300 A 192.0.2.2")

const planWith = (cnameFlattening: Capability, domain = "example.com") =>
  Either.getOrThrow(
    planZone({
      intent: resolve(domain, [apex, verification]),
      zone,
      limits: { capabilities: capabilities("supported", { cnameFlattening }), ttl: anyTtl },
      context: emptyPlanContext
    })
  )

const typesIn = (plan: ReturnType<typeof planWith>) =>
  plan.effectiveIntent.records.map(({ host, type, value }) => [host, type, value].join(" "))

/** The places and codes of what is wrong with an intent of one record. */
const problemsOf = (record: IntentRequest["records"][number]) =>
  Either.match(resolveIntent({ domain: "example.com", records: [record] }), {
    onLeft: (details) => details.map(({ code, pointer }) => [pointer, code]),
    onRight: () => []
  })

describe("the alternatives of a CNAME at the apex", () => {
  test("are not taken where the provider flattens it", () =>
    expect(typesIn(planWith("supported"))).toEqual(["@ CNAME shops.example.net", "_verify TXT token"]))

  test("are taken where the provider cannot flatten it, or may not be able to", () => {
    for (const capability of ["unsupported", "unknown"] as const)
      expect(typesIn(planWith(capability))).toEqual([
        "@ A 192.0.2.10",
        "@ A 192.0.2.11",
        "@ AAAA 2001:db8::10",
        "_verify TXT token"
      ])
  })

  test("are not taken below the apex of the zone, where every provider stores a CNAME", () =>
    expect(typesIn(planWith("unsupported", "shop.example.com"))).toEqual([
      "@ CNAME shops.example.net",
      "_verify TXT token"
    ]))

  test("give a plan of their own, with another digest, after which there is nothing left to change", () => {
    const plan = planWith("unsupported")
    expect(plan.digest).not.toBe(planWith("supported").digest)
    const after = planZone({
      intent: resolve("example.com", [apex, verification]),
      zone: applyChanges(zone, plan.changes),
      limits: { capabilities: capabilities("supported", { cnameFlattening: "unsupported" }), ttl: anyTtl },
      context: emptyPlanContext
    })
    expect(Either.getOrThrow(after).changes).toEqual([])
  })

  test("may become the intent of a connection and leave the zone again, like any records", () => {
    const id = ConnectionId.make("con_apex")
    const original = pristineZone(zone)
    const connected = join(original, { id, intent: resolve("example.com", [verification]) })
    const changed = changeIntent(connected, id, resolve("example.com", [apex]))
    expect(servedRecords(changed)).toContain("@ ALIAS  shops.example.net 3600")
    expect(servedRecords(disconnect(changed, id))).toEqual(servedRecords(original))
  })
})

describe("an intent", () => {
  test("with alternatives elsewhere than of a CNAME at the domain itself is refused", () => {
    for (const record of [
      { ...apex, host: "www" },
      { ...verification, alternatives }
    ])
      expect(problemsOf(record)).toEqual([["/intent/records/0/alternatives", "alternatives_not_applicable"]])
  })

  test("with an alternative that is no address, or is there twice, is refused at its place", () => {
    const [first] = alternatives
    expect(problemsOf({ ...apex, alternatives: [first, { type: "A", value: "2001:db8::1" }, first] })).toEqual([
      ["/intent/records/0/alternatives/1/value", expect.any(String)],
      ["/intent/records/0/alternatives/2/value", "record_duplicated"]
    ])
  })
})

import { expect, test } from "bun:test"
import { Either } from "effect"
import { computeAtOnce } from "../../../src/runtime/LongComputation.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { emptyPlanContext } from "../../../src/planning/PlanContext.ts"
import { buildPlan } from "../../../src/planning/buildPlan.ts"
import { type IndexedZone, indexZone } from "../../../src/planning/zone/IndexedZone.ts"
import { makeLiveZone } from "../../../src/planning/zone/LiveZone.ts"
import { limitsOf, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { planZone } from "../../support/planZone.ts"
import { countSteps } from "../../support/countSteps.ts"
import type { Zone } from "../../../src/domain/plan/Zone.ts"

const domain = DomainName.make("example.com")
const limits = limitsOf(unknownProvider)

/** Mail servers with addresses, a wildcard, and hosts. */
const zoneOf = (hosts: number): Zone => ({
  name: domain,
  basis: "provider",
  records: [
    { host: "*.apps", type: "A", value: "192.0.2.1", ttl: 300 },
    { host: "@", type: "TXT", value: "v=spf1 a:mail.example.com -all", ttl: 300 },
    ...Array.from({ length: hosts }, (_, index) => [
      { host: `host${index}`, type: "A", value: "192.0.2.1", ttl: 300 },
      { host: `host${index}`, type: "MX", value: `mx${index}.example.com`, priority: 10, ttl: 300 },
      { host: `mx${index}`, type: "A", value: "192.0.2.2", ttl: 300 }
    ]).flat()
  ]
})

const intent = Either.getOrThrow(
  resolveIntent({
    domain,
    records: [
      { host: "shop", type: "CNAME", value: "shops.example.net" },
      { host: "mx7", type: "A", value: "192.0.2.9" },
      { host: "new.apps", type: "CNAME", value: "shops.example.net" },
      { host: "@", type: "TXT", value: "v=spf1 include:spf.example.net -all" },
      { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' }
    ]
  })
)

/** How often a plan looks at a host of the zone. */
const countLookups = ({ zone, ...indexed }: IndexedZone): number => {
  let lookups = 0
  const counting = {
    get: (host: string) => {
      lookups += 1
      return zone.byHost.get(host)
    },
    keys: () => {
      const hosts = zone.byHost.keys()
      return hosts.map((host) => {
        lookups += 1
        return host
      })
    }
  }
  const counted = { ...makeLiveZone(zone, counting, () => new Set(zone.byHost.keys())), hasName: zone.hasName }
  lookups = 0
  Either.getOrThrow(
    computeAtOnce(buildPlan({ intent, zone: { ...indexed, zone: counted }, limits, context: emptyPlanContext }))
  )
  return lookups
}

const indexOf = (zone: Zone) => computeAtOnce(indexZone(zone, { domain, ttl: limits.ttl }))

test("the work of a plan does not grow with the zone", () => {
  expect(countLookups(indexOf(zoneOf(2_000)))).toBe(countLookups(indexOf(zoneOf(20))))
})

test("an index makes the same plan as the zone itself, again and again", () => {
  const zone = zoneOf(50)
  const indexed = indexOf(zone)
  const plan = planZone({ intent, zone, limits, context: emptyPlanContext })
  expect(Either.getOrThrow(plan).warnings).toContain("mail_target_changed")
  const planAgain = () => computeAtOnce(buildPlan({ intent, zone: indexed, limits, context: emptyPlanContext }))
  expect(planAgain()).toEqual(plan)
  expect(planAgain()).toEqual(plan)
})

test("a zone is indexed in parts of few records", () => {
  const zone = zoneOf(1_000)
  expect(countSteps(indexZone(zone, { domain }))).toBeGreaterThan(zone.records.length / 16)
})

import { expect, test } from "bun:test"
import { DateTime, Either, Option } from "effect"
import { parseTemplate } from "../../../src/domainConnect/Template.ts"
import { checkLink, offerDomainConnect } from "../../../src/lifecycle/plan/offerDomainConnect.ts"
import { proposePlan } from "../../../src/lifecycle/plan/proposePlan.ts"
import { unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { desiredRecords, planInputOf, planOrThrow, zoneOf } from "../../support/planFixtures.ts"

const urlSyncUX = "https://connect.example/sync"

const settings = {
  providerId: "connect.example",
  providerName: "Connect",
  urlSyncUX,
  urlAPI: "https://connect.example/"
}

/** The offer of a template with these records for a zone. */
const offerOf = (
  records: ReadonlyArray<object>,
  { desired, zone }: Pick<Parameters<typeof planInputOf>[0], "desired" | "zone">
) => {
  const names = { providerId: "platform.example", providerName: "P", serviceId: "website", serviceName: "Website" }
  const template = Either.getOrThrow(
    parseTemplate(JSON.stringify({ ...names, syncRedirectDomain: "platform.example", records }))
  )
  const { intent } = planInputOf({ desired, zone })
  const proposed = proposePlan(planOrThrow({ desired, zone }), { zone, warnings: [] }, DateTime.unsafeMake(0))
  const provider = Option.some({ settings, profile: { id: "", settings: [], ignores: [] } })
  const way = Option.some({ provider, templates: [template], reasons: [], redirectUri: "https://platform.example/" })
  const { domainConnect, limitations } = offerDomainConnect(unknownProvider, way, { intent, zone, proposed })
  if (domainConnect === undefined) throw new Error(limitations.join())
  return domainConnect
}

const spfOf = (...hosts: ReadonlyArray<string>) =>
  desiredRecords(`@ 3600 TXT v=spf1 ${hosts.map((host) => `include:${host}`).join(" ")} ~all`)

test("an offer removes no SPF record into which the provider merges the rules of the template", () => {
  const zone = zoneOf("@ 300 TXT v=spf1 include:mail.test -all", "@ 300 TXT another service")
  const spfm = { type: "SPFM", host: "@", spfRules: "include:shop.test" }
  const { keeps, removes } = offerOf([spfm], { desired: spfOf("shop.test"), zone })
  expect(removes).toEqual([])
  expect(keeps).toEqual([{ host: "@", type: "TXT", value: "another service" }])
})

test("an offer removes a record behind a proxy without the addresses of the proxy", () => {
  const own = zoneOf("www 300 A 192.0.2.1", "www 300 TXT another service")
  const zone = {
    ...own,
    records: own.records.map((record) => (record.type === "A" ? { ...record, proxied: true } : record))
  }
  const cname = { type: "CNAME", host: "www", pointsTo: "shop.test", ttl: 300 }
  const { removes } = offerOf([cname], { desired: desiredRecords("www 300 CNAME shop.test"), zone })
  expect(removes).toEqual([{ host: "www", type: "TXT", value: "another service" }])
})

test("an offer removes an SPF record that the template replaces", () => {
  const zone = zoneOf("@ 300 TXT v=spf1 include:mail.test -all")
  const txt = {
    type: "TXT",
    host: "@",
    data: "v=spf1 include:shop.test ~all",
    ttl: 300,
    txtConflictMatchingMode: "Prefix",
    txtConflictMatchingPrefix: "v=spf1"
  }
  const { removes } = offerOf([txt], { desired: spfOf("shop.test"), zone })
  expect(removes).toEqual([{ host: "@", type: "TXT", value: "v=spf1 include:mail.test -all" }])
})

/** Whether links of a template are good, or else why not. */
const check = (more: object, publicUrl?: string) => {
  const names = { providerId: "platform.example", providerName: "P", serviceId: "website", serviceName: "Website" }
  const records = [{ type: "TXT", host: "@", data: "a", ttl: 60 }]
  const json = JSON.stringify({ ...names, records, syncRedirectDomain: "platform.example", ...more })
  const { isGood, message } = checkLink(Either.getOrThrow(parseTemplate(json)), publicUrl)
  return isGood || message
}

test("a check of links says what keeps a template from being offered", () => {
  const ours = "https://connect.platform.example"
  expect(check({}, ours)).toBe(true)
  expect(check({})).toBe("website: PUBLIC_URL is not set, so that links lead nobody back")
  const record = { type: "TXT", host: "@", ttl: 60 }
  expect(check({ records: [{ ...record, data: "%token% %fqdn%" }] }, ours)).toBe(true)
  expect(check({ records: [{ ...record, data: "%state%" }] }, ours)).toBe(
    "website: the variable state has a reserved name"
  )
  expect(check({ syncBlock: true })).toBe("website: the template is not for links")
  expect(check({}, "https://other.example")).toBe(
    "website: its syncRedirectDomain does not have the domain of PUBLIC_URL"
  )
  expect(check({ warnPhishing: true })).toContain("warnPhishing")
})

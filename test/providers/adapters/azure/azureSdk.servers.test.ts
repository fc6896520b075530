import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { recordsIn, zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, testSdkRecords } from "../sdkTests.ts"
import { azure, type AzureData } from "./azure.ts"
import { principal } from "./azureTokens.ts"

const judge: SdkJudge<AzureData> = {
  adapter: azure,
  program: "azure.js",
  package: "@azure/arm-dns",
  environment: (isRefused) => ({
    AZURE_TENANT_ID: principal.tenantId,
    AZURE_CLIENT_ID: principal.clientId,
    AZURE_CLIENT_SECRET: isRefused ? "wrong" : principal.clientSecret,
    AZURE_SUBSCRIPTION_ID: principal.subscriptionId
  })
}

const group = principal.resourceGroup
const list = ["listByDnsZone", group, zone]

const put = (name: string, type: string, records: object, conditions: object = {}) => {
  const set = { ttl: 300, ...records }
  return ["createOrUpdate", group, zone, name, type, set, conditions]
}

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, replaces and deletes a set, each under a condition", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const before = recordsIn(fake)
      const [one, two] = [{ ipv4Address: "192.0.2.1" }, { ipv4Address: "192.0.2.2" }]
      const creation = put("*", "A", { aRecords: [one], metadata: { owner: "sdk" } }, { ifNoneMatch: "*" })
      const [found, { etag }] = yield* sdk(["getZone", group, zone], creation)
      expect(found).toMatchObject({ zoneType: "Public", nameServers: azure.nameServers.map((name) => `${name}.`) })
      const replacement = put("*", "A", { aRecords: [one, two] }, { ifMatch: etag })
      const [replaced, listed] = yield* sdk(replacement, list)
      expect(replaced.etag).not.toBe(etag)
      expect(listed).toContainEqual(expect.objectContaining({ name: "*", ttl: 300, aRecords: [one, two] }))

      for (const refused of [replacement, creation]) expect(yield* refusalOf(refused)).toContain("PreconditionFailed")
      expect(yield* refusalOf(list, { isStranger: true })).toContain("AADSTS7000215")
      yield* sdk(["delete", group, zone, "*", "A", { ifMatch: replaced.etag }])
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  const text = { value: ['say "hi" ', "& \\ <go>"] }
  const others: ReadonlyArray<Parameters<typeof put>> = [
    ["_sip._tcp", "SRV", { srvRecords: [{ priority: 10, weight: 20, port: 5060, target: "sip.example.net" }] }],
    ["www6", "AAAA", { aaaaRecords: [{ ipv6Address: "2001:db8::1" }] }],
    ["team", "NS", { nsRecords: [{ nsdname: "ns1.example.net" }, { nsdname: "ns2.example.net" }] }],
    ["@", "CAA", { caaRecords: [{ flags: 0, tag: "issue", value: "ca.example.net; account=1" }] }]
  ]
  const letsEncrypt = { flags: 0, tag: "issue", value: "letsencrypt.org" }

  testSdkRecords(judge, {
    creates: [put("say", "TXT", { txtRecords: [text] }), ...others.map((each) => put(...each))],
    list,
    listed: [
      ...others.map(([name, , records]) => ({ name, ...records })),
      { name: "say", txtRecords: [text, { value: ["green & <blue>"] }] },
      { name: "*.shop", cnameRecord: { cname: "shops.example.net." } },
      { name: "mail", mxRecords: [{ preference: 5, exchange: "mail.example.net." }] },
      { name: "secure", caaRecords: expect.arrayContaining([letsEncrypt]) }
    ]
  })
})

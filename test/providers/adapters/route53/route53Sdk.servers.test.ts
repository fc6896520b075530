import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../../support/effectTest.ts"
import { fakeKeys } from "../../../support/vendors/awsSignature.ts"
import { toAbsoluteName } from "../../../support/vendors/VendorZones.ts"
import { recordsIn, zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, sdkSets, testSdkRecords } from "../sdkTests.ts"
import { route53, type Route53Data, zoneIdOf } from "./route53.ts"

const judge: SdkJudge<Route53Data> = {
  adapter: route53,
  program: "route53.js",
  package: "@aws-sdk/client-route-53",
  environment: (isRefused) => ({
    AWS_ACCESS_KEY_ID: fakeKeys.valid.accessKeyId,
    AWS_SECRET_ACCESS_KEY: isRefused ? "wrong" : fakeKeys.valid.secretAccessKey
  })
}

const HostedZoneId = zoneIdOf(zone)
const list = (start: object = {}) => ["ListResourceRecordSets", { HostedZoneId, ...start }]
const change = (Action: string, ...sets: ReadonlyArray<object>) => {
  const Changes = sets.map((ResourceRecordSet) => ({ Action, ResourceRecordSet }))
  return ["ChangeResourceRecordSets", { HostedZoneId, ChangeBatch: { Changes } }]
}

const set = (host: string, Type: string, TTL: number, ...values: ReadonlyArray<string>) => {
  const ResourceRecords = values.map((Value) => ({ Value }))
  return { Name: `${toAbsoluteName(host, zone)}.`, Type, TTL, ResourceRecords }
}

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, replaces and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const before = recordsIn(fake)
      const [old, next] = [set("*", "A", 60, "192.0.2.1"), set("*", "A", 300, "192.0.2.1", "192.0.2.2")]
      const AliasTarget = { HostedZoneId: "Z2FDTNDATAQYW2", DNSName: "d1.cloudfront.net.", EvaluateTargetHealth: false }
      const alias = { Name: `cdn.${zone}.`, Type: "A", AliasTarget }
      const [found, shown, created, , listed] = yield* sdk(
        ["ListHostedZonesByName", { DNSName: zone }],
        ["GetHostedZone", { Id: HostedZoneId }],
        change("CREATE", old, alias),
        change("UPSERT", next),
        list({ StartRecordName: next.Name })
      )
      expect(found.HostedZones).toMatchObject([{ Id: `/hostedzone/${HostedZoneId}`, Name: `${zone}.` }])
      expect(shown.DelegationSet.NameServers).toEqual(route53.nameServers)
      const sets = [{ ...next, Name: `\\052.${zone}.` }, alias]
      expect([created.ChangeInfo.Status, listed]).toEqual(["PENDING", sets])

      expect(yield* refusalOf(change("DELETE", old))).toMatch(/InvalidChangeBatch.*do not match the current values/s)
      expect(yield* refusalOf(list(), { isStranger: true })).toContain("SignatureDoesNotMatch")
      yield* sdk(change("DELETE", next, alias))
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  const { created, listed } = sdkSets((host, type, ...values) => set(host.replace("*", "\\052"), type, 300, ...values))
  const weighted = { ...set("www", "A", 300, "192.0.2.1"), SetIdentifier: "blue", Weight: 10 }

  testSdkRecords(judge, {
    creates: [change("CREATE", ...created, weighted, set("crew", "TXT", 300, '"\\303\\244"'))],
    reads: [
      { host: "crew", type: "TXT", value: "ä" },
      { host: "www", type: "A", value: "192.0.2.1" }
    ],
    desired: ["crew 300 TXT grün"],
    list: list(),
    listed: [...listed, weighted, set("crew", "TXT", 300, '"\\303\\244"', '"gr\\303\\274n"')]
  })
})

import { expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { live } from "../../../support/effectTest.ts"
import { recordsIn, zone } from "../DescribedAdapter.ts"
import { describeSdk, makeSdk, type SdkJudge, sdkSets, testSdkRecords } from "../sdkTests.ts"
import { type GoogleData, googleCloudDns, setAt, zoneNameOf } from "./googleCloudDns.ts"
import { keyFile, wrongKeyFiles } from "./googleTokens.ts"

const judge: SdkJudge<GoogleData> = {
  adapter: googleCloudDns,
  program: "google.js",
  package: "@google-cloud/dns",
  environment: (isRefused, directory) => {
    const path = join(directory, "key.json")
    writeFileSync(path, JSON.stringify(isRefused ? wrongKeyFiles[0] : keyFile))
    return { GOOGLE_APPLICATION_CREDENTIALS: path }
  }
}

const managedZone = zoneNameOf(zone)
const list = (query: object = {}) => ["list", managedZone, query]
const change = (sets: object) => ["change", managedZone, sets]

describeSdk(judge, () => {
  live("finds the zone, and creates, lists, replaces and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, refusalOf, sdk } = yield* makeSdk(judge)
      const before = recordsIn(fake)
      const [old, next] = [setAt("*", "A", 60, "192.0.2.1"), setAt("*", "A", 300, "192.0.2.1", "192.0.2.2")]
      const [[found], created, replaced, listed] = yield* sdk(
        ["zones", {}],
        change({ add: [old] }),
        change({ delete: [old], add: [next] }),
        list({ name: next.name, type: "A" })
      )
      const nameServers = googleCloudDns.nameServers.map((name) => `${name}.`)
      expect(found).toMatchObject({ name: managedZone, dnsName: `${zone}.`, nameServers })
      expect([created.status, replaced.status, listed]).toMatchObject(["pending", "pending", [next]])

      expect(yield* refusalOf(change({ delete: [old] }))).toContain("Precondition not met")
      expect(yield* refusalOf(change({ add: [next] }))).toContain("already exists")
      expect(yield* refusalOf(["zones", {}], { isStranger: true })).toContain("invalid_grant")
      yield* sdk(change({ delete: [next] }))
      expect(recordsIn(fake)).toEqual(before)
    })
  )

  const { created, listed } = sdkSets((host, type, ...values) => setAt(host, type, 300, ...values))

  testSdkRecords(judge, { creates: [change({ add: created })], list: list(), listed })
})

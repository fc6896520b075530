import { expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { live } from "../support/effectTest.ts"
import { fakeKeys } from "../support/vendors/awsSignature.ts"
import { makeFakeSts, onlyFor } from "../support/vendors/FakeSts.ts"
import { zone } from "./adapters/DescribedAdapter.ts"
import { route53 } from "./adapters/route53/route53.ts"
import { describeSdk, makeSdk } from "./adapters/sdkTests.ts"

const roleArn = "arn:aws:iam::222222222222:role/domain-connection"

/** AWS's SDK, which assumes the role with the key of the operator and an external id. */
const judge = {
  adapter: route53,
  program: "route53.js",
  package: "@aws-sdk/client-route-53",
  environment: (isRefused: boolean, directory: string) => {
    const path = join(directory, "config")
    const profiles = [
      "[profile operator]",
      `aws_access_key_id = ${fakeKeys.operator.accessKeyId}`,
      `aws_secret_access_key = ${fakeKeys.operator.secretAccessKey}`,
      "[profile customer]",
      `role_arn = ${roleArn}`,
      `external_id = ${isRefused ? "con_2" : "con_1"}`,
      "source_profile = operator",
      "region = us-east-1"
    ]
    writeFileSync(path, profiles.join("\n"))
    return { AWS_CONFIG_FILE: path, AWS_PROFILE: "customer" }
  }
}

describeSdk(judge, () => {
  live("assumes a role with its external id only", () =>
    Effect.gen(function* () {
      const services = [yield* makeFakeSts({ [roleArn]: onlyFor("con_1") })]
      const { refusalOf, sdk } = yield* makeSdk({ ...judge, services })
      const list = ["ListHostedZonesByName", { DNSName: zone }]
      const [{ HostedZones }] = yield* sdk(list)
      expect(HostedZones).toMatchObject([{ Name: `${zone}.` }])
      expect(yield* refusalOf(list, { isStranger: true })).toContain("AccessDenied")
    })
  )
})

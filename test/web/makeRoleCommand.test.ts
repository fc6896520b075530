import { expect, test } from "bun:test"
import { makeRoleCommand } from "../../src/web/steps/makeRoleCommand.ts"

const trust = {
  connectionId: "con_01jd0000000000000000000001",
  principal: "arn:aws:iam::111111111111:user/dns",
  zone: "example.com"
}

/** The words of each call of `aws` that a shell makes of the command. */
const callsOf = (command: string): ReadonlyArray<ReadonlyArray<string>> => {
  const { stdout } = Bun.spawnSync(["sh", "-c", `aws() { printf '%s\\n' "$@"; echo --; }\n${command}`])
  return stdout
    .toString()
    .split("\n--\n")
    .flatMap((call) => (call === "" ? [] : [call.split("\n")]))
}

test("the command makes a role that the operator alone assumes, for this connection, and that changes this zone alone", () => {
  const [create = [], allow = []] = callsOf(makeRoleCommand(trust))
  expect(create.slice(0, 4)).toEqual(["iam", "create-role", "--role-name", `domain-${trust.connectionId}`])
  expect(JSON.parse(create[5] ?? "").Statement).toEqual([
    {
      Effect: "Allow",
      Principal: { AWS: trust.principal },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": trust.connectionId } }
    }
  ])
  expect(allow.slice(0, 4)).toEqual(["iam", "put-role-policy", "--role-name", `domain-${trust.connectionId}`])
  expect(JSON.parse(allow.at(-1) ?? "").Statement).toMatchObject([
    { Action: expect.arrayContaining(["route53:ListHostedZonesByName"]) },
    {
      Action: "route53:ChangeResourceRecordSets",
      Condition: {
        "ForAllValues:StringLike": {
          "route53:ChangeResourceRecordSetsNormalizedRecordNames": ["example.com", "*.example.com"]
        }
      }
    }
  ])
})

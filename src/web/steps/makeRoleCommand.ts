/** Who may assume a role, for which connection, and whose records it changes. */
interface RoleTrust {
  readonly connectionId: string
  /** The ARN of the operator's user at AWS. */
  readonly principal: string
  readonly zone: string
}

/** Where a customer of AWS runs a command without installing anything. */
export const cloudShellUrl = "https://console.aws.amazon.com/cloudshell/home"

/** Makes the command that creates a role for one connection, with the least rights, and prints its ARN. */
export const makeRoleCommand = ({ connectionId, principal, zone }: RoleTrust): string => {
  const name = `domain-${connectionId}`
  const trust = allow({
    Principal: { AWS: principal },
    Action: "sts:AssumeRole",
    Condition: { StringEquals: { "sts:ExternalId": connectionId } }
  })
  const names = { "route53:ChangeResourceRecordSetsNormalizedRecordNames": [zone, `*.${zone}`] }
  const rights = allow(
    {
      Action: ["route53:ListHostedZonesByName", "route53:GetHostedZone", "route53:ListResourceRecordSets"],
      Resource: "*"
    },
    {
      Action: "route53:ChangeResourceRecordSets",
      Resource: "*",
      Condition: { "ForAllValues:StringLike": names }
    }
  )
  return [
    `aws iam create-role --role-name ${name} --assume-role-policy-document '${trust}' --query Role.Arn --output text`,
    `aws iam put-role-policy --role-name ${name} --policy-name dns --policy-document '${rights}'`
  ].join(" && ")
}

const allow = (...statements: ReadonlyArray<object>): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map((statement) => ({ Effect: "Allow", ...statement }))
  })

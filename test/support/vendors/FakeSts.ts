import { Redacted } from "effect"
import type { AwsIdentity } from "../../../src/providers/awsRoles.ts"
import { awsError, fakeKeys, requireSignature } from "./awsSignature.ts"
import { xmlFormat } from "./BodyFormat.ts"
import { makeFakeVendor } from "./FakeVendor.ts"
import type { VendorListener } from "./VendorServer.ts"

/** The operator's own user. */
export const identity: AwsIdentity = {
  principalArn: "arn:aws:iam::111111111111:user/dns",
  accessKeyId: fakeKeys.operator.accessKeyId,
  secretAccessKey: Redacted.make(fakeKeys.operator.secretAccessKey)
}

/** A role that trusts the operator's user. */
export interface TrustingRole {
  /** Whether its trust policy is content with the external id. */
  readonly trusts: (externalId: string) => boolean
}

/** A role whose trust policy requires an external id. */
export const onlyFor = (id: string): TrustingRole => ({ trusts: (externalId) => externalId === id })

/** AWS's Security Token Service, with these roles by their ARN; a session ends after a time, in seconds. */
export const makeFakeSts = (
  roles: Readonly<Record<string, TrustingRole>>,
  { lasts = 900, ...listener }: VendorListener & { readonly lasts?: number } = {}
) =>
  makeFakeVendor(
    {
      baseUrl: "https://sts.us-east-1.amazonaws.com",
      initial: {},
      lists: [],
      bodies: {
        ...xmlFormat("https://sts.amazonaws.com/doc/2011-06-15/"),
        decode: (text) => Object.fromEntries(new URLSearchParams(text))
      },
      refuse: (_, problems) => awsError(400, "ValidationError", problems.join("; ")),
      authenticate: requireSignature("sts.us-east-1.amazonaws.com", [fakeKeys.operator]),
      operations: {
        "POST /": ({ body, now }: { readonly body: any; readonly now: number }) => {
          const { ExternalId, RoleArn } = body
          if (roles[RoleArn]?.trusts(ExternalId) !== true) {
            const call = `sts:AssumeRole on resource: ${RoleArn}`
            return awsError(403, "AccessDenied", `User: ${identity.principalArn} is not authorized to perform: ${call}`)
          }
          const Credentials = {
            AccessKeyId: fakeKeys.session.accessKeyId,
            SecretAccessKey: fakeKeys.session.secretAccessKey,
            SessionToken: fakeKeys.session.sessionToken,
            Expiration: new Date(now + lasts * 1000).toISOString()
          }
          const AssumeRoleResult = { AssumedRoleUser: { Arn: RoleArn }, Credentials }
          return { status: 200, body: { AssumeRoleResponse: { AssumeRoleResult } } }
        }
      }
    },
    // A client compares the end of a session with its own clock.
    { ...listener, clock: Date.now }
  )

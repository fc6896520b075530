import { Redacted } from "effect"
import type { AwsIdentity } from "../../../../src/providers/awsRoles.ts"
import { makeFakeVendor } from "../../../support/vendors/FakeVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import type { VendorListener } from "../../../support/vendors/VendorServer.ts"
import { sessionKey } from "./FakeRoute53.ts"
import { verifySignature } from "./verifySignature.ts"

/** The operator's own user. */
export const identity: AwsIdentity = {
  principalArn: "arn:aws:iam::111111111111:user/dns",
  accessKeyId: "AKIAOPERATOR7EXAMPLE",
  secretAccessKey: Redacted.make("operator/K7MDENG/bPxRfiCYEXAMPLEKEY00001")
}

/** A role that trusts the operator's user. */
interface TrustingRole {
  /** Whether its trust policy is content with the external id. */
  readonly trusts: (externalId: string) => boolean
}

const xml = (status: number, text: string): VendorAnswer => ({ status, headers: { "content-type": "text/xml" }, text })

const refuse = (status: number, code: string, message: string) =>
  xml(
    status,
    `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`
  )

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
      refuse: (status, problems) => refuse(status, "ValidationError", problems.join("; ")),
      decodeBody: (text) => Object.fromEntries(new URLSearchParams(text)),
      authenticate: (headers, { method, path, query }, { text }) => {
        const request = { service: "sts", method, path, query, headers, body: text } as const
        const { isValid, keyId } = verifySignature(request, (id) =>
          id === identity.accessKeyId ? Redacted.value(identity.secretAccessKey) : undefined
        )
        if (keyId !== identity.accessKeyId)
          return refuse(403, "InvalidClientTokenId", "The security token included in the request is invalid.")
        return isValid ? undefined : refuse(403, "SignatureDoesNotMatch", "The request signature does not match.")
      },
      operations: {
        "POST /": ({ body }: { readonly body: any }) => {
          const { ExternalId, RoleArn } = body
          if (roles[RoleArn]?.trusts(ExternalId) !== true)
            return refuse(
              403,
              "AccessDenied",
              `User: ${identity.principalArn} is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`
            )
          const expiration = new Date(Date.now() + lasts * 1000).toISOString()
          return xml(
            200,
            `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><AssumedRoleUser><Arn>${RoleArn}</Arn></AssumedRoleUser><Credentials><AccessKeyId>${sessionKey.accessKeyId}</AccessKeyId><SecretAccessKey>${sessionKey.secretAccessKey}</SecretAccessKey><SessionToken>${sessionKey.sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`
          )
        }
      }
    },
    listener
  )

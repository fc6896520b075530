import type { HttpClient } from "@effect/platform"
import { type Duration, Effect, Schema } from "effect"
import { randomBase62 } from "../security/secrets.ts"
import { callProvider, type ProviderResponse, type ResponseMeaning } from "./callProvider.ts"
import { makeKindLookup, ProviderError, toOpenFailure } from "./ProviderError.ts"
import type { ZoneRequest } from "./ProviderClient.ts"
import { ProviderFailure } from "./ProviderFailure.ts"
import { readAccessKey } from "./readToken.ts"
import { renewBeforeEnd } from "./renewBeforeEnd.ts"
import { type AwsKey, secretsOf, signAwsRequest } from "./signAwsRequest.ts"
import { decodeXmlBody } from "./xmlBody.ts"

/** A user of the operator's own AWS account, which customers' roles trust, with its access key. */
export const AwsIdentity = Schema.Struct({
  /** What the trust policy of a role names. */
  principalArn: Schema.String.pipe(Schema.pattern(/^arn:aws:iam::\d{12}:user\/[\w+=,.@/-]+$/)),
  accessKeyId: Schema.NonEmptyString,
  secretAccessKey: Schema.Redacted(Schema.NonEmptyString)
})
export type AwsIdentity = typeof AwsIdentity.Type

interface RoleAccess {
  readonly http: HttpClient.HttpClient
  readonly identity: AwsIdentity | undefined
  readonly timeout: Duration.DurationInput
}

interface RoleRequest {
  readonly roleArn: string
  /** The external id. The service assigns it, and no customer chooses one. */
  readonly connectionId: string
  /** What the session may do at most, whatever the role allows. */
  readonly actions: ReadonlyArray<string>
}

/** Makes what has the key for each call: the customer's own access key, or that of a session of their role. */
export const makeKeyReader = (
  access: RoleAccess,
  { connectionId, credential }: Pick<ZoneRequest, "connectionId" | "credential">,
  actions: RoleRequest["actions"]
): Effect.Effect<Effect.Effect<AwsKey, ProviderError>, ProviderFailure> =>
  credential._tag === "aws_role"
    ? assumeRole(access, { roleArn: credential.roleArn, connectionId, actions })
    : Effect.map(readAccessKey(credential), Effect.succeed)

/**
 * Assumes a customer's role for their connection alone. One that accepts another external id is refused: any other customer
 * could enter its ARN and have the zone changed (a confused deputy; IAM user guide, "Access to AWS accounts owned by
 * third parties"). Returns the session's key, replaced before it ends.
 */
const assumeRole = (
  access: RoleAccess,
  role: RoleRequest
): Effect.Effect<Effect.Effect<AwsKey, ProviderError>, ProviderFailure> =>
  Effect.gen(function* () {
    const { identity } = access
    if (identity === undefined) return yield* withoutIdentity
    const request = (externalId: string) => requestSession({ ...access, identity }, role, externalId)
    const readKey = renewBeforeEnd(request(role.connectionId))
    yield* Effect.mapError(readKey, toOpenFailure)
    const isOpenToOthers = yield* Effect.as(request(makeOtherId(role.connectionId)), true).pipe(
      Effect.catchIf(
        ({ kind }) => kind === "credential_refused",
        () => Effect.succeed(false)
      ),
      Effect.mapError(toOpenFailure)
    )
    if (isOpenToOthers) return yield* openToOthers
    return readKey
  })

/** An id that nobody can know, in the form of that of a connection. */
const makeOtherId = (connectionId: string): string => connectionId.replace(/[^_]*$/, "") + randomBase62(26)

const withoutIdentity = new ProviderFailure({
  code: "provider_unavailable",
  isLocal: true,
  detail: "the service has no identity at AWS any more that could assume a role"
})

const openToOthers = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail:
    "the trust policy of the role does not require the external id of this connection, so that the service could be made to use it for others"
})

/** Least time of a session that AWS gives. */
const sessionSeconds = 900

const requestSession = (
  { http, identity, timeout }: RoleAccess & { readonly identity: AwsIdentity },
  { actions, connectionId, roleArn }: RoleRequest,
  externalId: string
) =>
  Effect.gen(function* () {
    const body = new URLSearchParams({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: roleArn,
      RoleSessionName: connectionId,
      ExternalId: externalId,
      DurationSeconds: String(sessionSeconds),
      Policy: formatPolicy(actions)
    }).toString()
    const request = yield* signAwsRequest(identity, "sts", {
      url: "https://sts.us-east-1.amazonaws.com/",
      body,
      contentType: "application/x-www-form-urlencoded"
    })
    const response = yield* callProvider(http, request, { interpret, secrets: secretsOf(identity), timeout })
    const { AssumeRoleResult } = yield* decodeXmlBody(response, AssumedRole, {})
    const { AccessKeyId: accessKeyId, Expiration, SecretAccessKey, SessionToken } = AssumeRoleResult.Credentials
    return { accessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, expiresAt: Expiration }
  })

const formatPolicy = (actions: RoleRequest["actions"]): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: actions, Resource: "*" }] })

const AssumedRole = Schema.Struct({
  AssumeRoleResult: Schema.Struct({
    Credentials: Schema.Struct({
      AccessKeyId: Schema.NonEmptyString,
      SecretAccessKey: Schema.Redacted(Schema.NonEmptyString),
      SessionToken: Schema.Redacted(Schema.NonEmptyString),
      Expiration: Schema.DateTimeUtc
    })
  })
})

const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined => {
  const kind = status >= 400 ? kindOf(/<Code>(\w+)</.exec(text)?.[1] ?? "") : undefined
  return kind === undefined ? undefined : { kind }
}

/** A role that does not exist is denied like one that does not trust the operator, or requires another external id. */
const kindOf = makeKindLookup([
  ["credential_refused", "AccessDenied", "ValidationError"],
  ["rate_limited", "Throttling", "ThrottlingException"],
  // Faults of the operator's own key, of which the customer's role is innocent.
  ["failing", "InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken", "RegionDisabledException"]
])

import { Array, Either, Encoding, Option, ParseResult, Predicate, Redacted, Schema } from "effect"
import { Timestamp } from "../values/Timestamp.ts"

const Secret = Schema.Redacted(Schema.NonEmptyString)

/** The TSIG algorithms that are still secure (RFC 8945 section 6). */
export const TsigAlgorithm = Schema.Literal("hmac-sha256", "hmac-sha384", "hmac-sha512")

/** The kinds of credentials that customers have at their providers. */
export const directCredentialKinds = [
  "api_token",
  "api_key_secret",
  "username_api_key",
  "access_key_secret",
  "aws_role",
  "service_account",
  "service_principal",
  "tsig_key"
] as const

/** The tokens that a provider issues after the customer has agreed (RFC 6749 section 5.1). */
export const OAuthToken = Schema.TaggedStruct("oauth_token", {
  accessToken: Secret,
  refreshToken: Schema.optionalWith(Secret, { exact: true }),
  expiresAt: Schema.optionalWith(Timestamp, { exact: true })
})
export type OAuthToken = typeof OAuthToken.Type

/** A credential that lets the service change a zone, by kind; secrets stay redacted. */
export const Credential = Schema.Union(
  Schema.TaggedStruct("api_token", { apiToken: Secret }),
  Schema.TaggedStruct("api_key_secret", { apiKey: Secret, apiSecret: Secret }),
  Schema.TaggedStruct("username_api_key", { username: Schema.NonEmptyString, apiKey: Secret }),
  Schema.TaggedStruct("access_key_secret", { accessKeyId: Schema.NonEmptyString, secretAccessKey: Secret }),
  Schema.TaggedStruct("aws_role", { roleArn: Schema.NonEmptyString }),
  Schema.TaggedStruct("service_account", {
    /** The key file that `parseServiceAccount` reads. */
    json: Secret
  }),
  Schema.TaggedStruct("service_principal", {
    tenantId: Schema.NonEmptyString,
    clientId: Schema.NonEmptyString,
    clientSecret: Secret,
    subscriptionId: Schema.NonEmptyString,
    resourceGroup: Schema.NonEmptyString
  }),
  Schema.TaggedStruct("tsig_key", {
    name: Schema.NonEmptyString,
    algorithm: TsigAlgorithm,
    secret: Secret
  }),
  OAuthToken
)
export type Credential = typeof Credential.Type

/**
 * Finds the faults of fields that can be checked before the provider is known, of the kind that they name if they do: an
 * unknown kind; the name, Base64 secret or
 * insecure algorithm of a TSIG key; what is no ARN of a role; the ids of an Azure service principal; and JSON that is no
 * service account. No message repeats a value.
 */
export const findCredentialFaults = (fields: {
  readonly [field: string]: string
}): ReadonlyArray<{ readonly field: string; readonly message: string }> => {
  const { kind } = fields
  const fieldsOf = (own: (typeof directCredentialKinds)[number]) =>
    kind === undefined || kind === own || !isDirectKind(kind) ? fields : {}
  const { algorithm, name, secret } = fieldsOf("tsig_key")
  const { roleArn } = fieldsOf("aws_role")
  const { json } = fieldsOf("service_account")
  const principal = fieldsOf("service_principal")
  const { resourceGroup } = principal
  return [
    ...(kind === undefined || isDirectKind(kind)
      ? []
      : [{ field: "kind", message: `must be one of ${directCredentialKinds.join(", ")}` }]),
    ...(name === undefined || isKeyName(name)
      ? []
      : [{ field: "name", message: "must be the name of a key, such as key.example.com" }]),
    ...(algorithm === undefined || isTsigAlgorithm(algorithm)
      ? []
      : [{ field: "algorithm", message: `must be one of ${TsigAlgorithm.literals.join(", ")}` }]),
    ...(roleArn === undefined || isRoleArn(roleArn)
      ? []
      : [{ field: "roleArn", message: "must be the ARN of a role, such as arn:aws:iam::123456789012:role/dns" }]),
    ...(["tenantId", "clientId", "subscriptionId"] as const).flatMap((field) => {
      const id = principal[field]
      return id === undefined || isUuid(id) ? [] : [{ field, message: `must be an id such as ${exampleUuid}` }]
    }),
    ...(resourceGroup === undefined || isResourceGroup(resourceGroup)
      ? []
      : [{ field: "resourceGroup", message: "must be the name of a resource group" }]),
    ...(secret === undefined || hasBytes(secret) ? [] : [{ field: "secret", message: "must be a key in Base64" }]),
    ...(json === undefined
      ? []
      : Either.match(parseServiceAccount(Redacted.make(json)), {
          onLeft: (message) => [{ field: "json", message }],
          onRight: () => []
        }))
  ]
}

/** The ARN of a role, in the partition of all regions but those of China and of the US government. */
const isRoleArn = (arn: string): boolean => /^arn:aws:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/.test(arn)

/** An id of Azure becomes a part of a URL. */
const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

const exampleUuid = "11111111-2222-3333-4444-555555555555"

/** Letters, digits and these signs, but no dot at the end (Azure, "Naming rules and restrictions for resources"). */
const isResourceGroup = (name: string): boolean => /^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u.test(name)

/** A domain name in syntax (RFC 8945 section 4.2), whose labels may hold any visible ASCII that zone files do not quote. */
const isKeyName = (name: string): boolean =>
  name.length <= maxNameLength &&
  name
    .replace(/\.$/, "")
    .split(".")
    .every((label) => keyLabel.test(label))

const keyLabel = /^[!#-\-/-:<-?A-[\]-~]{1,63}$/

const maxNameLength = 254

const isDirectKind = Schema.is(Schema.Literal(...directCredentialKinds))

const isTsigAlgorithm = Schema.is(TsigAlgorithm)

const hasBytes = (base64: string): boolean =>
  Either.match(Encoding.decodeBase64(base64), { onLeft: () => false, onRight: ({ length }) => length > 0 })

const redactedText = Schema.Redacted(Schema.NonEmptyString)

/** Becomes a part of a URL. */
const Identifier = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9](?:[A-Za-z0-9:._-]{0,252}[A-Za-z0-9])?$/))

/** The key file of a Google service account; its URLs are left out, because only Google's own are called. */
const GoogleServiceAccount = Schema.Struct({
  type: Schema.Literal("service_account"),
  project_id: Identifier,
  client_email: Schema.NonEmptyString,
  /** PKCS #8 in PEM. */
  private_key: redactedText
})
export type GoogleServiceAccount = typeof GoogleServiceAccount.Type

/** Parses the key file of a `service_account`, ignoring other fields. The error names wrong fields, and quotes none. */
export const parseServiceAccount = (json: Redacted.Redacted): Either.Either<GoogleServiceAccount, string> => {
  const fields = Option.getOrUndefined(decodeJson(Redacted.value(json)))
  return ["client_email", "private_key"].some((name) => Predicate.hasProperty(fields, name))
    ? Either.mapLeft(decodeGoogle(fields), describeFaults)
    : Either.left("must be the key file of a Google service account")
}

const decodeJson = Schema.decodeOption(Schema.parseJson())

const decodeGoogle = Schema.decodeUnknownEither(GoogleServiceAccount, { errors: "all" })

const describeFaults = (error: ParseResult.ParseError): string => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const [wrong, missing] = Array.partitionMap(issues, ({ _tag, path }) =>
    _tag === "Missing" ? Either.right(path.join(".")) : Either.left(path.join("."))
  )
  const faults = [
    ...(missing.length === 0 ? [] : [`lacks ${missing.join(", ")}`]),
    ...(wrong.length === 0 ? [] : [`has a wrong ${wrong.join(", ")}`])
  ]
  return `is the key file of a Google service account, but ${faults.join(" and ")}`
}

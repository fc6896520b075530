import { Array, Either, Option, ParseResult, Predicate, Redacted, Schema } from "effect"

const redactedText = Schema.Redacted(Schema.NonEmptyString)

/** Becomes a part of a URL. */
const Identifier = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9](?:[A-Za-z0-9:._-]{0,252}[A-Za-z0-9])?$/))

/** The key file of a Google service account; its URLs are left out, because only Google's own are called. */
export const GoogleServiceAccount = Schema.Struct({
  type: Schema.Literal("service_account"),
  project_id: Identifier,
  client_email: Schema.NonEmptyString,
  /** PKCS #8 in PEM. */
  private_key: redactedText
})
export type GoogleServiceAccount = typeof GoogleServiceAccount.Type

/** An Azure service principal, as `az ad sp create-for-rbac --json-auth` prints it; its URLs are left out. */
export const AzureServicePrincipal = Schema.Struct({
  tenantId: Identifier,
  clientId: Identifier,
  clientSecret: redactedText,
  subscriptionId: Identifier
})
export type AzureServicePrincipal = typeof AzureServicePrincipal.Type

/** An account that a program uses at a cloud provider. */
export type ServiceAccount = GoogleServiceAccount | AzureServicePrincipal

/**
 * Parses the JSON of a `service_account` credential, which tells by its fields whose it is; other fields are ignored. The
 * error names the wrong fields, and quotes none.
 */
export const parseServiceAccount = (json: Redacted.Redacted): Either.Either<ServiceAccount, string> => {
  const fields = Option.getOrUndefined(decodeJson(Redacted.value(json)))
  if (hasAny(fields, ["client_email", "private_key"]))
    return Either.mapLeft(decodeGoogle(fields), describeFaults("the key file of a Google service account"))
  if (hasAny(fields, ["tenantId", "clientId", "clientSecret", "subscriptionId"]))
    return Either.mapLeft(decodeAzure(fields), describeFaults("the JSON of an Azure service principal"))
  return Either.left(
    "must be the key file of a Google service account, or the JSON that `az ad sp create-for-rbac --json-auth` prints"
  )
}

const decodeJson = Schema.decodeOption(Schema.parseJson())

const decodeGoogle = Schema.decodeUnknownEither(GoogleServiceAccount, { errors: "all" })

const decodeAzure = Schema.decodeUnknownEither(AzureServicePrincipal, { errors: "all" })

const hasAny = (fields: unknown, names: ReadonlyArray<string>): boolean =>
  names.some((name) => Predicate.hasProperty(fields, name))

const describeFaults =
  (what: string) =>
  (error: ParseResult.ParseError): string => {
    const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
    const [wrong, missing] = Array.partitionMap(issues, ({ _tag, path }) =>
      _tag === "Missing" ? Either.right(path.join(".")) : Either.left(path.join("."))
    )
    const faults = [
      ...(missing.length === 0 ? [] : [`lacks ${missing.join(", ")}`]),
      ...(wrong.length === 0 ? [] : [`has a wrong ${wrong.join(", ")}`])
    ]
    return `is ${what}, but ${faults.join(" and ")}`
  }

import { Either, Redacted } from "effect"
import { type Credential, type GoogleServiceAccount, parseServiceAccount } from "../domain/provider/Credential.ts"
import type { AwsKey } from "./signAwsRequest.ts"
import { ProviderFailure } from "./ProviderFailure.ts"

/**
 * Reads the secret for a header: an API token, or OAuth where it is accepted (`takesOAuth`). One that fits no header
 * (RFC 9110 section 5.5), or another kind, is invalid.
 */
export const readToken = (
  credential: Credential,
  { provider, takesOAuth = false }: { readonly provider: string; readonly takesOAuth?: boolean }
): Either.Either<Redacted.Redacted, ProviderFailure> => {
  const secret = secretOf(credential, takesOAuth)
  return secret !== undefined && fitsHeader(Redacted.value(secret))
    ? Either.right(secret)
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail: `${provider} accepts ${takesOAuth ? "an API token or an OAuth token" : "an API token"}, ${headerText}`
        })
      )
}

/** Reads an access key of AWS, both parts of which must fit a header. */
export const readAccessKey = (credential: Credential): Either.Either<AwsKey, ProviderFailure> =>
  credential._tag === "access_key_secret" &&
  [credential.accessKeyId, Redacted.value(credential.secretAccessKey)].every(fitsHeader)
    ? Either.right(credential)
    : Either.left(
        new ProviderFailure({
          code: "credential_invalid",
          isLocal: true,
          detail: `AWS accepts an access key with its secret, ${headerText}`
        })
      )

/** Reads the key file of a Google service account. */
export const readGoogleServiceAccount = (
  credential: Credential
): Either.Either<GoogleServiceAccount, ProviderFailure> => {
  const account = credential._tag === "service_account" ? parseServiceAccount(credential.json) : Either.left("")
  return Either.mapLeft(
    account,
    () =>
      new ProviderFailure({
        code: "credential_invalid",
        isLocal: true,
        detail: "Google Cloud accepts the key file of a service account, which is JSON"
      })
  )
}

const headerText = "in ASCII without spaces or line breaks"

const fitsHeader = (text: string): boolean => /^[!-~]+$/.test(text)

const secretOf = (credential: Credential, takesOAuth: boolean): Redacted.Redacted | undefined =>
  credential._tag === "api_token"
    ? credential.apiToken
    : takesOAuth && credential._tag === "oauth_token"
      ? credential.accessToken
      : undefined

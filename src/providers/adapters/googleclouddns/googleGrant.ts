import { DateTime, type Duration, Effect, Either, Encoding, Redacted } from "effect"
import { createPrivateKey, type KeyObject, sign } from "node:crypto"
import type { GoogleServiceAccount } from "../../../domain/provider/Credential.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { TokenGrant } from "../../grantedToken.ts"
import { ProviderFailure } from "../../ProviderFailure.ts"

/**
 * Makes the grant of a service account: a token for the records of Cloud DNS and nothing else, for which the account signs
 * that it asks (Google Identity, "Using OAuth 2.0 for server to server applications").
 */
export const makeGoogleGrant = (
  { client_email, private_key }: GoogleServiceAccount,
  timeout: Duration.DurationInput
): Either.Either<TokenGrant, ProviderFailure> =>
  Either.map(readPrivateKey(private_key), (key) => ({
    tokenUrl,
    timeout,
    interpret,
    parameters: Effect.map(DateTime.now, (now) => ({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: Redacted.make(signClaims(key, client_email, now))
    }))
  }))

const tokenUrl = "https://oauth2.googleapis.com/token"

const readPrivateKey = (pem: Redacted.Redacted): Either.Either<KeyObject, ProviderFailure> =>
  Either.filterOrLeft(
    Either.try({ try: () => createPrivateKey(Redacted.value(pem)), catch: () => unreadableKey }),
    ({ asymmetricKeyType }) => asymmetricKeyType === "rsa",
    () => unreadableKey
  )

const unreadableKey = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "the private_key in the key file is no RSA key in PEM; the file must be given as Google made it"
})

/** A JWT (RFC 7519) signed by RS256 (RFC 7518 section 3.3). */
const signClaims = (key: KeyObject, email: string, now: DateTime.Utc): string => {
  const issuedAt = Math.floor(DateTime.toEpochMillis(now) / 1000)
  const claims = {
    iss: email,
    scope: "https://www.googleapis.com/auth/ndev.clouddns.readwrite",
    aud: tokenUrl,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds
  }
  const signed = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Encoding.encodeBase64Url(JSON.stringify(part)))
    .join(".")
  return `${signed}.${Encoding.encodeBase64Url(sign("sha256", Buffer.from(signed), key))}`
}

/** The longest that Google takes. */
const lifetimeSeconds = 3600

/** An assertion from another time is the fault of the service's clock. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 400 && text.includes("reasonable timeframe") ? { kind: "failing" } : undefined

import { DateTime, type Duration, Effect, Either } from "effect"
import type { GoogleServiceAccount } from "../../../domain/provider/Credential.ts"
import type { ProviderResponse, ResponseMeaning } from "../../callProvider.ts"
import type { TokenGrant } from "../../grantedToken.ts"
import type { ProviderFailure } from "../../ProviderFailure.ts"
import { readRsaKey, signJwt } from "../../signedJwt.ts"

/**
 * A service account's token for Cloud DNS alone, by a signed request (Google Identity, "Using OAuth 2.0 for server
 * to server applications").
 */
export const makeGoogleGrant = (
  { client_email, private_key }: GoogleServiceAccount,
  timeout: Duration.DurationInput
): Either.Either<TokenGrant, ProviderFailure> =>
  Either.map(readRsaKey(private_key), (key) => ({
    tokenUrl,
    timeout,
    interpret,
    parameters: Effect.map(DateTime.now, (now) => {
      const iat = Math.floor(DateTime.toEpochMillis(now) / 1000)
      const claims = { iss: client_email, scope, aud: tokenUrl, iat, exp: iat + lifetimeSeconds }
      return { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: signJwt(key, claims) }
    })
  }))

const tokenUrl = "https://oauth2.googleapis.com/token"

const scope = "https://www.googleapis.com/auth/ndev.clouddns.readwrite"

/** The longest that Google takes. */
const lifetimeSeconds = 3600

/** An assertion from another time is the fault of the service's clock. */
const interpret = ({ status, text }: ProviderResponse): ResponseMeaning | undefined =>
  status === 400 && text.includes("reasonable timeframe") ? { kind: "failing" } : undefined

import { Effect, Redacted } from "effect"
import { AuthorizationResponseMismatch, type OAuthClient, OAuthFailure } from "../providers/oauth/OAuthClient.ts"
import { randomBase62 } from "../security/secrets.ts"

/** Makes the OAuth client of a provider of test mode: the customer decides on a page of this service. */
export const makeTestOAuthClient = (): OAuthClient => ({
  requestAuthorization: ({ redirectUri, state }) =>
    Effect.sync(() => {
      const url = new URL(consentPagePath, redirectUri)
      url.search = new URLSearchParams({ state, redirect_uri: redirectUri }).toString()
      return { authorizeUrl: url.href, verifier: Redacted.make(state) }
    }),
  exchangeCode: Effect.fnUntraced(function* (response, { state }) {
    if (response.get("state") !== state)
      return yield* new AuthorizationResponseMismatch({ detail: "the state is that of another request" })
    if (response.get("error") === "access_denied")
      return yield* new OAuthFailure({ code: "authorization_denied", detail: "the customer denied the request" })
    if (response.get("code") !== allowedCode)
      return yield* new AuthorizationResponseMismatch({ detail: "the code is not that of the test page" })
    return { _tag: "oauth_token" as const, accessToken: Redacted.make(`test-${randomBase62(43)}`) }
  }),
  refreshToken: (token) => Effect.succeed(token),
  revokeToken: () => Effect.void
})

/** The page of test mode where a customer allows or denies, relative to where the customer returns to. */
const consentPagePath = "../test/sign-in"

/** The code with which the test page sends a customer back who allows. */
export const allowedCode = "allowed-in-test-mode"

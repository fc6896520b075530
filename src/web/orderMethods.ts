import type { AuthorizationMethod } from "../domain/provider/Provider.ts"
import type { ConnectionDocument } from "./ConnectionDocument.ts"

/**
 * The methods in the order of the provider; after a failure that no key mends, those come first that need no access, and
 * after a sign-in in vain, a key and the page of the provider come before another sign-in.
 */
export const orderMethods = (
  { failure, provider }: Pick<ConnectionDocument, "failure" | "provider">,
  isKeyRefused: boolean
): ReadonlyArray<AuthorizationMethod> => {
  const offered: ReadonlyArray<AuthorizationMethod> = provider?.availableAuthorizationMethods ?? []
  const last = failure === undefined ? [] : listLast(failure.code, isKeyRefused)
  return offered.toSorted((one, other) => last.indexOf(one) - last.indexOf(other))
}

const listLast = (code: string, isKeyRefused: boolean): ReadonlyArray<AuthorizationMethod> => {
  if (failuresOfAccess.has(code)) return ["oauth2_pkce", "direct_credential"]
  return failuresOfSignIn.has(code) && !isKeyRefused ? ["oauth2_pkce", "manual"] : []
}

const failuresOfAccess: ReadonlySet<string> = new Set([
  "provider_unavailable",
  "provider_zone_locked",
  "provider_record_locked",
  "account_not_entitled"
])

/** A sign-in that brought no access, or too little: an administrator may forbid it for good. */
const failuresOfSignIn: ReadonlySet<string> = new Set(["authorization_denied", "authorization_insufficient_scope"])

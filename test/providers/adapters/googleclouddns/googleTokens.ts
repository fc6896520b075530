import { Redacted } from "effect"
import { generateKeyPairSync, verify } from "node:crypto"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { TokenServer } from "../../../support/vendors/TokenServer.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"

/** An access token of the account. */
export const validToken = "ya29.google-valid"

const makeKey = (modulusLength: number) =>
  generateKeyPairSync("rsa", {
    modulusLength,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })

const key = makeKey(2048)

/** The key file, as Google's console makes it; the service calls none of its addresses. */
export const keyFile = {
  type: "service_account",
  project_id: "bakery-4711",
  private_key_id: "0f0f0f0f",
  private_key: key.privateKey,
  client_email: "dns@bakery-4711.iam.gserviceaccount.com",
  client_id: "104711",
  token_uri: "https://oauth2.googleapis.com/token"
}

export const serviceAccount = (file: object): Credential => ({
  _tag: "service_account",
  json: Redacted.make(JSON.stringify(file))
})

/** Key files of a stranger and of a key that was removed, and what is no key file of Google. */
export const wrongKeyFiles: ReadonlyArray<object> = [
  { ...keyFile, client_email: "dns@other.iam.gserviceaccount.com" },
  { ...keyFile, private_key: makeKey(1024).privateKey },
  { ...keyFile, private_key: "-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----\n" },
  { clientId: "1", clientSecret: "2", subscriptionId: "3", tenantId: "4" }
]

const tokenUrl = "https://oauth2.googleapis.com/token"

const scopes = ["https://www.googleapis.com/auth/ndev.clouddns.readwrite"]

export const refuse = (description: string): VendorAnswer => ({
  status: 400,
  body: { error: "invalid_grant", error_description: description }
})

/** Answers a request for a token, whose assertion must be signed by the key, for this server and for an hour at most. */
const answer = (form: URLSearchParams): VendorAnswer => {
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
    return { status: 400, body: { error: "unsupported_grant_type" } }
  const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".")
  const [{ alg }, { aud, exp, iat, iss, scope }] = [header, claims].map((part) =>
    JSON.parse(Buffer.from(part, "base64url").toString())
  )
  if (iss !== keyFile.client_email) return refuse("Invalid grant: account not found")
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    key.publicKey,
    Buffer.from(signature, "base64url")
  )
  if (alg !== "RS256" || !isSigned) return refuse("Invalid JWT Signature.")
  if (aud !== tokenUrl || exp - iat > 3600) return refuse("Invalid JWT: Failed audience check.")
  if (!scopes.some((known) => String(scope).split(" ").includes(known)))
    return {
      status: 400,
      body: { error: "invalid_scope", error_description: "Invalid OAuth scope or ID token audience." }
    }
  return { status: 200, body: { access_token: validToken, expires_in: 3599, token_type: "Bearer" } }
}

/** Google's server of tokens, which knows the key file. */
export const googleTokens: TokenServer = {
  baseUrl: tokenUrl,
  react: async ({ method, target, text }) =>
    method === "POST" && target === "/token" ? answer(new URLSearchParams(text)) : { status: 404 }
}

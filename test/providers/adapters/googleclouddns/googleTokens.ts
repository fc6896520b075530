import { Redacted } from "effect"
import { generateKeyPairSync, verify } from "node:crypto"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { googleServiceAccount } from "../../../domain/serviceAccounts.ts"
import { makeTokenServer } from "../../../support/vendors/TokenServer.ts"

const key = generateKeyPairSync("rsa", { modulusLength: 2048 })
const otherKey = generateKeyPairSync("rsa", { modulusLength: 1024 })

const toPem = ({ privateKey }: typeof key): string => privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const tokenUrl = "https://oauth2.googleapis.com/token"

export const scope = "https://www.googleapis.com/auth/ndev.clouddns.readwrite"

/** The key file, as Google's console makes it; the service calls none of its addresses. */
export const keyFile = { ...googleServiceAccount, private_key: toPem(key), token_uri: tokenUrl }

export const serviceAccount = (file: object): Credential => ({
  _tag: "service_account",
  json: Redacted.make(JSON.stringify(file))
})

/** Key files of a stranger and of a key that was removed, and what is no key file of Google. */
export const wrongKeyFiles: ReadonlyArray<object> = [
  { ...keyFile, client_email: "dns@other.iam.gserviceaccount.com" },
  { ...keyFile, private_key: toPem(otherKey) },
  googleServiceAccount,
  { clientId: "1", clientSecret: "2", subscriptionId: "3", tenantId: "4" }
]

export const refuse = (error_description: string, error = "invalid_grant") => ({
  status: 400,
  body: { error, error_description }
})

/** Reads a signed assertion, and whether it is signed by the key. */
export const readAssertion = (assertion: string | null) => {
  const [header = "", claims = "", signature = ""] = (assertion ?? "").split(".")
  const [{ alg }, read] = [header, claims].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()))
  const signed = Buffer.from(`${header}.${claims}`)
  return {
    claims: read,
    isSigned: alg === "RS256" && verify("sha256", signed, key.publicKey, Buffer.from(signature, "base64url"))
  }
}

/** Google's server of tokens. An assertion must be signed by the key, for this server and for an hour at most. */
export const googleTokens = makeTokenServer({ baseUrl: tokenUrl, token: "ya29.google-valid" }, ({ form, path }) => {
  const { claims, isSigned } = readAssertion(form.get("assertion"))
  const isOtherGrant = form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer"
  const isForOther = claims.aud !== tokenUrl || claims.exp - claims.iat > 3600
  return [
    [path !== "/token", { status: 404 }],
    [isOtherGrant, refuse("Invalid grant_type", "unsupported_grant_type")],
    [claims.iss !== keyFile.client_email, refuse("Invalid grant: account not found")],
    [!isSigned, refuse("Invalid JWT Signature.")],
    [isForOther, refuse("Invalid JWT: Failed audience check.")],
    [!String(claims.scope).split(" ").includes(scope), refuse("Invalid OAuth scope.", "invalid_scope")]
  ]
})

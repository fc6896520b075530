import { Redacted } from "effect"
import { generateKeyPairSync, verify } from "node:crypto"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import type { ReceivedRequest } from "../../../support/vendors/VendorServer.ts"
import { requireToken } from "../DescribedAdapter.ts"

const key = generateKeyPairSync("rsa", { modulusLength: 2048 })

const toPem = ({ privateKey }: typeof key): string => privateKey.export({ type: "pkcs8", format: "pem" }).toString()

export const validLogin = "crumb"
export const validPem = toPem(key)
export const validToken = "transip-valid"

export const keyOf = (username: string, pem: string): Credential => ({
  _tag: "username_api_key",
  username,
  apiKey: Redacted.make(pem)
})

/** A stranger, a key that was removed, one that is too short, and what is no private key. */
export const wrongKeys: ReadonlyArray<Credential> = [
  keyOf("stranger", validPem),
  keyOf(validLogin, toPem(generateKeyPairSync("rsa", { modulusLength: 1024 }))),
  keyOf(validLogin, toPem(generateKeyPairSync("rsa", { modulusLength: 512 }))),
  keyOf(validLogin, key.publicKey.export({ type: "spki", format: "pem" }).toString()),
  { _tag: "api_token", apiToken: Redacted.make(validToken) }
]

export const error = (status: number, message: string): VendorAnswer => ({ status, body: { error: message } })

export const noApi = "Authentication failed, API is not enabled for customer"
export const otherAddress = "Remote IP is not authorized for this request; called from IP 192.0.2.7"

const wrongSignature = error(401, "Invalid API signature, signature does not match the request.")

/** Judges the signature of a request for a token, and the token of any other one. */
export const authenticateTransip = (
  headers: Headers,
  call: VendorCall,
  { text }: ReceivedRequest
): VendorAnswer | undefined => {
  if (call.path !== "/auth") return requireToken(validToken, error(401, "Your access token is invalid"))(headers, call)
  const { global_key, login, nonce }: any = call.body
  if (!nonce) return error(400, "Please specify a nonce in the body")
  const signature = headers.get("signature")
  if (signature === null) return error(400, "Please specify a signature in the header")
  if (login !== validLogin) return wrongSignature
  const isSigned = verify("sha512", Buffer.from(text), key.publicKey, Buffer.from(signature, "base64"))
  if (!isSigned) return wrongSignature
  return global_key ? undefined : error(401, otherAddress)
}

import { Either, Encoding, Redacted } from "effect"
import { createPrivateKey, type KeyObject, sign } from "node:crypto"
import { ProviderFailure } from "./ProviderFailure.ts"

/** Reads a private key in PEM, which must be of RSA. */
export const readRsaKey = (pem: Redacted.Redacted): Either.Either<KeyObject, ProviderFailure> =>
  Either.filterOrLeft(
    Either.try({ try: () => createPrivateKey(Redacted.value(pem)), catch: () => unreadableKey }),
    ({ asymmetricKeyType }) => asymmetricKeyType === "rsa",
    () => unreadableKey
  )

const unreadableKey = new ProviderFailure({
  code: "credential_invalid",
  isLocal: true,
  detail: "the private key is no RSA key in PEM; its file must be given as the provider made it"
})

/** Signs claims by RS256 (RFC 7519, RFC 7518 section 3.3). */
export const signJwt = (key: KeyObject, claims: object): Redacted.Redacted => {
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => Encoding.encodeBase64Url(JSON.stringify(part)))
  const signed = parts.join(".")
  return Redacted.make(`${signed}.${Encoding.encodeBase64Url(sign("sha256", Buffer.from(signed), key))}`)
}

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify
} from "node:crypto"
import { Option, Predicate, Redacted } from "effect"
import type { Template } from "./Template.ts"

/** The parameters of a request in the one form in which they are signed and sent: RFC 3986, sorted by encoded name. */
export const encodeQuery = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")

/** Percent-encodes all but the unreserved characters (RFC 3986 section 2.3): a space is `%20`. */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Signs a query as it is sent, by RS256 (RSASSA-PKCS1-v1_5 with SHA-256); Base64. */
export const signQuery = (query: string, privateKey: Redacted.Redacted): string =>
  sign("sha256", Buffer.from(query), createPrivateKey(Redacted.value(privateKey))).toString("base64")

/** Whether a signature in Base64 is that of a query. */
export const isSignatureOf = (query: string, signature: string, publicKey: KeyObject): boolean =>
  verify("sha256", Buffer.from(query), publicKey, Buffer.from(signature, "base64"))

/** A new key pair of 2,048 bits, which every provider takes; the private key as PKCS #8 in PEM. */
export const generateSigningKey = (): Redacted.Redacted => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return Redacted.make(privateKey.export({ type: "pkcs8", format: "pem" }).toString())
}

/** The public key that belongs to a private key in PEM; none if that is no RSA key. */
export const publicKeyOf = (privateKey: Redacted.Redacted): Option.Option<KeyObject> =>
  Option.filter(parsePrivate(privateKey), ({ asymmetricKeyType }) => asymmetricKeyType === "rsa")

const parsePrivate = Option.liftThrowable((privateKey: Redacted.Redacted) =>
  createPublicKey(createPrivateKey(Redacted.value(privateKey)))
)

/** A public key as SubjectPublicKeyInfo in Base64. */
export const spkiOf = (publicKey: KeyObject): string =>
  publicKey.export({ type: "spki", format: "der" }).toString("base64")

/** The TXT records that publish a public key, SubjectPublicKeyInfo in Base64, at `{label}.{syncPubKeyDomain}`: its parts, each with its number. */
export const formatPublicKey = (spki: string): ReadonlyArray<string> =>
  (spki.match(new RegExp(`.{1,${maxPartLength}}`, "g")) ?? []).map(
    (part, index) => `p=${index + 1},a=RS256,t=x509,d=${part}`
  )

/** With the members before it, a part stays below the 255 characters of one character-string. */
const maxPartLength = 200

/** Reads a public key from the TXT records of its name, in any order; none if a part is missing or wrong. */
export const parsePublicKey = (texts: ReadonlyArray<string>): Option.Option<KeyObject> => {
  const parts = texts
    .map((text) => Object.fromEntries(text.split(",").map((member) => splitMember(member.trim()))))
    .filter(({ a = "RS256", d, p, t = "x509" }) => a === "RS256" && t === "x509" && d !== undefined && p !== undefined)
    .toSorted((one, other) => Number(one["p"]) - Number(other["p"]))
  const isComplete = parts.length > 0 && parts.every(({ p }, index) => Number(p) === index + 1)
  return isComplete ? importKey(parts.map(({ d = "" }) => d).join("")) : Option.none()
}

const splitMember = (member: string): readonly [string, string] => {
  const equals = member.indexOf("=")
  return [member.slice(0, equals), member.slice(equals + 1)]
}

/** Reads a public key, SubjectPublicKeyInfo in Base64; none if it is none. */
export const importKey = Option.liftThrowable((encoded: string) =>
  createPublicKey({ key: Buffer.from(encoded, "base64"), format: "der", type: "spki" })
)

/** Whether published records hold exactly this public key, SubjectPublicKeyInfo in Base64. */
export const isPublished = (spki: string, texts: ReadonlyArray<string>): boolean =>
  Option.exists(parsePublicKey(texts), (published) => spkiOf(published) === spki)

/** Recognizes a template by what it writes and how it is linked to, in any order; its descriptions may change. */
export const digestOf = ({
  hostRequired,
  multiInstance,
  providerId,
  records,
  serviceId,
  syncBlock,
  syncPubKeyDomain,
  syncRedirectDomain,
  warnPhishing
}: Template): string => {
  const place = { providerId, serviceId, syncBlock, syncPubKeyDomain, syncRedirectDomain }
  const members = { ...place, hostRequired, multiInstance, records, warnPhishing }
  return createHash("sha256")
    .update(JSON.stringify(toSortedEntries(members)))
    .digest("base64url")
}

const toSortedEntries = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toSortedEntries)
  return Predicate.isRecord(value)
    ? Object.entries(value)
        .map(([name, member]) => [name, toSortedEntries(member)] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
    : value
}

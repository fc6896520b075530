import { createHmac, timingSafeEqual } from "node:crypto"
import { Either, Redacted } from "effect"
import { type Bytes, encodeName, encodeUint16 } from "../../domain/records/encodeName.ts"
import { additionalCountOffset, type TsigRecord, type SignedMessage, tsigTypeCode } from "./SignedMessage.ts"
import { classAny } from "./classes.ts"

/** A secret that two servers share (RFC 8945); `name` is a domain name with labels in the form of `formatLabel`. */
export interface TsigKey {
  readonly name: string
  readonly algorithm: "hmac-sha256" | "hmac-sha384" | "hmac-sha512"
  readonly secret: Redacted.Redacted<Uint8Array>
}

/** Signs a request at a time in seconds: adds the TSIG record as its last one. Responses are bound to `mac`. */
export const signMessage = (
  message: Uint8Array,
  key: TsigKey,
  time: number
): { readonly bytes: Uint8Array; readonly mac: Uint8Array } => {
  const tsig = { keyName: key.name, algorithm: key.algorithm, time, fudge, error: 0, otherData: new Uint8Array() }
  const mac = digest(key, [message, encodeVariables(tsig)])
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const data = [
    ...encodeName(key.algorithm),
    ...encodeTimers(tsig),
    ...encodeUint16(mac.length),
    ...mac,
    ...encodeUint16(view.getUint16(0)),
    ...encodeUint16(0),
    ...encodeUint16(0)
  ]
  const record = [
    ...encodeName(key.name),
    ...encodeUint16(tsigTypeCode),
    ...encodeUint16(classAny),
    0,
    0,
    0,
    0,
    ...encodeUint16(data.length),
    ...data
  ]
  const bytes = Buffer.concat([message, Uint8Array.from(record)])
  bytes.writeUInt16BE(view.getUint16(additionalCountOffset) + 1, additionalCountOffset)
  return { bytes, mac }
}

/** The state of checking the responses to one request; `unsigned` are the messages since the last signature. */
export interface TsigChain {
  readonly mac: Uint8Array
  readonly isFirst: boolean
  readonly unsigned: ReadonlyArray<Uint8Array>
}

/** The state before the first response to a request with this `mac`. */
export const startTsigChain = (mac: Uint8Array): TsigChain => ({ mac, isFirst: true, unsigned: [] })

/** The first response must be signed; of later ones up to 99 in a row need not be (RFC 8945 section 5.3.1). */
export const verifyTsig = (
  chain: TsigChain,
  { signature, signedBytes }: SignedMessage,
  { key, time }: { readonly key: TsigKey; readonly time: number }
): Either.Either<TsigChain, "not_signed" | "wrong_key" | "wrong_signature" | "wrong_time"> => {
  const messages = [...chain.unsigned, signedBytes]
  if (signature === undefined) {
    return chain.isFirst || messages.length > maxUnsigned
      ? Either.left("not_signed")
      : Either.right({ ...chain, unsigned: messages })
  }
  if (signature.keyName !== key.name || signature.algorithm !== key.algorithm) return Either.left("wrong_key")
  const signedFields = chain.isFirst ? encodeVariables(signature) : encodeTimers(signature)
  const expected = digest(key, [encodeUint16(chain.mac.length), chain.mac, ...messages, signedFields])
  if (expected.length !== signature.mac.length || !timingSafeEqual(expected, signature.mac)) {
    return Either.left("wrong_signature")
  }
  return Math.abs(time - signature.time) > signature.fudge
    ? Either.left("wrong_time")
    : Either.right({ mac: signature.mac, isFirst: false, unsigned: [] })
}

const maxUnsigned = 99

/** How many seconds the two clocks may differ (RFC 8945 section 10). */
const fudge = 300

const digest = ({ algorithm, secret }: TsigKey, parts: ReadonlyArray<Bytes>): Uint8Array => {
  const hmac = createHmac(algorithm.replace("hmac-", ""), Redacted.value(secret))
  for (const part of parts) hmac.update(Uint8Array.from(part))
  return hmac.digest()
}

/** The fields of the TSIG record that are signed (RFC 8945 section 4.3.3). */
const encodeVariables = (signature: Omit<TsigRecord, "mac">): ReadonlyArray<number> => [
  ...encodeName(signature.keyName),
  ...encodeUint16(classAny),
  ...encodeUint16(0),
  ...encodeUint16(0),
  ...encodeName(signature.algorithm),
  ...encodeTimers(signature),
  ...encodeUint16(signature.error),
  ...encodeUint16(signature.otherData.length),
  ...signature.otherData
]

const encodeTimers = ({ fudge, time }: Pick<TsigRecord, "fudge" | "time">): ReadonlyArray<number> => [
  ...[time / 2 ** 32, time / 2 ** 16, time].flatMap((part) => encodeUint16(Math.floor(part) % 2 ** 16)),
  ...encodeUint16(fudge)
]

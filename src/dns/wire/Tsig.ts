import { createHmac, timingSafeEqual } from "node:crypto"
import { Either, Redacted } from "effect"
import { type Bytes, encodeName, encodeUint16 } from "./encodeName.ts"
import { classAny } from "./recordTypes.ts"
import { additionalCountOffset, type TsigRecord, type SignedMessage, tsigTypeCode } from "./SignedMessage.ts"

/** A secret that two sides share (RFC 8945); `name` in the form of `labelText`. */
export interface TsigKey {
  readonly name: string
  readonly algorithm: "hmac-sha256" | "hmac-sha384" | "hmac-sha512"
  readonly secret: Redacted.Redacted<Uint8Array>
}

/** A request with its TSIG record as the last one, at the time in seconds; `mac` is what the answer is bound to. */
export const signMessage = (
  message: Uint8Array,
  key: TsigKey,
  time: number
): { readonly bytes: Uint8Array; readonly mac: Uint8Array } => {
  const signature = { keyName: key.name, algorithm: key.algorithm, time, fudge, error: 0, otherData: new Uint8Array() }
  const mac = digest(key, [message, variables(signature)])
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const data = [
    ...encodeName(key.algorithm),
    ...timers(signature),
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

/** How far the answers to a request have been checked; `unsigned` are those since the last signature. */
export interface TsigChain {
  readonly mac: Uint8Array
  readonly isFirst: boolean
  readonly unsigned: ReadonlyArray<Uint8Array>
}

/** What the answers to a request with this `mac` begin with. */
export const startTsigChain = (mac: Uint8Array): TsigChain => ({ mac, isFirst: true, unsigned: [] })

/**
 * Checks the next answer at the time in seconds. The first one is signed; of the others up to 99 in a row may be without
 * a signature, which the next one covers (RFC 8945 section 5.3.1).
 */
export const verifyTsig = (
  chain: TsigChain,
  { signature, signedBytes: signed }: SignedMessage,
  { key, time }: { readonly key: TsigKey; readonly time: number }
): Either.Either<TsigChain, "not_signed" | "wrong_key" | "wrong_signature" | "wrong_time"> => {
  const messages = [...chain.unsigned, signed]
  if (signature === undefined) {
    return chain.isFirst || messages.length > maxUnsigned
      ? Either.left("not_signed")
      : Either.right({ ...chain, unsigned: messages })
  }
  if (signature.keyName !== key.name || signature.algorithm !== key.algorithm) return Either.left("wrong_key")
  const about = chain.isFirst ? variables(signature) : timers(signature)
  const expected = digest(key, [encodeUint16(chain.mac.length), chain.mac, ...messages, about])
  if (expected.length !== signature.mac.length || !timingSafeEqual(expected, signature.mac)) {
    return Either.left("wrong_signature")
  }
  return Math.abs(time - signature.time) > signature.fudge
    ? Either.left("wrong_time")
    : Either.right({ mac: signature.mac, isFirst: false, unsigned: [] })
}

const maxUnsigned = 99

/** By how many seconds the two clocks may differ (RFC 8945 section 10). */
const fudge = 300

const digest = ({ algorithm, secret }: TsigKey, parts: ReadonlyArray<Bytes>): Uint8Array => {
  const hmac = createHmac(algorithm.replace("hmac-", ""), Redacted.value(secret))
  for (const part of parts) hmac.update(Uint8Array.from(part))
  return hmac.digest()
}

/** RFC 8945 section 4.3.3. */
const variables = (signature: Omit<TsigRecord, "mac">): ReadonlyArray<number> => [
  ...encodeName(signature.keyName),
  ...encodeUint16(classAny),
  ...encodeUint16(0),
  ...encodeUint16(0),
  ...encodeName(signature.algorithm),
  ...timers(signature),
  ...encodeUint16(signature.error),
  ...encodeUint16(signature.otherData.length),
  ...signature.otherData
]

const timers = ({ fudge, time }: Pick<TsigRecord, "fudge" | "time">): ReadonlyArray<number> => [
  ...[time / 2 ** 32, time / 2 ** 16, time].flatMap((part) => encodeUint16(Math.floor(part) % 2 ** 16)),
  ...encodeUint16(fudge)
]

import { Schema } from "effect"

/** A secret as it is kept: encrypted under the master key of that version, with a nonce that was used once. */
export interface Sealed {
  readonly keyVersion: number
  readonly nonce: Uint8Array
  readonly ciphertext: Uint8Array
}

/** The columns of a sealed secret. */
export const SealedRow = Schema.Struct({
  keyVersion: Schema.Int,
  nonce: Schema.Uint8ArrayFromSelf,
  ciphertext: Schema.Uint8ArrayFromSelf
})

import { LruMap } from "../../runtime/LruMap.ts"
import { sha256 } from "../../security/secrets.ts"

/**
 * Encodes texts as UTF-8, each distinct one once for as long as somebody holds its bytes: hundreds of streams that nobody
 * reads then hold the document of their connection once.
 */
export class SharedEncodings {
  readonly #encodings = new LruMap<string, WeakRef<Uint8Array>>(maxEncodings)

  encode(text: string): Uint8Array {
    if (text.length < minSharedLength) return encoder.encode(text)
    // A hash that cannot be forged: with equal ones a tenant would get the document of another.
    const key = Buffer.from(sha256(text)).toString("base64")
    const known = this.#encodings.get(key)?.deref()
    if (known !== undefined) return known
    const bytes = encoder.encode(text)
    this.#encodings.set(key, new WeakRef(bytes))
    return bytes
  }
}

const encoder = new TextEncoder()

/** Shorter texts take less than what is kept of them. */
const minSharedLength = 1_024

/** An entry takes about 200 bytes, besides the encoding itself while it is held. */
const maxEncodings = 10_000

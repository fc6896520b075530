import { Array, Context, Effect, Layer, Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { MasterKeys } from "./MasterKeys.ts"

/** Signs, for the public hosted page, the origin of the platform's logo in its query: nobody else can name one. */
export class HostedPageLogos extends Context.Tag("security/HostedPageLogos")<
  HostedPageLogos,
  {
    /** The query of the page for a platform with this logo. */
    readonly queryOf: (logoUrl: string) => Effect.Effect<string>
    /** The origin in a query, if this service has signed it. */
    readonly originIn: (query: URLSearchParams) => Effect.Effect<Option.Option<string>>
  }
>() {
  static readonly layer = Layer.effect(
    HostedPageLogos,
    Effect.map(MasterKeys, ({ fingerprintKeys }) => ({
      queryOf: (logoUrl) => {
        const { origin } = new URL(logoUrl)
        return Effect.map(
          sign(Array.headNonEmpty(fingerprintKeys), origin),
          (signature) => `?${new URLSearchParams({ logo: origin, signature: signature.toString("base64url") })}`
        )
      },
      originIn: (query) => {
        const origin = query.get("logo")
        const signature = Buffer.from(query.get("signature") ?? "", "base64url")
        if (origin === null || signature.length !== signatureBytes) return Effect.succeedNone
        return Effect.map(
          Effect.exists(fingerprintKeys, (key) =>
            Effect.map(sign(key, origin), (expected) => timingSafeEqual(expected, signature))
          ),
          (isSigned) => (isSigned ? Option.some(origin) : Option.none())
        )
      }
    }))
  )
}

/** Half of a SHA-256 keeps the link short, and is still beyond guessing. */
const signatureBytes = 16

/** The keys also sign the JSON arrays of requests, which no such text equals. */
const sign = (key: CryptoKey, origin: string): Effect.Effect<Buffer> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`logo ${origin}`))),
    (signature) => Buffer.from(signature).subarray(0, signatureBytes)
  )

import { Either, Option, Schema } from "effect"

/** A browser origin (RFC 6454) in the exact spelling that browsers send: `https://shop.example.com`. */
export const Origin = Schema.String.pipe(Schema.brand("Origin"))
export type Origin = typeof Origin.Type

/** No valid origin for a token. `canonical` may be meant; `isInsecure` says that it has `https` for `http`. */
export interface InvalidOrigin {
  readonly canonical: Option.Option<Origin>
  readonly isInsecure: boolean
}

/** Accepts an origin only byte for byte as a browser sends it: `https`, or `http` on a loopback host. */
export const parseOrigin = (input: string): Either.Either<Origin, InvalidOrigin> => {
  const canonical = canonicalOrigin(input)
  if (Option.contains(canonical, Origin.make(input))) return Either.right(Origin.make(input))
  const secure = Option.isNone(canonical) ? canonicalOrigin(input.replace(/^\s*http:/i, "https:")) : Option.none()
  if (Option.isSome(secure)) return Either.left({ canonical: secure, isInsecure: true })
  return Either.left({ canonical: Option.orElse(canonical, () => withScheme(input)), isInsecure: false })
}

/** The origin that a name without its scheme may stand for. */
const withScheme = (input: string): Option.Option<Origin> =>
  Option.filter(canonicalOrigin(`https://${input.trim().replace(/^\/\//, "")}`), (origin) => origin.includes("."))

const canonicalOrigin = (input: string): Option.Option<Origin> =>
  Option.liftPredicate(input, (text) => text.length <= maxLength && URL.canParse(text)).pipe(
    Option.map((text) => new URL(text)),
    Option.filter(isTrustworthy),
    Option.filter((url) => url.port !== "0" && isPlainHost(url.hostname)),
    Option.map((url) => Origin.make(url.origin))
  )

/** The longest input for which a canonical origin is suggested. */
const maxLength = 2_000

/** Browsers treat plain `http` as a secure context on loopback hosts only. */
const isTrustworthy = (url: URL): boolean =>
  url.protocol === "https:" ||
  (url.protocol === "http:" && /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname))

const isPlainHost = (host: string): boolean =>
  host.length <= 253 &&
  (/^\[[0-9a-f:]+\]$/.test(host) ||
    host.split(".").every((label) => label.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)))

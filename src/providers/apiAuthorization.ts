import type { HttpMethod } from "@effect/platform"
import { Effect, Encoding, Record, Redacted } from "effect"
import type { ProviderError } from "./ProviderError.ts"

/** How an API recognizes who sends a request. */
export interface ApiAuthorization {
  /** The secrets that must not be quoted from a response, in every form in which it may repeat them. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly authorize: (request: UnauthorizedRequest) => Effect.Effect<AuthorizationParts, ProviderError>
}

/** A complete request, except for its authorization. */
interface UnauthorizedRequest {
  readonly method: HttpMethod.HttpMethod
  /** With its query. */
  readonly url: string
  /** Empty for a request without a body. */
  readonly body: string
}

/** The parts added to a request. No log, trace or error has its address, headers or body. */
interface AuthorizationParts {
  /** Those of this request alone. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted>
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Members of the body, which is an object. */
  readonly members?: Readonly<Record<string, string>>
}

/** The parts of a key by the names of headers, parameters or members; an id may stand in plain text. */
type KeyParts = Readonly<Record<string, string | Redacted.Redacted>>

/** The header `Authorization` with a scheme and a secret: `Bearer …`. */
export const inScheme = (scheme: string, secret: Redacted.Redacted): ApiAuthorization => ({
  secrets: listForms(secret),
  authorize: () => Effect.succeed({ headers: { authorization: `${scheme} ${Redacted.value(secret)}` } })
})

/** The scheme `Basic` (RFC 7617). */
export const inBasicScheme = (user: string, password: Redacted.Redacted): ApiAuthorization => {
  const encoded = Redacted.make(Encoding.encodeBase64(`${user}:${Redacted.value(password)}`))
  const basic = inScheme("Basic", encoded)
  return { ...basic, secrets: [...basic.secrets, ...listForms(password)] }
}

/** One or several headers of the API's own. */
export const inHeaders = (parts: KeyParts): ApiAuthorization => inParts(parts, (headers) => ({ headers }))

export const inQuery = (parts: KeyParts): ApiAuthorization => inParts(parts, (query) => ({ query }))

/** Members of each body. */
export const inBody = (parts: KeyParts): ApiAuthorization => inParts(parts, (members) => ({ members }))

/** Two ways at once: a key in one place, and in another whose account it is for. */
export const inBoth = (one: ApiAuthorization, other: ApiAuthorization): ApiAuthorization => ({
  secrets: [...one.secrets, ...other.secrets],
  authorize: (request) =>
    Effect.zipWith(one.authorize(request), other.authorize(request), (first, second) => ({ ...first, ...second }))
})

/** Headers that depend on the request, such as a signature of it. */
export const bySignature = (
  secrets: ApiAuthorization["secrets"],
  sign: (request: UnauthorizedRequest) => Effect.Effect<Readonly<Record<string, string>>, ProviderError>
): ApiAuthorization => ({
  secrets,
  authorize: (request) => Effect.map(sign(request), (headers) => ({ headers }))
})

const inParts = (
  parts: KeyParts,
  place: (values: Readonly<Record<string, string>>) => AuthorizationParts
): ApiAuthorization => {
  const values = Record.map(parts, (part) => (typeof part === "string" ? part : Redacted.value(part)))
  return {
    secrets: Object.values(parts).flatMap((part) => (typeof part === "string" ? [] : listForms(part))),
    authorize: () => Effect.succeed(place(values))
  }
}

/** A secret as it is, and as a query and JSON have it. */
export const listForms = (secret: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const text = Redacted.value(secret)
  const forms = [text, encodeURIComponent(text), new URLSearchParams({ "": text }).toString().slice(1)]
  return [...new Set([...forms, JSON.stringify(text).slice(1, -1)])].map((form) => Redacted.make(form))
}

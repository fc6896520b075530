import type { Headers } from "@effect/platform"
import { Redacted } from "effect"
import { isAdminKey } from "../../security/AdminKeys.ts"
import { isApiKey, Unauthenticated } from "../../security/ApiKeys.ts"
import { isBrowserToken } from "../../security/BrowserTokens.ts"
import type { RequestExchange } from "./Exchange.ts"

/** The credential of an endpoint: as a challenge (RFC 9110 section 11.6.1), in words, and the text without it. */
interface RequiredCredential {
  readonly challenge: string
  readonly message: string
  readonly findFault?: (headers: Headers.Headers, url: string) => string
}

const apiKey = "a valid API key is required in the header x-api-key"

const credentials = {
  apiKey: {
    challenge: 'ApiKey header="x-api-key"',
    message: apiKey,
    findFault: (headers, url) => findKeyFault("x-api-key", headers, url)
  },
  apiKeyOrBrowserToken: {
    challenge: 'ApiKey header="x-api-key", Bearer',
    message: `${apiKey}, or a valid browser token as Bearer`,
    findFault: (headers, url) =>
      headers["x-api-key"] === undefined && headers["authorization"] !== undefined
        ? findTokenFault(headers["authorization"])
        : findKeyFault("x-api-key", headers, url)
  },
  adminKey: {
    challenge: 'ApiKey header="x-admin-key"',
    message: "a valid admin key is required in the header x-admin-key",
    findFault: (headers, url) => findKeyFault("x-admin-key", headers, url)
  },
  askSecret: {
    challenge: 'AskSecret path="askSecret"',
    message: "a valid ask secret is required as the last part of the path"
  },
  domainEntryToken: {
    challenge: "Bearer",
    message: "a valid token of `POST /v1/domain-entry/access-token` is required as Bearer"
  },
  shareCode: {
    challenge: 'ShareLink body="code"',
    message: "a valid code of a share link is required in the body"
  }
} satisfies Readonly<Record<string, RequiredCredential>>

export type RequiredCredentialName = keyof typeof credentials

/** The 401 of an endpoint: it names the credential that the endpoint takes, and the fault of the one that it got. */
export const explainUnauthenticated = (
  { request, responseHeaders }: RequestExchange,
  credential: RequiredCredentialName
): Unauthenticated => {
  const { challenge, findFault, message }: RequiredCredential = credentials[credential]
  responseHeaders["www-authenticate"] = challenge
  const fault = findFault === undefined ? "" : `: ${findFault(request.headers, request.url)}`
  return new Unauthenticated({ code: "unauthenticated", message: message + fault })
}

type KeyHeader = "x-api-key" | "x-admin-key"

/** The fault of the key of a request; it repeats nothing that the request sent as a secret. */
const findKeyFault = (header: KeyHeader, headers: Headers.Headers, url: string): string => {
  const value = headers[header]
  if (value === undefined) return findMisplaced(header, headers, url) ?? `the request has no header ${header}`
  if (value.trim() === "") return `the header ${header} is empty`
  if (/^Bearer\b/i.test(value)) return `send the key alone, without \`Bearer\` in front`
  if (/^(undefined|null|None|\$?[{<$].*|.*\[object .*)$/.test(value.trim()))
    return `the header ${header} has the name of a variable, or what a program writes for one without a value`
  if (/^dcka?_\S+,\s*dcka?_/.test(value)) return `the header ${header} was sent more than once`
  if (/["'\s]/.test(value)) return "send the key alone, without quotes or spaces"
  const kind = kindOf(value)
  if (kind !== undefined && kind.header !== header) return `the header has ${kind.name}, which belongs in ${kind.place}`
  if (kind === undefined)
    return `a key begins with \`${header === "x-api-key" ? "dck_" : "dcka_"}\`, and this one does not`
  if (!isWhole(header, value)) return "the key is truncated or mistyped: its last six characters do not fit the others"
  const environment = /^dcka?_([a-z]+)_/.exec(value)?.[1] ?? "live"
  return `the key is unknown or was revoked; its environment is \`${environment}\`, and it is valid in that one only`
}

const isWhole = (header: KeyHeader, value: string): boolean =>
  header === "x-api-key" ? isApiKey(Redacted.make(value)) : isAdminKey(Redacted.make(value))

/** A credential in another header than that of its endpoint. */
const findMisplaced = (header: KeyHeader, headers: Headers.Headers, url: string): string | undefined => {
  const other = header === "x-api-key" ? "x-admin-key" : "x-api-key"
  if (headers[other] !== undefined) return `the request has the header ${other} instead`
  const authorization = headers["authorization"]
  if (authorization === undefined) return findMisnamed(header, headers) ?? findExposed(header, headers, url)
  const kind = kindOfAuthorization(authorization)
  return kind?.header === header
    ? `the key was sent in the header authorization; send it in ${header}, without \`Bearer\``
    : `the endpoint does not take the header authorization${kind === undefined ? "" : `, which has ${kind.name}`}`
}

/** A header that has a key, or a name like that of the right one. */
const findMisnamed = (header: KeyHeader, headers: Headers.Headers): string | undefined => {
  const names = Object.keys(headers)
  const holder = names.find((name) => kindOf(headers[name] ?? "")?.header === header)
  if (holder !== undefined) return `the key was sent in the header ${holder}; send it in ${header}`
  const similar = names.find((name) => /^(x-)?((api|admin|access|auth)[-_]?)?(key|token)$/.test(name))
  return similar === undefined ? undefined : `the request has the header ${similar}; send the key in ${header}`
}

/** A key in the URL, which proxies and browsers keep, or in a cookie. */
const findExposed = (header: KeyHeader, headers: Headers.Headers, url: string): string | undefined => {
  const { prefix } = kinds.find((kind) => kind.header === header) ?? { prefix: header }
  if (url.includes(`=${prefix}`))
    return `the key was sent in the URL, which is logged on its way: send it in ${header}, and make a new key`
  return headers["cookie"]?.includes(`=${prefix}`) === true
    ? `the key was sent in a cookie; send it in ${header}`
    : undefined
}

const findTokenFault = (authorization: string): string => {
  const [, token] = /^Bearer ([^\s]+)$/i.exec(authorization) ?? []
  const kind = token === undefined ? kindOfAuthorization(authorization) : kindOf(token)
  if (kind !== undefined && kind.header !== "authorization")
    return `the header authorization has ${kind.name}, which belongs in ${kind.place}, without \`Bearer\``
  if (token === undefined) return "the header authorization is not `Bearer`, one space and the token"
  return isBrowserToken(Redacted.make(token))
    ? "the token is unknown, was revoked or has expired; ask your server for a new one"
    : "what follows `Bearer` is no browser token, or is truncated"
}

interface SentCredential {
  readonly prefix: string
  readonly name: string
  readonly header: KeyHeader | "authorization"
  readonly place: string
}

const kinds: ReadonlyArray<SentCredential> = [
  { prefix: "dck_", name: "an API key", header: "x-api-key", place: "the header x-api-key" },
  { prefix: "dcka_", name: "an admin key", header: "x-admin-key", place: "the header x-admin-key" },
  { prefix: "dct_", name: "a browser token", header: "authorization", place: "the header authorization, as Bearer" }
]

const kindOf = (value: string): SentCredential | undefined => kinds.find(({ prefix }) => value.startsWith(prefix))

/** What the header authorization has, whatever its scheme; of Basic either half may be the credential. */
const kindOfAuthorization = (authorization: string): SentCredential | undefined => {
  const value = authorization.replace(/^\S+\s+/, "")
  const halves = /^Basic\s/i.test(authorization) ? Buffer.from(value, "base64").toString().split(":") : [value]
  return halves.map(kindOf).find((kind) => kind !== undefined)
}

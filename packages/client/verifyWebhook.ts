import type { WebhookEvent } from "./generated/schemas.ts"

/** What a request says that is not an event of the service, or not one for this endpoint. */
export type WebhookFault = "headers_missing" | "timestamp_outside_tolerance" | "signature_wrong" | "body_not_json"

/** A request that must not be trusted: answer it with 401. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook"
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** The headers of a request: those of `fetch`, or of a server of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** How old, and how far in the future, a webhook may be: five minutes (Standard Webhooks 1.0). */
const toleranceSeconds = 300

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0) and returns its event; throws `InvalidWebhook`. The payload
 * is the body as it came, before any parsing. While a secret is rotated, either of the two secrets verifies. A secret or body
 * that cannot be one is a mistake of the receiver, and not of the request: it throws a `TypeError` that says what to pass.
 */
export const verifyWebhook = async (
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | undefined
): Promise<WebhookEvent> => {
  const key = await importSecret(secret)
  const body = toBytes(payload)
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    readHeader(headers, name)
  )
  if (!id || !timestamp || !signatures)
    throw new InvalidWebhook("headers_missing", "webhook-id, webhook-timestamp and webhook-signature are required")
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new InvalidWebhook("timestamp_outside_tolerance", "the timestamp is not of the last five minutes")
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  let isVerified = false
  for (const signature of signatures.split(" ")) {
    const [version, base64 = ""] = signature.split(",", 2)
    const bytes = version === "v1" ? decodeBase64(base64) : undefined
    // It compares in constant time.
    if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) isVerified = true
  }
  if (!isVerified) throw new InvalidWebhook("signature_wrong", "no signature is one by this secret")
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new InvalidWebhook("body_not_json", "the body is signed, but is not JSON")
  }
}

/** What a value is that is none of the expected kind, for a message. */
const describeKind = (value: unknown): string =>
  value instanceof Promise
    ? "is a Promise, which has to be awaited"
    : value instanceof Request || value instanceof ReadableStream
      ? "has not been read"
      : "is parsed already"

const readHeader = (headers: WebhookHeaders, name: string): string | undefined => {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    throw new TypeError("the headers must be those of the request: a Headers, or an object with a field for each")
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : found?.join(" ")
}

const toBytes = (payload: unknown): Uint8Array => {
  if (typeof payload === "string") return new TextEncoder().encode(payload)
  if (payload instanceof Uint8Array) return payload
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new TypeError(
    `the body ${payload === undefined || payload === null ? "is missing" : describeKind(payload)}: the signature is one of the text as it came, so pass that, such as await request.text(), before any parser of JSON`
  )
}

const importSecret = async (secret: unknown): Promise<CryptoKey> => {
  if (secret === undefined || secret === null || (typeof secret === "string" && secret.trim() === ""))
    throw new TypeError(
      "the secret is missing: pass the one that the creation of the endpoint returned, and if it comes from the environment, set its variable, such as WEBHOOK_SECRET"
    )
  const bytes = typeof secret === "string" ? decodeBase64(secret.trim().replace(/^whsec_/, "")) : undefined
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("the secret is not one of an endpoint: it must be whsec_ and base64")
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const concatenate = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

import { crc32 } from "node:zlib"

/** The in-memory work of the hand-written peers. They differ only in server, router and database client. */

/** A valid API key, as the first query of every request returns it. */
export interface ApiKeyColumns {
  readonly id: string
  readonly application_id: string
  readonly tenant_id: string
  readonly scopes: ReadonlyArray<string>
}

/** The SHA-256 of an API key; `undefined` if its checksum is wrong. */
export const keyHash = (key: string | null | undefined): Uint8Array | undefined => {
  if (key === null || key === undefined || !/^dck_[a-z]{1,10}_[0-9A-Za-z]{49}$/.test(key)) return undefined
  return base62(crc32(key.slice(0, -6)), 6) === key.slice(-6) ? sha256(key) : undefined
}

export const sha256 = (text: string): Uint8Array => Bun.CryptoHasher.hash("sha256", text)

/** A new token of 256 random bits. */
export const newToken = (): string => {
  let token = "dct_"
  while (token.length < 47)
    for (const byte of crypto.getRandomValues(new Uint8Array(64)))
      if ((byte & 63) < 62 && token.length < 47) token += digits62.charAt(byte & 63)
  return token
}

/** An id that sorts by time: 48 bits of milliseconds, 80 random bits. */
export const newId = (prefix: string): string => {
  let id = ""
  for (let rest = Date.now(); id.length < 10; rest = Math.floor(rest / 32)) id = digits32.charAt(rest % 32) + id
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += digits32.charAt(byte & 31)
  return `${prefix}_${id}`
}

const digits62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const digits32 = "0123456789abcdefghjkmnpqrstvwxyz"

const base62 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = digits62.charAt(rest % 62) + text
  return text
}

const windows = new Map<string, { endsAt: number; used: number }>()
const perMinute = Number(process.env["RATE_LIMIT_PER_MINUTE"] ?? 0)

/** Counts a request of a tenant and returns the rate limit headers; `undefined` if the limit is exceeded. */
export const rateLimit = (key: ApiKeyColumns): Record<string, string> | undefined => {
  const now = Date.now()
  const name = `${key.application_id}/${key.tenant_id}`
  let window = windows.get(name)
  if (window === undefined || window.endsAt <= now) windows.set(name, (window = { endsAt: now + 60_000, used: 0 }))
  window.used += 1
  if (window.used > perMinute) return undefined
  return {
    "ratelimit-policy": `"default";q=${perMinute};w=60`,
    ratelimit: `"default";r=${perMinute - window.used};t=${Math.ceil((window.endsAt - now) / 1_000)}`
  }
}

/** The headers of every response. */
export const commonHeaders = (ownId: string | null | undefined): Record<string, string> => ({
  "content-type": "application/json",
  "x-request-id": ownId && /^[\w.-]{8,128}$/.test(ownId) ? ownId : newId("req"),
  "x-content-type-options": "nosniff",
  "cache-control": "no-store"
})

export const errorBody = (code: string, status: number, requestId: string): string =>
  JSON.stringify({ error: { code, message: code, status, requestId } })

/** Whether the client has this version already. */
export const isCurrent = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

/** The origin in a token request; `undefined` unless it is written as browsers write it. */
export const originOf = (body: any): string | undefined =>
  typeof body?.origin === "string" && URL.canParse(body.origin) && new URL(body.origin).origin === body.origin
    ? body.origin
    : undefined

const types = new Set(["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"])

const isRecord = (record: any): boolean =>
  typeof record === "object" &&
  record !== null &&
  typeof record.host === "string" &&
  types.has(record.type) &&
  typeof record.value === "string" &&
  record.value.length <= 4_096 &&
  (record.ttl === undefined || (Number.isInteger(record.ttl) && record.ttl >= 0)) &&
  (record.priority === undefined || (Number.isInteger(record.priority) && record.priority >= 0)) &&
  (record.optional === undefined || typeof record.optional === "boolean")

const isIntent = (intent: any): boolean =>
  typeof intent === "object" &&
  intent !== null &&
  typeof intent.domain === "string" &&
  /^([a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i.test(intent.domain) &&
  Array.isArray(intent.records) &&
  intent.records.length > 0 &&
  intent.records.length <= 200 &&
  intent.records.every(isRecord)

/** Checks the intent in a body by hand and builds a connection with defaults; `undefined` if the intent is invalid. */
export const newConnection = (
  body: any,
  key: ApiKeyColumns
): { readonly id: string; readonly doc: string } | undefined => {
  if (!isIntent(body?.intent)) return undefined
  const { domain, existingRecordPolicy, records } = body.intent
  const id = newId("con")
  const now = new Date().toISOString()
  const recordsWithDefaults = records.map((record: any) => ({
    ...record,
    ttl: record.ttl ?? 3_600,
    ...(record.type === "MX" || record.type === "SRV" ? { priority: record.priority ?? 10 } : {}),
    optional: record.optional ?? false
  }))
  const connection = {
    id,
    applicationId: key.application_id,
    tenantId: key.tenant_id,
    intent: {
      domain,
      records: recordsWithDefaults,
      existingRecordPolicy: { validateDmarc: true, validateCAA: true, ...existingRecordPolicy }
    },
    effectiveIntent: {
      domain: domain.toLowerCase(),
      records: recordsWithDefaults.map((record: any) => {
        const host = record.host.toLowerCase()
        const name = host === "@" ? domain.toLowerCase() : `${host}.${domain.toLowerCase()}`
        return { ...record, host, name }
      })
    },
    state: "requested",
    allowedActions: ["cancel", "update"],
    optionalFailures: [],
    optionalFailureDetails: [],
    createdAt: now,
    updatedAt: now
  }
  return { id, doc: JSON.stringify(connection) }
}

/** A record as Cloudflare's API shows it. */
export interface StoredCloudflareRecord {
  readonly id: string
  /** Absolute, without a final dot. */
  readonly name: string
  readonly type: string
  readonly content: string
  readonly proxiable: boolean
  readonly proxied: boolean
  /** Seconds; 1 is automatic. */
  readonly ttl: number
  readonly priority?: number
  readonly data?: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  readonly meta: { readonly read_only?: boolean }
  readonly comment: string | null
  readonly tags: ReadonlyArray<string>
  readonly created_on: string
  readonly modified_on: string
}

/** A code and its text, of the kind that Cloudflare puts into `errors`. */
export interface CloudflareError {
  readonly code: number
  readonly message: string
  readonly error_chain?: ReadonlyArray<CloudflareError>
}

/** Identifiers have 32 hexadecimal digits. */
export const toId = (number: number): string => number.toString(16).padStart(32, "0")

/** A record with what Cloudflare adds by itself, as a zone may have it before a test. */
export const storedRecord = (
  record: Pick<StoredCloudflareRecord, "id" | "name" | "type"> & Partial<StoredCloudflareRecord>
): StoredCloudflareRecord => ({
  content: "",
  proxied: false,
  ttl: 300,
  settings: storedSettings(record.type),
  meta: {},
  comment: null,
  tags: [],
  created_on: instant,
  modified_on: instant,
  ...record,
  // Cloudflare cannot reach an address of loopback (recording).
  proxiable: proxiableTypes.includes(record.type) && record.content?.startsWith("127.") !== true
})

const storedSettings = (type: string) => (type === "CNAME" ? { flatten_cname: false } : {})

const instant = "2026-01-01T00:00:00.000000Z"

const proxiableTypes = ["A", "AAAA", "CNAME"]

/** The zone that a record is to be stored in, and the records that are already there. */
interface RecordSurroundings {
  readonly zone: string
  readonly plan: string
  readonly others: ReadonlyArray<StoredCloudflareRecord>
}

/** What Cloudflare stores for the body of a request, or why it refuses it. */
export const toStoredRecord = (
  id: string,
  body: any,
  surroundings: RecordSurroundings
): StoredCloudflareRecord | CloudflareError => {
  const name = body.name === "@" ? surroundings.zone : body.name.toLowerCase()
  const { comment = null, data, priority, proxied = false, settings, tags = [], type } = body
  const record = storedRecord({
    id,
    name,
    type,
    content: storedContent(body),
    proxied,
    // A proxied record has an automatic TTL (vendor-facts.json, `ttl.note`).
    ttl: proxied ? 1 : (body.ttl ?? 1),
    ...(priority === undefined ? {} : { priority }),
    ...(type === "SRV" ? { priority: data.priority } : {}),
    ...(data === undefined || data === null ? {} : { data }),
    comment,
    ...(settings === undefined ? {} : { settings: { ...storedSettings(type), ...settings } }),
    tags
  })
  return refusalOf(record, surroundings) ?? record
}

/** Names lose their final dot; a quoted text is split after each 255 bytes, any other is kept as it is. */
const storedContent = ({ content = "", data, type }: any): string => {
  if (type === "SRV") return `${data.weight} ${data.port} ${data.target}`
  if (type === "CAA") return `${data.flags} ${data.tag} "${data.value}"`
  const names = dataWords.get(type)
  if (names !== undefined)
    return names
      .map((name) => data[name])
      .join(" ")
      .trim()
  if (type === "NAPTR")
    return `${data.order} ${data.preference} "${data.flags}" "${data.service}" "${data.regex}" ${data.replacement}`
  if (type === "URI") return `${data.weight} "${data.target}"`
  if (type === "TXT") return content.startsWith('"') ? content.replace(/"(?:[^"\\]|\\.)*"/g, splitText) : content
  return ["CNAME", "MX", "NS", "PTR"].includes(type) && content !== "." ? content.replace(/\.$/, "") : content
}

/** The fields of types whose data are numbers and a last word, in the order of the standards that define the types. */
export const dataWords: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["CERT", ["type", "key_tag", "algorithm", "certificate"]], // RFC 4398 section 2.2
  ["DNSKEY", ["flags", "protocol", "algorithm", "public_key"]], // RFC 4034 section 2.2
  ["DS", ["key_tag", "algorithm", "digest_type", "digest"]], // RFC 4034 section 5.3
  ["HTTPS", ["priority", "target", "value"]], // RFC 9460 section 2.1
  ["SMIMEA", ["usage", "selector", "matching_type", "certificate"]], // RFC 8162 section 2
  ["SSHFP", ["algorithm", "type", "fingerprint"]], // RFC 4255 section 3.2
  ["SVCB", ["priority", "target", "value"]],
  ["TLSA", ["usage", "selector", "matching_type", "certificate"]] // RFC 6698 section 2.2
])

const splitText = (quoted: string): string =>
  (quoted.slice(1, -1).match(/(\\\d{3}|\\.|[^\\]){1,255}/gs) ?? [""]).map((part) => `"${part}"`).join(" ")

const invalid = (code: number, message: string): CloudflareError => ({
  code: 1004,
  message: "DNS Validation Error",
  error_chain: [{ code, message }]
})

const refusalOf = (record: StoredCloudflareRecord, surroundings: RecordSurroundings): CloudflareError | undefined => {
  const { content, name, proxiable, proxied, ttl, type } = record
  const minimum = surroundings.plan === "enterprise" ? 30 : 60
  if (name !== surroundings.zone && !name.endsWith(`.${surroundings.zone}`))
    return invalid(9000, "DNS name is not in the zone.")
  if (ttl !== 1 && (ttl < minimum || ttl > 86_400))
    return invalid(9021, `Invalid TTL. Must be between ${minimum} and 86400 seconds, or 1 for Automatic.`)
  if (proxied && !proxiable) return invalid(9041, "This DNS record cannot be proxied.")
  if (type === "TXT" && content.replaceAll('"', "").trim() === "")
    return invalid(9009, "TXT content must not be empty.")
  if (type === "MX" && record.priority === undefined) return invalid(9101, "priority is a required field.")
  return refuseCoexistence(record, surroundings)
}

const addressTypes = ["A", "AAAA"]

/** The rules of the document's "Create DNS Record", and the codes of vendor-facts.json, `duplicates`. */
const refuseCoexistence = (
  { content, name, priority, type }: StoredCloudflareRecord,
  { others, plan }: RecordSurroundings
): CloudflareError | undefined => {
  const namesakes = others.filter((other) => other.name === name)
  const isTwice = namesakes.some(
    (other) => other.type === type && other.content === content && other.priority === priority
  )
  if (isTwice) return { code: 81_058, message: "An identical record already exists." }
  // Texts and mail servers stand beside an alias: it may be proxied or flattened.
  const besides = (types: ReadonlyArray<string>) => namesakes.some((other) => types.includes(other.type))
  if (type === "CNAME" && besides([...addressTypes, "CNAME"]))
    return { code: 81_053, message: "An A, AAAA, or CNAME record with that host already exists." }
  if (addressTypes.includes(type) && besides(["CNAME"]))
    return { code: 81_054, message: "A CNAME record with that host already exists." }
  const quota = quotas[plan] ?? 3500
  return others.length >= quota ? { code: 81_045, message: "The record quota has been exceeded." } : undefined
}

/** How many records a zone may have by its plan; on the Enterprise plan, that is agreed upon with Cloudflare. */
const quotas: Readonly<Record<string, number>> = { free: 200, enterprise: Infinity }

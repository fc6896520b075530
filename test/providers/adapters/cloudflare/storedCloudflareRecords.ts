import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { tokensOf } from "../../../support/lab/rdata.ts"
import type { EnteredRecord, VendorRecord } from "../../../support/vendors/VendorZones.ts"
import { zone } from "../DescribedAdapter.ts"

/** What Cloudflare keeps of a record besides its name, type and TTL, of which 1 is automatic. */
export interface CloudflareData {
  /** As in a zone file, but without the priority and without a final dot; a text is as it was sent. */
  readonly content: string
  readonly priority?: number
  readonly proxied: boolean
  readonly settings: Readonly<Record<string, unknown>>
  readonly meta: { readonly read_only?: boolean }
  readonly comment: string | null
  readonly tags: ReadonlyArray<string>
}

export const targetTypes = ["CNAME", "MX", "NS", "PTR", "SRV"]

/** The fields of `data` in the order of the standards that define the types; texts are in quotes. */
const layouts: Readonly<Record<string, string>> = {
  CAA: 'flags tag "value"', // RFC 8659 section 4.1
  CERT: "type key_tag algorithm certificate", // RFC 4398 section 2.2
  DNSKEY: "flags protocol algorithm public_key", // RFC 4034 section 2.2
  DS: "key_tag algorithm digest_type digest", // RFC 4034 section 5.3
  HTTPS: "priority target value", // RFC 9460 section 2.1
  NAPTR: 'order preference "flags" "service" "regex" replacement', // RFC 3403 section 4.1
  SMIMEA: "usage selector matching_type certificate", // RFC 8162 section 2
  SRV: "weight port target", // RFC 2782; the priority is beside them
  SSHFP: "algorithm type fingerprint", // RFC 4255 section 3.2
  SVCB: "priority target value",
  TLSA: "usage selector matching_type certificate", // RFC 6698 section 2.2
  URI: 'weight "target"' // RFC 7553 section 4; so is that of a URI
}

export const noExtras = (type: string) => ({
  content: "",
  proxied: false,
  settings: type === "CNAME" ? { flatten_cname: false } : {},
  meta: {},
  comment: null,
  tags: []
})

/** A record as a zone may have it before a test, with what Cloudflare adds by itself. */
export const storedRecord = ({
  name = zone,
  ttl = 300,
  type,
  ...data
}: {
  readonly type: string
  readonly name?: string
  readonly ttl?: number
} & Partial<CloudflareData>): EnteredRecord<CloudflareData> => ({
  name,
  type,
  ttl,
  data: { ...noExtras(type), ...data }
})

/** Cloudflare cannot reach an address of loopback (recording). */
export const isProxiable = (type: string, content: string): boolean =>
  /^(A|AAAA|CNAME)$/.test(type) && !content.startsWith("127.")

/** A quoted text is split after each 255 bytes, any other is kept as it is. */
export const toContent = (type: string, { content = "", data }: any): string => {
  const words =
    data &&
    layouts[type]?.split(" ").map((field) => {
      const word = data[field.replaceAll('"', "")]
      return field.startsWith('"') ? `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"` : word
    })
  const joined = words?.join(" ").trim() ?? content
  if (targetTypes.includes(type)) return joined.replace(/(?<=\S)\.$/, "")
  return type === "TXT" && joined.startsWith('"') ? joined.replace(/"(?:[^"\\]|\\.)*"/g, splitText) : joined
}

const splitText = (quoted: string): string =>
  (quoted.slice(1, -1).match(/(\\\d{3}|\\.|[^\\]){1,255}/gs) ?? [""]).map((part) => `"${part}"`).join(" ")

const toDataMember = ({ data: { content, priority }, type }: EnteredRecord<CloudflareData>) => {
  const fields = layouts[type]?.split(" ")
  if (fields === undefined) return {}
  const words = tokensOf(content)
  const entries = fields.map((field, index) => {
    const isLast = index === fields.length - 1
    const word = isLast ? words.slice(index).join(" ") : (words[index] ?? "")
    if (field.startsWith('"')) return [field.slice(1, -1), unquoteText(word) ?? word]
    return [field, isLast || !/^\d+$/.test(word) ? word : Number(word)]
  })
  return { data: { ...(type === "SRV" ? { priority } : {}), ...Object.fromEntries(entries) } }
}

/** Identifiers have 32 hexadecimal digits. */
export const showId = (id: string): string => id.padStart(32, "0")

export const instant = "2026-01-01T00:00:00.000000Z"

export const show = (record: VendorRecord<CloudflareData>) => {
  const { data, id, name, ttl, type } = record
  const proxiable = isProxiable(type, data.content)
  const times = { created_on: instant, modified_on: instant }
  return { id: showId(id), name, type, ttl, proxiable, ...data, ...toDataMember(record), ...times }
}

/** A record that Cloudflare shows, in the state of its fake. */
export const readShown = ({ comment, content, id, meta, name, proxied, settings, tags, ttl, type }: any) => ({
  ...storedRecord({ name, type, ttl, content, proxied, settings, meta, comment, tags }),
  id
})

/** The data of a zone file as Cloudflare keeps them; the priority is in a field of its own. */
export const readZoneFileData = (type: string, data: string): any => {
  if (!["MX", "SRV", "URI"].includes(type)) return { content: toContent(type, { content: data }) }
  const [priority = "", ...words] = data.split(" ")
  return { content: toContent(type, { content: words.join(" ") }), priority: Number(priority) }
}

import { Redacted } from "effect"
import { makePorkbunClient } from "../../../../src/providers/adapters/porkbun/makePorkbunClient.ts"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import {
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription,
  type DescribedCall
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type EnteredRecord,
  toAbsoluteName,
  toLabFields,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, type VendorErrorCase } from "../DescribedAdapter.ts"
import { refusedApexNameServers, refusedEmptyText, refusedTypes, refusedValues } from "../vendorContract.ts"

/** What Porkbun keeps of a record: numbers as text, and a priority of 0 where none was entered. */
export interface PorkbunData {
  readonly content: string
  readonly prio: string | null
}

/** The halves of a key of the account. */
export const validKeys = { apikey: "pk1_valid", secretapikey: "sk1_valid" }

const keysOf = (apiKey: string, apiSecret: string): Credential => ({
  _tag: "api_key_secret",
  apiKey: Redacted.make(apiKey),
  apiSecret: Redacted.make(apiSecret)
})

const types = "A AAAA ALIAS CAA CNAME MX NS SRV TLSA TXT"
const ownNameServers = ["curitiba.ns.porkbun.com", "fortaleza.ns.porkbun.com", "maceio.ns.porkbun.com"]

const refusal = (message: string, more: object = {}) => ({ status: "ERROR", message, ...more })
const error = (message: string, status = 400): VendorAnswer => ({ status, body: refusal(message) })
const done = { status: 200, body: { status: "SUCCESS" } }

type StoredPorkbunRecord = VendorRecord<PorkbunData>

const show = ({ data, id, name, ttl, type }: StoredPorkbunRecord) => ({
  id,
  name,
  type,
  content: data.content,
  ttl: String(ttl),
  prio: data.prio,
  notes: null
})

/** What a record that Porkbun shows is in the state of its fake. */
export const readShown = ({ content, id, name, prio, ttl, type }: any): StoredPorkbunRecord => ({
  id,
  name,
  type,
  ttl: Number(ttl),
  data: { content, prio }
})

const isOddText = (text: string): boolean => text === "" || / $|["\\\p{Cc}\ufffd]/u.test(text)

const toData: VendorDescription<PorkbunData>["toData"] = ({ name, type }, { priority = 0, value }, zone) => {
  if (!types.split(" ").includes(type)) return "the type is not known to be stored"
  if (type === "NS" && name === zone) return "the name servers of a domain are changed elsewhere"
  if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the domain itself"
  if (type === "TXT" && isOddText(value)) return "the text is not known to be stored"
  if (type === "CAA" && /".*[\s\\]/.test(value)) return "the CAA value is not known to be stored"
  const content = ["ALIAS", "CNAME", "MX", "NS", "SRV"].includes(type) ? value.replace(/\.$/, "") : value
  if (/(^| )$/.test(content)) return "a null target is not known to be stored"
  return { content, prio: String(priority) }
}

const inZone = inZoneOf<PorkbunData>(() => porkbunVendor)

/** The record of a request, or the refusal of it beside the other records. */
const keep = (
  { body, zone }: DescribedCall,
  others: ReadonlyArray<StoredPorkbunRecord>
): EnteredRecord<PorkbunData> | VendorAnswer => {
  const { content, name = "", prio, ttl = 600, type } = body
  const place = { name: toAbsoluteName(name, zone), type, ttl: Number(ttl) }
  const kept = keepRecord(porkbunVendor, place, { value: content, ...(prio && { priority: Number(prio) }) }, zone)
  if (typeof kept === "string") return error("Create error: We were unable to create the DNS record.")
  return refuseConflicts(porkbunVendor, others, [kept], { refusesDuplicates: true }) ?? kept
}

const isRefused = (kept: EnteredRecord<PorkbunData> | VendorAnswer): kept is VendorAnswer => "status" in kept

/** Porkbun's API of the records of a domain. */
export const porkbunVendor: VendorDescription<PorkbunData> = {
  baseUrl: "https://api.porkbun.com/api/json/v3",
  authenticate: (headers, call) => {
    const body = Object(call.body)
    const [key, secret] = [
      body.apikey ?? headers.get("x-api-key"),
      body.secretapikey ?? headers.get("x-secret-api-key")
    ]
    if (key !== validKeys.apikey) return error("Invalid API key. (001)")
    return secret === validKeys.secretapikey ? undefined : error("Invalid API key. (002)")
  },
  lists: ["POST /dns/retrieve/{domain}"],
  reads: ["POST /dns/retrieve/{domain}", "POST /ping"],
  ownRecords: (zone) =>
    ownNameServers.map((content) => ({ name: zone, type: "NS", ttl: 86_400, data: { content, prio: null } })),
  ttl: { minimum: 600 },
  toData,
  toEnteredFields: withPriorityBeside,
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toFields: ({ data: { content, prio }, type }) => {
    if (type === "TXT") return { value: content }
    return toLabFields({ type, data: type === "MX" || type === "SRV" ? `${prio} ${content}` : content })
  },
  refuse: (reason, detail) => {
    if (reason === "no path") return error("Not found.", 404)
    if (reason === "no zone") return error("Invalid domain.")
    if (reason === "no record") return error("Invalid record ID.")
    return error(
      reason === "alias" ? "A CNAME or ALIAS record with that host already exists." : `already exists: ${detail}`
    )
  },
  operations: {
    "POST /ping": () => ({ status: 200, body: { ...done.body, yourIp: "8.8.8.8", xForwardedFor: "8.8.8.8" } }),
    "POST /dns/retrieve/{domain}": inZone((_, records) => ({
      status: 200,
      body: { ...done.body, cloudflare: "enabled", records: records.map(show) }
    })),
    "POST /dns/create/{domain}": inZone(
      (call, records) => {
        const kept = keep(call, records)
        return isRefused(kept) ? kept : { ...done, records: [...records, kept] }
      },
      ([created]) => (created === undefined ? undefined : { ...done.body, id: Number(created.id) })
    ),
    "POST /dns/edit/{domain}/{id}": inZone((call, records) => {
      const { id = "" } = call.pathParameters
      const others = records.filter((record) => record.id !== id)
      if (others.length === records.length) return error("Invalid record ID.")
      const kept = keep(call, others)
      if (isRefused(kept)) return kept
      return { ...done, records: records.map((record) => (record.id === id ? { ...kept, id } : record)) }
    }),
    "POST /dns/delete/{domain}/{id}": inZone(({ pathParameters }, records) => {
      const left = records.filter(({ id }) => id !== pathParameters["id"])
      return left.length === records.length ? error("Invalid record ID.") : { ...done, records: left }
    })
  }
}

const errors: ReadonlyArray<readonly [number, object, VendorErrorCase["codes"]]> = [
  [400, refusal("Invalid API key. (001)"), "credential_invalid"],
  [400, refusal("no", { code: "INVALID_API_KEYS_002" }), "credential_invalid"],
  [400, refusal("Domain is not opted in to API access."), "account_not_entitled"],
  [403, refusal("no", { code: "DOMAIN_NOT_ALLOWED" }), "authorization_insufficient_scope"],
  [400, refusal("Invalid domain."), "authorization_zone_mismatch"],
  [400, refusal("Invalid record ID."), "ZoneChanged"],
  [400, refusal("no", { code: "DUPLICATE_RECORD" }), "ZoneChanged"],
  [400, refusal("Edit error: We were unable to edit the DNS record."), "apply_rejected"],
  [202, {}, "provider_rate_limited"],
  [503, {}, "OutcomeUnknown"]
]

/** The adapter of Porkbun, and what its vendor answers. */
export const porkbun: DescribedAdapter<PorkbunData> = {
  id: "porkbun",
  name: "Porkbun",
  makeClient: makePorkbunClient,
  vendor: porkbunVendor,
  credential: keysOf(validKeys.apikey, validKeys.secretapikey),
  wrongCredentials: [
    keysOf("pk1_wrong", validKeys.secretapikey),
    keysOf(validKeys.apikey, "sk1_wrong"),
    keysOf(validKeys.apikey, `${validKeys.secretapikey}\n`),
    keysOf(validKeys.secretapikey, validKeys.apikey)
  ],
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  errors: errors.map(([status, body, codes]) => ({
    word: `${status} ${Object.values(body).slice(1).join(" ")}`.trim(),
    answer: { status, body },
    codes
  })),
  limit: {
    status: 429,
    body: refusal("Rate limit exceeded.", { code: "RATE_LIMIT_EXCEEDED", ttlRemaining: 12 }),
    seconds: 12
  },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "ttl.note: DNSControl",
    refused: [
      refusedTypes("https://kb.porkbun.com/: the types are those of its page", types),
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a text with a space at its end",
        source: "cannot_store: trailing space in TXT",
        matches: (value) => value.endsWith(" "),
        examples: ["one "]
      }),
      refusedValues("TXT", {
        about: "a text with a quote, a backslash or a control character",
        source: "values.txt: plain",
        matches: (value) => /["\\\p{Cc}]/u.test(value),
        examples: ['say "hi"', "back\\slash", "two\nlines"]
      }),
      refusedValues("CAA", {
        about: "a CAA value with spaces or a backslash",
        source: "cannot_store: CAA value with spaces",
        matches: (value) => /".*[\s\\]/.test(value),
        examples: ['0 issue "ca.example; policy=ev"', String.raw`0 issue "ca.example\\1"`]
      }),
      refusedApexNameServers("cannot_store: NS of the apex"),
      {
        about: "a null target",
        source: "values.targets: no trailing dot",
        matches: ({ type, value }) => (type === "MX" || type === "SRV") && /(^| )\.$/.test(value),
        code: "record_value_rejected",
        examples: [
          { host: "nomail", type: "MX", priority: 0, value: "." },
          { host: "_sip._tcp", type: "SRV", priority: 0, value: "0 0 ." }
        ]
      }
    ],
    absent: [absentAtFake(porkbunVendor, "values.txt: plain")]
  }
}

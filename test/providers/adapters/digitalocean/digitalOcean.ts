import { makeDigitalOceanClient } from "../../../../src/providers/adapters/digitalocean/makeDigitalOceanClient.ts"
import { inZoneOf, selectPage, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer, VendorCall } from "../../../support/vendors/VendorCall.ts"
import { readVendorDocument } from "../../../support/vendors/VendorDocument.ts"
import {
  type LabFields,
  toAbsoluteName,
  toRelativeName,
  type VendorRecord,
  withoutNull
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireScope } from "../DescribedAdapter.ts"
import { refusedApexAlias, refusedEmptyText, refusedNullMx, refusedTypes, refusedValues } from "../vendorContract.ts"

/** What DigitalOcean keeps of a record: a target without the dot at its end, and `@` for the zone itself. */
export interface DigitalOceanData {
  readonly data: string
  readonly priority: number | null
  readonly port: number | null
  readonly weight: number | null
  readonly flags: number | null
  readonly tag: string | null
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "dop_v1_valid"
const readOnlyToken = "dop_v1_read_only"

const types = "A AAAA CAA CNAME MX NS SRV TXT"
const ownNameServers = [1, 2, 3].map((number) => `ns${number}.digitalocean.com`)
const baseUrl = "https://api.digitalocean.com"
const zonePath = "/v2/domains/{domain_name}"

const error = (status: number, id: string, message = "no"): VendorAnswer => ({ status, body: { id, message } })
const notFound = error(404, "not_found", "The resource you were accessing could not be found.")

const authenticate = requireScope({ all: `Bearer ${validToken}`, read: `Bearer ${readOnlyToken}` }, [
  error(401, "unauthorized", "Unable to authenticate you"),
  error(403, "forbidden", "You are not authorized to perform this operation")
])

const noFields = { priority: null, port: null, weight: null, flags: null, tag: null }

const ownRecord = (name: string, type: string, data: string) => ({ name, type, ttl: 1800, data: { ...noFields, data } })

const neededFields: Readonly<Record<string, ReadonlyArray<keyof LabFields>>> = {
  MX: ["priority"],
  SRV: ["priority", "weight", "port"],
  CAA: ["flags", "tag"]
}

const isAddress = (type: string, data: string): boolean =>
  type === "A" ? /^\d+(\.\d+){3}$/.test(data) : /^[\da-f:]+(:\d+(\.\d+){3})?$/i.test(data)

/** The limit counts strings of 255 bytes, each with its quotes and a blank before the next (vendor-facts.json, `traps`). */
const quotedLength = (text: string): number => {
  const bytes = Buffer.from(text).toString("latin1")
  return (bytes.match(/.{1,255}/gs) ?? []).map((part) => `"${part.replaceAll('"', '\\"')}"`).join(" ").length
}

const isStoredText = (text: string): boolean =>
  text !== "" && !/[\\\p{Cc}\ufffd]/u.test(text) && quotedLength(text) <= 509

const toData: VendorDescription<DigitalOceanData>["toData"] = ({ name, type }, fields, zone) => {
  const { value, ...others } = fields
  const missing = neededFields[type]?.find((field) => fields[field] === undefined)
  if (missing !== undefined) return `${missing} can't be blank`
  if (!types.split(" ").includes(type)) return "Type is not included in the list"
  if (name.endsWith(".")) return "Name can't end with a dot"
  const kept = { ...noFields, ...others }
  if (type === "TXT") return isStoredText(value) ? { ...kept, data: value } : "Data is invalid"
  if (type === "A" || type === "AAAA")
    return isAddress(type, value) ? { ...kept, data: value } : "IP address is invalid"
  if ((type === "CAA" && /[\s;]/.test(value)) || (type === "MX" && value === ".")) return "Data is invalid"
  // A CAA value of `iodef` is a URL (issue 1010 of digitalocean/terraform-provider-digitalocean); the others name a CA.
  const needsDot = value !== "@" && (type !== "CAA" || fields.tag !== "iodef")
  if (needsDot && !value.endsWith(".")) return "Data needs to end with a dot (.)"
  const target = value === "." ? value : value.replace(/\.$/, "")
  return { ...kept, data: type !== "CAA" && target.toLowerCase() === zone ? "@" : target }
}

/** 20 records a page unless the query says otherwise, with links to the pages beside it. */
const toPage = (call: VendorCall, key: string, all: ReadonlyArray<unknown>) => {
  const { items, last, page } = selectPage(call, all, { perPage: 20, size: "per_page" })
  const link = (target: number) => {
    const others = [...call.query].filter(([name]) => name !== "page")
    return `${baseUrl}${call.path}?${new URLSearchParams([...others, ["page", String(target)]])}`
  }
  const before = page > 1 ? { first: link(1), prev: link(page - 1) } : {}
  const after = page < last ? { last: link(last), next: link(page + 1) } : {}
  return { [key]: items, links: last > 1 ? { pages: { ...before, ...after } } : {}, meta: { total: all.length } }
}

type StoredDigitalOceanRecord = VendorRecord<DigitalOceanData>

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: StoredDigitalOceanRecord) => ({
    ...data,
    id: Number(id),
    type,
    name: toRelativeName(name, zone),
    ttl
  })

/** What a record that DigitalOcean shows is in the state of its fake. */
export const readShown = (shown: any, zone: string): StoredDigitalOceanRecord => {
  const { id, name, ttl, type, ...data } = shown
  return { id: String(id), name: toAbsoluteName(name, zone), ttl, type, data }
}

const inZone = inZoneOf<DigitalOceanData>(() => digitalOceanVendor)

const showOne = (records: ReadonlyArray<StoredDigitalOceanRecord>, zone: string) => ({
  domain_record: records.map(show(zone))[0]
})

/** `PUT` keeps what the body does not name; a target is judged as it is stored, without its dot. */
const one = singleRecordOperations<DigitalOceanData>(() => digitalOceanVendor, {
  id: "domain_record_id",
  noRecord: notFound,
  read: ({ body, zone }, before) => {
    const { data, id: _, name = "@", ttl = 1800, type, ...fields } = { ...(before && show(zone)(before)), ...body }
    return { place: { name: toAbsoluteName(name, zone), ttl, type }, fields: { ...withoutNull(fields), value: data } }
  },
  refuseChange: ({ type }, { body }) =>
    (body?.type ?? type) === type ? undefined : digitalOceanVendor.refuse("invalid", "Type can't be changed")
})

/** DigitalOcean's API of domains and their records, without creating and deleting domains. */
export const digitalOceanVendor: VendorDescription<DigitalOceanData> = {
  baseUrl,
  document: () => readVendorDocument("digitalocean"),
  authenticate,
  lists: [`GET ${zonePath}/records`],
  // 5,000 calls an hour; the time is when the oldest call is forgotten, in seconds since 1970.
  headers: ({ now, number }) => ({
    "ratelimit-limit": "5000",
    "ratelimit-remaining": String(Math.max(0, 5000 - number)),
    "ratelimit-reset": String(Math.floor(now / 1000) + 3600)
  }),
  ownRecords: (zone) => [
    ownRecord(zone, "SOA", "1800"),
    ...ownNameServers.map((nameServer) => ownRecord(zone, "NS", nameServer))
  ],
  ttl: { minimum: 30 },
  toData,
  toEnteredFields: (type, fields) => (type === "CAA" ? { ...fields, value: `${fields.value}.` } : fields),
  toFields: ({ data: { data, ...fields } }, zone) => ({ ...withoutNull(fields), value: data === "@" ? zone : data }),
  refuse: (reason, detail) => {
    if (reason.startsWith("no ")) return notFound
    const message = reason === "alias" ? "CNAME records cannot share a name with other records" : detail
    return error(422, "unprocessable_entity", message)
  },
  operations: {
    "GET /v2/domains": (call, { zones }) => {
      const domains = Object.keys(zones).map((name) => ({ name, ttl: 1800, zone_file: null }))
      return { status: 200, body: toPage(call, "domains", domains) }
    },
    [`GET ${zonePath}`]: inZone(({ zone }) => ({
      status: 200,
      body: { domain: { name: zone, ttl: 1800, zone_file: `$ORIGIN ${zone}.` } }
    })),
    [`GET ${zonePath}/records`]: inZone((call, records) => {
      const [name, type] = [call.query.get("name"), call.query.get("type")]
      const found = records.filter(
        (record) => (type === null || record.type === type) && (name === null || record.name === name)
      )
      return { status: 200, body: toPage(call, "domain_records", found.map(show(call.zone))) }
    }),
    [`POST ${zonePath}/records`]: inZone(one.create({ status: 201 }), showOne),
    [`GET ${zonePath}/records/{domain_record_id}`]: inZone(one.find((record, zone) => showOne([record], zone))),
    [`PUT ${zonePath}/records/{domain_record_id}`]: inZone(one.replace({ status: 200 }), showOne),
    [`DELETE ${zonePath}/records/{domain_record_id}`]: inZone(one.remove({ status: 204 }))
  }
}

const errors = errorCases(error, [
  [401, "unauthorized", "credential_invalid"],
  [403, "forbidden", "authorization_insufficient_scope"],
  [404, "not_found", "authorization_zone_mismatch"],
  [422, "unprocessable_entity", "apply_rejected"],
  [429, "too_many_requests", "provider_rate_limited"],
  [500, "server_error", "OutcomeUnknown"],
  [504, "gateway_timeout", "OutcomeUnknown"]
])

/** The adapter of DigitalOcean, and what its vendor answers. */
export const digitalOcean: DescribedAdapter<DigitalOceanData> = {
  id: "digitalocean",
  name: "DigitalOcean",
  makeClient: makeDigitalOceanClient,
  vendor: digitalOceanVendor,
  ...apiTokens(validToken, readOnlyToken),
  nameServers: ownNameServers,
  refusesAliases: true,
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "values.txt: unquoted whole text",
    refused: [
      refusedApexAlias("apex_alias: none"),
      refusedTypes("cannot_store: DS, TLSA, HTTPS, PTR, ALIAS", types),
      refusedNullMx,
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a backslash in a text",
        source: "cannot_store: backslash in TXT",
        matches: (text) => text.includes("\\"),
        examples: ["one\\two"]
      }),
      refusedValues("TXT", {
        about: "a text whose quoted form is longer than 509",
        source: "cannot_store: TXT whose quoted presentation form exceeds 509 bytes",
        matches: (text) => !text.includes("\\") && quotedLength(text) > 509,
        examples: ["x".repeat(505), '"'.repeat(254)]
      }),
      refusedValues("CAA", {
        about: "a blank in a CAA value",
        source: "cannot_store: spaces in a CAA value",
        matches: (value) => /"[^"]*\s/.test(value),
        examples: ['0 issue "ca.example policy"']
      }),
      refusedValues("CAA", {
        about: "a semicolon or an escape in a CAA value",
        source: "cannot_store: ; value in CAA",
        matches: (value) => /"[^"]*[;\\]/.test(value),
        examples: ['0 issue ";"', String.raw`0 issue "ca.example\\1"`]
      })
    ],
    absent: [
      absentAtFake(
        digitalOceanVendor,
        "cannot_store: backslash in TXT",
        "types, texts and other data that its fake refuses by what it cannot store"
      )
    ]
  },
  writes: "records",
  recordsOfTwoPages: 230,
  errors,
  limit: {
    ...error(429, "too_many_requests", "API Rate limit exceeded."),
    headers: { "ratelimit-remaining": "0", "retry-after": "7" },
    seconds: 7
  }
}

import { Redacted } from "effect"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { makeOvhClient } from "../../../../src/providers/adapters/ovh/makeOvhClient.ts"
import {
  addRecords,
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import { serveZone, toAbsoluteName, toRelativeName, type VendorRecord } from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, type VendorErrorCase, zone as testZone } from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedCaaBackslash,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { application, authenticateOvh, type ConsumerKey, ovhBase, ovhError, rulesOf } from "./signedOvhCalls.ts"

/** What OVHcloud keeps of a record besides its name, type and TTL: its data as in a zone file, or a text without quotes. */
interface OvhData {
  readonly value: string
}

/** The key of the adapter has the rights that the service asks for; the other has every right. */
export const validKey = "ovh-consumer"
export const unlimitedKey = "ovh-consumer-unlimited"

const keys: Readonly<Record<string, ConsumerKey>> = {
  [validKey]: {
    status: "validated",
    rules: rulesOf(`
      GET /domain/zone/${testZone}
      GET /domain/zone/${testZone}/record
      POST /domain/zone/${testZone}/record
      GET /domain/zone/${testZone}/record/*
      PUT /domain/zone/${testZone}/record/*
      DELETE /domain/zone/${testZone}/record/*
      POST /domain/zone/${testZone}/refresh
      GET /domain/zone/not-there.com`)
  },
  [unlimitedKey]: { status: "validated", rules: rulesOf("GET /*\nPOST /*\nPUT /*\nDELETE /*") },
  "ovh-consumer-expired": { status: "expired", rules: [] }
}

const onePath = "/domain/zone/{zone}/record/{id}"
const types = "A AAAA CAA CNAME MX NS SRV TLSA TXT"
const textTypes = ["DKIM", "DMARC", "SPF", "TXT"]
const ownNameServers = ["dns103.ovh.net", "ns103.ovh.net"]

const noRecord = ovhError(404, "The requested object does not exist")

const show =
  (zone: string) =>
  ({ data, id, name, ttl, type }: VendorRecord<OvhData>) => ({
    id: Number(id),
    zone,
    fieldType: type,
    subDomain: toRelativeName(name, zone, ""),
    target: data.value,
    ttl
  })

/** A record that OVHcloud shows, in the state of its fake. */
export const readShown = (shown: any, zone: string): VendorRecord<OvhData> => ({
  id: String(shown.id),
  name: toAbsoluteName(shown.subDomain, zone),
  type: shown.fieldType,
  ttl: shown.ttl,
  data: { value: shown.target }
})

const inZone = inZoneOf<OvhData>(() => ovhVendor)

const isOddText = (text: string): boolean => text === "" || /["\\\p{Cc}]/u.test(text)

/** A TTL of 0 is the zone's own, whatever the least TTL is. */
const keep = (body: any, zone: string) => {
  const { fieldType: type, subDomain = "", target, ttl = 0 } = body
  const place = { name: toAbsoluteName(subDomain, zone), type, ttl: ttl === 0 ? 60 : ttl }
  const kept = keepRecord(ovhVendor, place, { value: target }, zone)
  return typeof kept === "string" ? kept : { ...kept, ttl }
}

const showOne = (records: ReadonlyArray<VendorRecord<OvhData>>, zone: string) => records.map(show(zone))[0]

const done = { status: 200, text: "null" }

/** The API of DNS zones. */
export const ovhVendor: VendorDescription<OvhData> = {
  baseUrl: ovhBase,
  authenticate: authenticateOvh((key) => keys[key]),
  lists: ["GET /domain/zone/{zone}/record"],
  ownRecords: (zone) => ownNameServers.map((name) => ({ name: zone, type: "NS", ttl: 0, data: { value: `${name}.` } })),
  ttl: { minimum: 60 },
  keepsZoneFileData: true,
  servesAfter: "POST /domain/zone/{zone}/refresh",
  toData: ({ name, type }, { value }, zone) => {
    if (![...types.split(" "), ...textTypes].includes(type)) return `Invalid field type ${type}`
    if (type === "CNAME" && name === zone) return "a CNAME cannot stand at the apex"
    if (textTypes.includes(type) && isOddText(unquoteText(value) ?? value)) return "Invalid text"
    if (/^(0 )*\.$/.test(value)) return "Invalid target"
    if (type === "CAA" && value.includes("\\")) return "Invalid target"
    return { value }
  },
  toFields: ({ data: { value } }) => ({ value }),
  refuse: (reason, detail) => {
    if (reason === "no zone" || reason === "no path") return ovhError(404, "This service does not exist")
    return ovhError(reason === "alias" ? 409 : 400, detail)
  },
  operations: {
    "GET /auth/time": ({ now }) => ({ status: 200, body: Math.floor(now / 1000) }),
    "GET /domain/zone/": (_, { zones }) => ({ status: 200, body: Object.keys(zones) }),
    "GET /domain/zone/{zone}": inZone(({ zone }) => ({
      status: 200,
      body: { name: zone, nameServers: ownNameServers, dnssecSupported: true, hasDnsAnycast: false }
    })),
    "GET /domain/zone/{zone}/status": inZone(() => ({
      status: 200,
      body: { isDeployed: true, errors: null, warnings: null }
    })),
    "GET /domain/zone/{zone}/record": inZone(({ query, zone }, records) => {
      const [type, host] = [query.get("fieldType"), query.get("subDomain")]
      const found = records.filter(
        (record) =>
          (type === null || record.type === type) && (host === null || toRelativeName(record.name, zone, "") === host)
      )
      return { status: 200, body: found.map(({ id }) => Number(id)) }
    }),
    "POST /domain/zone/{zone}/record": inZone(
      ({ body, zone }, records) => addRecords(ovhVendor, records, [keep(body, zone)]),
      showOne
    ),
    [`GET ${onePath}`]: inZone(({ pathParameters, zone }, records) => {
      const found = records.filter(({ id }) => id === pathParameters["id"])
      return found.length === 0 ? noRecord : { status: 200, body: showOne(found, zone) }
    }),
    [`PUT ${onePath}`]: inZone(({ body, pathParameters, zone }, records) => {
      const before = records.find(({ id }) => id === pathParameters["id"])
      if (before === undefined) return noRecord
      if ("fieldType" in body) return ovhError(400, "Try to alter read-only properties: fieldType")
      const kept = keep({ ...show(zone)(before), ...body }, zone)
      if (typeof kept === "string") return ovhVendor.refuse("invalid", kept)
      const after = { ...kept, id: before.id }
      const others = records.filter((record) => record !== before)
      const replaced = records.map((record) => (record === before ? after : record))
      return refuseConflicts(ovhVendor, others, [after]) ?? { ...done, records: replaced }
    }),
    [`DELETE ${onePath}`]: inZone(({ pathParameters }, records) => {
      const left = records.filter(({ id }) => id !== pathParameters["id"])
      return left.length === records.length ? noRecord : { ...done, records: left }
    }),
    "POST /domain/zone/{zone}/refresh": ({ pathParameters: { zone = "" } }, state) =>
      state.zones[zone] === undefined ? ovhVendor.refuse("no zone", zone) : { ...done, state: serveZone(state, zone) }
  }
}

const errors: ReadonlyArray<readonly [number, string, string | undefined, VendorErrorCase["codes"]]> = [
  [400, "Invalid target", undefined, "apply_rejected"],
  [400, "Invalid signature", "INVALID_SIGNATURE", "OutcomeUnknown"],
  [400, "Query out of time", "QUERY_TIME_OUT", "OutcomeUnknown"],
  [403, "Invalid application key", "INVALID_KEY", "OutcomeUnknown"],
  [403, "This credential does not exist", "NOT_CREDENTIAL", "credential_invalid"],
  [403, "This credential is not valid", "INVALID_CREDENTIAL", "authorization_expired"],
  [403, "This call has not been granted", "NOT_GRANTED_CALL", "authorization_insufficient_scope"],
  [404, "This service does not exist", undefined, "authorization_zone_mismatch"],
  [500, "Internal server error", undefined, "OutcomeUnknown"]
]

export const consumerKey = (key: string) => ({ _tag: "oauth_token" as const, accessToken: Redacted.make(key) })

/** The adapter of OVHcloud, and what its vendor answers. */
export const ovh: DescribedAdapter<OvhData> = {
  id: "ovh",
  name: "OVHcloud",
  makeClient: makeOvhClient,
  vendor: ovhVendor,
  registration: { clientId: application.key, clientSecret: Redacted.make(application.secret) },
  credential: consumerKey(validKey),
  wrongCredentials: ["wrong", `${validKey}\n`, "schlüssel"].map(consumerKey),
  nameServers: ownNameServers,
  writes: "records",
  errors: errors.map(([status, message, errorCode, codes]) => ({
    word: `${status} ${message}`,
    answer: ovhError(status, message, errorCode),
    codes
  })),
  limit: { ...ovhError(429, "Too many requests"), headers: { "retry-after": "20" }, seconds: 20 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "ttl.min: 60",
    refused: [
      refusedApexAlias("sources: dc"),
      refusedTypes("sources: dc", types),
      { ...refusedNullMx, source: "values.mx: target" },
      refusedNullService("values.targets: trailing dot"),
      refusedValues("TXT", {
        about: "an empty text, and one with a quote, a backslash or a control character",
        source: "values.txt: quoted",
        matches: isOddText,
        examples: ["", 'say "hi"', "back\\slash", "two\nlines"]
      }),
      refusedCaaBackslash("values.txt: quoted")
    ],
    absent: [absentAtFake(ovhVendor, "values.txt: quoted")]
  }
}

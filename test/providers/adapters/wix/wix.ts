import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { makeWixClient } from "../../../../src/providers/adapters/wix/makeWixClient.ts"
import {
  type DescribedCall,
  inZoneOf,
  keepRecord,
  refuseConflicts,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type EnteredRecord,
  groupIntoSets,
  toLabData,
  toLabFields,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import { apiToken, type DescribedAdapter, errorCases } from "../DescribedAdapter.ts"
import {
  absentTypes,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"

/** What Wix keeps of a record, besides the name, type and TTL of its set: a value of the set. */
export interface WixData {
  readonly value: string
}

/** What Wix may do with a call, of which its documents are silent. */
export type WixWriting =
  /** As Cloud DNS, which is behind Wix: a set that goes must be as it is named, and one that comes must not be there. */
  | "compares sets"
  /** Values go out of a set, and come into it. */
  | "adds values"
  /** A set that comes replaces the one of its name and type. */
  | "replaces sets"
  /** Values come first, and then values go: siblings are lost. */
  | "adds first"

const account = "11111111-2222-3333-4444-555555555555"
const key = "IST.wix-valid"
const loginOf = (username: string, apiKey: string): Credential => ({
  _tag: "username_api_key",
  username,
  apiKey: Redacted.make(apiKey)
})

const zonePath = "/domains/v1/dns-zones/{domainName}"
const types = "A AAAA NS SOA CNAME MX TXT SPF SRV PTR NAPTR"
const writtenTypes = "A AAAA CNAME MX SRV TXT"
const sdk = "dev.wix.com/docs/rest/account-level/domains/domain-dns/update-dns-zone: the types of a record"
const ownNameServers = ["ns8.wixdns.net", "ns9.wixdns.net"]

const error = (status: number, code: string, description: string = code): VendorAnswer => ({
  status,
  body: { message: description, details: { applicationError: { code, description, data: {} } } }
})

const keyOf = (set: { readonly hostName: string; readonly type: string }) => `${set.hostName} ${set.type}`
const placeOf = ({ name, type }: EnteredRecord<WixData>) => `${name} ${type}`

/** A zone as Wix shows it, in an answer to any call. */
const show = (records: ReadonlyArray<VendorRecord<WixData>>, zone: string) => ({
  dnsZone: {
    id: zone,
    domainName: zone,
    dnssecEnabled: false,
    records: groupIntoSets(records).map((set) => ({
      type: set[0].type,
      hostName: set[0].name,
      ttl: set[0].ttl,
      values: set.map(({ data }) => data.value)
    }))
  }
})

/** Why a call is refused as a whole, as far as its body says so: the types of the SDK and its doc comments. */
const refuseBody = ({ additions, deletions, ...others }: any): VendorAnswer | undefined => {
  if (additions === undefined && deletions === undefined) return error(428, "DOMAIN_UPDATE_EMPTY_UPDATE_REQUEST")
  const lists = [additions ?? ["none"], deletions ?? ["none"]]
  // "Omit additions or deletions entirely if empty — do not send empty arrays."
  if (Object.keys(others).length > 0 || lists.some(({ length }) => length === 0 || length > 10))
    return error(400, "INVALID_ARGUMENT")
  const keys = (additions ?? []).map(keyOf)
  if (new Set(keys).size < keys.length)
    return error(428, "DOMAIN_MX_RECORD_VALUE_INVALID", "multiple values should be combined under one record")
  const all = [...(additions ?? []), ...(deletions ?? [])]
  return all.some(({ hostName, type, values }) => !hostName || !types.includes(type) || !values?.length)
    ? error(400, "INVALID_ARGUMENT")
    : undefined
}

/** Makes the changes of a call, or refuses all of it but where it stops half way. */
const patch =
  (writing: WixWriting) =>
  ({ body, zone }: DescribedCall, before: ReadonlyArray<VendorRecord<WixData>>) => {
    const refusal = refuseBody(body)
    if (refusal !== undefined) return refusal
    const { additions = [], deletions = [] } = body
    const named = new Map<string, ReadonlyArray<string>>(deletions.map((set: any) => [keyOf(set), set.values]))
    const remove = (records: ReadonlyArray<EnteredRecord<WixData>>) =>
      records.filter((record) => named.get(placeOf(record))?.includes(record.data.value) !== true)
    const come: ReadonlyArray<EnteredRecord<WixData> | string> = additions.flatMap(
      ({ hostName: name, ttl = 3600, type, values }: any) =>
        values.map((value: string) => keepRecord(wixVendor, { name, type, ttl }, { value }, zone))
    )
    const added = come.flatMap((record) => (typeof record === "string" ? [] : record))
    const keys = new Set(added.map(placeOf))
    const left = writing === "adds first" ? before : remove(before)
    if (writing === "compares sets") {
      const others = left.some((record) => named.has(placeOf(record)) || keys.has(placeOf(record)))
      const gone = deletions.flatMap(({ values }: any) => values).length - (before.length - left.length)
      if (others || gone !== 0) return error(409, "ALREADY_EXISTS", "the set is not as it is named")
    }
    const beside = writing === "replaces sets" ? left.filter((record) => !keys.has(placeOf(record))) : left
    const refused =
      come.filter((record) => typeof record === "string").map((code) => error(428, code))[0] ??
      refuseConflicts(wixVendor, writing === "adds first" ? [] : beside, added)
    if (refused !== undefined) return refused
    const merged = [
      ...beside,
      ...added.filter(
        (record) =>
          !beside.some((other) => placeOf(other) === placeOf(record) && other.data.value === record.data.value)
      )
    ]
    return { status: 200, records: writing === "adds first" ? remove(merged) : merged }
  }

/** The whole zone, whatever the call has changed in it. */
const inZone =
  (operation: Parameters<ReturnType<typeof inZoneOf<WixData>>>[0]): ReturnType<ReturnType<typeof inZoneOf<WixData>>> =>
  (call, state) => {
    const answer = inZoneOf<WixData>(() => wixVendor)(operation)(call, state)
    const zone = call.pathParameters["domainName"] ?? ""
    return answer.status === 200 ? { ...answer, body: show((answer.state ?? state).zones[zone] ?? [], zone) } : answer
  }

/** The Domain DNS API of Wix, which writes in one of the ways that nobody tells apart. */
export const wixVendorThat = (writing: WixWriting): VendorDescription<WixData> => ({
  baseUrl: "https://www.wixapis.com",
  authenticate: (headers) => {
    if (headers.get("authorization") !== key) return error(401, "UNAUTHENTICATED")
    return headers.get("wix-account-id") === account ? undefined : error(404, "TARGET_ACCOUNT_NOT_FOUND")
  },
  lists: [`GET ${zonePath}`],
  ownRecords: (zone) => [
    ...ownNameServers.map((value) => ({ name: zone, type: "NS", ttl: 21_600, data: { value } })),
    { name: zone, type: "SOA", ttl: 21_600, data: { value: "ns8.wixdns.net support.wix.com 1 21600 3600 259200 300" } }
  ],
  toData: ({ name, type }, { value }, zone) => {
    if (type === "NS" || type === "SOA") return "INVALID_NS_RECORD"
    if (value === "") return "DOMAIN_DNS_EMPTY_RECORD_VALUE"
    if (type === "MX" && !/^\d+ \S+$/.test(value)) return "DOMAIN_MX_RECORD_VALUE_INVALID"
    if (type === "CNAME" && !name.endsWith(`.${zone}`)) return "DOMAIN_CNAME_RECORD_HOSTNAME_INVALID"
    return { value }
  },
  toEnteredFields: (type, fields) => ({
    value: type === "TXT" ? fields.value : toLabData(type, fields).replace(/\.$/, "")
  }),
  toFields: ({ data: { value }, type }) =>
    type === "TXT" ? { value: unquoteText(value) ?? value } : toLabFields({ type, data: value }),
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, "DNS_ZONE_NOT_FOUND", `No dns zone found for domain name ${detail}.`)
    if (reason === "duplicate") return error(409, "DOMAIN_DUPLICATE_RECORDS")
    return reason === "no path" ? { status: 404, text: "" } : error(reason === "alias" ? 428 : 400, "INVALID_ARGUMENT")
  },
  operations: {
    [`GET ${zonePath}`]: inZone(() => ({ status: 200 })),
    [`PATCH ${zonePath}`]: inZone(patch(writing))
  }
})

const wixVendor = wixVendorThat("compares sets")

const errors = errorCases(error, [
  [400, "INVALID_ARGUMENT", "apply_rejected"],
  [401, "UNAUTHENTICATED", "credential_invalid"],
  [403, "DOMAINS_PERMISSION_DENIED", "authorization_insufficient_scope"],
  [404, "USER_ID_NOT_FOUND", "credential_invalid"],
  [404, "TARGET_ACCOUNT_NOT_FOUND", "credential_invalid"],
  [404, "DNS_ZONE_NOT_FOUND", "authorization_zone_mismatch"],
  [409, "DOMAIN_DUPLICATE_RECORDS", "ZoneChanged"],
  [428, "DOMAIN_NOT_PERMITTED", "authorization_zone_mismatch"],
  [428, "DOMAIN_MX_RECORD_VALUE_INVALID", "apply_rejected"],
  [500, "INTERNAL", "OutcomeUnknown"]
])

const isOddText = (text: string): boolean => text === "" || text.length > 1000 || /[^ -~]|["\\]/.test(text)

/** The adapter of Wix, and what its vendor answers. */
export const wix: DescribedAdapter<WixData> = {
  id: "wix",
  name: "Wix",
  makeClient: makeWixClient,
  vendor: wixVendor,
  credential: loginOf(account, key),
  wrongCredentials: [
    loginOf(account, "wrong"),
    loginOf(account, `${key}\n`),
    loginOf(account.replaceAll("1", "9"), key),
    loginOf("somebody", key),
    apiToken(key)
  ],
  nameServers: ownNameServers,
  writes: "sets",
  errors,
  // "up to 200 requests per minute"; how long to wait is not said.
  limit: { ...error(429, "RESOURCE_EXHAUSTED"), headers: { "retry-after": "60" }, seconds: 60 },
  limitations: {
    writesInParts: "atomicity: one PATCH (whether all or none: not stated)",
    storesOtherwise: "model: set",
    refused: [
      refusedTypes(sdk, writtenTypes, { CAA: '0 issue "letsencrypt.org"', NS: "ns1.hostprov.net" }),
      { ...refusedNullMx, source: "values.mx: null" },
      { ...refusedEmptyText, source: "values.txt: null" },
      refusedNullService("values.targets: null"),
      refusedValues("TXT", {
        about: "a text with quotes, backslashes or characters other than those of ASCII, and a long one",
        source: "values.txt: null",
        matches: isOddText,
        examples: ['say "hi"', "back\\slash", "grün", "k".repeat(1001)]
      })
    ],
    absent: [
      absentTypes(sdk, writtenTypes, "types that others have not written there"),
      {
        about: "texts of which it is not known how they are shown, and targets that are nothing",
        source: "values.txt: null",
        matches: (record) =>
          (record.type === "TXT" && isOddText(toLabFields(record).value)) ||
          (/^(MX|SRV)$/.test(record.type) && record.data.endsWith(" ."))
      }
    ]
  }
}

import { makeTransipClient } from "../../../../src/providers/adapters/transip/makeTransipClient.ts"
import { addRecords, inZoneOf, keepRecord, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import {
  toAbsoluteName,
  toLabData,
  toLabFields,
  toRelativeName,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, errorCases } from "../DescribedAdapter.ts"
import {
  refusedApexNameServers,
  refusedCaaBackslash,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import {
  authenticateTransip,
  error,
  keyOf,
  noApi,
  otherAddress,
  validLogin,
  validPem,
  validToken,
  wrongKeys
} from "./transipTokens.ts"

/** What TransIP keeps of a record: its data as in a zone file, or a text without quotes of its own. */
export interface TransipData {
  readonly content: string
}

const types = "A AAAA CNAME MX NS TXT SRV SSHFP TLSA CAA ALIAS"
export const ownNameServers = ["ns0.transip.net", "ns1.transip.nl", "ns2.transip.eu"]

const show =
  (zone: string) =>
  ({ data, name, ttl: expire, type }: VendorRecord<TransipData>) => ({
    name: toRelativeName(name, zone),
    expire,
    type,
    content: data.content
  })

/** The place of a record in a list: by name, in capitals, and by type, in the order of the clients' documents. */
const placeOf = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  `${name.toUpperCase()} ${String.fromCharCode(types.split(" ").indexOf(type) + 1)}`

const listEntries = (records: ReadonlyArray<VendorRecord<TransipData>>, zone: string) =>
  records
    .map(show(zone))
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : placeOf(one) > placeOf(other) ? 1 : 0))

/** What an entry that TransIP shows is in the state of its fake; it has no id of its own. */
export const readShown = (entry: any, zone: string): VendorRecord<TransipData> => ({
  id: idOf(entry),
  name: toAbsoluteName(entry.name, zone),
  type: entry.type,
  ttl: entry.expire,
  data: { content: entry.content }
})

export const idOf = ({ content, name, type }: any): string => [name, type, content].join(" ")

const isOddText = (text: string): boolean => text === "" || text.length > 1024 || /^ | $|[\\`]|[^ -~]/.test(text)

const toData: VendorDescription<TransipData>["toData"] = ({ name, type }, { value: content }, zone) => {
  if (!types.split(" ").includes(type)) return `the type ${type} is not supported`
  if (type === (name === zone ? "CNAME" : "ALIAS")) return `no ${type} record is possible there`
  if (type === "NS" && name === zone) return "the name servers of the domain are set elsewhere"
  if (type === "TXT" && isOddText(content)) return "the content of a TXT record cannot contain invalid characters"
  if (/^\d+ (\d+ \d+ )?\.$/.test(content))
    return `the content of an ${type} record must be in the format "priority target"`
  if (type === "CAA" && content.includes("\\")) return "the content of a CAA record is not known to be stored"
  return { content }
}

const inZone = inZoneOf<TransipData>(() => transipVendor)

const entries = "/domains/{domain}/dns"

/** The API of the domains of an account. */
export const transipVendor: VendorDescription<TransipData> = {
  baseUrl: "https://api.transip.nl/v6",
  authenticate: authenticateTransip,
  lists: [`GET ${entries}`],
  reads: ["POST /auth"],
  ownRecords: () => [],
  toData,
  toEnteredFields: (type, fields) => ({ value: type === "TXT" ? fields.value : toLabData(type, fields) }),
  toStoredType: ({ name, type }, zone) => (type === "CNAME" && name === zone ? "ALIAS" : type),
  toFields: ({ data: { content }, type }) =>
    type === "TXT" ? { value: content } : toLabFields({ type, data: content }),
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, `Domain with name '${detail}' not found`)
    return reason === "no path" ? error(404, "Not found") : error(406, detail)
  },
  operations: {
    "POST /auth": () => ({ status: 201, body: { token: validToken } }),
    "GET /domains/{domain}": inZone(({ zone }) => ({
      status: 200,
      body: { domain: { name: zone, authCode: "code", isDnsOnly: false, hasActionRunning: false } }
    })),
    "GET /domains/{domain}/nameservers": inZone(() => ({
      status: 200,
      body: { nameservers: ownNameServers.map((hostname) => ({ hostname, ipv4: "", ipv6: "" })) }
    })),
    [`GET ${entries}`]: inZone(({ zone }, records) => ({
      status: 200,
      body: { dnsEntries: listEntries(records, zone) }
    })),
    [`POST ${entries}`]: inZone(({ body, zone }, records) => {
      const { content, expire, name, type } = body.dnsEntry
      const place = { name: toAbsoluteName(name, zone), type, ttl: expire }
      const kept = keepRecord(transipVendor, place, { value: content }, zone)
      const answer = { status: 201, body: [] }
      return addRecords(transipVendor, records, [kept], { answer, refusesDuplicates: true })
    }),
    [`DELETE ${entries}`]: inZone(({ body, zone }, records) => {
      const named = records.find((record) => Bun.deepEquals(show(zone)(record), body.dnsEntry))
      return named === undefined
        ? error(404, "Dns entry not found")
        : { status: 204, records: records.filter((record) => record !== named) }
    })
  }
}

const seen = "nobody says how they are stored"

/** The adapter of TransIP, and what its vendor answers. */
export const transip: DescribedAdapter<TransipData> = {
  id: "transip",
  name: "TransIP",
  makeClient: makeTransipClient,
  vendor: transipVendor,
  credential: keyOf(validLogin, validPem),
  wrongCredentials: wrongKeys,
  nameServers: ownNameServers,
  writes: "records",
  storesApexAlias: true,
  errors: errorCases(error, [
    [401, "Your access token has been revoked", "credential_invalid"],
    [401, otherAddress, "authorization_insufficient_scope"],
    [403, "This action is not allowed", "authorization_insufficient_scope"],
    [404, "Domain with name 'example.com' not found", "authorization_zone_mismatch"],
    // The first request is one for a token, with nothing but the credential in it.
    [406, "record content cannot be empty", ["credential_invalid", "provider_snapshot_failed", "apply_rejected"]],
    [409, noApi, "account_not_entitled"],
    [503, "Service unavailable", "OutcomeUnknown"]
  ]),
  // TransIP has the time instead, which would be another one in each run; the service reads both.
  limit: { ...error(429, "Too many requests"), headers: { "x-rate-limit-reset": "40" }, seconds: 40 },
  limitations: {
    writesInParts: "atomicity: per record",
    refused: [
      refusedTypes("sources: dc", types),
      {
        about: "an ALIAS below the apex",
        source: "apex_alias: ALIAS at the apex",
        matches: ({ host, type }) => type === "ALIAS" && host !== "@",
        code: "record_type_unsupported",
        examples: [{ host: "shop", type: "ALIAS", value: "shops.example.net" }]
      },
      refusedNullMx,
      refusedEmptyText,
      refusedValues("TXT", {
        about: "a text with a backslash or a backtick",
        source: "cannot_store: backslash or backtick in TXT",
        matches: (value) => /[\\`]/.test(value),
        examples: ["back\\slash", "`ticks`"]
      }),
      refusedValues("TXT", {
        about: "a text with a space at an end",
        source: "cannot_store: leading or trailing space in TXT",
        matches: (value) => /^ | $/.test(value),
        examples: [" one", "one "]
      }),
      refusedValues("TXT", {
        about: "a text of more than 1,024 characters",
        source: "cannot_store: TXT over 1,024",
        matches: (value) => value.length > 1024,
        examples: ["x".repeat(1025)]
      }),
      refusedValues("TXT", {
        about: `other characters than those of ASCII: ${seen}`,
        source: "sources: dca",
        matches: (value) => /[^ -~]/.test(value),
        examples: ["käse", "two\nlines"]
      }),
      refusedCaaBackslash("sources: dca"),
      refusedNullService("sources: dca"),
      refusedApexNameServers("zone.name_servers_from: GET /domains/{zone}/nameservers")
    ],
    absent: [absentAtFake(transipVendor, "cannot_store: leading or trailing space in TXT")]
  }
}

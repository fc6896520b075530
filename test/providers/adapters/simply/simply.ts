import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { makeSimplyClient } from "../../../../src/providers/adapters/simply/makeSimplyClient.ts"
import { inZoneOf, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type LabFields,
  toAbsoluteName,
  toLabFields,
  toRelativeName,
  type VendorRecord,
  withPriorityBeside
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, errorCases } from "../DescribedAdapter.ts"
import {
  refusedApexAlias,
  refusedApexNameServers,
  refusedCaaBackslash,
  refusedEmptyText,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"

/** What Simply.com keeps of a record. */
export interface SimplyData {
  readonly data: string
  readonly priority?: number
  readonly comment?: string
}

/** An account, and its key. */
export const validLogin = { account: "S123456", key: "simply-valid" }

const loginOf = (username: string, key: string): Credential => ({
  _tag: "username_api_key",
  username,
  apiKey: Redacted.make(key)
})

const basicHeader = `Basic ${btoa(`${validLogin.account}:${validLogin.key}`)}`
export const headers = { authorization: basicHeader }

const types = "A AAAA CAA CNAME MX NS SRV TLSA TXT"
const ownNameServers = ["ns1.simply.com", "ns2.simply.com", "ns3.simply.com", "ns4.simply.com"]

/** An error in the form of the API, which has its status in the body, too. */
export const error = (status: number, message: string): VendorAnswer => ({ status, body: { status, message } })
const unauthorized = "Invalid account authorization"
const noProduct = "Unknown or invalid product reference"
const noRecord = "Unknown DNS record"

const success = (members: object = {}): VendorAnswer => ({
  status: 200,
  body: { ...members, status: 200, message: "success" }
})

const show =
  (zone: string) =>
  ({ data: { comment, data, priority }, id, name, ttl, type }: VendorRecord<SimplyData>) => ({
    record_id: Number(id),
    name: toRelativeName(name, zone, "@"),
    ttl,
    data,
    type,
    priority: priority ?? 0,
    comment: comment ?? null
  })

const isOddText = (text: string): boolean => !/^[!-~]([ -~]*[!-~])?$/.test(text) || /["\\]/.test(text)

/** Why Simply.com has no such record, or nobody has seen that it has. */
const refusalOf = (type: string, isApex: boolean, { priority, value }: LabFields): string | undefined => {
  if (!types.split(" ").includes(type)) return "Invalid record type"
  if (isApex && (type === "NS" || type === "CNAME")) return "Invalid record type at the domain itself"
  if (/^(MX|SRV)$/.test(type) && priority === undefined) return "Missing priority"
  if (type === "TXT" && isOddText(value)) return "Invalid text"
  if (type === "CAA" && value.includes("\\")) return "Invalid CAA"
  return /^(MX|SRV)$/.test(type) && /(^| )\.?$/.test(value) ? "Invalid target" : undefined
}

/** What a call names of a record, besides what a zone file has. */
interface SimplyFields extends LabFields {
  readonly comment?: string
}

const toData = (
  { name, type }: { readonly name: string; readonly type: string },
  { comment, ...fields }: SimplyFields,
  zone: string
): SimplyData | string =>
  refusalOf(type, name === zone, fields) ?? {
    data: type === "TXT" ? fields.value : fields.value.replace(/\.$/, ""),
    ...(fields.priority === undefined ? {} : { priority: fields.priority }),
    ...(comment === undefined ? {} : { comment })
  }

/** "Simply allows FQDNs here even though they return short names" (Posh-ACME). */
const toStoredName = (name: string, zone: string): string =>
  `.${name}`.endsWith(`.${zone}`) ? name : toAbsoluteName(name, zone)

/** The API, whose paths name a zone by the object of its product. */
const describeSimply = (
  objectOf: (zone: string) => string,
  base: string,
  slash: string
): Pick<VendorDescription<SimplyData>, "lists" | "operations"> => {
  const inProduct = inZoneOf<SimplyData>(
    () => simplyVendor,
    ({ pathParameters: { object = "" } }, { zones }) =>
      Object.keys(zones).find((zone) => objectOf(zone) === object) ?? object
  )
  const one = singleRecordOperations<SimplyData>(() => simplyVendor, {
    id: "record",
    noRecord: error(404, noRecord),
    // A call that replaces a record names all of it; what it leaves out is gone.
    read: ({ body: { comment, data, name, priority, ttl = 3600, type }, zone }) => {
      const hasPriority = /^(MX|SRV)$/.test(type) && priority !== undefined
      const fields: SimplyFields = {
        value: data,
        ...(hasPriority ? { priority } : {}),
        ...(comment ? { comment } : {})
      }
      return { place: { name: toStoredName(name, zone), type, ttl }, fields }
    }
  })
  const zonePath = `${base}/my/products/{object}/dns`
  const records = `${zonePath}/records${slash}`
  const record = `${zonePath}/records/{record}${slash}`
  return {
    lists: [`GET ${records}`],
    operations: {
      [`GET ${base}/my/products/`]: (_, { zones }) =>
        success({
          products: Object.keys(zones).map((name) => ({
            object: objectOf(name),
            name: objectOf(name),
            cancelled: false,
            domain: { name, name_idn: name, managed: true, date_renewdate: null },
            servers: { nameservers: ownNameServers }
          }))
        }),
      [`GET ${zonePath}/`]: inProduct(({ zone: name }) => success({ zone: { name } })),
      [`GET ${records}`]: inProduct(({ zone }, stored) => success({ records: stored.map(show(zone)) })),
      [`POST ${records}`]: inProduct(one.create({ status: 200 }), ([created]) => ({
        record: { id: Number(created?.id) },
        status: 200,
        message: "success"
      })),
      [`PUT ${record}`]: inProduct(one.replace(success())),
      [`DELETE ${record}`]: inProduct(one.remove(success()))
    }
  }
}

/** The API of an account whose products are named in this way. */
export const simplyVendorOf = (objectOf: (zone: string) => string): VendorDescription<SimplyData> => ({
  baseUrl: "https://api.simply.com",
  authenticate: (headers) => (headers.get("authorization") === basicHeader ? undefined : error(401, unauthorized)),
  ...describeSimply(objectOf, "/2", "/"),
  ownRecords: (zone) => ownNameServers.map((data) => ({ name: zone, type: "NS", ttl: 3600, data: { data } })),
  ttl: { minimum: 60 },
  toData,
  toEnteredFields: withPriorityBeside,
  toFields: ({ data: { data, priority = 0 }, type }) => {
    if (type === "TXT") return { value: data }
    return toLabFields({ type, data: type === "MX" || type === "SRV" ? `${priority} ${data}` : data })
  },
  refuse: (reason, detail) => {
    if (reason === "no zone") return error(404, noProduct)
    return reason.startsWith("no ") ? error(404, "Not found") : error(400, detail)
  }
})

export const simplyVendor: VendorDescription<SimplyData> = simplyVendorOf((zone) => zone)

const former = "/1/{account}/{key}"
const { operations } = describeSimply((zone) => zone, former, "")

/** With the version before, which other clients still call: its paths have the account and its key. */
export const simplyVendorWithFormerPaths: VendorDescription<SimplyData> = {
  ...simplyVendor,
  authenticate: (headers, call, request) => {
    const { account, key } = call.pathParameters
    if (account === undefined) return simplyVendor.authenticate(headers, call, request)
    return account === validLogin.account && key === validLogin.key ? undefined : error(400, unauthorized)
  },
  operations: { ...simplyVendor.operations, ...operations }
}

const fromDeveloper = "https://github.com/stalwartlabs/dns-update/pull/82"
const apiDocument = "https://www.simply.com/en/docs/api/"
const unseen = `${fromDeveloper}: nobody has published how they are stored`

/** The adapter of Simply.com, and what its vendor answers. */
export const simply: DescribedAdapter<SimplyData> = {
  id: "simply",
  name: "Simply.com",
  makeClient: makeSimplyClient,
  vendor: simplyVendor,
  credential: loginOf(validLogin.account, validLogin.key),
  wrongCredentials: [
    loginOf("S654321", validLogin.key),
    loginOf(validLogin.account, "wrong"),
    loginOf(`${validLogin.account}:x`, validLogin.key),
    loginOf(validLogin.account, `${validLogin.key}\n`)
  ],
  nameServers: ownNameServers,
  writes: "records",
  errors: [
    ...errorCases(error, [
      [400, unauthorized, "credential_invalid"],
      [400, "Invalid target", "apply_rejected"],
      [401, unauthorized, "credential_invalid"],
      [403, "Access denied", "authorization_insufficient_scope"],
      [404, noProduct, "authorization_zone_mismatch"],
      [404, noRecord, "ZoneChanged"],
      [500, "Internal server error", "OutcomeUnknown"]
    ]),
    ...errorCases(
      (status, message) => ({ ...error(status, message), status: 200 }),
      [
        [400, "Invalid target in a 200", "apply_rejected"],
        [401, "Unauthorized in a 200", "credential_invalid"],
        [404, "Not found in a 200", "authorization_zone_mismatch"],
        [500, "Internal server error in a 200", "OutcomeUnknown"]
      ]
    )
  ],
  limit: { ...error(429, "Too many requests"), headers: { "retry-after": "30" }, seconds: 30 },
  limitations: {
    writesInParts: "atomicity: per record",
    refused: [
      refusedTypes(`${fromDeveloper}: "All nine record types are supported"`, types),
      refusedApexAlias(`${fromDeveloper}: no type is an alias at the apex`),
      refusedApexNameServers(`${apiDocument}: the registry's name servers are set elsewhere`),
      {
        about: "a name that ends in that of its zone, which is taken as an absolute one",
        source: "https://github.com/rmbolger/Posh-ACME: Plugins/Simply.ps1",
        matches: ({ host }, domain = "example.com") => `.${host}`.endsWith(`.${domain}`),
        code: "record_value_rejected",
        examples: ["example.com", "www.example.com"].map((host) => ({ host, type: "A", value: "192.0.2.1" }))
      },
      { ...refusedEmptyText, source: unseen },
      refusedValues("TXT", {
        about: "a text with a quote, a backslash, a space at an end or other characters than those of ASCII",
        source: unseen,
        matches: (value) => value !== "" && isOddText(value),
        examples: ['say "hi"', "back\\slash", " one", "one ", "käse", "two\nlines"]
      }),
      { ...refusedNullMx, source: unseen },
      refusedNullService(unseen),
      refusedCaaBackslash(unseen)
    ],
    absent: [absentAtFake(simplyVendor, "model: record")]
  }
}

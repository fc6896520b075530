import { makeInfomaniakClient } from "../../../../src/providers/adapters/infomaniak/makeInfomaniakClient.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { inZoneOf, selectPage, type VendorDescription } from "../../../support/vendors/DescribedVendor.ts"
import { singleRecordOperations } from "../../../support/vendors/singleRecords.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type LabFields,
  toAbsoluteName,
  toLabData,
  toLabFields,
  toRelativeName,
  type VendorRecord
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, apiTokens, type DescribedAdapter, errorCases, requireScope } from "../DescribedAdapter.ts"
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

/** What Infomaniak keeps of a record. */
export interface InfomaniakData {
  /** As in a zone file, without a dot at the end of a target; of a text, its characters. */
  readonly target: string
  /** Of a record whose address the dynamic DNS keeps. */
  readonly dyndnsId?: number
}

/** This token may do everything, and `readOnlyToken` may only read. */
export const validToken = "infomaniak-valid"
const readOnlyToken = "infomaniak-readonly"
export const headers = { authorization: `Bearer ${validToken}` }

const types = "A AAAA CAA CNAME MX NS SRV SSHFP TLSA TXT"
const ownNameServers = ["ns11.infomaniak.ch", "ns12.infomaniak.ch"]

/** An error in the form of the API. */
export const error = (status: number, code: string): VendorAnswer => ({
  status,
  body: { result: "error", error: { code, description: code.replaceAll("_", " ") } }
})
const notFound = error(404, "object_not_found")

const success = (data: unknown, status = 200): VendorAnswer => ({ status, body: { result: "success", data } })

type StoredInfomaniakRecord = VendorRecord<InfomaniakData>

/** A text as quoted strings of 255 characters; a digest in groups of capital letters. */
const toShownTarget = (type: string, target: string): string => {
  if (type === "TXT")
    return (target.match(/.{1,255}/gs) ?? []).map((text) => toLabData("TXT", { value: text })).join(" ")
  const digest = /^(SSHFP|TLSA)$/.test(type) ? /\S+$/ : /^$/
  return target.replace(digest, (digits) => (digits.toUpperCase().match(/.{1,56}/g) ?? []).join(" "))
}

const show =
  (zone: string) =>
  ({ data: { dyndnsId: dyndns_id, target }, id, name, ttl, type }: StoredInfomaniakRecord) => ({
    id: Number(id),
    source: toRelativeName(name, zone, "."),
    type,
    ttl,
    target: toShownTarget(type, target),
    updated_at: 1_700_000_000,
    ...(dyndns_id === undefined ? {} : { dyndns_id })
  })

/** Why Infomaniak has no such record, or nobody has seen that it has. */
const refusalOf = (type: string, name: string, { value }: LabFields, zone: string): string | undefined => {
  if (!types.split(" ").includes(type)) return "type"
  if ((type === "NS" || type === "CNAME") && name === zone) return "source"
  if (type === "TXT" && !/^[ -~]+$/.test(value)) return "target"
  if (type === "CAA" && value.includes("\\")) return "target"
  if ((type === "MX" || type === "SRV") && value === ".") return "target"
  return type === "MX" && value.replace(/\.$/, "") === name ? "mx_entries_must_not_point_to_the_same_fqdn" : undefined
}

const toData: VendorDescription<InfomaniakData>["toData"] = ({ name, type }, fields, zone) => {
  const refusal = refusalOf(type, name, fields, zone)
  return refusal ?? { target: type === "TXT" ? fields.value : toLabData(type, fields).replace(/\.$/, "") }
}

const toFields: VendorDescription<InfomaniakData>["toFields"] = ({ data: { target }, type }) =>
  type === "TXT" ? { value: target } : toLabFields({ type, data: target })

const inZone = inZoneOf<InfomaniakData>(() => infomaniakVendor)

const one = singleRecordOperations<InfomaniakData>(() => infomaniakVendor, {
  id: "record",
  noRecord: notFound,
  refusesDuplicates: true,
  read: ({ body, zone }, before) => {
    const shown = before === undefined ? { source: "." } : show(zone)(before)
    const { source, target, ttl, type } = { ...shown, ...body }
    const name = toAbsoluteName(source === "." ? "" : source, zone)
    return { place: { name, type, ttl }, fields: toLabFields({ type, data: target }) }
  }
})

const showOne = (records: ReadonlyArray<StoredInfomaniakRecord>, zone: string) => ({
  result: "success",
  data: records.map(show(zone))[0]
})

/** A text at such a name is a key for signed mail, whose kind must be told. */
const isKeyOfNoKind = ({ dkim_type, source = "", type }: any): boolean =>
  type === "TXT" && dkim_type === undefined && source.split(".").includes("_domainkey")

const recordsPath = "/2/zones/{zone}/records"

/** Lists a page of records, which tells how many pages there are, or does not. */
const listRecords = (isTold: boolean) =>
  inZone((call, records) => {
    const { items, last: pages, length, page } = selectPage(call, records, { perPage: 15, size: "per_page" })
    const position = { page, pages, items_per_page: length, total: records.length }
    const body = { result: "success", data: items.map(show(call.zone)), ...(isTold ? position : {}) }
    return { status: 200, body }
  })

/** Version 2 of Infomaniak's API of the records of a zone. */
export const infomaniakVendor: VendorDescription<InfomaniakData> = {
  baseUrl: "https://api.infomaniak.com",
  authenticate: requireScope({ all: headers.authorization, read: `Bearer ${readOnlyToken}` }, [
    error(401, "not_authorized"),
    error(403, "all_scopes")
  ]),
  lists: [`GET ${recordsPath}`],
  ownRecords: (zone) => ownNameServers.map((target) => ({ name: zone, type: "NS", ttl: 3600, data: { target } })),
  ttl: { minimum: 60 },
  toData,
  toFields,
  refuse: (reason, detail) => {
    if (reason === "no path") return error(404, "method_not_found")
    if (reason.startsWith("no ")) return notFound
    if (reason === "alias" || reason === "duplicate") return error(400, "an_entry_for_this_subdomain_already_exists")
    return error(422, detail.startsWith("mx_") ? detail : "validation_failed")
  },
  operations: {
    "GET /2/zones/{zone}": inZone(({ zone }) =>
      success({ id: 42, fqdn: zone, dnssec: { is_enabled: false }, nameservers: ownNameServers })
    ),
    [`GET ${recordsPath}`]: listRecords(true),
    [`POST ${recordsPath}`]: inZone(
      (call, records) =>
        isKeyOfNoKind(call.body) ? error(400, "choose_dkim_type") : one.create({ status: 201 })(call, records),
      showOne
    ),
    [`PUT ${recordsPath}/{record}`]: inZone(one.replace({ status: 200 }), showOne),
    [`DELETE ${recordsPath}/{record}`]: inZone(one.remove(success(true)))
  }
}

/** The vendor where no page tells how many there are. */
export const infomaniakVendorWithoutTotals: VendorDescription<InfomaniakData> = {
  ...infomaniakVendor,
  operations: { ...infomaniakVendor.operations, [`GET ${recordsPath}`]: listRecords(false) }
}

/** The id of the first domain: that of the recording. */
const domainId = 890_190

const inDomain = inZoneOf<InfomaniakData>(
  () => infomaniakVendor,
  ({ pathParameters }, { zones }) => Object.keys(zones)[Number(pathParameters["domain"]) - domainId] ?? ""
)

/** In the former version the priority of an MX stands beside its target; other records have the same number. */
const showFormer =
  (zone: string) =>
  ({ data, id, name, ttl, type }: StoredInfomaniakRecord) => {
    const { priority = 10, value } = type === "MX" ? toLabFields({ type, data: data.target }) : { value: data.target }
    return {
      id,
      source: toRelativeName(name, zone, ""),
      source_idn: name,
      type,
      ttl,
      ttl_idn: `${ttl / 3600} h.`,
      target_idn: value,
      updated_at: 1_600_000_000,
      dyndns_id: null,
      priority,
      target: value
    }
  }

/** What a record that the former version shows is in the state of the fake. */
export const readShown = ({ id, source_idn: name, target, ttl, type }: any): StoredInfomaniakRecord => ({
  id,
  name,
  type,
  ttl,
  data: { target }
})

const formerOne = singleRecordOperations<InfomaniakData>(() => infomaniakVendor, {
  id: "record",
  noRecord: notFound,
  read: ({ body, zone }, before) => {
    const shown = before === undefined ? { source: "" } : showFormer(zone)(before)
    const { priority, source, target, ttl, type } = { priority: 10, ...shown, ...body }
    const place = { name: toAbsoluteName(source, zone), type, ttl }
    if (type === "TXT") return { place, fields: { value: unquoteText(target) ?? target } }
    return { place, fields: type === "MX" ? { priority, value: target } : toLabFields({ type, data: target }) }
  }
})

const formerPath = "/1/domain/{domain}/dns/record"

/** The version of the API before, which other clients still call. */
export const formerInfomaniakVendor: VendorDescription<InfomaniakData> = {
  ...infomaniakVendor,
  lists: [],
  operations: {
    "GET /1/product": ({ query }, { zones }) => {
      const products = Object.keys(zones).map((customer_name, index) => ({ id: domainId + index, customer_name }))
      return success(products.filter(({ customer_name }) => customer_name === query.get("customer_name")))
    },
    [`GET ${formerPath}`]: inDomain(({ zone }, records) => success(records.map(showFormer(zone)))),
    [`POST ${formerPath}`]: inDomain(formerOne.create({ status: 201 }), ([record]) => ({
      result: "success",
      data: record?.id
    })),
    [`GET ${formerPath}/{record}`]: inDomain(
      formerOne.find((record, zone) => ({ result: "success", data: showFormer(zone)(record) }))
    ),
    [`PUT ${formerPath}/{record}`]: inDomain(formerOne.replace(success(true))),
    [`DELETE ${formerPath}/{record}`]: inDomain(formerOne.remove(success(true)))
  }
}

const infomaniakApi = "https://developer.infomaniak.com/docs/api/put/2/zones/%7Bzone%7D"
const terraform =
  "https://github.com/Infomaniak/terraform-provider-infomaniak/blob/main/docs/resources/domain_record.md"
const dnscontrol = "https://github.com/DNSControl/dnscontrol/blob/main/providers/infomaniak"
const stalwart = "https://github.com/stalwartlabs/dns-update/issues/57"

/** The adapter of Infomaniak, and what its vendor answers. */
export const infomaniak: DescribedAdapter<InfomaniakData> = {
  id: "infomaniak",
  name: "Infomaniak",
  makeClient: makeInfomaniakClient,
  vendor: infomaniakVendor,
  ...apiTokens(validToken, readOnlyToken),
  nameServers: ownNameServers,
  writes: "records",
  recordsOfTwoPages: 110,
  errors: errorCases(error, [
    [200, "not_authorized", "credential_invalid"],
    [200, "validation_failed", "apply_rejected"],
    [400, "an_entry_for_this_subdomain_already_exists", "ZoneChanged"],
    [400, "you_can_only_add_one_spf_save_for_each_dns_zone", "apply_rejected"],
    [401, "not_authorized", "credential_invalid"],
    [403, "all_scopes", "authorization_insufficient_scope"],
    [404, "object_not_found", "authorization_zone_mismatch"],
    [422, "mx_entries_must_not_point_to_the_same_fqdn", "apply_rejected"],
    [500, "internal_error", "OutcomeUnknown"]
  ]),
  limit: { ...error(429, "too_many_requests"), headers: { "retry-after": "21" }, seconds: 21 },
  limitations: {
    writesInParts: "atomicity: per record",
    storesOtherwise: "names: source relative",
    refused: [
      refusedApexAlias(`${terraform}: no type is an alias at the apex`),
      refusedTypes(`${terraform}: its types; DNSControl writes none of the others that it has`, types),
      refusedApexNameServers(`${infomaniakApi}: "SOA and infomaniak ns records will be ignored"`),
      { ...refusedEmptyText, source: `${dnscontrol}/auditrecords.go: TxtIsEmpty` },
      refusedValues("TXT", {
        about: "a text with other characters than those of ASCII",
        source: `${dnscontrol}: what its tests write is of ASCII`,
        matches: (value) => /[^ -~]/.test(value),
        examples: ["schön", "two\nlines"]
      }),
      {
        about: "an MX of a name that is its mail server",
        source: `${stalwart}: mx_entries_must_not_point_to_the_same_fqdn`,
        matches: ({ host, type, value }, domain = "example.com") =>
          type === "MX" && value === toAbsoluteName(host, domain),
        code: "record_value_rejected",
        examples: [{ host: "mail", type: "MX", priority: 10, value: "mail.example.com" }]
      },
      { ...refusedNullMx, source: `${dnscontrol}: its tests leave out a null MX` },
      refusedNullService(`${dnscontrol}: its tests have no SRV without a target`),
      refusedCaaBackslash(`${dnscontrol}: its tests have no backslash in a CAA value`)
    ],
    absent: [absentAtFake(infomaniakVendor, "model: record")]
  }
}

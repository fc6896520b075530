import { Redacted } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { makeSpaceshipClient } from "../../../../src/providers/adapters/spaceship/makeSpaceshipClient.ts"
import {
  addRecords,
  inZoneOf,
  keepRecord,
  selectPageFrom,
  type VendorDescription
} from "../../../support/vendors/DescribedVendor.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import {
  type EnteredRecord,
  type LabFields,
  toAbsoluteName,
  toRelativeName
} from "../../../support/vendors/VendorZones.ts"
import { absentAtFake, type DescribedAdapter, errorCases } from "../DescribedAdapter.ts"
import {
  refusedApexNameServers,
  refusedNullMx,
  refusedNullService,
  refusedTypes,
  refusedValues
} from "../vendorContract.ts"
import { spaceshipDocument } from "./spaceshipDocument.ts"

/** What Spaceship keeps of a record. */
export interface SpaceshipData {
  /** Those of its type. */
  readonly members: Readonly<Record<string, number | string>>
  /** `custom`, unless Spaceship keeps the record itself. */
  readonly group: string
}

/** The halves of a key of the account. */
export const validKeys = { "x-api-key": "key-valid", "x-api-secret": "secret-valid" }

const keysOf = (apiKey: string, apiSecret: string): Credential => ({
  _tag: "api_key_secret",
  apiKey: Redacted.make(apiKey),
  apiSecret: Redacted.make(apiSecret)
})

/** The member that has the address, target, text or value of a type. */
const valueMembers: Readonly<Record<string, string>> = {
  A: "address",
  AAAA: "address",
  ALIAS: "aliasName",
  CAA: "value",
  CNAME: "cname",
  MX: "exchange",
  NS: "nameserver",
  PTR: "pointer",
  SRV: "target",
  TXT: "value"
}
const types = Object.keys(valueMembers).join(" ")
const typesWithTarget = "ALIAS CNAME MX NS PTR SRV".split(" ")

const error = (status: number, detail: string): VendorAnswer => ({ status, body: { detail } })

/** What Spaceship refuses, and what nobody has seen how it stores. */
const isOddText = (text: string): boolean =>
  text === "" || / $|["\\\p{Cc}\ufffd]/u.test(text) || Buffer.byteLength(text) > 65_535
const isOddCaa = ({ flags, tag, value }: LabFields): boolean =>
  !/^(0|128) (issue|issuewild|iodef) [!#-[\]-~]{1,256}$/.test(`${flags} ${tag} ${value}`)

const isName = (name: string): boolean =>
  /^([@*]$|[*_]\.)/.test(name)
    ? name.length === 1 || isName(name.slice(2))
    : name.split(".").every((label) => /^\w([\w-]{0,61}\w)?$/.test(label) && /[a-z\d]/i.test(label))

const serviceOf = (host: string) => /^(_[a-z\d-]+)\.(_[a-z\d-]+)(?:\.(.+))?$/.exec(host)

const toData: VendorDescription<SpaceshipData>["toData"] = ({ name, type }, fields, zone) => {
  const host = toRelativeName(name, zone)
  const member = valueMembers[type]
  if (member === undefined) return "type is not known to be stored"
  if (["ALIAS", "CNAME", "NS"].includes(type) && name === zone) return "the domain itself has no such record"
  const value = typesWithTarget.includes(type) ? fields.value.replace(/\.$/, "") : fields.value
  if (typesWithTarget.includes(type) && !isName(value)) return `${member} is not a valid domain name`
  if (!isName(host)) return "name is not a valid domain name"
  if (type === "TXT" && isOddText(value)) return "Value field is required"
  if (type === "CAA" && isOddCaa(fields)) return "value is not known to be stored"
  if (type === "SRV" && (serviceOf(host) === null || fields.port === 0))
    return "service, protocol and port are required"
  const { flags, port = 0, priority = 0, tag = "", weight = 0 } = fields
  const others: Readonly<Record<string, SpaceshipData["members"]>> = {
    CAA: { flag: flags ?? 0, tag },
    MX: { preference: priority },
    SRV: { priority, weight, port }
  }
  return { members: { ...others[type], [member]: value }, group: "custom" }
}

/** The service and protocol of an SRV stand apart from its name. */
const show =
  (zone: string) =>
  ({ data: { group, members }, name, ttl, type }: EnteredRecord<SpaceshipData>) => {
    const host = toRelativeName(name, zone)
    const [, service, protocol, rest = "@"] = (type === "SRV" ? serviceOf(host) : null) ?? []
    const place = service === undefined ? { name: host } : { name: rest, service, protocol }
    return { type, ...place, ...members, ttl, group: { type: group } }
  }

/** Where the record of an item stands, and its members. */
const readItem = ({ name, protocol, service, ttl = 3600, type, ...members }: any, zone: string) => {
  const host = [service, protocol, name === "@" ? undefined : name].filter((label) => label !== undefined).join(".")
  return { name: toAbsoluteName(host, zone), type, ttl, data: { members, group: "custom" } }
}

/** The record of an item, or why it is refused. */
const enter = (item: unknown, zone: string) => {
  const record = readItem(item, zone)
  return keepRecord(spaceshipVendor, record, toFields(record), zone)
}

const toFields = ({ data: { members }, type }: EnteredRecord<SpaceshipData>): any => {
  const { flag, port, preference, priority = preference, tag, weight } = members
  return { flags: flag, port, priority, tag, weight, value: String(members[valueMembers[type] ?? ""]) }
}

/** Letters of either case are the same, but not in a text. */
const keyOf = ({ data, name, type }: EnteredRecord<SpaceshipData>): string => {
  const key = JSON.stringify([name, type, Object.entries(data.members).toSorted()])
  return type === "TXT" ? key : key.toLowerCase()
}

const inZone = inZoneOf<SpaceshipData>(() => spaceshipVendor)
const recordsPath = "/v1/dns/records/{domain}"

/** Spaceship's API of the DNS records of a domain. */
export const spaceshipVendor: VendorDescription<SpaceshipData> = {
  baseUrl: "https://spaceship.dev/api",
  document: async () => spaceshipDocument,
  authenticate: (headers) =>
    Object.entries(validKeys).every(([name, value]) => headers.get(name) === value)
      ? undefined
      : error(401, "The user's request was not properly authorized."),
  lists: [`GET ${recordsPath}`],
  // Nobody says that the API shows them.
  ownRecords: () => [],
  ttl: { minimum: 60, maximum: 3600 },
  toData,
  toFields,
  refuse: (reason, detail) => {
    if (reason.startsWith("no ")) return error(404, "The requested object was not found.")
    return reason === "malformed" ? error(400, detail) : error(422, detail)
  },
  operations: {
    [`GET ${recordsPath}`]: inZone((call, records) => {
      const { items } = selectPageFrom(call, records, { first: "skip", size: "take", perPage: 500 })
      return { status: 200, body: { items: items.map(show(call.zone)), total: records.length } }
    }),
    // What is there already gets another TTL. With `force`, nothing is compared: here all others at the names go.
    [`PUT ${recordsPath}`]: inZone(({ body, zone }, records) => {
      const kept: ReadonlyArray<EnteredRecord<SpaceshipData> | string> = body.items.map((item: unknown) =>
        enter(item, zone)
      )
      const entered = kept.filter((record) => typeof record !== "string")
      const [keys, names] = [new Set(entered.map(keyOf)), new Set(entered.map(({ name }) => name))]
      const others = records.filter(
        (record) => !keys.has(keyOf(record)) && !(body.force === true && names.has(record.name))
      )
      return addRecords(spaceshipVendor, others, kept, { answer: { status: 204 } })
    }),
    // A record of a product stays, without a word.
    [`DELETE ${recordsPath}`]: inZone(({ body, zone }, records) => {
      const keys = new Set([...Object(body)].map((item) => keyOf(readItem(item, zone))))
      const found = records.filter((record) => keys.has(keyOf(record)))
      if (found.length < keys.size) return error(404, "The requested object was not found.")
      return {
        status: 204,
        records: records.filter((record) => record.data.group !== "custom" || !found.includes(record))
      }
    })
  }
}

const document = "https://docs.spaceship.dev"

/** The adapter of Spaceship, and what its vendor answers. */
export const spaceship: DescribedAdapter<SpaceshipData> = {
  id: "spaceship",
  name: "Spaceship",
  makeClient: makeSpaceshipClient,
  vendor: spaceshipVendor,
  credential: keysOf("key-valid", "secret-valid"),
  wrongCredentials: [
    keysOf("wrong", "secret-valid"),
    keysOf("key-valid", "wrong"),
    keysOf("key-valid\n", "secret-valid"),
    keysOf("key-valid", "schlüssel")
  ],
  nameServers: ["launch1.spaceship.net", "launch2.spaceship.net"],
  writes: "records",
  recordsOfTwoPages: 510,
  errors: errorCases(error, [
    [400, "The request is invalid.", "apply_rejected"],
    [401, "The user's request was not properly authorized.", "credential_invalid"],
    [403, "The user's request not allowed with the current scopes.", "authorization_insufficient_scope"],
    [404, "The requested object was not found.", "authorization_zone_mismatch"],
    [422, "The entity is unprocessable.", "apply_rejected"],
    [500, "The infrastructure encountered an error.", "OutcomeUnknown"]
  ]),
  limit: { ...error(429, "rate limit exceeded"), headers: { "retry-after": "42" }, seconds: 42 },
  limitations: {
    writesInParts: "atomicity: per call (not stated)",
    storesOtherwise: `${document}: ttl from 60 to 3600, targets without a dot at their end`,
    refused: [
      {
        about: "an alias at the apex of the zone",
        source: `${document}: nobody says how the CNAME is served that Spaceship makes of it`,
        matches: ({ host, type }) => ["ALIAS", "CNAME"].includes(type) && host === "@",
        code: "apex_cname_unsupported",
        examples: ["ALIAS", "CNAME"].map((type) => ({ host: "@", type, value: "shops.example.net" }))
      },
      refusedTypes(`${document}: ResourceRecord, without HTTPS, SVCB and TLSA`, types),
      refusedApexNameServers("zone.name_servers_from: not told; launch1/2.spaceship.net"),
      { ...refusedNullMx, source: `${document}: MxResourceRecord` },
      refusedNullService(`${document}: SrvResourceRecord`),
      {
        about: "a name or a target with a label that has no letter and no digit, or a hyphen at an end",
        source: `${document}: hostNameValue`,
        matches: ({ host, type, value }) =>
          !isName(host) || (typesWithTarget.includes(type) && !isName(value.split(" ").at(-1) ?? "")),
        code: "record_value_rejected",
        examples: [
          { host: "-here", type: "A", value: "192.0.2.1" },
          { host: "___", type: "A", value: "192.0.2.1" },
          { host: "here", type: "CNAME", value: "web-.hostprov.net" }
        ]
      },
      {
        about: "an SRV elsewhere than below its service and protocol, or with the port 0",
        source: `${document}: SrvResourceRecord`,
        matches: ({ host, type, value }) => type === "SRV" && (serviceOf(host) === null || /^\d+ 0 /.test(value)),
        code: "record_value_rejected",
        examples: [
          { host: "sip", type: "SRV", priority: 0, value: "0 5060 sip.hostprov.net" },
          { host: "_sip._tcp", type: "SRV", priority: 0, value: "0 0 sip.hostprov.net" }
        ]
      },
      refusedValues("TXT", {
        about:
          "an empty or too long text, and one with a space at the end, a quote, a backslash or a control character",
        source: `${document}: TxtResourceRecord`,
        matches: (value) => isOddText(value),
        examples: ["", "end ", 'say "hi"', "back\\slash", "two\nlines", "x".repeat(65_536)]
      }),
      refusedValues("CAA", {
        about: "a CAA of another tag or flag, or with a space or a backslash",
        source: `${document}: CaaResourceRecord`,
        matches: (value) => !/^(0|128) (issue|issuewild|iodef) "[^\s"\\]{1,256}"$/.test(value),
        examples: ['0 issue "a; b=c"', '1 issue "a.b"', '0 issuemail "a.b"', '0 issue ""', String.raw`0 issue "a\\1"`]
      })
    ],
    absent: [absentAtFake(spaceshipVendor, `${document}: ResourceRecord`)]
  }
}

import { Option, Schema, Struct } from "effect"
import { apexHost, toFqdn, toZoneHost } from "../../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../../domain/plan/Zone.ts"
import type { ZoneRecord } from "../../../domain/records/DnsRecord.ts"
import type { RecordAtName } from "../../writing/makeSingleRecordZoneClient.ts"
import { parseContent } from "../../writing/recordContent.ts"
import { type FieldLayout, formatFields, parseFields } from "../../writing/recordFields.ts"
import {
  type CheckRecord,
  makeTypeCheck,
  refuseApexNs,
  refuseByAny,
  refuseRecord,
  refuseUnseenValues,
  refuseValues
} from "../../writing/requireStorable.ts"

/** A record as Spaceship shows it: its name is relative to the zone, and its data are in members of its type. */
export const SpaceshipRecord = Schema.Struct(
  {
    type: Schema.String,
    name: Schema.String,
    /** Seconds. */
    ttl: Schema.optional(Schema.Number),
    /** `custom`, or that of records that Spaceship keeps itself: of a product, or of the customer's own name servers. */
    group: Schema.optional(Schema.Struct({ type: Schema.String }))
  },
  { key: Schema.String, value: Schema.Unknown }
)
export type SpaceshipRecord = typeof SpaceshipRecord.Type

const address: FieldLayout = { address: "word" }
const service: FieldLayout = { svcPriority: "number", targetName: "word", svcParams: "word" }

/** The fields of each type, in the order of the presentation format; targets have no dot at their end. */
const layouts: Readonly<Record<string, FieldLayout>> = {
  A: address,
  AAAA: address,
  ALIAS: { aliasName: "word" },
  CAA: { flag: "number", tag: "word", value: "text" },
  CNAME: { cname: "word" },
  HTTPS: service,
  MX: { preference: "number", exchange: "word" },
  NS: { nameserver: "word" },
  PTR: { pointer: "word" },
  SRV: { priority: "number", weight: "number", port: "number", target: "word" },
  SVCB: service,
  TLSA: { usage: "number", selector: "number", matching: "number", associationData: "word" }
}

/** What a stored record is in DNS, with its absolute name. */
export const toZoneRecord = (
  stored: SpaceshipRecord,
  zone: string
): Omit<ZoneRecord, "host"> & { readonly name: string } => {
  const { group, ttl = defaultTtl, type } = stored
  const host = hostOf(stored)
  const isFixed = (group?.type ?? "custom") !== "custom" || (type === "NS" && host === "")
  return {
    name: host === "" ? zone : `${host}.${zone}`,
    ttl,
    // A text has neither the quotes nor the escapes of a zone file.
    ...(type === "TXT"
      ? { type, value: String(stored["value"] ?? "") }
      : parseContent(type, formatFields(layouts[type] ?? {}, withNumber(stored)))),
    ...(isFixed ? { locked: "fixed" as const } : {})
  }
}

/** Seconds, of a record that is written without a TTL. */
const defaultTtl = 3600

/** Spaceship shows a port as a number or as a label such as `_443`: that of an SRV is a number, any other is a label. */
const withNumber = (stored: SpaceshipRecord): SpaceshipRecord =>
  stored.type === "SRV" ? { ...stored, port: Number(String(stored["port"]).replace("_", "")) } : stored

/** The port and other labels of a service stand before its name. */
const hostOf = ({ name, port, protocol, scheme, service, type }: SpaceshipRecord): string => {
  const portLabel = typeof port === "number" ? `_${port}` : port
  const labels = [service, type === "SRV" ? undefined : portLabel, scheme, protocol, name === apexHost ? "" : name]
  return labels.filter((label) => label !== undefined && label !== "").join(".")
}

/** The item of a request that names a stored record: all that Spaceship shows of it but its TTL and its group. */
export const toStoredItem = (stored: SpaceshipRecord) => Struct.omit(withNumber(stored), "group", "ttl")

/** Matches the host of an SRV: its service, its protocol, and the rest. */
const serviceHost = /^(_[a-z\d-]+)\.(_[a-z\d-]+)(?:\.(.+))?$/

/** The item of a request that creates a record, or gives it another TTL. */
export const toNewItem = (record: RecordAtName, zone: string) => {
  const { name, ttl, type, value } = record
  const host = toZoneHost(name, zone)
  const [, service, protocol, rest = apexHost] = (type === "SRV" ? serviceHost.exec(host) : null) ?? []
  return {
    type,
    ...(service === undefined ? { name: host } : { name: rest, service, protocol }),
    ...(type === "TXT" ? { value } : parseFields(layouts[type] ?? {}, record)),
    ttl
  }
}

/** Makes the check of why a record cannot be stored: the types of the document whose names have no port. */
export const makeSpaceshipCheck = (location: ZoneLocation): CheckRecord =>
  makeTypeCheck(
    "Spaceship",
    "A AAAA ALIAS CAA CNAME MX NS PTR SRV TXT",
    refuseByAny(
      refuseApexNs("Spaceship", location),
      refuseApexAlias(location),
      refuseValues("Spaceship", (record) =>
        reasonAt(toZoneHost(toFqdn(record.host, location.domain), location.zone), record)
      ),
      refuseUnseenValues("Spaceship")
    )
  )

/** An alias at the apex, of either type, is stored as a CNAME (Spaceship's SDK); nobody says how that is served. */
const refuseApexAlias =
  ({ domain, zone }: ZoneLocation): CheckRecord =>
  ({ host, type }) =>
    ["ALIAS", "CNAME"].includes(type) && toFqdn(host, domain) === zone
      ? refuseRecord("apex_cname_unsupported", `it is not known how Spaceship serves an alias of ${zone} itself`)
      : Option.none()

/** Why a record at a host of the zone cannot be stored. */
const reasonAt = (host: string, { type, value }: ChangeRecord): string | undefined => {
  const words = value.split(" ")
  if (!isName(host) || (typesWithTarget.has(type) && !isName(words.at(-1) ?? "")))
    return "names and targets whose labels have a letter or a digit, and no hyphen at an end"
  if (type === "SRV" && (!serviceHost.test(host) || words[1] === "0"))
    return "an SRV only below its service and protocol, with a port"
  if (type === "TXT" && (value.endsWith(" ") || Buffer.byteLength(value) > 65_535))
    return "texts of up to 65,535 bytes without a space at the end"
  if (type === "CAA" && !/^(0|128) (issue|issuewild|iodef) "[!#-[\]-~]{1,256}"$/.test(value))
    return "a CAA of issue, issuewild or iodef, with the flag 0 or 128 and up to 256 characters without a space"
  return undefined
}

const typesWithTarget: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "MX", "NS", "PTR", "SRV"])

/** `hostNameValue` of the document. */
const isName = (name: string): boolean => !badLabels.test(name.replace(/^[@*](?=\.|$)|^_(?=\.)/, "x"))

/** Matches a label that begins or ends with a hyphen, has no letter and no digit, or has another sign. */
const badLabels = /(^|\.)(-|[_-]*(\.|$))|-(\.|$)|[^\w.-]/

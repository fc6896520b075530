import type { ManualField } from "../../domain/plan/ManualGuide.ts"
import type { ChangeRecordDocument } from "../../domain/plan/NamedRecord.ts"
import { apexHost, toZoneHost } from "../../domain/names/DomainName.ts"
import { anyTtl, type Provider, toStorableTtl } from "../../domain/provider/Provider.ts"
import { defaultPriority } from "../../domain/records/RecordFormat.ts"
import { listNamePlaces } from "../../domain/records/recordTypes.ts"
import { nullTarget } from "../../domain/records/target.ts"
import { ttlRanges } from "../catalog/providerTraits.ts"
import { type ProviderGuide, type SrvField, textOfType } from "./ProviderGuide.ts"

/** The type of an alias at the apex: CNAME, another one (`alias`), either, perhaps none (`uncertain`), or none. */
export type AliasForm = "cname" | "alias" | "either" | "uncertain" | "none"

/** The form of an alias at the apex; any other record has the type that it has. */
export const aliasFormOf = (
  { name, type }: ChangeRecordDocument,
  { guide, provider, zone }: Pick<ProviderPage, "guide" | "provider" | "zone">
): AliasForm => {
  if (type !== "CNAME" || name !== zone) return "cname"
  if (guide.apexType !== undefined) return aliasForms[guide.apexType]
  return provider.capabilities.cnameFlattening === "supported" ? "either" : "uncertain"
}

const aliasForms = { CNAME: "cname", ALIAS: "alias", none: "none" } as const

/** The page on which a customer edits a zone. */
export interface ProviderPage {
  readonly guide: ProviderGuide
  readonly provider: Provider
  readonly zone: string
}

/** Makes the fields of a page for a record, each with what exactly it takes. */
export const makeManualFields = (record: ChangeRecordDocument, page: ProviderPage): ReadonlyArray<ManualField> => [
  makeTypeField(record, page),
  ...(record.type === "SRV" ? makeSrvFields(record, page) : makePlainFields(record, page)),
  ...makeTtlFields(record, page)
]

const makeTypeField = (record: ChangeRecordDocument, page: ProviderPage): ManualField => {
  const form = aliasFormOf(record, page)
  if (form === "alias") return { field: "type", value: aliasType, isChoice: true }
  return { field: "type", value: record.type, isChoice: true, ...(form === "either" ? { alternative: aliasType } : {}) }
}

const aliasType = "ALIAS"

const makePlainFields = (record: ChangeRecordDocument, { guide, zone }: ProviderPage): ReadonlyArray<ManualField> => {
  const { name, priority, type, value } = record
  const host = toZoneHost(name, zone)
  const hasHost = host !== apexHost || guide.withoutHost?.includes(type) !== true
  return [
    ...(hasHost ? [makeHostField(host, type, { guide, label: textOfType(guide.hostLabel, type), zone })] : []),
    { field: "value", ...labelled(textOfType(guide.valueLabel, type)), ...toTargetForms(type, value, guide) },
    ...(priority === undefined ? [] : [makePriorityField(priority, guide.priorityLabel)])
  ]
}

const makePriorityField = (priority: number, label: string | undefined): ManualField => ({
  field: "priority",
  ...labelled(label),
  value: `${priority}`
})

/** A page either has fields for service and protocol, or takes them as a part of the host. */
const makeSrvFields = (record: ChangeRecordDocument, { guide, zone }: ProviderPage): ReadonlyArray<ManualField> => {
  const { srvFields = generalSrvFields } = guide
  const host = toZoneHost(record.name, zone)
  const [weight = "", port = "", target = ""] = record.value.split(" ")
  const [, service = "", protocol = "", rest = apexHost] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(host) ?? []
  const isDivided = service !== "" && srvFields.some(([field]) => field === "service")
  const ownHost = isDivided ? rest : host
  const hasHost = ownHost === apexHost || srvFields.some(([field]) => field === "host")
  const shown = srvFields.filter(([field]) => isDivided || (field !== "service" && field !== "protocol"))
  // A page without a field for the host has a place for it where the record is not at the apex.
  return [...(hasHost ? [] : [["host"] as const]), ...shown].map(([field, label]): ManualField => {
    switch (field) {
      case "service":
        return { field, ...labelled(label), ...toLabelForms(service, guide) }
      case "protocol":
        return { field, ...labelled(label), ...toLabelForms(protocol, guide) }
      case "host":
        return makeHostField(ownHost, record.type, { guide, label: label ?? textOfType(guide.hostLabel, "SRV"), zone })
      case "priority":
        return makePriorityField(record.priority ?? defaultPriority, label)
      case "weight":
        return { field, ...labelled(label), value: weight }
      case "port":
        return { field, ...labelled(label), value: port }
      case "target":
        return { field, ...labelled(label), ...toTargetForms("NS", target, guide) }
    }
  })
}

const generalSrvFields: ReadonlyArray<SrvField> = [["host"], ["priority"], ["weight"], ["port"], ["target"]]

interface HostPage {
  readonly guide: ProviderGuide
  readonly label: string | undefined
  readonly zone: string
}

/** Makes the host's field. In an unknown form, it shows both: a page may add the zone to a full name. */
const makeHostField = (host: string, type: string, { guide, label, zone }: HostPage): ManualField => {
  const apex = textOfType(guide.apex, type)
  const isKnown = host === apexHost ? apex !== undefined : guide.appendsZone === true
  const full = host === apexHost ? zone : `${host}.${zone}`
  return {
    field: "host",
    ...labelled(label),
    value: host === apexHost ? (apex ?? apexHost) : host,
    ...(isKnown ? {} : { alternative: host === apexHost && guide.appendsZone === true ? "" : full })
  }
}

/** The value with and without a dot after its name, if it has one. */
const toTargetForms = (
  type: string,
  value: string,
  { targetDot }: ProviderGuide
): Pick<ManualField, "value" | "alternative"> => {
  const withDot = endNameWithDot(type, value)
  if (targetDot === true) return { value: withDot }
  return { value, ...(targetDot === false || withDot === value ? {} : { alternative: withDot }) }
}

const endNameWithDot = (type: string, value: string): string => {
  const place = namePlaces[type]
  if (place === undefined || value === nullTarget) return value
  return value
    .split(" ")
    .map((word, at) => (at === place && !word.endsWith(".") ? `${word}.` : word))
    .join(" ")
}

const namePlaces = listNamePlaces()

const toLabelForms = (label: string, { srvUnderscores }: ProviderGuide): Pick<ManualField, "value" | "alternative"> => {
  const bare = label.replace(/^_/, "")
  return srvUnderscores === false ? { value: bare } : { value: label, alternative: bare }
}

/** Only a page that demands a TTL has the field. */
const makeTtlFields = (
  { ttl }: ChangeRecordDocument,
  { guide, provider }: ProviderPage
): ReadonlyArray<ManualField> => {
  if (guide.ttl === undefined) return []
  return guide.ttl === "number"
    ? [{ field: "ttl", value: `${toStorableTtl(ttl, ttlRanges[provider.id] ?? anyTtl)}` }]
    : [{ field: "ttl", value: findNearest(ttl, guide.ttl), isChoice: true }]
}

/** The text of a list whose TTL is nearest. */
const findNearest = (ttl: number, choices: Readonly<Record<string, number>>): string =>
  Object.entries(choices)
    .toSorted(([, one], [, other]) => Math.abs(one - ttl) - Math.abs(other - ttl))
    .map(([text]) => text)[0] ?? ""

const labelled = (label: string | undefined) => (label === undefined ? {} : { label })

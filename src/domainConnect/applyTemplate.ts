import { Array, Either } from "effect"
import { isSpf as isSpfText, mergeSpfRules } from "./mergeSpfRules.ts"
import {
  isRedirect,
  type ResolvedRecord,
  resolveTemplate,
  type TemplateRefusal,
  type TemplateUse,
  type ZoneEntry
} from "./resolveTemplate.ts"
import type { Template, TemplateRecord } from "./Template.ts"

/** A record of a zone, and the template that a provider wrote it for, where the provider keeps that. */
export interface TemplatedEntry extends ZoneEntry {
  readonly provenance?: TemplateProvenance | undefined
}

export interface TemplateProvenance {
  readonly id: string
  readonly providerId: string
  readonly serviceId: string
  readonly host: string
  readonly essential: "Always" | "OnApply"
}

/** How a provider applies templates. */
export interface ProviderRules {
  /** The id of this use; absent where the provider does not keep which template a record is of. */
  readonly instance?: string | undefined
  /** The addresses of the provider's own server for redirects. */
  readonly redirectEntries: ReadonlyArray<Pick<ZoneEntry, "type" | "data" | "ttl">>
}

/** What applying a template changes in a zone; a record that is there already is neither removed nor added. */
export interface TemplateEffect {
  readonly removed: ReadonlyArray<TemplatedEntry>
  readonly added: ReadonlyArray<TemplatedEntry>
}

/** Applies a template by the draft's rules (draft-ietf-dconn-domainconnect-05, "Conflict Resolution"). */
export const applyTemplate = (
  template: Template,
  zone: ReadonlyArray<TemplatedEntry>,
  use: TemplateUse,
  rules: ProviderRules
): Either.Either<TemplateEffect, TemplateRefusal> =>
  Either.map(resolveTemplate(template, use), (resolved) => {
    const wanted = Array.dedupeWith(
      [...foldSpf(resolved).flatMap(mergeInto(zone)), ...resolved.flatMap(listRedirectRecords(rules))],
      (one, other) => isSameEntry(one.entry, other.entry)
    )
    const isWanted = (old: ZoneEntry): boolean => wanted.some(({ entry }) => isSameEntry(entry, old))
    const isReplaced = (old: TemplatedEntry): boolean =>
      isOfSameUse(old, template, use, rules) ||
      (!isWanted(old) && wanted.some((record) => isConflicting(record, old, use.domain)))
    const removed = withWholeInstances(zone.filter(isReplaced), zone, isWanted)
    const isThere = (entry: ZoneEntry): boolean => zone.some((old) => !removed.includes(old) && isSameEntry(old, entry))
    return { removed, added: wanted.map(makeMark(template, use, rules)).filter((entry) => !isThere(entry)) }
  })

/** Joins the rules of all SPFM records of a name: together they become one record. */
const foldSpf = (resolved: ReadonlyArray<ResolvedRecord>): ReadonlyArray<ResolvedRecord> => {
  const [others, spf] = Array.partition(resolved, ({ entry }) => entry.type === "SPFM")
  const folded = [...Map.groupBy(spf, ({ entry }) => entry.name).values()].flatMap(([first, ...more]) =>
    first === undefined
      ? []
      : [{ ...first, entry: { ...first.entry, data: [first, ...more].map(({ entry }) => entry.data).join(" ") } }]
  )
  return [...others, ...folded]
}

/** Replaces SPFM by the TXT record that it becomes: the rules are merged into an SPF record that is there. */
const mergeInto =
  (zone: ReadonlyArray<ZoneEntry>) =>
  ({ entry, source }: ResolvedRecord): ReadonlyArray<ResolvedRecord> => {
    if (entry.type !== "SPFM") return [{ entry, source }]
    const spf = zone.find((old) => old.name === entry.name && isSpf(old))
    return [
      {
        entry: { type: "TXT", name: entry.name, data: mergeSpfRules(spf?.data, entry.data), ttl: spf?.ttl ?? spfTtl },
        source: { ...source, type: "TXT", txtConflictMatchingMode: "Prefix", txtConflictMatchingPrefix: "v=spf1" }
      }
    ]
  }

/** Whether an entry is the SPF record into which SPFM merged its rules, and which still has all of the old terms. */
export const isMergedFrom = (old: ZoneEntry, entry: ZoneEntry): boolean =>
  isSpf(old) && isSpf(entry) && old.name === entry.name && mergeSpfRules(old.data, entry.data) === entry.data

/** SPFM has no TTL of its own. */
const spfTtl = 3600

const isSpf = ({ data, type }: ZoneEntry): boolean => type === "TXT" && isSpfText(data)

const listRedirectRecords =
  ({ redirectEntries }: ProviderRules) =>
  ({ entry, source }: ResolvedRecord): ReadonlyArray<ResolvedRecord> =>
    isRedirect(entry.type)
      ? redirectEntries.map((address) => ({ entry: { ...address, name: entry.name }, source }))
      : []

const makeMark =
  ({ providerId, serviceId }: Template, { host }: TemplateUse, { instance: id }: ProviderRules) =>
  ({ entry, source }: ResolvedRecord): TemplatedEntry =>
    id === undefined
      ? entry
      : { ...entry, provenance: { id, providerId, serviceId, host, essential: source.essential ?? "Always" } }

/** Whether an earlier use of the template wrote the record, which this one replaces; groups are added to each other. */
const isOfSameUse = (
  { provenance }: TemplatedEntry,
  { multiInstance, providerId, serviceId }: Template,
  { groups, host }: TemplateUse,
  { instance }: ProviderRules
): boolean =>
  instance !== undefined &&
  groups === undefined &&
  provenance?.providerId === providerId &&
  provenance.serviceId === serviceId &&
  provenance.host === host &&
  (multiInstance !== true || provenance.id === instance)

/** Where a record goes that its template always needs, all records of that use go. */
const withWholeInstances = (
  replaced: ReadonlyArray<TemplatedEntry>,
  zone: ReadonlyArray<TemplatedEntry>,
  isWanted: (entry: ZoneEntry) => boolean
): ReadonlyArray<TemplatedEntry> => {
  const broken = new Set(
    replaced.flatMap(({ provenance }) => (provenance?.essential === "Always" ? [provenance.id] : []))
  )
  const isBroken = (old: TemplatedEntry): boolean => old.provenance !== undefined && broken.has(old.provenance.id)
  return zone.filter((old) => replaced.includes(old) || (isBroken(old) && !isWanted(old)))
}

/** Whether a record of the zone cannot stay beside a new one. The name servers of the zone itself always stay. */
const isConflicting = ({ entry, source }: ResolvedRecord, old: ZoneEntry, zoneName: string): boolean => {
  if (old.type === "NS" && old.name === zoneName.toLowerCase()) return false
  if (entry.type === "NS") return isAtOrBelow(old.name, entry.name)
  if (old.type === "NS") return isAtOrBelow(entry.name, old.name)
  if (old.name !== entry.name) return false
  if (entry.type === "CNAME" || old.type === "CNAME") return true
  if (entry.type === "TXT" && old.type === "TXT") return isConflictingText(source, old)
  if (webTypes.includes(entry.type)) return webTypes.includes(old.type)
  return entry.type === old.type && ["MX", "SRV"].includes(entry.type)
}

const isAtOrBelow = (name: string, above: string): boolean => name === above || name.endsWith(`.${above}`)

const isConflictingText = (
  { txtConflictMatchingMode = "None", txtConflictMatchingPrefix = "" }: TemplateRecord,
  { data }: ZoneEntry
): boolean =>
  txtConflictMatchingMode === "All" ||
  (txtConflictMatchingMode === "Prefix" && data.startsWith(txtConflictMatchingPrefix))

/** What decides where a website is: two of them would lead to different ones. */
const webTypes = ["A", "AAAA", "APEXCNAME", "REDIR301", "REDIR302"]

/** Whether both are the same record, whatever its TTL. */
export const isSameEntry = (one: ZoneEntry, other: ZoneEntry): boolean =>
  one.type === other.type &&
  one.name === other.name &&
  one.data === other.data &&
  one.priority === other.priority &&
  one.weight === other.weight &&
  one.port === other.port

import { Array } from "effect"
import { guideHintMeanings } from "../../domain/plan/guideHintMeanings.ts"
import { icannDomainOf } from "../../domain/names/DomainName.ts"
import type { GuideHint, ManualGuide, ManualTask } from "../../domain/plan/ManualGuide.ts"
import { makeNaming, toUnicodeName } from "../../domain/plan/NamedRecord.ts"
import { type Change, type ChangeRecord, isSameRecord } from "../../domain/plan/Plan.ts"
import {
  maxSeenRecords,
  type Observations,
  type ObservedRecord,
  type ServerObservation
} from "../../domain/plan/RecordObservation.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { findRecordType } from "../../domain/records/recordTypes.ts"
import { isSameAs } from "../../planning/diagnosis/DiagnosisCase.ts"
import { isParking } from "../../planning/diagnosis/parkingRecords.ts"
import { unknownProvider } from "../catalog/catalog.ts"
import { aliasFormOf, type AliasForm, makeManualFields, type ProviderPage } from "./makeManualFields.ts"
import { generalGuide, manualGuides } from "./manualGuides.ts"
import type { ProviderGuide } from "./ProviderGuide.ts"

export interface ManualWork {
  readonly domain: string
  readonly zone: string
  readonly changes: ReadonlyArray<Change>
  /** The providers of the zone, each with those of its name servers that are the provider's. */
  readonly providers: ReadonlyArray<{ readonly provider: Provider; readonly nameServers: ReadonlyArray<string> }>
  readonly observations: Pick<typeof Observations.Type, "records" | "removals" | "toRemove">
  /** Whether a record that was added has served its purpose, and is no longer observed. */
  readonly isSpent?: (record: ChangeRecord) => boolean
}

/** Makes a guide for each provider, with one task for each change in the form that the provider's page wants. */
export const makeManualGuides = (work: ManualWork): ReadonlyArray<ManualGuide> => {
  const { changes, domain, isSpent = () => false, observations, zone } = work
  const steps = pairRemovals(changes).map((step) => ({
    ...step,
    isDone: (step.action === "add" && isSpent(step.record)) || isDone(step, observations)
  }))
  const addNames = makeNaming(domain, zone)
  const isShared = work.providers.length > 1
  return work.providers.map(({ nameServers, provider }) => {
    const isKnown = provider.id !== unknownProvider.id
    const guide = manualGuides[provider.id] ?? generalGuide
    const page = { guide, provider, zone }
    return {
      ...(isKnown ? { provider: { id: provider.id, name: provider.name } } : {}),
      nameServers,
      ...describePage({ ...guide, ...pageOfZone(page) }, zone),
      hints: [...toHints(guide.hints ?? []), ...(isKnown ? [] : [describeOwners(nameServers)])],
      tasks: steps.map((step) =>
        describeTask(
          { ...step, isDone: step.isDone || (isShared && isDoneAt(nameServers, step, observations)) },
          addNames,
          page
        )
      )
    }
  })
}

/** The page of the zone, where the provider itself names it (Domain Connect), and the guide does not. */
const pageOfZone = ({ guide, provider: { referenceUrl }, zone }: ProviderPage): Pick<ProviderGuide, "dnsPageUrl"> =>
  referenceUrl?.includes(encodeURIComponent(zone)) === true && guide.dnsPageUrl?.includes("%domain%") !== true
    ? { dnsPageUrl: referenceUrl }
    : {}

/** Where the records are edited, and how soon they are served. A domain in A-labels needs no other encoding in a link. */
const describePage = (
  { addButton, dnsPageUrl, helpUrl, loginUrl, path, publishButton, servedWithinMinutes }: ProviderGuide,
  zone: string
) => ({
  ...(dnsPageUrl === undefined ? {} : { dnsPageUrl: dnsPageUrl.replaceAll("%domain%", encodeURIComponent(zone)) }),
  ...(loginUrl === undefined ? {} : { loginUrl }),
  ...(helpUrl === undefined ? {} : { helpUrl }),
  ...(path === undefined ? {} : { path: path.map((entry) => entry.replace("%domain%", toUnicodeName(zone))) }),
  ...(addButton === undefined ? {} : { addButton }),
  ...(publishButton === undefined ? {} : { publishButton }),
  ...(servedWithinMinutes === undefined ? {} : { servedWithinMinutes })
})

const describeOwners = (nameServers: ReadonlyArray<string>): ManualGuide["hints"][number] => {
  const domains = Array.dedupe(nameServers.map(icannDomainOf))
  const owners = domains.length === 0 ? "" : ` They belong to ${domains.join(" and ")}.`
  return { code: findOwners, message: `${guideHintMeanings[findOwners]}${owners}` }
}

const findOwners = "find_who_runs_name_servers"

/** A change as the customer makes it, with each record to remove for another; a proxy's addresses go with theirs. */
interface ManualStep {
  readonly action: ManualTask["action"]
  readonly record: ChangeRecord
  readonly removes: ReadonlyArray<ChangeRecord>
  readonly isProxied: boolean
}

/** Gives each record that is removed to the first one in whose way it is at its host, if there is one. */
const pairRemovals = (changes: ReadonlyArray<Change>): ReadonlyArray<ManualStep> => {
  const addedAt = Map.groupBy(changes, ({ after }) => after?.host)
  const replacementOf = new Map(
    changes.flatMap((removal) => {
      const { after, before } = removal
      if (after !== undefined || before === undefined) return []
      const replacement = addedAt
        .get(before.host)
        ?.find((change) => change.after !== undefined && isInTheWay(before, change.after))
      return replacement === undefined ? [] : [[removal, replacement] as const]
    })
  )
  const removedFor = Map.groupBy(replacementOf.keys(), (removal) => replacementOf.get(removal))
  return changes.flatMap((change): ReadonlyArray<ManualStep> => {
    const { after, before } = change
    if (after === undefined)
      return before === undefined || before.proxied === true || replacementOf.has(change)
        ? []
        : [{ action: "remove", record: before, removes: [], isProxied: false }]
    const replaced = [change, ...(removedFor.get(change) ?? [])].flatMap(({ before }) => before ?? [])
    const removes = replaced.filter(({ proxied }) => proxied !== true)
    const action = removes.some((removed) => isOfSameKind(removed, after)) ? "change" : "add"
    return [{ action, record: after, removes, isProxied: removes.length < replaced.length }]
  })
}

/** Whether the one cannot stay beside the other at their host, or becomes the other. */
const isInTheWay = (removed: ChangeRecord, added: ChangeRecord): boolean =>
  isOfSameKind(removed, added) || excludes(added.type, removed.type) || excludes(removed.type, added.type)

const isOfSameKind = (removed: ChangeRecord, added: ChangeRecord): boolean =>
  removed.type === added.type && findSingletonTxtKind(removed) === findSingletonTxtKind(added)

const excludes = (type: string, other: string): boolean => {
  const { excludes = [] } = findRecordType(type)?.conflicts ?? {}
  return excludes === "all" || excludes.includes(other)
}

/** Whether the servers show the record, and none that it replaces. */
const isDone = (
  { action, record, removes }: ManualStep,
  { records, toRemove }: ManualWork["observations"]
): boolean => {
  const remains = (removed: ChangeRecord) => toRemove?.some((other) => isSameRecord(other, removed)) === true
  if (action === "remove") return toRemove !== undefined && !remains(record)
  const observed = records.find(({ expected }) => isSameRecord(expected, record))
  // What public DNS never shows as it is stored counts as made once what it replaces is gone.
  const isShown = observed === undefined ? toRemove !== undefined && removes.length > 0 : observed.status === "present"
  return isShown && !removes.some(remains)
}

/** Whether a provider's own servers show the record, and none that it replaces, while those of another one do not. */
const isDoneAt = (
  nameServers: ReadonlyArray<string>,
  { action, record, removes }: ManualStep,
  observations: ManualWork["observations"]
): boolean => {
  const isGone = (removed: ChangeRecord) => isGoneAt(nameServers, removed, observations)
  if (action === "remove") return isGone(record)
  const observed = observations.records.find(({ expected }) => isSameRecord(expected, record))?.observed ?? []
  const { asked, own } = selectServers(observed, nameServers)
  const hasOther = own.length > 0 && own.length < asked.length
  return hasOther && own.every(({ status }) => status === "present") && removes.every(isGone)
}

/** Whether a removed record is gone everywhere, or a provider's own servers do not show it where another one does. */
const isGoneAt = (
  nameServers: ReadonlyArray<string>,
  removed: ChangeRecord,
  { records, removals = [], toRemove }: ManualWork["observations"]
): boolean => {
  const isRemoved = (seen: ObservedRecord) => isSameAs(seen, removed)
  const places = [...removals, ...records]
    .filter(({ expected }) => expected.host === removed.host)
    .map(({ observed }) => selectServers(observed, nameServers))
  const isOwn = places.some(({ own }) => own.some(({ seen }) => seen.some(isRemoved)))
  const isEverywhereGone = toRemove?.every((other) => !isSameRecord(other, removed)) === true
  return (
    isEverywhereGone ||
    (!isOwn &&
      places.some(
        ({ asked, own }) =>
          own.length > 0 &&
          own.every(({ seen, status }) => status !== "unknown" && seen.length < maxSeenRecords) &&
          asked.some(({ seen }) => seen.some(isRemoved))
      ))
  )
}

const selectServers = (observed: ReadonlyArray<ServerObservation>, nameServers: ReadonlyArray<string>) => {
  const asked = observed.filter(({ kind }) => kind === "authoritative")
  return { asked, own: asked.filter(({ server }) => nameServers.includes(server)) }
}

const describeTask = (
  { action, isDone, isProxied, record, removes }: ManualStep & Pick<ManualTask, "isDone">,
  addNames: ReturnType<typeof makeNaming>,
  page: ProviderPage
): ManualTask => {
  const named = addNames(record)
  const { [record.type]: typeHint } = action === "remove" ? {} : (page.guide.typeHints ?? {})
  const isHinted = typeHint !== undefined && (typeHint !== "create_subdomain_first" || named.name !== page.zone)
  return {
    action,
    record: named,
    removes: removes.map(addNames),
    fields: makeManualFields(named, page),
    hints: toHints([
      ...(action !== "change" && removes.some(isParking) ? (["delete_parking_records"] as const) : []),
      ...(isProxied ? (["turn_proxy_off"] as const) : []),
      ...(isHinted && !(isProxied && typeHint === "dns_only") ? [typeHint] : []),
      ...(action === "remove" ? [] : aliasHints[aliasFormOf(named, page)])
    ]),
    isDone
  }
}

const aliasHints: { readonly [Form in AliasForm]: ReadonlyArray<GuideHint> } = {
  cname: [],
  alias: ["apex_alias"],
  either: ["apex_alias"],
  uncertain: ["apex_alias", "apex_addresses", "apex_redirect"],
  none: ["apex_addresses", "apex_redirect"]
}

const toHints = (codes: ReadonlyArray<GuideHint>) => codes.map((code) => ({ code, message: guideHintMeanings[code] }))

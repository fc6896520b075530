import { Option } from "effect"
import { apexHost, toFqdn, toRelativeHost } from "../../domain/names/DomainName.ts"
import { isSpf } from "../../domain/records/SpfRecord.ts"
import { type LocatedWarning, maxFindings } from "../LocatedWarning.ts"
import { isPolicyText } from "../mailPolicies.ts"
import type { AddressTargets, IndexedZone } from "../zone/IndexedZone.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"
import { listAnswers, listNewNames, listSynthesizedRecords } from "../zone/wildcards.ts"
import type { PlanRow } from "./diffZone.ts"
import { isReplacedBy, listKinds, warnAboutHidden } from "./hiddenRecords.ts"

/** Finds names below a new one that aliases or policies lead to and a wildcard answered for until now (RFC 4592). */
export const makeHiddenTargetCheck = (
  { targets, zone }: IndexedZone,
  resulting: LiveZone
): ((row: PlanRow) => ReadonlyArray<LocatedWarning>) => {
  const aliases = makeLossFinder(targets.websites, zone, resulting)
  const policies = makeLossFinder(targets.policies, zone, resulting)
  return (row) => {
    if (!zone.hasWildcards || row.after === undefined) return []
    const names = listNewNames(zone, row.host)
    const isNewName = new Set<string>(names.map((host) => toFqdn(host, zone.domain)))
    const below = ({ name }: HiddenAnswers) => !isNewName.has(name)
    const [lostAliases, lostPolicies] = [aliases, policies].map((find) => names.flatMap(find).filter(below))
    return [
      ...[...(lostAliases ?? []), ...(lostPolicies ?? [])]
        .filter(({ lost }) => lost.length > 0)
        .slice(0, maxFindings)
        .flatMap(({ lost, name }) => warnAboutHidden("wildcard_hidden", row, { name, kinds: listKinds(lost) })),
      ...((lostPolicies ?? []).some(({ changesPolicy }) => changesPolicy)
        ? [{ warning: "mail_target_changed" as const, rows: [row] }]
        : [])
    ]
  }
}

/** The records of a wildcard that a name no longer answers with. */
interface HiddenAnswers {
  readonly name: string
  /** The records that nothing takes the place of. */
  readonly lost: ReadonlyArray<LiveRecord>
  /** Whether it answers with another policy, or with none. */
  readonly changesPolicy: boolean
}

/** Makes a function that finds, once for each new name, the first targets at or below it that lose an answer. */
const makeLossFinder = ({ synthesizedNames }: AddressTargets, zone: LiveZone, resulting: LiveZone) => {
  const known = new Map<string, ReadonlyArray<HiddenAnswers>>()
  return (newName: string): ReadonlyArray<HiddenAnswers> => {
    const found = known.get(newName) ?? findLosses(synthesizedNames.get(newName) ?? [], zone, resulting)
    known.set(newName, found)
    return found
  }
}

const findLosses = (
  names: ReadonlyArray<string>,
  zone: LiveZone,
  resulting: LiveZone
): ReadonlyArray<HiddenAnswers> => [
  ...names
    .values()
    .map((name) => compareAnswers(name, zone, resulting))
    .filter(({ changesPolicy, lost }) => changesPolicy || lost.length > 0)
    .take(maxFindings)
]

const compareAnswers = (name: string, zone: LiveZone, resulting: LiveZone): HiddenAnswers => {
  const { after, before } = Option.match(toRelativeHost(name, zone.domain), {
    // The first record of the domain leaves the names between it and the wildcard above it without an answer.
    onNone: () => ({ before: listSynthesizedRecords(zone, apexHost), after: [] }),
    onSome: (host) => ({ before: listAnswers(zone, host), after: listAnswers(resulting, host) })
  })
  return {
    name,
    lost: before.filter((record) => !after.some((other) => isReplacedBy(record, other))),
    changesPolicy: !new Set(listPolicies(before)).isSubsetOf(new Set(listPolicies(after)))
  }
}

const listPolicies = (records: ReadonlyArray<LiveRecord>): ReadonlyArray<string> =>
  records
    .filter((record) => record.role === "CNAME" || isSpf(record.value) || isPolicyText(record))
    .map(({ value }) => value)

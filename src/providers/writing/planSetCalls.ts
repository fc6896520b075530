import { Array, Either, Order } from "effect"
import { normalizeName, toFqdn } from "../../domain/names/DomainName.ts"
import type { Change, ChangeRecord } from "../../domain/plan/Plan.ts"
import type { ZoneLocation } from "../../domain/plan/Zone.ts"
import { ProviderFailure, ZoneChanged } from "../ProviderFailure.ts"
import { findRemovedRecords } from "./AffectedNames.ts"
import { excludeMembers, keyOf, type RecordSet, type SetMember, type RecordSetZone } from "./RecordSet.ts"
import { packCalls } from "./packCalls.ts"
import { formatContent } from "./recordContent.ts"
import { type CheckRecord, requireStorable } from "./requireStorable.ts"

/** A set as it is and as it must be; without `before` it is new, without `after` it goes. */
export interface SetChange<StoredSet extends RecordSet = RecordSet> {
  /** Absolute, in the spelling of the provider, or in normal form if the set is new. */
  readonly name: string
  readonly type: string
  readonly before?: StoredSet
  readonly after?: {
    readonly ttl: number
    /** The provider still chooses the TTL, or does so again after a restore. */
    readonly automaticTtl?: boolean
    /** Records that stay are members of `before`. */
    readonly records: Array.NonEmptyReadonlyArray<StoredSet["records"][number] | SetMember>
  }
}

interface SetCall<StoredSet extends RecordSet> {
  readonly changes: ReadonlyArray<Change>
  readonly setChanges: ReadonlyArray<SetChange<StoredSet>>
}

/** How a provider takes changes of sets. */
export interface SetRules<StoredSet extends RecordSet> {
  /** The type under which the provider stores a planned record, where that is another one (ALIAS at the apex). */
  readonly typeOf?: (record: ChangeRecord, location: ZoneLocation) => string
  /** Whether one call makes all these changes or none of them; without it, a call takes one set. */
  readonly fitsOneCall?: (setChanges: ReadonlyArray<SetChange<StoredSet>>) => boolean
}

/**
 * Plans affected sets as they must be; other records in them, disabled ones too, are written back as read. Calls keep the
 * plan's order, so that a host is without records for one call at most. The sets of a name are in one call if possible,
 * deletions first: providers refuse a CNAME with a set that still exists. Fails as a whole if one cannot be written.
 */
export const planSetCalls = <StoredSet extends RecordSet>(
  zone: RecordSetZone<StoredSet>,
  changes: ReadonlyArray<Change>,
  {
    location,
    rules
  }: { readonly location: ZoneLocation; readonly rules: SetRules<StoredSet> & { readonly checkRecord: CheckRecord } }
): Either.Either<ReadonlyArray<SetCall<StoredSet>>, ProviderFailure | ZoneChanged> =>
  Either.gen(function* () {
    const drafts = yield* draftSets(zone, changes, { location, rules })
    yield* requireStorable(zone.zone, changes, { location, checkRecord: rules.checkRecord })
    const planned = yield* Either.all(
      drafts.map((draft) => Either.map(toSetChange(draft), (setChange) => ({ draft, setChange })))
    )
    const parts = Object.values(
      Array.groupBy(planned, ({ setChange }) =>
        rules.fitsOneCall === undefined ? keyOf(setChange) : normalizeName(setChange.name)
      )
    )
    const fits = (part: ReadonlyArray<PlannedSet<StoredSet>>): boolean =>
      part.length === 0 || (rules.fitsOneCall?.(part.map(({ setChange }) => setChange)) ?? part.length === 1)
    const tooLarge = parts.find((part) => !fits(part))
    if (tooLarge !== undefined) return yield* Either.left(makeTooManyFailure(tooLarge[0].setChange.name))
    return packCalls(parts, fits).map((call) => ({
      changes: changes.filter((change) => call.some(({ draft }) => draft.changes.has(change))),
      setChanges: Array.sort(
        call.map(({ setChange }) => setChange),
        Order.mapInput(Order.boolean, isKept)
      )
    }))
  })

interface SetDraft<StoredSet extends RecordSet> {
  readonly name: string
  readonly type: string
  readonly before?: StoredSet
  readonly removed: Set<SetMember>
  readonly added: Array<ChangeRecord>
  /** The removed records that the provider stores again without serving them, with their TTLs in seconds. */
  readonly disabled: Array<{ readonly member: SetMember; readonly ttl: number }>
  readonly changes: Set<Change>
}

interface PlannedSet<StoredSet extends RecordSet> {
  readonly draft: SetDraft<StoredSet>
  readonly setChange: SetChange<StoredSet>
}

const draftSets = <StoredSet extends RecordSet>(
  zone: RecordSetZone<StoredSet>,
  changes: ReadonlyArray<Change>,
  { location, rules }: { readonly location: ZoneLocation; readonly rules: SetRules<StoredSet> }
): Either.Either<ReadonlyArray<SetDraft<StoredSet>>, ProviderFailure | ZoneChanged> =>
  Either.map(findRemovedRecords(zone.zone, changes), (removedRecords) => {
    const drafts = new Map<StoredSet | string, SetDraft<StoredSet>>()
    const draftOf = (
      key: StoredSet | string,
      { name, type }: Pick<RecordSet, "name" | "type">
    ): SetDraft<StoredSet> => {
      const before = typeof key === "string" ? {} : { before: key }
      const draft = drafts.get(key) ?? {
        name,
        type,
        ...before,
        removed: new Set(),
        added: [],
        disabled: [],
        changes: new Set()
      }
      drafts.set(key, draft)
      return draft
    }
    for (const change of changes) {
      for (const record of removedRecords.get(change) ?? []) {
        const stored = zone.storedOf.get(record)
        if (stored === undefined) continue
        const draft = draftOf(stored.set, stored.set)
        draft.removed.add(stored.member)
        const ttl = change.before?.disabledTtl
        if (ttl !== undefined) draft.disabled.push({ member: { ...stored.member, disabled: true }, ttl })
        draft.changes.add(change)
      }
      if (change.after === undefined) continue
      const { after } = change
      const added = { name: toFqdn(after.host, location.domain), type: rules.typeOf?.(after, location) ?? after.type }
      const existing = (zone.setsByName.get(added.name) ?? []).find((set) => keyOf(set) === keyOf(added))
      const draft = draftOf(existing ?? keyOf(added), existing ?? added)
      draft.added.push(after)
      draft.changes.add(change)
    }
    return [...drafts.values()]
  })

/** Leaves out duplicates: providers refuse a set with the same record twice, even if one of them is disabled. */
const toSetChange = <StoredSet extends RecordSet>({
  added,
  before,
  disabled,
  name,
  removed,
  type
}: SetDraft<StoredSet>): Either.Either<SetChange<StoredSet>, ProviderFailure> => {
  if (before?.locked === "fixed") return Either.left(makeLockedFailure(name, type))
  const addedMembers = added.map((record): SetMember => ({ content: formatContent(record) }))
  const stored: StoredSet["records"] = before?.records ?? []
  const remaining = excludeMembers(
    stored.filter((record) => !removed.has(record)),
    addedMembers
  )
  if (remaining.some(({ content }) => content.includes("\ufffd"))) return Either.left(makeUnreadableFailure(name, type))
  const kept = [...remaining, ...addedMembers]
  const again = excludeMembers(
    disabled.map(({ member }) => member),
    kept
  )
  const records = [...kept, ...again]
  const change = { name, type, ...(before === undefined ? {} : { before }) }
  if (!Array.isNonEmptyArray(records)) return Either.right(change)
  const ttls = added.length > 0 ? added : kept.some((member) => member.disabled !== true) ? [] : disabled
  const ttl = ttls.length === 0 ? (before?.ttl ?? 0) : Math.min(...ttls.map((record) => record.ttl))
  const staysAutomatic = before?.automaticTtl === true && before.ttl === ttl
  const automaticTtl = staysAutomatic || (added.length > 0 && added.every((record) => record.automaticTtl === true))
  return Either.right({ ...change, after: { ttl, ...(automaticTtl ? { automaticTtl } : {}), records } })
}

const isKept = ({ after }: SetChange): boolean => after !== undefined

const makeLockedFailure = (name: string, type: string): ProviderFailure =>
  new ProviderFailure({ code: "provider_record_locked", detail: `${type} ${name} is kept by the provider` })

const makeUnreadableFailure = (name: string, type: string): ProviderFailure =>
  new ProviderFailure({
    code: "apply_rejected",
    detail: `${type} ${name} also has records with bytes that the API cannot show and that the change would lose`
  })

const makeTooManyFailure = (name: string): ProviderFailure =>
  new ProviderFailure({ code: "apply_rejected", detail: `${name} has more changes than one call takes` })

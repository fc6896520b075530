import { Array } from "effect"
import type { SetChange } from "../../writing/planSetCalls.ts"
import type { RecordSet, SetMember } from "../../writing/RecordSet.ts"
import type { HetznerRecord, HetznerSet, HetznerZone } from "./HetznerApi.ts"

/** A set with absolute names, and what Hetzner stores for it. */
export interface HetznerRecordSet extends RecordSet {
  readonly storedTtl: number | null
  readonly records: ReadonlyArray<HetznerMember>
}

interface HetznerMember extends SetMember {
  readonly stored: HetznerRecord
}

/** Hetzner keeps the name servers of the zone itself, and what somebody has protected. */
export const toRecordSet =
  ({ name: zone, ttl: zoneTtl }: HetznerZone) =>
  ({ name, protection, records, ttl, type }: HetznerSet): HetznerRecordSet => ({
    name: name === "@" ? zone : `${name}.${zone}`,
    type,
    ttl: ttl ?? zoneTtl,
    storedTtl: ttl,
    records: records.map((stored) => ({ stored, content: toAbsoluteContent(type, stored.value, zone) })),
    ...(protection.change || (name === "@" && type === "NS") ? { locked: "fixed" } : {})
  })

const toAbsoluteContent = (type: string, value: string, zone: string): string =>
  endsInTarget.has(type)
    ? value.replace(/\S*[^\s.]$/, (target) => `${target === "@" ? "" : `${target}.`}${zone}.`)
    : value

const endsInTarget: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "PTR", "SRV"])

/** Where a set is in the API: its name relative to the zone, and its type. */
export const toSetPath = ({ name, type }: Pick<RecordSet, "name" | "type">, zone: string): string =>
  `${name === zone ? "@" : encodeURIComponent(name.slice(0, -`.${zone}`.length))}/${type}`

/** One action on a set. */
export interface SetAction {
  readonly action: "add_records" | "remove_records" | "set_records" | "change_ttl"
  readonly body: unknown
}

/**
 * The actions of a change, in their order, and what undoes the first. They name the values that come or go, so that the
 * others stay whoever wrote them; only where values are exchanged, the whole set is written, because between two actions
 * they would be missing. The TTL comes first: as long as the records have not followed, the change is not made, and can
 * be made again.
 */
export const planActions = ({ after, before }: SetChange<HetznerRecordSet>) => {
  const stored = before?.records ?? []
  const members = after?.records ?? []
  const added = exclude(members, stored)
  const removed = exclude(stored, members)
  const isOtherTtl = before !== undefined && after !== undefined && before.ttl !== after.ttl
  const ttl = before === undefined || isOtherTtl ? after?.ttl : (before.storedTtl ?? undefined)
  const recordActions: ReadonlyArray<SetAction> =
    added.length > 0 && removed.length > 0 && members.length <= maxRecords
      ? [{ action: "set_records", body: { records: members.map(toRecord) } }]
      : [
          ...Array.chunksOf(added.map(toRecord), maxRecords).map(
            (records) => ({ action: "add_records", body: { ttl, records } }) as const
          ),
          ...Array.chunksOf(removed.map(toValue), maxRecords).map(
            (records) => ({ action: "remove_records", body: { records } }) as const
          )
        ]
  return isOtherTtl
    ? { actions: [changeTtl(after.ttl), ...recordActions], undo: changeTtl(before.storedTtl) }
    : { actions: recordActions }
}

const exclude = <Member extends SetMember>(members: ReadonlyArray<Member>, others: ReadonlyArray<SetMember>) => {
  const excluded = new Set(others.map(({ content }) => content))
  return members.filter(({ content }) => !excluded.has(content))
}

/** An action takes as many. */
const maxRecords = 50

const changeTtl = (ttl: number | null): SetAction => ({ action: "change_ttl", body: { ttl } })

/** A record that stays keeps its comment. */
const toRecord = (member: SetMember | HetznerMember): HetznerRecord =>
  "stored" in member ? member.stored : { value: member.content }

const toValue = ({ stored: { value } }: HetznerMember): HetznerRecord => ({ value })

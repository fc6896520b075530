import { Option } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import { withData } from "../../domain/records/DnsRecord.ts"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { toChangeRecord } from "../changes/describeChanges.ts"
import { hasDataLoss, type HostDiff, pairByRole } from "../changes/diffZone.ts"
import type { ChangeInDomain } from "../restore/JournaledChange.ts"
import { dataAndTtlKeyOf } from "../restore/diffRestoredHost.ts"
import { hostKeyOf } from "../restore/replayWithout.ts"
import type { LiveRecord, LiveZone } from "../zone/LiveZone.ts"

/** One host before and after a change of an intent. */
interface ChangedHost {
  readonly name: DomainName
  readonly live: ReadonlyArray<LiveRecord>
  readonly target: ReadonlyArray<LiveRecord>
  /** How the new intent differs from the restored host; none where it desires nothing. */
  readonly planned: Option.Option<HostDiff>
  readonly editedTtls: EditedTtls
}

/** The TTLs in seconds of RRsets that a customer changed since the connection wrote them, by `rrsetKeyOf`. */
type EditedTtls = ReadonlyMap<string, number>

/** Compares the live with the target records of one host. An RRset keeps the TTL that the customer gave it. */
export const diffHost = (host: string, { editedTtls, live, name, planned, target }: ChangedHost): HostDiff => {
  const ttlOf = (record: LiveRecord): number => editedTtls.get(rrsetKeyOf(record)) ?? record.ttl
  const resulting = target.map((record) => (ttlOf(record) === record.ttl ? record : { ...record, ttl: ttlOf(record) }))
  const [liveKeys, resultingKeys] = [new Set(live.map(dataAndTtlKeyOf)), new Set(resulting.map(dataAndTtlKeyOf))]
  const removed = live.filter((record) => !resultingKeys.has(dataAndTtlKeyOf(record)))
  const added = resulting.filter((record) => !liveKeys.has(dataAndTtlKeyOf(record)))
  const roles = new Set(resulting.map(({ role }) => role))
  const written = planned.pipe(
    Option.map(({ results }) => new Map(results.map(([, result]) => [dataKeyOf(result), result]))),
    Option.getOrElse(() => new Map<string, ChangeRecord>())
  )
  const toAdded = (record: LiveRecord): ChangeRecord => {
    const result = written.get(dataKeyOf(record))
    return result?.ttl === record.ttl ? result : { ...toChangeRecord(record), optional: result?.optional ?? false }
  }
  const pairs = pairByRole(
    removed,
    added.map((record) => ({ role: record.role, result: toAdded(record) }))
  )
  const isChanged = pairs.length > 0
  const { adjusted, results } = Option.getOrElse(planned, () => ({ results: [], adjusted: new Set<ChangeRecord>() }))
  const ttls = new Map(resulting.map((record) => [dataKeyOf(record), record.ttl]))
  return {
    host,
    roles,
    results: results.map(([desired, result]) => {
      const ttl = ttls.get(dataKeyOf(result)) ?? result.ttl
      return [desired, ttl === result.ttl ? result : withData(result, { ttl })]
    }),
    proxied: live.filter(
      (record) =>
        isChanged &&
        record.proxied === true &&
        resultingKeys.has(dataAndTtlKeyOf(record)) &&
        results.some(([, result]) => result.type === record.type)
    ),
    adjusted: adjusted.intersection(new Set(pairs.flatMap(({ after }) => after ?? []))),
    rows: pairs.map((pair) => ({ host, ...pair, hasDataLoss: hasDataLoss(name, pair) }))
  }
}

/** Finds TTLs that a customer changed: a record of the connection is served with another than it wrote last. */
export const findEditedTtls = (
  entries: ReadonlyArray<ChangeInDomain>,
  { id, live }: { readonly id: ConnectionId; readonly live: LiveZone }
): EditedTtls => {
  const written = new Map(
    entries.flatMap(({ after, connectionId }) =>
      after === undefined || connectionId !== id ? [] : [[hostKeyOf(after), after] as const]
    )
  )
  return new Map(
    [...written.values()].flatMap((after) =>
      live
        .recordsAt(after.host)
        .filter(({ key, ttl }) => key === after.key && ttl !== after.ttl)
        .map((record) => [rrsetKeyOf(record), record.ttl] as const)
    )
  )
}

const rrsetKeyOf = ({ host, role }: LiveRecord): string => `${role} ${host}`

/** Equal for records of one host that serve the same data. */
const dataKeyOf = ({ priority, type, value }: Pick<ChangeRecord, "priority" | "type" | "value">): string =>
  `${type} ${priority ?? ""} ${value}`

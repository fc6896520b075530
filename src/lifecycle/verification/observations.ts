import { Array, type DateTime, Order } from "effect"
import type { ServerView } from "../../dns/ServerView.ts"
import type { EffectiveIntent } from "../../domain/Intent.ts"
import { type ObservationStatus, RecordObservation, type SeenRecord, type Sighting } from "../../domain/Observation.ts"
import type { Compared } from "../../planning/verification/compareZone.ts"
import { combined, type Verdict, verdictOf } from "../../planning/verification/verdict.ts"

/** A server that was looked at, and what it shows of each record of the effective intent, in their order. */
export interface Witness {
  readonly kind: Sighting["kind"]
  readonly view: ServerView
  readonly compared: ReadonlyArray<Compared>
}

/** What the witnesses together say of the required records. */
export const verdictAmong = ({ records }: EffectiveIntent, witnesses: ReadonlyArray<Witness>): Verdict =>
  verdictOf(records.flatMap(({ optional }, index) => (optional ? [] : [combined(statusesAt(index, witnesses))])))

/** What the witnesses say of each record. */
export const observationsBy = (
  witnesses: ReadonlyArray<Witness>,
  { records }: EffectiveIntent,
  checkedAt: DateTime.Utc
): ReadonlyArray<RecordObservation> =>
  records.map((expected, index) =>
    RecordObservation.make({
      expected,
      observed: witnesses.flatMap((witness) => sightingsBy(witness, index)),
      status: combined(statusesAt(index, witnesses)),
      checkedAt
    })
  )

const statusesAt = (index: number, witnesses: ReadonlyArray<Witness>): ReadonlyArray<ObservationStatus> =>
  witnesses.flatMap(({ compared }) => compared.slice(index, index + 1).map(({ status }) => status))

const sightingsBy = ({ compared, kind, view }: Witness, index: number): ReadonlyArray<Sighting> =>
  compared.slice(index, index + 1).map(({ record, seen, status }) => {
    const open = status === "unknown" ? view.open.find(({ host }) => host === record.host) : undefined
    return {
      server: view.server.name,
      kind,
      status,
      ...(open === undefined ? {} : { silence: open.reason }),
      seen: Array.take(
        Array.sortWith(seen, ({ value }) => value !== record.value, Order.boolean),
        maxSeen
      ).map(shown)
    }
  })

/** Enough to see what is wrong, of sets that may have hundreds of members. */
const maxSeen = 16

const shown = ({ priority, ttl, type, value }: SeenRecord): SeenRecord => ({
  type,
  value,
  ttl,
  ...(priority === undefined ? {} : { priority })
})

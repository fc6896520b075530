import { Option, Schema } from "effect"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { Observations, type ServerObservation } from "../../domain/plan/RecordObservation.ts"

/**
 * The JSON of the last answers of the servers, as a connection keeps it; without `toRemove` where that is unknown. Of the
 * removals, it keeps those on which servers differ: all others follow from `toRemove`.
 */
export const encodeObservations = (
  { failure, records, removals = [] }: Pick<typeof Observations.Type, "failure" | "records" | "removals">,
  toRemove: Option.Option<ReadonlyArray<ChangeRecord>>
): string => {
  const partial = removals.filter(({ observed }) => observed.some(isShown) && !observed.every(isShown))
  return JSON.stringify(
    encode({
      records,
      ...Option.match(toRemove, { onNone: () => ({}), onSome: (present) => ({ toRemove: present }) }),
      ...(partial.length === 0 ? {} : { removals: partial }),
      ...(failure === undefined ? {} : { failure })
    })
  )
}

const isShown = ({ status }: ServerObservation): boolean => status === "present"

const encode = Schema.encodeSync(Observations)

import { Option, Schema } from "effect"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import { Observations } from "../../domain/plan/RecordObservation.ts"

/** The JSON of the last answers of the servers, as a connection keeps it; without `toRemove` where that is unknown. */
export const encodeObservations = (
  { failure, records }: Pick<typeof Observations.Type, "failure" | "records">,
  toRemove: Option.Option<ReadonlyArray<ChangeRecord>>
): string =>
  JSON.stringify(
    encode({
      records,
      ...Option.match(toRemove, { onNone: () => ({}), onSome: (present) => ({ toRemove: present }) }),
      ...(failure === undefined ? {} : { failure })
    })
  )

const encode = Schema.encodeSync(Observations)

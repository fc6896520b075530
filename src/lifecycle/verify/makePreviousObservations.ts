import { Effect, Option, Schema } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import { Observations, type RecordObservation } from "../../domain/plan/RecordObservation.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { ConnectionViews } from "../../persistence/stores/connections/ConnectionViews.ts"

export const makePreviousObservations = Effect.map(
  ConnectionViews,
  (views) =>
    (id: ConnectionId): Effect.Effect<ReadonlyArray<RecordObservation>, StoreUnavailable> =>
      Effect.map(views.findObservations(id), ({ doc }) =>
        Option.match(doc, { onNone: () => [], onSome: (text) => decode(text).records })
      )
)

const decode = Schema.decodeSync(Schema.parseJson(Observations))

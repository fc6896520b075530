import { Data, type Option } from "effect"
import type { FailureCode, FailureDetail } from "../../domain/connection/Connection.ts"
import type { Provider } from "../../domain/provider/Provider.ts"

/** No plan leads from the zone to the intent; `provider` is given where the zone was found in the public DNS. */
export class PlanImpossible extends Data.TaggedError("PlanImpossible")<{
  readonly code: FailureCode
  readonly provider: Option.Option<Provider>
  readonly details: ReadonlyArray<FailureDetail>
}> {}

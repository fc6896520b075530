import { Data, type Option } from "effect"
import type { FailureCode, FailureDetail } from "../../domain/Connection.ts"
import type { DnsRecord } from "../../domain/DnsRecord.ts"
import type { Provider } from "../../domain/Provider.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import type { SurveyedZone } from "./ZoneSurvey.ts"

/** A zone to plan from and what its provider can store; `warnings` are about the zone itself. */
export type PlanningZone = Omit<SurveyedZone, "provider">

/** A zone as its provider keeps it. */
export interface ProviderZone extends PlanningZone {
  /** Why the provider could not store a record, as far as that is known without asking it. */
  readonly checkRecord: (record: DnsRecord) => Option.Option<ProviderFailure>
}

/** No plan leads from the zone to the intent; `provider` is given where the zone was found in the public DNS. */
export class PlanImpossible extends Data.TaggedError("PlanImpossible")<{
  readonly code: FailureCode
  readonly provider: Option.Option<Provider>
  readonly details: ReadonlyArray<FailureDetail>
}> {}

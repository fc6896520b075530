import { Option } from "effect"
import type { ChangeRecord } from "../../domain/Plan.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import type { SurveyedZone } from "./ZoneSurvey.ts"

/** A zone to plan from and what its provider can store; `warnings` are about the zone itself. */
export interface PlanningZone extends Omit<SurveyedZone, "provider"> {
  /** Why the provider could not store a record, as far as that is known without asking it; nothing is known without it. */
  readonly checkRecord?: (record: ChangeRecord) => Option.Option<ProviderFailure>
}

/** A zone as its provider keeps it. */
export type ProviderZone = PlanningZone & Required<Pick<PlanningZone, "checkRecord">>

/** Makes the function that tells whether the provider of a zone can store a record, as far as that is known. */
export const makeStorableCheck =
  ({ checkRecord = Option.none }: Pick<PlanningZone, "checkRecord">) =>
  (record: ChangeRecord): boolean =>
    Option.isNone(checkRecord(record))

import { Array, Either, Option } from "effect"
import type { OptionalFailure } from "../../domain/connection/Connection.ts"
import { EffectiveIntent, type ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { ChangeRecord } from "../../domain/plan/Plan.ts"
import type { ProviderFailure } from "../../providers/ProviderFailure.ts"
import { PlanImpossible } from "./PlanImpossible.ts"
import type { SurveyedZone } from "./ZoneSurvey.ts"

/** A zone to plan from and what its provider can store; `warnings` are about the zone itself. */
export interface PlanningZone extends Omit<SurveyedZone, "provider">, Partial<Pick<SurveyedZone, "provider">> {
  /** Why the provider could not store a record, as far as that is known without asking it; nothing is known without it. */
  readonly checkRecord?: (record: ChangeRecord) => Option.Option<ProviderFailure>
}

export type ProviderZone = PlanningZone & Required<Pick<PlanningZone, "checkRecord">>

/** Makes the function that tells whether the provider of a zone can store a record, as far as that is known. */
export const makeStorableCheck =
  ({ checkRecord = Option.none }: Pick<PlanningZone, "checkRecord">) =>
  (record: ChangeRecord): boolean =>
    Option.isNone(checkRecord(record))

/** Leaves out the optional records that the provider cannot store; a required one makes the plan impossible. */
export const separateStorable = (
  { domain, effectiveIntent, intent }: ResolvedIntent,
  { checkRecord }: ProviderZone
): Either.Either<
  { readonly refused: ReadonlyArray<OptionalFailure>; readonly intent: ResolvedIntent },
  PlanImpossible
> => {
  const refusals = effectiveIntent.records.map(checkRecord)
  const isStorable = (_: unknown, index: number): boolean => Option.exists(Array.get(refusals, index), Option.isNone)
  const required = Array.zip(effectiveIntent.records, refusals).find(
    ([{ optional }, refusal]) => !optional && Option.isSome(refusal)
  )
  return Option.match(
    Option.flatMap(Option.fromNullable(required), ([{ host, type }, refusal]) =>
      Option.map(refusal, ({ code, detail }) => ({ code, host, type, detail }))
    ),
    {
      onSome: ({ code, detail, host, type }) =>
        Either.left(
          new PlanImpossible({
            code,
            provider: Option.none(),
            details: [{ message: `${type} at ${host}: ${detail}`, host, type }]
          })
        ),
      onNone: () =>
        Either.right({
          refused: Array.zipWith(effectiveIntent.records, refusals, ({ host, type }, refusal) =>
            Option.map(refusal, ({ code }) => ({ type, host, code }))
          ).flatMap(Option.toArray),
          intent: {
            domain,
            intent: { ...intent, records: intent.records.filter(isStorable) },
            effectiveIntent: EffectiveIntent.make({ domain, records: effectiveIntent.records.filter(isStorable) })
          }
        })
    }
  )
}

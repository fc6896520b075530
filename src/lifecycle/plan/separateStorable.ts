import { Array, Either, Option } from "effect"
import type { OptionalFailure } from "../../domain/Connection.ts"
import { EffectiveIntent, type ResolvedIntent } from "../../domain/Intent.ts"
import { PlanImpossible } from "./PlanImpossible.ts"
import type { ProviderZone } from "./PlanningZone.ts"

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

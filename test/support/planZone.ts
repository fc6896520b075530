import type { Either } from "effect"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import type { ProviderLimits } from "../../src/domain/provider/Provider.ts"
import type { DomainName } from "../../src/domain/names/DomainName.ts"
import { buildPlan, type PlanInput, type PlanRefused, type PlanResult } from "../../src/planning/buildPlan.ts"
import { type IntentChangeResult, planIntentChange } from "../../src/planning/intentChange/planIntentChange.ts"
import { planRestore, type RestoreInput, type RestoreResult } from "../../src/planning/restore/planRestore.ts"
import { indexZone } from "../../src/planning/zone/IndexedZone.ts"
import { computeAtOnce } from "../../src/runtime/LongComputation.ts"

/** The input of a plan with its zone as it was read. */
export type ZonePlanInput = WithZone<PlanInput>

/** Indexes a zone and plans the changes that bring it to an intent. */
export const planZone = (input: ZonePlanInput): Either.Either<PlanResult, PlanRefused> =>
  computeAtOnce(buildPlan(indexed(input, input.intent.domain)))

/** Indexes a zone and plans how it is restored. */
export const planZoneRestore = (input: WithZone<RestoreInput>): RestoreResult =>
  computeAtOnce(planRestore(indexed(input, input.domain)))

/** Indexes a zone and plans the change of an intent in it. */
export const planZoneChange = (
  input: WithZone<Parameters<typeof planIntentChange>[0]>
): Either.Either<IntentChangeResult, PlanRefused> => computeAtOnce(planIntentChange(indexed(input, input.domain)))

type WithZone<Input> = Omit<Input, "zone"> & { readonly zone: Zone }

const indexed = <Input extends { readonly zone: Zone; readonly limits: ProviderLimits }>(
  { zone, ...input }: Input,
  domain: DomainName
) => ({ ...input, zone: computeAtOnce(indexZone(zone, { domain, ttl: input.limits.ttl })) })

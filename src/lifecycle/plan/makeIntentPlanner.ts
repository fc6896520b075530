import { Effect, Either } from "effect"
import type { ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { Zone } from "../../domain/plan/Zone.ts"
import type { OtherDesiredRecord, PlanContext } from "../../planning/PlanContext.ts"
import { buildPlan, type PlanInput } from "../../planning/buildPlan.ts"
import { limitPlan } from "../../planning/limitPlan.ts"
import { indexZone } from "../../planning/zone/IndexedZone.ts"
import { limitsOf, unknownProvider } from "../../providers/catalog/catalog.ts"
import { computeAtOnce } from "../../runtime/LongComputation.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import type { ChallengeContext } from "../control/ControlRules.ts"
import { addChallengeRecord, removeChallengeRecord } from "../control/challengeRecords.ts"
import { type ExternalFacts, FactResolver } from "./FactResolver.ts"
import type { PlanningZone } from "./PlanningZone.ts"

/** Makes the functions that plan an intent from a zone, with the challenge of its connection where control is not proven. */
export const makeIntentPlanner = Effect.gen(function* () {
  const facts = yield* FactResolver

  const plan = Effect.fnUntraced(function* (request: PlanRequest, known?: ExternalFacts) {
    const { result } = yield* facts.resolveFacts(attemptPlan(yield* indexRequest(request)), known)
    return Either.flatMap(result, (planned) => limitPlan(planned, request.intent))
  })

  /** A plan that must carry the challenge of its connection is made once more, with the challenge. */
  const planConnection = Effect.fnUntraced(function* <Z extends PlanningZone, E = never>(
    { challengeContext, zone, ...request }: ConnectionRequest<Z, E>,
    known?: ExternalFacts
  ) {
    const { planned, read } = yield* planIn(zone.first, request, known)
    if (challengeContext === undefined || Either.isLeft(planned)) return { planned, read }
    const control = challengeContext.judge(planned.right, read)
    const contested = challengeContext.holders
    if (!control.isAwaited) return { read, planned: Either.right({ ...planned.right, control, contested }) }
    const challenged = { ...request, intent: addChallengeRecord(request.intent, challengeContext) }
    const again = yield* planIn(yield* zone.readWith(challenged.intent), challenged, known)
    return {
      ...again,
      planned: Either.map(again.planned, (plan) => ({
        ...removeChallengeRecord(plan, challengeContext),
        control,
        contested
      }))
    }
  })

  const planIn = <Z extends PlanningZone>(
    read: Z,
    request: Omit<PlanRequest, "limits" | "zone">,
    known?: ExternalFacts
  ) =>
    Effect.map(plan({ ...request, zone: read.zone, limits: read.limits }, known), (planned) => ({
      planned,
      read
    }))

  return {
    plan,
    planConnection,
    /** Looks up what an intent depends on by itself, before its zone is known. */
    prefetchFacts: (intent: ResolvedIntent) => facts.prefetchFacts(attemptPlan(withoutZone(intent)))
  }
})

interface PlanAttempt extends Omit<PlanInput, "context"> {
  readonly others: ReadonlyArray<OtherDesiredRecord>
}

interface PlanRequest extends Omit<PlanAttempt, "zone"> {
  readonly zone: Zone
}

interface ConnectionRequest<Z extends PlanningZone, E> extends Omit<PlanRequest, "limits" | "zone"> {
  readonly challengeContext: ChallengeContext | undefined
  readonly zone: {
    readonly first: Z
    /** Reads the zone at the hosts of the intent with the challenge too. */
    readonly readWith: (intent: ResolvedIntent) => Effect.Effect<Z, E>
  }
}

const indexRequest = ({ zone, ...request }: PlanRequest): Effect.Effect<PlanAttempt> => {
  const { intent, limits } = request
  const desiredHosts = intent.effectiveIntent.records.map(({ host }) => host)
  return Effect.map(
    computeInSlices(indexZone(zone, { domain: intent.domain, ttl: limits.ttl, desiredHosts })),
    (indexed) => ({ ...request, zone: indexed })
  )
}

const attemptPlan =
  ({ others, ...input }: PlanAttempt) =>
  (context: PlanContext) =>
    Effect.map(computeInSlices(buildPlan({ ...input, context: { ...context, others } })), (result) => ({
      result,
      unanswered: Either.merge(result).unanswered
    }))

const withoutZone = (intent: ResolvedIntent): PlanAttempt => {
  const limits = limitsOf(unknownProvider)
  const zone: Zone = { name: intent.domain, basis: "public_dns", records: [] }
  return {
    intent,
    limits,
    zone: computeAtOnce(indexZone(zone, { domain: intent.domain, ttl: limits.ttl })),
    others: []
  }
}

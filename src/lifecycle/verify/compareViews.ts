import type { ServerView } from "../../dns/zone/ServerView.ts"
import type { EffectiveIntent } from "../../domain/connection/Intent.ts"
import type { LookupQuestion } from "../../planning/DnsLookup.ts"
import type { PlanContext } from "../../planning/PlanContext.ts"
import { compareZone, type ZoneComparison } from "../../planning/verification/compareZone.ts"
import type { AliasFlattening } from "../../planning/zone/unflattenAliases.ts"
import type { LongComputation } from "../../runtime/LongComputation.ts"

/** Compares the views of several servers, one after the other. */
export function* compareViews(
  effective: EffectiveIntent,
  views: ReadonlyArray<ComparedView>,
  context: PlanContext
): LongComputation<ComparedViews> {
  const comparisons: Array<ComparedViews["comparisons"][number]> = []
  for (const view of views) {
    comparisons.push({ view, ...(yield* compareZone(effective, view, context)) })
    yield
  }
  return { comparisons, unanswered: comparisons.flatMap(({ unanswered }) => unanswered) }
}

export interface ComparedView extends ServerView {
  readonly flattening: AliasFlattening | undefined
}

interface ComparedViews {
  readonly comparisons: ReadonlyArray<ZoneComparison & { readonly view: ServerView }>
  readonly unanswered: ReadonlyArray<LookupQuestion>
}

import type { TemplateResult } from "lit"
import type { ConnectionStep } from "../stepOf.ts"
import type { ViewModel } from "../ViewModel.ts"
import { renderDegraded, renderFailure } from "./failure.ts"
import { renderProgress } from "./progress.ts"
import { renderReview } from "./review.ts"
import { renderDisconnected, renderLive } from "./success.ts"

/** Renders the step that the customer sees, of those that the first screen may be. */
export const renderStep = (step: ConnectionStep, view: ViewModel): TemplateResult | undefined => steps[step]?.(view)

const steps: { readonly [_ in ConnectionStep]?: (view: ViewModel) => TemplateResult } = {
  check: renderProgress,
  review: renderReview,
  progress: renderProgress,
  live: renderLive,
  disconnected: renderDisconnected,
  degraded: renderDegraded,
  failure: renderFailure
}

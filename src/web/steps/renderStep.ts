import type { TemplateResult } from "lit"
import type { Step } from "../stepOf.ts"
import type { ViewModel } from "../ViewModel.ts"
import { renderByHand } from "./byHand.ts"
import { renderDegraded, renderFailure } from "./failure.ts"
import { renderProgress } from "./progress.ts"
import { renderReview } from "./review.ts"
import { renderDisconnected, renderLive } from "./success.ts"
import { renderSignIn, renderWays } from "./ways.ts"

/** Renders the step that the customer sees. */
export const renderStep = (step: Step, view: ViewModel): TemplateResult => steps[step](view)

const steps: { readonly [_ in Step]: (view: ViewModel) => TemplateResult } = {
  check: renderProgress,
  review: renderReview,
  ways: renderWays,
  sign_in: renderSignIn,
  by_hand: renderByHand,
  progress: renderProgress,
  live: renderLive,
  disconnected: renderDisconnected,
  degraded: renderDegraded,
  failure: renderFailure
}

import type { TemplateResult } from "lit"
import type { ViewModel } from "../ViewModel.ts"
import type { Step } from "../stepOf.ts"
import { access } from "./access.ts"
import { changes } from "./changes.ts"
import { failure } from "./failure.ts"
import { manual } from "./manual.ts"
import { oauthPending } from "./oauthPending.ts"
import { progress } from "./progress.ts"
import { success } from "./success.ts"

/** Renders the step that the customer sees. */
export const renderStep = (step: Step, view: ViewModel): TemplateResult => steps[step](view)

const steps: { readonly [_ in Step]: (view: ViewModel) => TemplateResult } = {
  changes,
  access,
  oauthPending,
  manual,
  progress,
  success,
  failure
}

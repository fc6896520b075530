import { html, nothing, type TemplateResult } from "lit"
import { renderExternalLink } from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { keyPages } from "./credentialFields.ts"

/** Says where the provider lets other services in, if it has refused that and does it for each domain. */
export const renderAccess = (view: ViewModel): TemplateResult | typeof nothing => {
  const { failure, provider, state } = view.connection
  const access = keyPages[provider?.id ?? ""]?.access
  if (state !== "failed" || failure?.code !== "account_not_entitled" || access === undefined) return nothing
  return html`<p><code dir="ltr" part="value">${access.path}</code></p>
    <p>
      ${renderExternalLink(access.url, interpolate(view.words.openWindow, { provider: provider?.name ?? "" }), view)}
    </p>`
}

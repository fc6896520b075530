import { html, nothing, type TemplateResult } from "lit"
import { providerName, safeWebUrl } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { type CredentialField, credentialFields } from "../credentialFields.ts"
import { buttonRow, externalLink, heading, primaryButton, secondaryButton } from "../templates.ts"

/** The step where the customer authorizes the service, the most convenient method first. */
export const access = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const name = providerName(connection)
  const methods = new Set(connection.provider?.availableAuthorizationMethods)
  const canManually = methods.has("manual")
  return html`${heading(words.accessTitle)}
    <p class="lead">
      ${name === undefined ? words.accessIntroUnknown : interpolate(words.accessIntro, { provider: name })}
    </p>
    ${methods.has("oauth2_pkce") ? oauth(view) : nothing}
    ${methods.has("direct_credential") ? credential(view, methods.has("oauth2_pkce")) : nothing}
    ${canManually ? manual(view) : nothing} ${buttonRow(secondaryButton(words.back, actions.goBack))}`
}

const providerOf = ({ connection }: ViewModel): string => connection.provider?.name ?? ""

const oauth = (view: ViewModel): TemplateResult => {
  const { actions, words } = view
  const provider = providerOf(view)
  return html`<section class="way" part="way way-oauth" aria-labelledby="oauth">
    <h3 id="oauth">${interpolate(words.oauthTitle, { provider })}</h3>
    <p>${words.oauthText}</p>
    ${primaryButton(interpolate(words.oauthButton, { provider }), view, actions.startOAuth)}
  </section>`
}

const credential = (view: ViewModel, isSecond: boolean): TemplateResult => {
  const { actions, connection, words } = view
  const provider = providerOf(view)
  const fields = credentialFields[connection.provider?.authorizationInputs.directCredential ?? "none"]
  const address = safeWebUrl(connection.provider?.referenceUrl)
  return html`<section class="way" part="way way-token" aria-labelledby="token">
    <h3 id="token">${interpolate(words.tokenTitle, { provider })}</h3>
    <p>${words.tokenText}</p>
    ${address === undefined ? nothing : html`<p>${externalLink(address, interpolate(words.tokenLink, { provider }), view)}</p>`}
    <form
      autocomplete="off"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLFormElement)
          actions.authorizeWithCredential(readCredential(event.currentTarget, fields))
      }}
    >
      ${fields.map((field) => input(field, view))}
      ${primaryButton(words.tokenButton, view, undefined, isSecond ? "side" : "main")}
    </form>
  </section>`
}

const readCredential = (form: HTMLFormElement, fields: ReadonlyArray<CredentialField>) => {
  const data = new FormData(form)
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? "").trim()]))
}

const input = ({ kind, name }: CredentialField, { words, invalidFields }: ViewModel): TemplateResult => {
  const isInvalid = invalidFields.has(name)
  const common = { id: `field-${name}`, described: isInvalid ? `wrong-${name}` : nothing }
  return html`<div class="field" part="field">
    <label for=${common.id}>${words[name]}</label>
    ${
      typeof kind !== "string"
        ? html`<select id=${common.id} name=${name} part="input">
            ${kind.map((choice) => html`<option>${choice}</option>`)}
          </select>`
        : kind === "file"
          ? html`<textarea
              id=${common.id}
              name=${name}
              rows="5"
              required
              spellcheck="false"
              part="input"
              aria-invalid=${isInvalid}
              aria-describedby=${common.described}
            ></textarea>`
          : html`<input
              id=${common.id}
              name=${name}
              type=${kind === "secret" ? "password" : "text"}
              required
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              part="input"
              aria-invalid=${isInvalid}
              aria-describedby=${common.described}
            />`
    }
    ${isInvalid ? html`<p class="wrong" id="wrong-${name}">${words.fieldInvalid}</p>` : nothing}
  </div>`
}

const manual = ({ actions, connection, words }: ViewModel): TemplateResult =>
  html`<section class="way" part="way way-manual" aria-labelledby="manual">
    <h3 id="manual">${words.manualChoiceTitle}</h3>
    <p>${words.manualChoiceText}</p>
    ${secondaryButton(words.manualChoiceButton, connection.state === "awaiting_manual" ? actions.goBack : actions.chooseManual)}
  </section>`

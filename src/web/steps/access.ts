import { html, nothing, type TemplateResult } from "lit"
import { type CredentialField, credentialFields } from "../credentialFields.ts"
import { providerName, webAddress } from "../documents.ts"
import { actions, heading, mainButton, outwards, sideButton } from "../pieces.ts"
import { fill, type View } from "../View.ts"

/** How the customer lets the service make the change, the best way first. */
export const access = (view: View): TemplateResult => {
  const { acts, connection, words } = view
  const name = providerName(connection)
  const methods = new Set(connection.provider?.availableAuthorizationMethods)
  const canManually = methods.has("manual")
  return html`${heading(words.accessTitle)}
    <p class="lead">${name === undefined ? words.accessIntroUnknown : fill(words.accessIntro, { provider: name })}</p>
    ${methods.has("oauth2_pkce") ? oauth(view) : nothing}
    ${methods.has("direct_credential") ? credential(view, methods.has("oauth2_pkce")) : nothing}
    ${canManually ? manual(view) : nothing} ${actions(sideButton(words.back, acts.goBack))}`
}

const providerOf = ({ connection }: View): string => connection.provider?.name ?? ""

const oauth = (view: View): TemplateResult => {
  const { acts, words } = view
  const provider = providerOf(view)
  return html`<section class="way" part="way way-oauth" aria-labelledby="oauth">
    <h3 id="oauth">${fill(words.oauthTitle, { provider })}</h3>
    <p>${words.oauthText}</p>
    ${mainButton(fill(words.oauthButton, { provider }), view, acts.openProvider)}
  </section>`
}

const credential = (view: View, isSecond: boolean): TemplateResult => {
  const { acts, connection, words } = view
  const provider = providerOf(view)
  const fields = credentialFields[connection.provider?.authorizationInputs.directCredential ?? "none"]
  const address = webAddress(connection.provider?.referenceUrl)
  return html`<section class="way" part="way way-token" aria-labelledby="token">
    <h3 id="token">${fill(words.tokenTitle, { provider })}</h3>
    <p>${words.tokenText}</p>
    ${address === undefined ? nothing : html`<p>${outwards(address, fill(words.tokenLink, { provider }), view)}</p>`}
    <form
      autocomplete="off"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLFormElement) acts.letIn(given(event.currentTarget, fields))
      }}
    >
      ${fields.map((field) => input(field, view))}
      ${mainButton(words.tokenButton, view, undefined, isSecond ? "side" : "main")}
    </form>
  </section>`
}

const given = (form: HTMLFormElement, fields: ReadonlyArray<CredentialField>) => {
  const data = new FormData(form)
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? "").trim()]))
}

const input = ({ kind, name }: CredentialField, { words, wrongFields }: View): TemplateResult => {
  const isWrong = wrongFields.has(name)
  const common = { id: `field-${name}`, described: isWrong ? `wrong-${name}` : nothing }
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
              aria-invalid=${isWrong}
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
              aria-invalid=${isWrong}
              aria-describedby=${common.described}
            />`
    }
    ${isWrong ? html`<p class="wrong" id="wrong-${name}">${words.fieldInvalid}</p>` : nothing}
  </div>`
}

const manual = ({ acts, connection, words }: View): TemplateResult =>
  html`<section class="way" part="way way-manual" aria-labelledby="manual">
    <h3 id="manual">${words.manualChoiceTitle}</h3>
    <p>${words.manualChoiceText}</p>
    ${sideButton(words.manualChoiceButton, connection.state === "awaiting_manual" ? acts.goBack : acts.doByHand)}
  </section>`

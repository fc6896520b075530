import { html, nothing, type TemplateResult } from "lit"
import type { Provider } from "../../domain/provider/Provider.ts"
import { providerNameOf, toSafeWebUrl } from "../ConnectionDocument.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import {
  renderButtonRow,
  renderExternalLink,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton
} from "../templates.ts"

/** The step where the customer authorizes the service, the most convenient method first. */
export const renderAccess = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const name = providerNameOf(connection)
  const methods = new Set(connection.provider?.availableAuthorizationMethods)
  const hasManualMethod = methods.has("manual")
  const hasRedirect = methods.has("oauth2_pkce") || methods.has("domain_connect")
  return html`${renderHeading(words.accessTitle)}
    <p class="lead">
      ${name === undefined ? words.accessIntroUnknown : interpolate(words.accessIntro, { provider: name })}
    </p>
    ${hasRedirect ? renderOAuthMethod(view) : nothing}
    ${methods.has("direct_credential") ? renderCredentialMethod(view, hasRedirect) : nothing}
    ${hasManualMethod ? renderManualMethod(view) : nothing}
    ${renderButtonRow(renderSecondaryButton(words.back, actions.goBack))}`
}

const providerOf = ({ connection }: ViewModel): string => connection.provider?.name ?? ""

/** By Domain Connect, with what the provider would remove, which its page may not say; else by OAuth. */
const renderOAuthMethod = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const provider = providerOf(view)
  return html`<section class="way" part="way way-oauth" aria-labelledby="oauth">
    <h3 id="oauth">${interpolate(words.oauthTitle, { provider })}</h3>
    <p>${words.oauthText}</p>
    ${connection.provider?.domainConnect?.removes.map((old) => html`<p>${words.removed}: ${old.host} ${old.type} ${old.value}</p>`)}
    ${renderPrimaryButton(interpolate(words.oauthButton, { provider }), view, actions.startOAuth)}
  </section>`
}

const renderCredentialMethod = (view: ViewModel, isSecond: boolean): TemplateResult => {
  const { actions, connection, words } = view
  const { credentialIssuer, directCredential = "none" } = connection.provider?.authorizationInputs ?? {}
  const provider = providerOf(view)
  const issuer = credentialIssuer ?? provider
  const fields = credentialFields[directCredential]
  const address = toSafeWebUrl(connection.provider?.referenceUrl)
  return html`<section class="way" part="way way-token" aria-labelledby="token">
    <h3 id="token">${interpolate(words.tokenTitle, { provider: issuer })}</h3>
    ${credentialIssuer === undefined ? nothing : html`<p>${interpolate(words.tokenOnly, { provider, issuer })}</p>`}
    <p>${words.tokenText}</p>
    ${address === undefined || issuer !== provider ? nothing : html`<p>${renderExternalLink(address, interpolate(words.tokenLink, { provider }), view)}</p>`}
    <form
      autocomplete="off"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLFormElement)
          actions.authorizeWithCredential(readCredential(event.currentTarget, fields))
      }}
    >
      ${fields.map((field) => renderField(field, view))}
      ${renderPrimaryButton(words.tokenButton, view, undefined, isSecond ? "side" : "main")}
    </form>
  </section>`
}

const readCredential = (form: HTMLFormElement, fields: ReadonlyArray<CredentialField>) => {
  const data = new FormData(form)
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? "").trim()]))
}

const renderField = ({ kind, name }: CredentialField, { words, invalidFields }: ViewModel): TemplateResult => {
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

const renderManualMethod = ({ actions, connection, words }: ViewModel): TemplateResult =>
  html`<section class="way" part="way way-manual" aria-labelledby="manual">
    <h3 id="manual">${words.manualChoiceTitle}</h3>
    <p>${words.manualChoiceText}</p>
    ${renderSecondaryButton(words.manualChoiceButton, connection.state === "awaiting_manual" ? actions.goBack : actions.chooseManual)}
  </section>`

/** A form field of a credential: plain text, a secret, a multi-line secret, or one of several choices. */
interface CredentialField {
  readonly name:
    | "apiToken"
    | "apiKey"
    | "apiSecret"
    | "username"
    | "accessKeyId"
    | "secretAccessKey"
    | "json"
    | "name"
    | "algorithm"
    | "secret"
  readonly kind: "text" | "secret" | "file" | ReadonlyArray<string>
}

type DirectCredentialKind = (typeof Provider.Encoded)["authorizationInputs"]["directCredential"]

/** The fields of each kind of credential. */
const credentialFields: { readonly [_ in DirectCredentialKind]: ReadonlyArray<CredentialField> } = {
  api_token: [{ name: "apiToken", kind: "secret" }],
  api_key_secret: [
    { name: "apiKey", kind: "text" },
    { name: "apiSecret", kind: "secret" }
  ],
  username_api_key: [
    { name: "username", kind: "text" },
    { name: "apiKey", kind: "secret" }
  ],
  access_key_secret: [
    { name: "accessKeyId", kind: "text" },
    { name: "secretAccessKey", kind: "secret" }
  ],
  service_account: [{ name: "json", kind: "file" }],
  tsig_key: [
    { name: "name", kind: "text" },
    { name: "algorithm", kind: ["hmac-sha256", "hmac-sha384", "hmac-sha512"] },
    { name: "secret", kind: "secret" }
  ],
  none: []
}

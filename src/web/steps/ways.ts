import { html, nothing, type TemplateResult } from "lit"
import type { AuthorizationMethod } from "../../domain/provider/Provider.ts"
import { isAllowed, isUndecided, shownZoneOf, toSafeWebUrl, zoneNameOf } from "../ConnectionDocument.ts"
import { hasRefusedAccess, isLocked } from "../stepOf.ts"
import {
  icons,
  isMarked,
  renderButtonRow,
  renderCollapsibleValue,
  renderCopyButton,
  renderExternalLink,
  renderHeading,
  renderPrimaryButton,
  renderRecordList,
  renderSecondaryButton
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { orderMethods } from "../orderMethods.ts"
import { renderAccess } from "./access.ts"
import { type CredentialField, credentialFields, keyPages } from "./credentialFields.ts"
import { renderOtherProvider, renderProviderQuestion } from "./providerQuestion.ts"
import { cloudShellUrl, makeRoleCommand } from "./makeRoleCommand.ts"
import { providersOf } from "./sentences.ts"

/** The step where the customer chooses how the change is made: one way is recommended, the others are rows that open. */
export const renderWays = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  if (isUndecided(connection)) return renderProviderQuestion(view)
  const name = providersOf(view)
  const [recommended, ...others] = listWays(view)
  return html`${renderHeading(words.accessTitle)}
    <p class="lead">
      ${name === undefined ? words.accessIntroUnknown : interpolate(words.accessIntro, { provider: name })}
    </p>
    ${connection.provider?.health?.circuit === "open" ? html`<p class="notice">${interpolate(words.apiFails, { provider: name ?? "" })}</p>` : nothing}
    ${renderRefusal(view)} ${recommended === undefined ? nothing : renderRecommended(recommended, view)}
    ${others.map((way) => renderOther(way, view))} ${renderOtherProvider(view)}
    ${renderButtonRow(
      hasRefusedAccess(connection)
        ? renderSecondaryButton(words.close, actions.close)
        : renderSecondaryButton(words.back, actions.goBack)
    )}`
}

const listWays = (view: ViewModel): ReadonlyArray<Way> =>
  orderMethods(view.connection, isRefusedKey(view)).flatMap((method) => ways.filter((way) => way.method === method))

/** Why the provider did not let the service in, where no field on this page is to blame. */
const renderRefusal = (view: ViewModel): TemplateResult | typeof nothing => {
  const { actions, connection, words } = view
  const { failure } = connection
  if (!hasRefusedAccess(connection) || isRefusedKey(view) || failure === undefined) return nothing
  const { next, reason } = words.failures[failure.code]
  return html`<p class="problem" part="problem" role="alert">${icons.alert}<span>${reason} ${next}</span></p>
    ${renderAccess(view)}
    ${
      isLocked(failure) && isAllowed(connection, "retry")
        ? renderButtonRow(
            renderPrimaryButton(words.tryAgain, view, actions.retry, "side"),
            renderSecondaryButton(words.manualChoiceTitle, actions.chooseManual)
          )
        : nothing
    }`
}

interface Way {
  readonly method: AuthorizationMethod
  readonly titleOf: (view: ViewModel) => string
  readonly render: (view: ViewModel) => TemplateResult
}

const renderRecommended = (way: Way, view: ViewModel): TemplateResult =>
  html`<section class="way best" part="way way-${way.method}" aria-labelledby=${way.method}>
    <h3 id=${way.method}>${way.titleOf(view)}</h3>
    ${way.render(view)}
  </section>`

/** A key that was refused stays open, so that it can be corrected. */
const renderOther = (way: Way, view: ViewModel): TemplateResult =>
  html`<details
    class="way fold"
    part="way way-${way.method}"
    ?open=${way.method === "direct_credential" && isRefusedKey(view)}
  >
    <summary>${way.titleOf(view)}</summary>
    ${way.render(view)}
  </details>`

const providerOf = ({ connection }: ViewModel): string => connection.provider?.name ?? ""

/** Whether a key was entered on this page, and the provider did not accept it, or not for this domain. */
const isRefusedKey = ({ connection, entered }: ViewModel): boolean =>
  connection.failure !== undefined && Object.keys(entered).length > 0

const renderOAuth = (view: ViewModel): TemplateResult =>
  html`<p>${view.words.oauthText}</p>
    ${renderPrimaryButton(interpolate(view.words.oauthButton, { provider: providerOf(view) }), view, view.actions.startOAuth)}`

/** The provider's page asks for consent; what it would remove, it may not say. */
const renderDomainConnect = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const values = { provider: providerOf(view) }
  const { adds = [], removes = [] } = connection.provider?.domainConnect ?? {}
  return html`<p>${words.oauthText}</p>
    ${renderRecordList(interpolate(words.providerAdds, values), adds, view)}
    ${renderRecordList(interpolate(words.providerRemoves, values), removes, view)}
    ${renderPrimaryButton(interpolate(words.oauthButton, values), view, actions.startDomainConnect)}`
}

const renderCredential = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const { provider } = connection
  const { directCredential = "none" } = provider?.authorizationInputs ?? {}
  const fields = credentialFields[directCredential]
  const isRefused = isRefusedKey(view)
  const allow = connection.direction === "restore" ? words.tokenButtonLeaving : words.tokenButton
  const isSecond = listWays(view)[0]?.method !== "direct_credential"
  return html`${directCredential === "aws_role" ? renderRole(view) : renderKeyPage(view)}
    <p>${words.tokenText}</p>
    <form
      autocomplete="off"
      novalidate
      @submit=${(event: SubmitEvent) => {
        event.preventDefault()
        if (!(event.currentTarget instanceof HTMLFormElement)) return
        const credential = readCredential(event.currentTarget, fields)
        if (Object.values(credential).includes("")) return actions.markIncomplete()
        actions.authorizeWithCredential(credential)
      }}
    >
      ${fields.map((field) => renderField(field, view))}
      <div class="actions">
        ${renderPrimaryButton(isRefused ? words.tryAgain : allow, view, undefined, isSecond ? "side" : "main")}
        ${isRefused ? renderSecondaryButton(words.manualChoiceTitle, actions.chooseManual) : nothing}
      </div>
    </form>`
}

/** Where a key is made, and what it must be allowed. */
const renderKeyPage = (view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const { provider } = connection
  const page = keyPages[provider?.id ?? ""]
  const url = page?.url ?? toSafeWebUrl(provider?.referenceUrl)
  return html`<p>${interpolate(words.tokenRights, { zone: shownZoneOf(connection) })}</p>
    ${url === undefined ? nothing : html`<p>${renderExternalLink(url, interpolate(page === undefined ? words.tokenLink : words.tokenMake, { provider: providerOf(view) }), view)}</p>`}
    ${page?.rights === undefined ? nothing : html`<p>${words.tokenChoose} <code dir="ltr" part="value">${page.rights}</code></p>`}
    ${page?.opensAccount === true ? html`<p class="quiet">${words.tokenOpensAccount}</p>` : nothing}
    ${page?.access === undefined ? nothing : html`<p><code dir="ltr" part="value">${page.access.path}</code></p>`}`
}

/** The command that makes the role which the service may assume for this connection. */
const renderRole = (view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const { roleTrust = "" } = connection.provider?.authorizationInputs ?? {}
  const command = makeRoleCommand({ connectionId: connection.id, principal: roleTrust, zone: zoneNameOf(connection) })
  return html`<p>${interpolate(words.roleMake, { zone: shownZoneOf(connection) })}</p>
    <p>${renderExternalLink(cloudShellUrl, interpolate(words.openWindow, { provider: "AWS CloudShell" }), view)}</p>
    <div>
      ${renderCollapsibleValue(command, view, "value-role")}
      ${renderCopyButton(command, "role", "AWS CloudShell", view)}
    </div>
    ${isMarked("role", view) ? html`<p class="hint">${words.copyByHand}</p>` : nothing}`
}

const readCredential = (form: HTMLFormElement, fields: ReadonlyArray<CredentialField>) => {
  const data = new FormData(form)
  return Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? "").trim()]))
}

/** A field with what was entered before, and what is wrong with it: said by the form, the service or the provider. */
const renderField = ({ kind, name }: CredentialField, view: ViewModel): TemplateResult => {
  const { connection, entered, words } = view
  const wrong = wrongOf({ kind, name }, view)
  const page = keyPages[connection.provider?.id ?? ""]
  const id = `field-${name}`
  const described = wrong === undefined ? nothing : `wrong-${name}`
  return html`<div class="field" part="field">
    <label for=${id}>${words[page?.labels?.[name] ?? name]}</label>
    ${
      typeof kind !== "string"
        ? html`<select id=${id} name=${name} part="input">
            ${kind.map((choice) => html`<option ?selected=${entered[name] === choice}>${choice}</option>`)}
          </select>`
        : kind === "file" || page?.multiline?.includes(name) === true
          ? html`<textarea
              id=${id}
              name=${name}
              rows="5"
              spellcheck="false"
              part="input"
              .value=${entered[name] ?? ""}
              aria-required="true"
              aria-invalid=${wrong !== undefined}
              aria-describedby=${described}
            ></textarea>`
          : html`<input
              id=${id}
              name=${name}
              type=${kind === "secret" ? "password" : "text"}
              placeholder=${page?.form ?? nothing}
              .value=${entered[name] ?? ""}
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              part="input"
              aria-required="true"
              aria-invalid=${wrong !== undefined}
              aria-describedby=${described}
            />`
    }
    ${wrong === undefined ? nothing : html`<p class="wrong" id="wrong-${name}" role="alert">${icons.alert}<span>${wrong}</span></p>`}
  </div>`
}

/** What is wrong with a field; of a key of several parts, the provider's refusal stands at the last one. */
const wrongOf = ({ kind, name }: CredentialField, view: ViewModel): string | undefined => {
  const { connection, entered, invalidFields, isIncomplete, words } = view
  if (invalidFields.has(name)) return words.fieldInvalid
  if (isIncomplete && typeof kind === "string") return words.fieldMissing
  const { directCredential = "none" } = connection.provider?.authorizationInputs ?? {}
  const isLast = credentialFields[directCredential].at(-1)?.name === name
  if (!isLast || connection.failure === undefined || entered[name] === undefined) return undefined
  const { next, reason } = words.failures[connection.failure.code]
  return `${reason} ${next}`
}

const renderManualChoice = ({ actions, connection, words }: ViewModel): TemplateResult =>
  html`<p>${words.manualChoiceText}</p>
    ${renderSecondaryButton(
      words.manualChoiceButton,
      connection.state === "awaiting_manual" ? actions.goBack : actions.chooseManual
    )}`

const ways: ReadonlyArray<Way> = [
  {
    method: "oauth2_pkce",
    titleOf: (view) => interpolate(view.words.oauthTitle, { provider: providerOf(view) }),
    render: renderOAuth
  },
  {
    method: "domain_connect",
    titleOf: (view) => interpolate(view.words.linkTitle, { provider: providerOf(view) }),
    render: renderDomainConnect
  },
  {
    method: "direct_credential",
    titleOf: (view) =>
      interpolate(
        view.connection.provider?.authorizationInputs.directCredential === "aws_role"
          ? view.words.roleTitle
          : view.words.tokenTitle,
        { provider: providerOf(view) }
      ),
    render: renderCredential
  },
  { method: "manual", titleOf: ({ words }) => words.manualChoiceTitle, render: renderManualChoice }
]

/**
 * The step for a customer who is at the provider, or is back before the end: to go there again or choose another way.
 */
export const renderSignIn = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const values = { provider: providerOf(view) }
  const offers = (method: AuthorizationMethod) =>
    connection.provider?.availableAuthorizationMethods.includes(method) === true
  const hasOAuth = offers("oauth2_pkce")
  const mayChoose = isAllowed(connection, "authorization")
  // Where there are two pages of the provider, it is unknown which of them the customer has left.
  const isUnclear = hasOAuth && offers("domain_connect") && mayChoose
  const label = interpolate(words.oauthButton, values)
  return html`<div class="centre">
      <span class="spinner" aria-hidden="true"></span>
      ${renderHeading(interpolate(words.visitTitle, values))}
      <p class="lead">${interpolate(words.visitText, values)}</p>
    </div>
    ${renderButtonRow(
      isUnclear
        ? nothing
        : renderPrimaryButton(label, view, hasOAuth ? actions.startOAuth : actions.startDomainConnect),
      mayChoose ? renderSecondaryButton(words.visitOtherWay, actions.chooseOtherMethod) : nothing
    )}`
}

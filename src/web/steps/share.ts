import { html, nothing, svg, type TemplateResult } from "lit"
import { addressOf } from "../ConnectionDocument.ts"
import { listTasks } from "../manualTasks.ts"
import type { QrCode } from "../qrCode.ts"
import type { Sharing } from "../Sharing.ts"
import { longestName } from "../shareLink.ts"
import type { Step } from "../stepOf.ts"
import {
  icons,
  renderButtonRow,
  renderCopyableValue,
  renderHeading,
  renderLoadingIndicator,
  renderSecondaryButton
} from "../templates.ts"
import { interpolate, interpolateCount, type ViewModel } from "../ViewModel.ts"

/** Sends the connection to somebody who makes the changes for the customer: by an app of the phone, mail, or a QR code. */
export const renderShare = (sharing: Sharing, view: ViewModel): TemplateResult => {
  const { connection, words } = view
  const { share } = words
  const { isRevoked, link } = sharing
  return html`${renderHeading(share.title, "share")}
    <p class="lead">${interpolate(share.text, { domain: addressOf(connection) })}</p>
    ${
      isRevoked
        ? html`<p class="good" role="status">${icons.good} ${share.revoked}</p>`
        : link === undefined
          ? view.isBusy
            ? renderLoadingIndicator(words)
            : nothing
          : renderLink(link, sharing, view)
    }
    ${renderButtonRow(
      isRevoked || (link === undefined && !view.isBusy) ? renderSecondaryButton(share.again, sharing.open) : nothing,
      renderSecondaryButton(words.back, sharing.close)
    )}`
}

const renderLink = (link: string, sharing: Sharing, view: ViewModel): TemplateResult => {
  const { share } = view.words
  const values = { domain: addressOf(view.connection), link }
  const subject = interpolate(share.subject, values)
  const text = interpolate(share.message, values)
  const mail = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${text}\n\n${link}`)}`
  const canShare = typeof navigator.share === "function"
  const send = () => void navigator.share({ title: subject, text, url: link }).catch(() => undefined)
  return html`<div class="field" part="field">
      <label for="sender">${share.name}</label>
      <input
        id="sender"
        part="input"
        dir="auto"
        maxlength=${longestName}
        autocomplete="name"
        .value=${sharing.sender}
        @input=${({ target }: Event) => target instanceof HTMLInputElement && sharing.setSender(target.value)}
      />
    </div>
    ${renderButtonRow(
      canShare
        ? html`<button class="main" part="button button-main" type="button" @click=${send}>${share.send}</button>`
        : nothing,
      html`<a class=${canShare ? "side" : "main"} part="button" href=${mail}>${share.mail}</a>`,
      renderSecondaryButton(share.qr, () => void sharing.showQrCode())
    )}
    ${sharing.qrCode === undefined ? nothing : renderQrCode(sharing.qrCode, share.qrText)}
    <dl class="quiet">${renderCopyableValue(share.link, link, "link", view)}</dl>
    <p class="quiet">
      ${share.ends}
      <button class="link" part="button button-link" type="button" @click=${sharing.revoke}>${share.revoke}</button>
    </p>`
}

/** Dark on white in both themes, with the margin of four squares that cameras need. */
const renderQrCode = ({ path, size }: QrCode, label: string): TemplateResult =>
  html`<figure class="qr">
    <svg viewBox="-4 -4 ${size + 8} ${size + 8}" role="img" aria-label=${label} shape-rendering="crispEdges">
      ${svg`<path d="M-4-4h${size + 8}v${size + 8}h-${size + 8}z" fill="#fff" /><path d=${path} />`}
    </svg>
    <figcaption>${label}</figcaption>
  </figure>`

/** Tells a helper, above every step, who asks for what. */
export const renderRequest = (sender: string, view: ViewModel): TemplateResult => {
  const { connection, locale, words } = view
  const count = listTasks(view).length
  const values = {
    sender: sender || (view.platform.name ?? words.share.somebody),
    domain: addressOf(connection),
    provider: connection.provider?.name ?? words.yourProvider
  }
  return html`<p class="notice asks" part="request">
    <b>${interpolateCount(count === 1 ? words.share.asksOne : words.share.asks, count, { locale, values })}</b>
  </p>`
}

/** The steps at which it is the customer's turn: a helper waits there. */
const customerSteps: ReadonlySet<Step> = new Set(["review", "ways", "sign_in"])

/** What a helper sees while it is the customer's turn; `undefined` where the helper sees what the customer would. */
export const renderHelperWait = (step: Step, sender: string, { words }: ViewModel): TemplateResult | undefined =>
  customerSteps.has(step)
    ? html`<div class="centre">
        ${renderHeading(interpolate(words.share.waitTitle, { sender: sender || words.share.somebody }))}
        <p class="lead">${words.share.waitText}</p>
      </div>`
    : undefined

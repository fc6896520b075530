import { html, nothing, svg, type TemplateResult } from "lit"
import { addressOf } from "../ConnectionDocument.ts"
import type { QrCode } from "../qrCode.ts"
import { longestName } from "../shareLink.ts"
import {
  icons,
  renderButtonRow,
  renderCopyableValue,
  renderHeading,
  renderLoadingIndicator,
  renderSecondaryButton
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"

/** The link for a helper, and what the customer does with it. */
export interface LinkSharing {
  readonly isRevoked: boolean
  /** `undefined` until it is made. */
  readonly link: string | undefined
  readonly qrCode: QrCode | undefined
  readonly sender: string
  readonly open: () => void
  readonly close: () => void
  readonly revoke: () => void
  readonly setSender: (sender: string) => void
  readonly showQrCode: () => Promise<void>
}

/** Sends the connection to somebody who makes the changes for the customer: by an app of the phone, mail, or a QR code. */
export const renderShare = (sharing: LinkSharing, view: ViewModel): TemplateResult => {
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

const renderLink = (link: string, sharing: LinkSharing, view: ViewModel): TemplateResult => {
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

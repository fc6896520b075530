import { html, nothing, svg, type TemplateResult } from "lit"
import type { ReplacedRecord } from "../domain/provider/DomainConnectOffer.ts"
import { type ChangeRecordDocument, domainOf } from "./ConnectionDocument.ts"
import { type CopyResult, interpolate, type ViewModel } from "./ViewModel.ts"
import type { Words } from "./words/en.ts"

/** The meaning of a badge: an icon and a word carry it, the colour only supports it. */
export type Tone = "good" | "bad" | "wait" | "plain"

export const renderBadge = (tone: Tone, text: string, icon: TemplateResult = icons[tone]): TemplateResult =>
  html`<span class="badge ${tone}" part="badge">${icon}${text}</span>`

/** The link to the platform's help. */
export const renderSupport = (view: Pick<ViewModel, "platform" | "words">): TemplateResult | typeof nothing => {
  const { supportEmail, supportUrl } = view.platform
  return (supportEmail ?? supportUrl) === undefined
    ? nothing
    : html`<p class="quiet" part="support">
        ${view.words.needHelp} ${supportEmail && html`<a href="mailto:${supportEmail}" part="link">${supportEmail}</a>`}
        ${supportUrl && renderExternalLink(supportUrl, new URL(supportUrl).host, view)}
      </p>`
}

/** The heading of a step; it takes the focus when the step begins. */
export const renderHeading = (text: string, id = "title"): TemplateResult =>
  html`<h2 id=${id} tabindex="-1" part="heading">${text}</h2>`

/** The buttons of a step: the most likely choice first, in the layout and for the keyboard. */
export const renderButtonRow = (...buttons: ReadonlyArray<TemplateResult | typeof nothing>): TemplateResult =>
  html`<div class="actions" part="actions">${buttons}</div>`

export const renderPrimaryButton = (
  text: string,
  { isBusy }: ViewModel,
  onClick?: () => void,
  kind = "main"
): TemplateResult =>
  html`<button
    class=${kind}
    part="button button-${kind}"
    type=${onClick === undefined ? "submit" : "button"}
    aria-busy=${isBusy}
    aria-disabled=${isBusy}
    @click=${(event: Event) => {
      if (isBusy) event.preventDefault()
      else onClick?.()
    }}
  >
    ${isBusy ? html`<span class="spinner small" aria-hidden="true"></span>` : nothing}${text}
  </button>`

export const renderSecondaryButton = (text: string, onClick: () => void): TemplateResult =>
  html`<button class="side" part="button button-side" type="button" @click=${onClick}>${text}</button>`

/** A list of records of the zone, as the provider shows them, under what is said of them; nothing where there are none. */
export const renderRecordList = (
  text: string,
  records: ReadonlyArray<ReplacedRecord>,
  { connection }: ViewModel
): TemplateResult | typeof nothing =>
  records.length === 0
    ? nothing
    : html`<div class="notice" part="records">
        <p>${text}</p>
        <ul>
          ${records.map(
            ({ host, priority, type, value }) =>
              html`<li>
                <bdi dir="ltr">${host === "@" ? domainOf(connection) : `${host}.${domainOf(connection)}`}</bdi>
                <small>${type}</small><br /><code dir="ltr" part="value">${priority} ${value}</code>
              </li>`
          )}
        </ul>
      </div>`

/** A value with a button that copies it; `id` is unique within the step. An empty value says so instead. */
export const renderCopyableValue = (label: string, value: string, id: string, view: ViewModel): TemplateResult => {
  const { words } = view
  return html`<dt>${label}</dt>
    <dd>
      ${
        value === ""
          ? html`<em>${words.leaveEmpty}</em>`
          : html`<code id="value-${id}" part="value" dir="ltr">${value}</code>
              ${renderCopyButton(value, id, label, view)}`
      }
    </dd>
    ${isMarked(id, view) ? html`<dd class="hint">${words.copyByHand}</dd>` : nothing}`
}

/** Whether the browser did not copy the value with this id, so that it is marked. */
export const isMarked = (id: string, { copyResult }: ViewModel): boolean =>
  copyResult?.id === id && copyResult.outcome === "marked"

/** A button that copies the value of the element `value-…` with its id; a screen reader hears what it is. */
export const renderCopyButton = (
  value: string,
  id: string,
  what: string,
  { actions, copyResult, words }: ViewModel
): TemplateResult =>
  html`<button
    class="copy"
    part="button button-copy"
    type="button"
    aria-label=${interpolate(words.copyWhat, { what })}
    @click=${() => actions.copy(value, id)}
  >
    ${copyResult?.id === id && copyResult.outcome === "copied" ? html`${icons.good}${words.copied}` : html`${icons.copy}${words.copy}`}
  </button>`

/** The announcement of a screen reader about the last copy. */
export const formatCopyStatus = (result: CopyResult | undefined, words: Words): string | undefined =>
  result && (result.outcome === "copied" ? words.copied : words.copyByHand)

/** Shown until the connection has been read; without words as long as they are loaded, too. */
export const renderLoadingIndicator = (words?: Words): TemplateResult =>
  html`<div class="centre">
    <span class="spinner" aria-hidden="true"></span>
    <p>${words?.loading ?? "\u00a0"}</p>
  </div>`

/** A link that opens in a new tab. */
export const renderExternalLink = (
  address: string,
  text: string,
  { words }: Pick<ViewModel, "words">
): TemplateResult =>
  html`<a href=${address} target="_blank" rel="noopener noreferrer" part="link"
    >${text}${icons.out}<span class="unseen"> (${words.newWindow})</span></a
  >`

/** A value, collapsed at first if it is longer than 120 characters. */
export const renderCollapsibleValue = (text: string, { words }: ViewModel, id?: string): TemplateResult =>
  text.length <= 120
    ? html`<code id=${id ?? nothing} part="value">${text}</code>`
    : html`<details class="long">
        <summary><code part="value">${text.slice(0, 60)}…</code> <span class="more">${words.fullValue}</span></summary>
        <code id=${id ?? nothing} part="value">${text}</code>
      </details>`

/** A future time as relative text: “in 20 seconds”. */
export const formatRelativeTime = (time: string, { locale, now }: ViewModel): string => {
  const seconds = Math.max(1, Math.round((Date.parse(time) - now) / 1_000))
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always" })
  return seconds < 90 ? format.format(seconds, "second") : format.format(Math.round(seconds / 60), "minute")
}

/** A span of time in the largest unit that fits: “2 hours”. */
export const formatDuration = (seconds: number, { locale }: Pick<ViewModel, "locale">): string => {
  const [unit, size] = (
    [
      ["day", 86_400],
      ["hour", 3_600],
      ["minute", 60]
    ] as const
  ).find(([, length]) => seconds > length * 1.5) ?? ["minute", 60]
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(Math.ceil(seconds / size))
}

/** Names in one phrase, each once: “shop.de and www.shop.de”. */
export const formatNames = (names: Iterable<string>, { locale }: Pick<ViewModel, "locale">): string =>
  new Intl.ListFormat(locale, { type: "conjunction" }).format(new Set(names))

const renderIcon = (shape: TemplateResult<2>) =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shape}</svg>`

export const icons = {
  good: renderIcon(svg`<path d="M3 8.5l3.2 3.2L13 5" />`),
  bad: renderIcon(svg`<path d="M4.5 4.5l7 7m0-7l-7 7" />`),
  wait: renderIcon(svg`<circle cx="8" cy="8" r="5.5" /><path d="M8 5v3.2l2 1.3" />`),
  added: renderIcon(svg`<path d="M8 3.5v9M3.5 8h9" />`),
  changed: renderIcon(svg`<path d="M3 6h9.5L10 3.5M13 10H3.5l2.5 2.5" />`),
  plain: renderIcon(svg`<circle cx="8" cy="8" r="2" />`),
  alert: renderIcon(svg`<path d="M8 2.5l6.2 11H1.8zM8 6.8v3M8 11.8v.2" />`),
  share: renderIcon(svg`<path d="M8 10V2.5M5 5l3-2.5L11 5M3.5 8.5v5h9v-5" />`),
  copy: renderIcon(svg`<path d="M5.5 5.5h7v7h-7zM3.5 10.5v-7h7" />`),
  out: renderIcon(svg`<path d="M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12 4L7.5 8.5" />`)
} as const

/** Describes the purpose of a record in words that a shop owner knows. */
export const describePurpose = (
  { host, type, value }: Pick<ChangeRecordDocument, "host" | "type" | "value">,
  words: Words
): string => {
  if (type === "TXT") return describeTxtPurpose(host, value, words)
  const texts: { readonly [name: string]: unknown } = words
  return `${texts[`kind${type}`] ?? words.kindOther}`
}

const describeTxtPurpose = (host: string, value: string, words: Words): string => {
  if (/^v=spf1( |$)/i.test(value)) return words.kindSpf
  if (/^v=DMARC1\b/i.test(value)) return words.kindDmarc
  if (/(^|\.)_domainkey(\.|$)/i.test(host)) return words.kindDkim
  return host.startsWith("_domain-connection") ? words.topics.proof : words.kindTXT
}

/** The value of a record, followed by its priority if it has one. */
export const formatRecordValue = ({ priority, value }: ChangeRecordDocument, words: Words): string =>
  priority === undefined ? value : `${value} (${words.priority} ${priority})`

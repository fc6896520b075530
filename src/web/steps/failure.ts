import { html, nothing, type TemplateResult } from "lit"
import {
  type ChangeOutcome,
  type ConnectionDocument,
  domainOf,
  type FailureDetail,
  isAllowed
} from "../ConnectionDocument.ts"
import { toUnicodeName } from "../toUnicodeName.ts"
import {
  describePurpose,
  icons,
  renderBadge,
  renderButtonRow,
  renderHeading,
  renderPrimaryButton,
  renderSecondaryButton,
  type Tone
} from "../templates.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { renderAccess } from "./access.ts"
import { renderRecordChecks } from "./progress.ts"

/** The step that says what went wrong, why, what is done and what is not, and how to go on. */
export const renderFailure = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  const { next, reason, title } = textsOf(view)
  const { failure, provider, state } = connection
  const code = state === "failed" ? failure?.code : undefined
  const canEnter = canChooseWay(connection)
  const canRetry =
    state === "failed" &&
    failure?.retryable === true &&
    isAllowed(connection, "retry") &&
    !(canEnter && isRefusedRecord(connection))
  return html`<div class="centre">
      <span class="sign ${toneOf(view)}" aria-hidden="true">${icons.alert}</span>
      ${renderHeading(title)}
      <p class="lead">${interpolate(reason, { domain: domainOf(connection) })}</p>
      ${next === undefined ? nothing : html`<p>${next}</p>`} ${renderAccess(view)}
    </div>
    ${code === undefined ? nothing : renderOutcomes(failure?.details ?? [], view)}
    ${renderButtonRow(
      canRetry ? renderPrimaryButton(words.tryAgain, view, actions.retry) : nothing,
      canEnter && provider?.domainConnect !== undefined
        ? renderSecondaryButton(interpolate(words.oauthButton, { provider: provider.name }), actions.startDomainConnect)
        : nothing,
      canEnter ? renderSecondaryButton(words.manualChoiceTitle, actions.chooseManual) : nothing,
      renderSecondaryButton(words.close, actions.close)
    )}
    ${code === undefined ? nothing : html`<p class="quiet centre">${interpolate(words.supportCode, { code })}</p>`}`
}

/** Red only for what is wrong: what is merely not there yet may still come. */
const toneOf = ({ connection: { failure, state } }: ViewModel): Tone => {
  if (state !== "failed") return "plain"
  return failure !== undefined && awaitedCodes.has(failure.code) ? "wait" : "bad"
}

const awaitedCodes: ReadonlySet<string> = new Set(["manual_setup_timeout", "verification_timeout", "control_unproven"])

/** What is done of a plan that was not written completely, and what is not. */
const renderOutcomes = (details: ReadonlyArray<FailureDetail>, view: ViewModel): TemplateResult | typeof nothing => {
  const changes = details.flatMap(({ expected = "", host, outcome, type }) =>
    host === undefined || outcome === undefined ? [] : [{ host, type: type ?? "", value: expected, outcome }]
  )
  const { domain } = view.connection.intent
  return changes.length === 0
    ? nothing
    : html`<ul class="checks" part="checks">
        ${changes.map((change) => {
          const [tone, key] = outcomes[change.outcome]
          const name = toUnicodeName(change.host === "@" ? domain : `${change.host}.${domain}`)
          return html`<li>
            <span
              ><bdi dir="ltr">${name}</bdi> <small>${describePurpose(change, view.words)} ${change.type}</small></span
            >
            ${renderBadge(tone, view.words[key])}
          </li>`
        })}
      </ul>`
}

const outcomes: {
  readonly [_ in ChangeOutcome]: readonly [Tone, "outcomeDone" | "outcomeLost" | "outcomeNot" | "outcomeUnknown"]
} = {
  made: ["good", "outcomeDone"],
  undone: ["wait", "outcomeNot"],
  not_made: ["wait", "outcomeNot"],
  unknown: ["wait", "outcomeUnknown"],
  lost: ["bad", "outcomeLost"]
}

const textsOf = ({ connection, words }: ViewModel) => {
  const { failure, state } = connection
  if (state === "expired") return { title: words.expiredTitle, reason: words.expiredText, next: undefined }
  if (state === "canceled") return { title: words.canceledTitle, reason: words.canceledText, next: undefined }
  const { next, reason } = words.failures[failure?.code ?? "internal_error"]
  const isAnswered = canChooseWay(connection) && isRefusedRecord(connection)
  return { title: words.failureTitle, reason, next: isAnswered ? undefined : next }
}

const canChooseWay = (connection: ConnectionDocument): boolean =>
  connection.state === "failed" && isAllowed(connection, "authorization") && connection.allowedActions !== undefined

/** Whether the service cannot write a record with the access it has: the provider's own page may take it all the same. */
const isRefusedRecord = ({ failure }: ConnectionDocument): boolean => failure?.code === "record_value_rejected"

/** The step of a connection that was live: what is missing by now, and its repair. */
export const renderDegraded = (view: ViewModel): TemplateResult => {
  const { actions, connection, words } = view
  // Its entries may all be there.
  const isLost = connection.failure?.code === "control_lost"
  const { control_lost: lost } = words.failures
  return html`<div class="centre">
      <span class="sign bad" aria-hidden="true">${icons.alert}</span>
      ${renderHeading(words.degradedTitle)}
      <p class="lead">
        ${isLost ? `${lost.reason} ${lost.next}` : interpolate(words.degradedText, { domain: domainOf(connection) })}
      </p>
    </div>
    ${renderMissingRecords(view)}
    ${renderButtonRow(
      isAllowed(connection, "retry") ? renderPrimaryButton(words.repair, view, actions.retry) : nothing,
      renderSecondaryButton(words.close, actions.close)
    )}`
}

/** The desired records that the name servers no longer answer. */
const renderMissingRecords = (view: ViewModel) => {
  const records = (view.observations?.records ?? []).filter(({ status }) => ["missing", "different"].includes(status))
  const { lost, statusLost } = view.words
  // A record that was served before is lost, not “not there yet”.
  return renderRecordChecks(lost, records, { ...view, words: { ...view.words, statusMissing: statusLost } })
}

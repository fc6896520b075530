import { html, nothing, type TemplateResult } from "lit"
import type { DiagnosisCode, SeenRecord } from "../../domain/plan/Diagnosis.ts"
import { isShownAs } from "../../domain/plan/isShownAs.ts"
import { type ChangeRecordDocument, domainOf, nameOf, relativeNameOf, shownZoneOf } from "../ConnectionDocument.ts"
import { hasSlip, type Task, type TaskField } from "../manualTasks.ts"
import { topicOf } from "../reviewTiles.ts"
import { describePurpose, icons, isMarked, renderCopyableValue, renderCopyButton, renderHeading } from "../templates.ts"
import { toUnicodeValue } from "../toUnicodeName.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"
import { providersOf } from "./sentences.ts"

/** One task a screen: what to delete or change first, and each field with exactly what it takes. */
export const renderTask = (task: Task, tasks: ReadonlyArray<Task>, view: ViewModel): TemplateResult => {
  const { words } = view
  const number = tasks.indexOf(task) + 1
  const title = interpolate(words.taskOf, { number: `${number}`, count: `${tasks.length}`, deed: deedOf(task, view) })
  if (task.isDone)
    return html`${renderHeading(title)}
      <p class="found good">${icons.good}${task.action === "remove" ? words.taskGone : words.taskDone}</p>`
  const slip = hasSlip(task, view.byHand.saved) ? task.observation?.diagnosis?.code : undefined
  // After a move, the page is that of another provider than before.
  const at = hasTwoProviders(tasks) || slip === "other_zone" ? atProviderOf(task, view) : ""
  return html`${renderHeading(title)} ${at === "" ? nothing : html`<p class="lead">${at}</p>`}
    ${slip === undefined ? nothing : renderSlip(task, view)}
    ${needsNoEntry(task, slip) ? nothing : renderEntry(withSlip(task, slip), slip, view)}
    <p class="quiet">${words.saveThere} ${sayPublish(task, view)}</p>`
}

/** Whether the tasks are to be done at several providers, so that each of them names its own. */
export const hasTwoProviders = (tasks: ReadonlyArray<Task>): boolean =>
  new Set(tasks.map(({ guide }) => guide?.provider?.id)).size > 1

/** Where a task is to be done; empty where nobody knows the provider. */
export const atProviderOf = ({ guide }: Task, { words }: ViewModel): string =>
  guide?.provider === undefined ? "" : interpolate(words.atProvider, { provider: guide.provider.name })

/** An old value is changed. A placeholder page is deleted before the entry is added: not every provider lets it be changed. */
const withSlip = (task: Task, slip: DiagnosisCode | undefined): Task => {
  if (slip === "old_value_remains") return { ...task, action: "change" }
  return slip === "parking" ? { ...task, action: "add" } : task
}

/** What has to give way first, and each field with what it takes. */
const renderEntry = (task: Task, slip: DiagnosisCode | undefined, view: ViewModel): TemplateResult =>
  html`${renderRemovals(task, view)} ${task.hints.map((hint) => html`<p class="quiet">${view.words.hints[hint]}</p>`)}
    <section class="record ${task.action}" part="record record-${task.action}">
      <h3>${introOf(task, slip, view)}</h3>
      <dl>${task.fields.map((field) => renderField(field, task, view))}</dl>
    </section>`

/** The last button of a page that keeps what was saved until then, which people forget. */
const sayPublish = ({ guide }: Task, { words }: ViewModel): string => {
  if (guide?.publishButton !== undefined) return interpolate(words.pressPublish, { button: guide.publishButton })
  return guide?.hints.some(({ code }) => code === "save_and_publish") === true ? words.hints.save_and_publish : ""
}

const introOf = (
  { action, guide, record, remaining, removes }: Task,
  slip: DiagnosisCode | undefined,
  { words }: ViewModel
): string => {
  if (action === "remove") return words.manualRemove
  if (slip !== undefined && changedCodes.has(slip)) return words.manualChangeTo
  // The value of a text is nobody else's; the same target or address may be right at another name, too.
  if (slip === "wrong_host" && record.type === "TXT") return words.manualChangeTo
  if (action === "change" && removes.length === 0) return words.manualChange
  if (action === "change" && remaining.length > 0) return words.manualChangeTo
  if (guide?.addButton === undefined) return words.manualAdd
  return interpolate(words.pressAdd, { button: guide.addButton })
}

/** Whether nothing is entered after a slip: the entry is right, or becomes so by what the slip says. */
const needsNoEntry = ({ hints, removes }: Task, slip: DiagnosisCode | undefined): boolean => {
  if (slip === "proxied") return removes.length === 0 && !hints.includes("turn_proxy_off")
  return slip !== undefined && superfluousCodes.has(slip)
}

const superfluousCodes: ReadonlySet<DiagnosisCode> = new Set(["also_there", "flattened", "two_spf", "two_dmarc"])

/** The diagnoses of an entry that is there and has to be changed: who adds another one leaves it there. */
const changedCodes: ReadonlySet<DiagnosisCode> = new Set([
  "doubled_zone",
  "escaped",
  "old_value_remains",
  "proxied",
  "quoted",
  "target_doubled",
  "truncated"
])

/** What stands there today and has to give way. */
const renderRemovals = ({ action, fields, remaining }: Task, { connection, words }: ViewModel) => {
  if (remaining.length === 0) return nothing
  // A page that leaves the field of the host empty does not show `@` either, which nobody knows who has not seen it.
  const apex = fields.find(({ field }) => field === "host")?.value === "" ? shownZoneOf(connection) : "@"
  return html`<section class="record" part="record record-delete">
    <h3>${titleOfRemovals(action, remaining.length, words)}</h3>
    ${remaining.map(
      (record) =>
        html`<p class="old">
          <span>${record.type}</span>
          <bdi dir="ltr">${relativeNameOf(record) === "@" ? apex : relativeNameOf(record)}</bdi>
          <code dir="ltr" part="value">${record.value}</code>
        </p>`
    )}
  </section>`
}

const titleOfRemovals = (action: Task["action"], count: number, words: ViewModel["words"]): string => {
  if (action === "change") return count > 1 ? words.findEntries : words.findEntry
  return count > 1 ? words.deleteFirstMany : words.deleteFirst
}

const renderField = (field: TaskField, { action, record }: Task, view: ViewModel) => {
  const { words } = view
  const label = labelOf(field, record, view)
  if (action === "remove" && field.field === "ttl") return nothing
  if (field.isChoice === true)
    return html`<dt>${label}</dt>
      <dd>
        <code part="value" dir="ltr">${field.value}</code>
        ${field.alternative === undefined ? nothing : html`<span class="hint">${words.orElse} <code dir="ltr">${field.alternative}</code></span>`}
      </dd>`
  const other = `${field.field}-else`
  return html`${renderCopyableValue(label, field.value, field.field, view)}
  ${
    field.alternative === undefined
      ? nothing
      : html`<dd class="hint">
          ${
            field.alternative === ""
              ? words.orEmpty
              : html`<span>${words.orElse} <code id="value-${other}" dir="ltr">${field.alternative}</code></span>
                  ${renderCopyButton(field.alternative, other, `${label} (${field.alternative})`, view)}`
          }
        </dd>`
  }
  ${isMarked(other, view) ? html`<dd class="hint">${words.copyByHand}</dd>` : nothing}`
}

/** As the provider's page shows it, else by what the field holds. */
const labelOf = (
  { field, label }: Pick<TaskField, "field" | "label">,
  { type }: ChangeRecordDocument,
  { words }: ViewModel
): string => {
  if (label !== undefined) return label
  if (field === "value" && ["A", "AAAA"].includes(type)) return words.fields.address
  return words.fields[field === "value" && ["CNAME", "MX", "NS"].includes(type) ? "target" : field]
}

/** A slip as three lines: what was found, what to do, and what to copy. */
const renderSlip = (task: Task, view: ViewModel): TemplateResult | typeof nothing => {
  const { copy = "", field = "host" } = task.observation?.diagnosis ?? {}
  const texts = describeSlip(task, view)
  if (texts === undefined) return nothing
  return html`<section class="slip" part="slip">
    <p><b>${icons.alert}${view.words.almost}</b> ${texts.found}</p>
    <p>${texts.fix}</p>
    ${copy === "" || field === "type" ? nothing : html`<p class="copyable">${partFields.has(field) ? html`<span>${texts.label}</span>` : nothing} <code dir="ltr" id="value-slip">${copy}</code> ${renderCopyButton(copy, "slip", copy, view)}</p>`}
    ${isMarked("slip", view) ? html`<p class="hint">${view.words.copyByHand}</p>` : nothing}
  </section>`
}

/** The fields that hold a part of the data: the content alone does not say which one. */
const partFields: ReadonlySet<string> = new Set(["priority", "weight", "port", "target"])

/** What was found in place of the record of a task, and what to do. */
export const describeSlip = ({ fields, guide, observation, record }: Task, view: ViewModel) => {
  const { connection, words } = view
  const diagnosis = observation?.diagnosis
  if (diagnosis === undefined) return undefined
  const [first] = diagnosis.seen
  const { copy, field = "host" } = diagnosis
  const shown = fields.find((each) => each.field === field) ?? { field }
  const isMoved = diagnosis.code === "other_zone"
  const values = {
    name: first === undefined ? nameOf(record) : nameOf(first),
    value: first === undefined ? "" : toUnicodeValue(first),
    type: first?.type ?? "",
    wanted: record.type,
    zone: shownZoneOf(connection),
    domain: domainOf(connection),
    provider: (isMoved ? undefined : guide?.provider?.name) ?? providersOf(view) ?? words.yourProvider,
    label: labelOf(shown, record, view),
    copy: copy ?? record.value
  }
  const { fix, found } = words.diagnoses[diagnosis.code]
  const isInstead = diagnosis.code === "old_value_remains" && !stoodBefore(first, connection)
  return {
    label: values.label,
    found: interpolate(isInstead ? words.foundInstead : found, values),
    fix: copy === "" ? `${values.label}: ${words.leaveEmpty}` : interpolate(fix, values)
  }
}

/** Whether the zone had a record before the plan. */
const stoodBefore = (seen: SeenRecord | undefined, { plan }: ViewModel["connection"]): boolean =>
  plan?.changes.some(
    ({ before }) => before !== undefined && seen !== undefined && before.name === seen.name && isShownAs(before, seen)
  ) === true

/** What a task is good for, with the place where it is: “Show your shop at www”. A policy protects what it is below. */
export const deedOf = ({ action, record }: Pick<Task, "action" | "record">, view: ViewModel): string => {
  const { connection, words } = view
  const place = { name: hostNameOf(record, view), purpose: describePurpose(record, words) }
  if (action === "remove") return interpolate(words.deedRemove, place)
  if (connection.direction === "restore") return interpolate(words.deedPutBack, place)
  const name = record.host === "_dmarc" ? domainOf(connection) : place.name
  return interpolate(deedTextOf(record, view), { name })
}

const deedTextOf = (record: ChangeRecordDocument, { words }: ViewModel): string => {
  const topic = topicOf(record)
  if (topic !== "mail") return words.taskDeeds[topic]
  if (record.type === "MX") return words.deedMail
  if (/^v=spf1\b/i.test(record.value)) return words.deedSpf
  return /(^|\.)_dmarc(\.|$)/i.test(record.host) ? words.deedDmarc : words.deedDkim
}

/** The name as the customer thinks of it: the domain in full, else the part before it. */
const hostNameOf = (record: ChangeRecordDocument, { connection }: ViewModel): string => {
  if (record.host === "@") return domainOf(connection)
  return record.host.includes("xn--") ? nameOf(record) : record.host
}

import { html, nothing, type TemplateResult } from "lit"
import { isAllowed, lastCheckOf, shownZoneOf, toSafeWebUrl } from "../ConnectionDocument.ts"
import { isMistake, listTasks, type Task } from "../manualTasks.ts"
import { icons, renderExternalLink, renderHeading, renderPrimaryButton, renderSecondaryButton } from "../templates.ts"
import { toUnicodeName } from "../toUnicodeName.ts"
import { interpolate, interpolateCount, type ViewModel } from "../ViewModel.ts"
import { providersOf } from "./sentences.ts"
import { atProviderOf, deedOf, describeSlip, hasTwoProviders, renderTask } from "./task.ts"

/** The setup by hand: first the provider is opened beside this page, then there is one task a screen. */
export const renderByHand = (view: ViewModel): TemplateResult => {
  const tasks = listTasks(view)
  const { task: at } = view.byHand
  const task = tasks.find(({ key }) => key === at)
  const screen =
    task !== undefined
      ? renderTask(task, tasks, view)
      : at === undefined
        ? renderStart(tasks, view)
        : renderEnd(tasks, view)
  return html`${screen} ${renderTaskList(tasks, view)} ${renderFooter(tasks, view)}`
}

const isRestore = ({ connection }: ViewModel): boolean => connection.direction === "restore"

const renderStart = (tasks: ReadonlyArray<Task>, view: ViewModel): TemplateResult => {
  const { connection, locale, words } = view
  const count = tasks.filter(({ isDone }) => !isDone).length
  const minutes = `${5 + Math.ceil(count * 1.25)}`
  const provider = providersOf(view)
  const values = { minutes, provider: provider ?? "", zone: shownZoneOf(connection) }
  const counted = interpolateCount(count === 1 ? words.entryOne : words.entryMany, count, { locale, values })
  const title = isRestore(view)
    ? interpolateCount(count === 1 ? words.backOne : words.backMany, count, { locale, values })
    : interpolate(provider === undefined ? words.openUnknown : words.openProvider, values)
  return html`${renderHeading(title)}
    <p class="lead">${interpolate(words.byHandEffort, { minutes, entries: counted })}</p>
    <ol class="doing">
      <li>${interpolate(provider === undefined ? words.logInUnknown : words.logIn, values)}</li>
      ${renderPaths(tasks, view)}
      <li>${words.comeBack}</li>
    </ol>`
}

/** For each provider the link and the menu entries that lead to its records. */
const renderPaths = (tasks: ReadonlyArray<Task>, view: ViewModel) => {
  const { connection, words } = view
  const guides = [...new Set(tasks.flatMap(({ guide }) => guide ?? []))]
  const reference = toSafeWebUrl(connection.provider?.referenceUrl)
  const provider = connection.provider?.name ?? ""
  if (guides.length === 0)
    return html`<li>
      ${interpolate(words.openRecords, { zone: shownZoneOf(connection) })}
      ${reference === undefined ? nothing : renderExternalLink(reference, interpolate(words.manualOpen, { provider }), view)}
    </li>`
  return guides.map((guide) => {
    const name = guide.provider?.name ?? ""
    const link = toSafeWebUrl(guide.dnsPageUrl) ?? toSafeWebUrl(guide.loginUrl)
    const help = toSafeWebUrl(guide.helpUrl)
    const hints = guide.hints.map(({ code }) => words.hints[code])
    const at = guides.length > 1 && name !== "" ? `${interpolate(words.atProvider, { provider: name })}: ` : ""
    return html`<li>
      ${
        link === undefined
          ? `${at}${interpolate(words.openRecords, { zone: shownZoneOf(connection) })}`
          : renderExternalLink(link, interpolate(words.openWindow, { provider: name }), view)
      }
      ${guide.path === undefined ? nothing : html`<p class="path">${guide.path.join(" › ")}</p>`}
      ${guide.provider === undefined && guide.nameServers.length > 0 ? html`<p>${words.nameServers} <code dir="ltr">${guide.nameServers.map(toUnicodeName).join(", ")}</code></p>` : nothing}
      ${hints.map((hint) => html`<p class="quiet">${hint}</p>`)}
      ${help === undefined ? nothing : html`<p>${renderExternalLink(help, interpolate(words.manualOpen, { provider: name }), view)}</p>`}
    </li>`
  })
}

/** After the last task: what is found, what has to be corrected, or what the customer may do meanwhile. */
const renderEnd = (tasks: ReadonlyArray<Task>, view: ViewModel): TemplateResult => {
  const { byHand, words } = view
  const [title, text] = tasks.every(({ isDone }) => isDone)
    ? [words.allDone, words.allDoneText]
    : tasks.some((task) => isMistake(task, byHand.saved))
      ? [words.slipsTitle, words.slipsText]
      : tasks.some(({ isDone, key }) => !isDone && !byHand.saved.has(key))
        ? [words.notAllMade, words.notAllMadeText]
        : [words.allSaved, words.allSavedText]
  const provider = providersOf(view) ?? words.yourProvider
  const values = { almost: words.almost, provider, ...formatDelay(tasks) }
  return html`${renderHeading(title)}
    <p class="lead">${interpolate(text, values)}</p>`
}

/** How many minutes it takes at most until a change is seen, usually, and when somebody should look again. */
const formatDelay = (tasks: ReadonlyArray<Task>) => {
  const most = Math.max(usualMinutes, ...tasks.map(({ guide }) => guide?.servedWithinMinutes ?? 0))
  return { most: `${most}`, wait: `${most + usualMinutes}` }
}

const usualMinutes = 5

/** Every task with its tick; each can be opened again. */
const renderTaskList = (tasks: ReadonlyArray<Task>, view: ViewModel): TemplateResult => {
  const { actions, byHand, words } = view
  const hasTwo = hasTwoProviders(tasks)
  return html`<ol class="tasks" part="records" aria-label=${words.tasks}>
    ${tasks.map((task, index) => {
      const [icon, text] = statusOf(task, view)
      return html`<li>
        <button
          class=${task.isDone ? "task good" : "task"}
          part="record"
          type="button"
          aria-current=${byHand.task === task.key ? "step" : nothing}
          @click=${() => actions.showTask(task.key)}
        >
          <span class="number" aria-hidden="true">${icon ?? index + 1}</span>
          <span
            >${deedOf(task, view)}
            <small>${[hasTwo ? atProviderOf(task, view) : "", text].filter(Boolean).join(" · ")}</small></span
          >
        </button>
      </li>`
    })}
  </ol>`
}

const statusOf = (task: Task, { byHand, words }: ViewModel) => {
  const isRemoval = task.action === "remove"
  if (task.isDone) return [icons.good, isRemoval ? words.statusGone : words.statusPresent]
  if (isMistake(task, byHand.saved)) return [icons.alert, words.almost]
  return byHand.saved.has(task.key)
    ? [icons.wait, isRemoval ? words.statusRemains : words.statusMissing]
    : [undefined, ""]
}

/**
 * Always in reach: somebody who can do it instead, and at the lower edge the answer of the last check and how to go on.
 * An answer of another length moves no button there.
 */
const renderFooter = (tasks: ReadonlyArray<Task>, view: ViewModel): TemplateResult => {
  const { actions, connection, isHelper, words } = view
  const answer = formatCheckAnswer(view)
  const hasOtherMethod =
    isAllowed(connection, "authorization") &&
    connection.provider?.availableAuthorizationMethods.some((method) => method !== "manual") === true
  const canDownload = !isRestore(view) && tasks.some(({ action }) => action === "add")
  return html`<div class="more-ways">
      ${
        isHelper
          ? nothing
          : html`<button class="link" part="button button-link" type="button" @click=${actions.share}>
              ${icons.share}${words.shareButton}
            </button>`
      }
      ${
        canDownload
          ? html`<button
              class="link"
              part="button button-link"
              type="button"
              title=${words.zoneFileText}
              @click=${actions.download}
            >
              ${words.zoneFile}
            </button>`
          : nothing
      }
      ${hasOtherMethod ? html`<button class="link" part="button button-link" type="button" @click=${actions.chooseOtherMethod}>${words.otherWay}</button>` : nothing}
      <button class="link" part="button button-link" type="button" @click=${actions.close}>${words.notNow}</button>
    </div>
    <div class="footer" part="footer">
      ${answer === undefined ? nothing : html`<p class="answer">${answer}</p>`}
      <div class="actions" part="actions">${renderNext(tasks, view)}</div>
    </div>`
}

/** The likely button first: to begin, to say that it is saved, to go on. */
const renderNext = (tasks: ReadonlyArray<Task>, view: ViewModel) => {
  const { actions, byHand, connection, words } = view
  const { saved, task: shown } = byHand
  const at = tasks.findIndex(({ key }) => key === shown)
  const slips = tasks.filter((task) => isMistake(task, saved))
  const [slip] = tasks[at]?.isDone === false ? slips.filter((each) => tasks.indexOf(each) > at) : slips
  const open = tasks.find(({ isDone, key }, index) => !isDone && index > at && !saved.has(key))
  const next = (open ?? slip)?.key ?? "end"
  const canRecheck = isAllowed(connection, "recheck")
  if (shown === undefined) return renderPrimaryButton(words.begin, view, () => actions.showTask(next))
  const before = shown === "end" ? tasks.at(-1) : tasks[at - 1]
  const back = renderSecondaryButton(words.back, () => actions.showTask(before?.key))
  const task = tasks[at]
  if (task === undefined && slip !== undefined)
    return [renderPrimaryButton(words.showSlip, view, () => actions.showTask(slip.key)), back]
  if (task === undefined && open !== undefined)
    return [renderPrimaryButton(words.nextTask, view, () => actions.showTask(open.key)), back]
  if (task === undefined)
    return [canRecheck ? renderPrimaryButton(words.checkNow, view, () => actions.recheck()) : nothing, back]
  // Nothing else takes the place of the button that somebody is about to press when the entry is found.
  if (task.isDone) return renderPrimaryButton(words.goOn, view, () => actions.showTask(next))
  const isSaved = saved.has(task.key)
  return [
    canRecheck
      ? renderPrimaryButton(isSaved ? words.checkAgain : words.saved, view, () => actions.recheck(task.key))
      : nothing,
    isSaved || !canRecheck
      ? renderSecondaryButton(next === "end" ? words.goOn : words.nextTask, () => actions.showTask(next))
      : back
  ]
}

/** What the last check has found, in words; `undefined` before the customer has asked for one. */
export const formatCheckAnswer = (view: ViewModel): string | undefined => {
  const { byHand, connection, words } = view
  const { checkedBefore, task: at } = byHand
  if (checkedBefore === undefined) return undefined
  const tasks = listTasks(view)
  const done = tasks.filter(({ isDone }) => isDone).length
  const task = tasks.find(({ key }) => key === at)
  const provider = task?.guide?.provider?.name ?? providersOf(view) ?? words.yourProvider
  const { most } = formatDelay(task === undefined ? tasks : [task])
  const values = { done: `${done}`, all: `${tasks.length}`, provider, most, almost: words.almost }
  if (task?.isDone || done === tasks.length) return interpolate(words.answerDone, values)
  if (lastCheckOf(view.observations) <= checkedBefore) return words.looking
  if (connection.delay) return words.progressDelay
  const slip = task !== undefined && isMistake(task, byHand.saved) ? describeSlip(task, view) : undefined
  if (slip !== undefined)
    return `${words.almost} ${byHand.isAgain ? interpolate(words.correctedJustNow, values) : slip.found}`
  if (task !== undefined)
    return interpolate(task.action === "remove" ? words.answerStillThere : words.answerNotYet, values)
  return interpolate(tasks.some((each) => isMistake(each, byHand.saved)) ? words.answerSlips : words.answerSome, values)
}

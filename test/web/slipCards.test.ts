import { expect, test } from "bun:test"
import type { DiagnosisCode, SeenRecord } from "../../src/domain/plan/Diagnosis.ts"
import { hasSlip, isMistake, listTasks, type Task } from "../../src/web/manualTasks.ts"
import { describeSlip, renderTask } from "../../src/web/steps/task.ts"
import type { ViewModel } from "../../src/web/ViewModel.ts"
import { slipDocumentName } from "./recordedSlips.ts"
import { textOf, viewOf } from "./templateText.ts"

/** The recorded slip as somebody sees it who has saved every task. */
const showSlip = (code: DiagnosisCode, change: (task: Task) => Partial<Task> = () => ({})) => {
  const view = viewOf(slipDocumentName(code))
  const saved = new Set(listTasks(view).map(({ key }) => key))
  const shown: ViewModel = { ...view, byHand: { ...view.byHand, saved } }
  const found = listTasks(shown).find(({ observation }) => observation?.diagnosis?.code === code)
  if (found === undefined) throw new Error(`the document has no task with the diagnosis ${code}`)
  const task = { ...found, ...change(found) }
  return { task, view: shown, text: textOf(renderTask(task, [task], shown)) }
}

const seeing =
  (...seen: ReadonlyArray<SeenRecord>) =>
  ({ observation }: Task): Partial<Task> =>
    observation?.diagnosis === undefined
      ? {}
      : { observation: { ...observation, diagnosis: { ...observation.diagnosis, seen } } }

test("an entry that is right, but for a switch of the provider, is not entered again", () => {
  for (const code of ["proxied", "flattened"] as const) {
    const { text } = showSlip(code)
    expect(text).toMatch(/for this entry\./)
    expect(text).not.toMatch(/Press “|Add this entry|Make it read like this/)
  }
})

test("the new entry takes the place of one whose proxy was on before", () => {
  const { text } = showSlip("proxied", () => ({ hints: ["turn_proxy_off"] }))
  expect(text).toContain("Put the new entry in its place, and turn the proxy off.")
  expect(text).toContain("Make it read like this")
})

test("where other servers answer, the task is that of the provider who runs them", () => {
  const { task, text } = showSlip("other_zone")
  expect(text).toContain("At Cloudflare Almost. Other servers answer for your domain than those of GoDaddy.")
  expect(text).toContain("Make the entry where your domain is managed now.")
  expect(text).toContain("Press “Add record”")
  expect(task.guide?.dnsPageUrl).toBe("https://dash.cloudflare.com/?to=/:account/other-zone.com/dns")
})

test("a value in the place of the desired one is changed, and not added to", () => {
  const { task } = showSlip("old_value_remains")
  expect(task.action).toBe("change")
  const changes: ReadonlyArray<Partial<Task>> = [
    {},
    { removes: [], remaining: [] },
    { action: "add" },
    { action: "add", removes: [], remaining: [] }
  ]
  for (const change of changes) {
    const { text } = showSlip("old_value_remains", () => change)
    expect(text).toContain("Change it to this, and save.")
    expect(text).toContain("Make it read like this")
    expect(text).not.toMatch(/Press “|First delete|Add this entry/)
  }
})

test("only a value that stood there before is still there; any other was entered instead", () => {
  const { task, view } = showSlip("old_value_remains")
  expect(describeSlip(task, view)?.found).toBe("We still found A 192.0.2.20.")
  const other = { name: "old-value-remains.com", type: "A", value: "192.0.2.77" }
  const wrong = showSlip("old_value_remains", seeing(other))
  expect(describeSlip(wrong.task, view)?.found).toBe("We found A 192.0.2.77 instead.")
  const elsewhere = showSlip("old_value_remains", seeing({ ...other, name: "www.old-value-remains.com" }))
  expect(describeSlip(elsewhere.task, view)?.found).toBe("We found A 192.0.2.77 instead.")
})

test("an old mail server is no mistake: servers show it with its priority", () => {
  const { task } = showSlip("old_value_remains")
  const mail = { ...task.record, type: "MX", value: "mx.old.example", priority: 10 }
  const seen = { name: mail.name, type: "MX", value: "10 mx.old.example" }
  const changed = { ...task, ...seeing(seen)(task), old: [mail] }
  expect(isMistake(changed, new Set([task.key]))).toBe(false)
  expect(hasSlip(changed, new Set())).toBe(false)
})

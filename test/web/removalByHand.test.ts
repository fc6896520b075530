import { expect, test } from "bun:test"
import { listTasks } from "../../src/web/manualTasks.ts"
import { formatCheckAnswer, renderByHand } from "../../src/web/steps/byHand.ts"
import type { ByHandProgress, ViewModel } from "../../src/web/ViewModel.ts"
import { textOf, viewOf } from "./templateText.ts"

/** A list that puts two entries back and removes two, of which these are done. */
const viewWith = (done: ReadonlyArray<string>, byHand: Partial<ByHandProgress> = {}): ViewModel => {
  const view = viewOf("disconnecting-by-hand")
  const { observations } = view
  if (observations === undefined) throw new Error("nothing was observed")
  const guides = observations.guides?.map((guide) => ({
    ...guide,
    tasks: guide.tasks.map((task) => ({ ...task, isDone: done.includes(task.record.host) }))
  }))
  return { ...view, observations: { ...observations, guides: guides ?? [] }, byHand: { ...view.byHand, ...byHand } }
}

const keyOf = (host: string): string =>
  listTasks(viewWith([])).find(({ record }) => record.host === host)?.key ?? `no task of ${host}`

const [putBack, removed] = [keyOf("www"), keyOf("_verify")]
const deed = { putBack: /Put back “[^”]*” at www/, removed: /Delete “[^”]*” at _verify/ }

const statusIn = (view: ViewModel, task: RegExp): string => {
  const [, , list = ""] =
    new RegExp(`(${task.source}) (Gone|Still there|Found|Not there yet|)`).exec(listIn(view)) ?? []
  return list
}

const listIn = (view: ViewModel): string => textOf(renderByHand({ ...view, byHand: { ...view.byHand, task: "end" } }))

test("the list says of a removal that the entry is gone or still there, and of the others that they are found or not", () => {
  const saved = new Set([putBack, removed])
  const open = viewWith([], { saved })
  expect([statusIn(open, deed.putBack), statusIn(open, deed.removed)]).toEqual(["Not there yet", "Still there"])
  const done = viewWith(["www", "_verify"], { saved })
  expect([statusIn(done, deed.putBack), statusIn(done, deed.removed)]).toEqual(["Found", "Gone"])
})

test("a task that is done says what has become of its entry", () => {
  const screens = [removed, putBack].map((task) => textOf(renderByHand(viewWith(["www", "_verify"], { task }))))
  expect(screens[0]).toContain("Gone. There is nothing left to do here.")
  expect(screens[1]).toContain("Found. There is nothing left to do here.")
})

const answerTo = (task: string, done: ReadonlyArray<string> = []) =>
  formatCheckAnswer(viewWith(done, { task, checkedBefore: "" }))

test("a check answers to each task in its own words, and counts what is done", () => {
  expect(answerTo(removed)).toStartWith("Still there; PowerDNS of the lab often takes 1 to 5 minutes.")
  expect(answerTo(putBack)).toStartWith("Not there yet; PowerDNS of the lab often takes 1 to 5 minutes.")
  expect(answerTo(removed, ["_verify"])).toBe("Done: 1 of 4.")
  expect(answerTo("end", ["www", "_verify"])).toStartWith("Done: 2 of 4. The rest cannot be seen yet;")
})

test("the end finds no entries that were to be removed", () => {
  const all = ["@", "www", "_verify", "_domain-connection"]
  expect(listIn(viewWith(all))).toStartWith("All changes are made")
  expect(listIn(viewWith([]))).toStartWith("Some steps are still to be done")
  for (const done of [all, []])
    expect(listIn(viewWith(done))).not.toMatch(/entries are found|looking for|still missing/)
})

test("the end of the list leads to what was never made, and leaves no placeholder", () => {
  const end = (saved: ReadonlyArray<string>) => listIn(viewWith([], { saved: new Set(saved) }))
  const all = listTasks(viewWith([])).map(({ key }) => key)
  expect(end([putBack])).toContain("Some steps are still to be done")
  expect(end([putBack])).not.toContain("You can close this page")
  expect(end(all)).toContain("You can close this page")
  const { byHand, ...slip } = viewOf("slip-doubled-zone")
  const saved = new Set(listTasks({ ...slip }).map(({ key }) => key))
  const slips = listIn({ ...slip, byHand: { ...byHand, saved } })
  expect(slips).toContain("What is marked “Almost.” has to be corrected at GoDaddy.")
  expect([...end(all), ...slips].join("")).not.toMatch(/[{}]/)
})

test("a task names the last button of the page, where one is known", () => {
  const view = viewWith([], { task: putBack })
  const { observations } = view
  const guides = observations?.guides?.map((guide) => ({ ...guide, publishButton: "Save All Changes" })) ?? []
  const named = { ...view, observations: observations && { ...observations, guides } }
  expect(textOf(renderByHand(named))).toContain("an entry counts only once “Save All Changes” is pressed.")
  expect(textOf(renderByHand(view))).not.toContain("counts only once")
})

test("an answer says how long the provider takes, where it has said so", () => {
  const { observations, ...view } = viewWith([], { task: putBack, checkedBefore: "" })
  const guides = observations?.guides?.map((guide) => ({ ...guide, servedWithinMinutes: 30 })) ?? []
  const slow = { ...view, observations: observations && { ...observations, guides } }
  expect(formatCheckAnswer({ ...view, observations })).toContain("often takes 1 to 5 minutes")
  expect(formatCheckAnswer(slow)).toContain("often takes 1 to 30 minutes")
  const saved = new Set(listTasks(slow).map(({ key }) => key))
  expect(listIn({ ...slow, byHand: { ...slow.byHand, saved } })).toContain("has no tick after 35 minutes")
})

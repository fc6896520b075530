import { expect, test } from "bun:test"
import { hasSlip, isMistake, listTasks } from "../../src/web/manualTasks.ts"
import { readDocument } from "./recordedDocuments.ts"

test("takes what another task removes for no mistake", () => {
  const { connection, observations } = readDocument("disconnecting-by-hand")
  const second = "192.0.2.21"
  const guides = (observations.guides ?? []).map((guide) => ({
    ...guide,
    tasks: guide.tasks.flatMap((task) =>
      task.record.type === "A" && task.record.host === "@"
        ? [task, { ...task, action: "add" as const, record: { ...task.record, value: second }, removes: [] }]
        : [task]
    )
  }))
  const records = observations.records.flatMap((record) =>
    record.expected.type === "A" && record.expected.host === "@"
      ? [record, { ...record, expected: { ...record.expected, value: second } }]
      : [record]
  )
  const tasks = listTasks({ connection, observations: { ...observations, guides, records } })
  const [task] = tasks.filter(({ record }) => record.value === second)
  if (task === undefined) throw new Error("the recorded document has no address of the domain to put back")
  expect(hasSlip(task, new Set())).toBe(false)
  expect(isMistake(task, new Set([task.key]))).toBe(false)
})

test("takes an old mail server, which servers show with its priority, for no mistake before it is saved", () => {
  const { connection, observations } = readDocument("slip-old-value-remains")
  const guides = (observations.guides ?? []).map((guide) => ({
    ...guide,
    tasks: guide.tasks.map((task) =>
      task.record.type === "A" ? { ...task, record: toMx(task.record), removes: task.removes.map(toMx) } : task
    )
  }))
  const records = observations.records.map(({ diagnosis, ...record }) =>
    record.expected.type === "A" && diagnosis !== undefined
      ? {
          ...record,
          expected: { ...toMx(record.expected), type: "MX" as const },
          diagnosis: {
            ...diagnosis,
            seen: diagnosis.seen.map(({ name, value }) => ({ name, type: "MX", value: `10 ${value}` }))
          }
        }
      : { ...record, ...(diagnosis === undefined ? {} : { diagnosis }) }
  )
  const [task] = listTasks({ connection, observations: { ...observations, guides, records } }).filter(
    ({ observation }) => observation?.diagnosis?.code === "old_value_remains"
  )
  if (task === undefined) throw new Error("the recorded document has no old value")
  expect([hasSlip(task, new Set()), hasSlip(task, new Set([task.key]))]).toEqual([false, true])
})

const toMx = <R extends { readonly value: string }>(record: R) => ({ ...record, type: "MX", priority: 10 })

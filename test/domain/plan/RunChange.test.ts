import { expect, test } from "bun:test"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { joinSplitUpdates, splitUpdates } from "../../../src/domain/plan/RunChange.ts"

const mx = (value: string) => ({ host: "@", type: "MX", value, priority: 10, ttl: 300, optional: false })

const plan: ReadonlyArray<Change> = [
  { action: "delete", before: mx("old.example.net"), destructive: true },
  { action: "create", after: mx("new.example.net"), destructive: false },
  { action: "update", before: mx("a.example.net"), after: mx("b.example.net"), destructive: true }
]

const entriesOf = (run: string) =>
  splitUpdates(plan, () => false).map((change, step) => ({ run, step, change, status: "confirmed" }))

test("an update that takes two calls is a deletion, directly followed by the creation", () => {
  expect(splitUpdates(plan, () => true)).toEqual(plan)
  expect(splitUpdates(plan, () => false).slice(2)).toEqual([
    { action: "delete", before: mx("a.example.net"), destructive: true, replacedByNext: true },
    { action: "create", after: mx("b.example.net"), destructive: false }
  ])
})

test("the halves of an update are one change again, among the entries of several runs too", () => {
  const [first, second] = [entriesOf("first"), entriesOf("second")]
  const mixed = first.flatMap((entry, step) => [entry, ...second.slice(step, step + 1)])
  expect(joinSplitUpdates(mixed).map(({ change, run }) => [run, change.action, change.before, change.after])).toEqual(
    plan.flatMap(({ action, after, before }) => [
      ["first", action, before, after],
      ["second", action, before, after]
    ])
  )
})

test("a deletion whose creation was not written stays a deletion, and other changes are never joined", () => {
  const written = entriesOf("run").slice(0, 3)
  expect(joinSplitUpdates(written)).toEqual(written)
})

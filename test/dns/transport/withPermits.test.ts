import { afterEach, beforeEach, expect, jest, test } from "bun:test"
import { Either } from "effect"
import { makeImmediateQuery, type Query, type QueryOutcome } from "../../../src/dns/transport/Query.ts"
import { withPermits } from "../../../src/dns/transport/withPermits.ts"
import { type FairSemaphore, makeFairSemaphore } from "../../../src/runtime/FairSemaphore.ts"

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const timeoutMillis = 300

/** A semaphore whose only permit a query has that never ends, and the outcomes of a second one. */
const setupWaitingQuery = () => {
  const semaphore = makeFairSemaphore({ permits: 1 })
  const outcomes: Array<string> = []
  const busySemaphores: Array<FairSemaphore> = []
  const onBusy = (busy: FairSemaphore) => busySemaphores.push(busy)
  const note = (outcome: QueryOutcome<string>) =>
    outcomes.push(Either.merge(Either.mapLeft(outcome, (no) => no.reason)))
  const send = (query: Query<string>) => withPermits([semaphore], { key: "app", timeoutMillis, onBusy }, query)(note)
  const stopFirst = send(() => () => {})
  send(makeImmediateQuery(Either.right("answer")))
  return { busySemaphores, outcomes, semaphore, stopFirst }
}

test("a query waits for its permit as long as for an answer, and fails then", () => {
  const { busySemaphores, outcomes, semaphore } = setupWaitingQuery()
  jest.advanceTimersByTime(timeoutMillis - 1)
  expect(outcomes).toEqual([])
  jest.advanceTimersByTime(1)
  expect(outcomes).toEqual(["busy"])
  expect(busySemaphores).toEqual([semaphore])
  expect(semaphore.queuedBy("app")).toBe(0)
})

test("a query that gets its permit in time is sent", async () => {
  const { outcomes, semaphore, stopFirst } = setupWaitingQuery()
  jest.advanceTimersByTime(timeoutMillis - 1)
  stopFirst()
  await Promise.resolve()
  jest.advanceTimersByTime(timeoutMillis)
  expect(outcomes).toEqual(["answer"])
  expect(semaphore.heldBy("app")).toBe(0)
})

import { afterEach, beforeEach, expect, jest, test } from "bun:test"
import { Either } from "effect"
import { makeImmediateQuery, type Query, type QueryOutcome } from "../../../src/dns/transport/Query.ts"
import { withPermits } from "../../../src/dns/transport/withPermits.ts"
import { type FairQueue, makeFairQueue } from "../../../src/limits/FairQueue.ts"

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const timeoutMillis = 300

/** A queue whose only permit a query has that never ends, and the outcomes of a second one. */
const setupWaitingQuery = () => {
  const queue = makeFairQueue({ permits: 1 })
  const outcomes: Array<string> = []
  const busyQueues: Array<FairQueue> = []
  const onBusy = (busy: FairQueue) => busyQueues.push(busy)
  const note = (outcome: QueryOutcome<string>) =>
    outcomes.push(Either.merge(Either.mapLeft(outcome, (no) => no.reason)))
  const send = (query: Query<string>) => withPermits([queue], { key: "app", timeoutMillis, onBusy }, query)(note)
  const stopFirst = send(() => () => {})
  send(makeImmediateQuery(Either.right("answer")))
  return { busyQueues, outcomes, queue, stopFirst }
}

test("a query waits for its permit as long as for an answer, then fails", () => {
  const { busyQueues, outcomes, queue } = setupWaitingQuery()
  jest.advanceTimersByTime(timeoutMillis - 1)
  expect(outcomes).toEqual([])
  jest.advanceTimersByTime(1)
  expect(outcomes).toEqual(["busy"])
  expect(busyQueues).toEqual([queue])
  expect(queue.countOf("app").queued).toBe(0)
})

test("a query that gets its permit in time is sent", async () => {
  const { outcomes, queue, stopFirst } = setupWaitingQuery()
  jest.advanceTimersByTime(timeoutMillis - 1)
  stopFirst()
  await Promise.resolve()
  jest.advanceTimersByTime(timeoutMillis)
  expect(outcomes).toEqual(["answer"])
  expect(queue.countOf("app").held).toBe(0)
})

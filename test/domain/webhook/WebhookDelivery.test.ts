import { expect, test } from "bun:test"
import { maxAttempts, retryDelayOf, retryDelays } from "../../../src/domain/webhook/WebhookDelivery.ts"

const attempts = Array.from({ length: maxAttempts - 1 }, (_, index) => index + 1)

test("the attempts follow each other after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours", () => {
  expect(attempts.map((failed) => retryDelayOf(failed, 0))).toEqual([
    5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400
  ])
  expect(retryDelays).toHaveLength(maxAttempts - 1)
})

test("chance adds up to a tenth to each delay", () => {
  for (const failed of attempts) {
    const planned = retryDelayOf(failed, 0)
    expect(retryDelayOf(failed, 0.5)).toBeCloseTo(planned * 1.05)
    expect(retryDelayOf(failed, 1)).toBeCloseTo(planned * 1.1)
  }
})

test("a receiver may ask for a later attempt, a day later at most, but not for an earlier one", () => {
  expect([retryDelayOf(1, 0, 600), retryDelayOf(2, 0, 1), retryDelayOf(1, 0, 1e9)]).toEqual([600, 300, 86_400])
})

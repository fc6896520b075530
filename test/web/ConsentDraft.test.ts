import { expect, test } from "bun:test"
import { carryConsent, type ConsentDraft, createConsentDraft, listSeenChanges } from "../../src/web/ConsentDraft.ts"
import type { ConnectionDocument } from "../../src/web/ConnectionDocument.ts"
import { readDocument } from "./recordedDocuments.ts"

const { connection } = readDocument("review")

/** The recorded connection with another plan. */
const withPlan = (change: (plan: NonNullable<ConnectionDocument["plan"]>) => object): ConnectionDocument =>
  connection.plan === undefined
    ? connection
    : { ...connection, plan: { ...connection.plan, digest: "sha-256:another", ...change(connection.plan) } }

/** What a customer has agreed to who has ticked every box. */
const agreed: ConsentDraft = {
  ...createConsentDraft(),
  digest: connection.plan?.digest,
  seen: listSeenChanges(connection),
  acknowledged: new Set(connection.plan?.warningDetails.map(({ code }) => code)),
  isGiven: true
}

test("the recorded plan warns of one change and has others", () => {
  expect(warnedOf(connection).length).toBeGreaterThan(0)
  expect(warnedOf(connection).length).toBeLessThan(connection.plan?.changes.length ?? 0)
})

test("a consent and its ticks stay for a part of the changes, with their warnings", () => {
  const kept = warnedOf(connection)
  const rest = withPlan(({ changes, warningDetails }) => ({
    changes: changes.filter((_, index) => kept.includes(index)),
    warningDetails: warningDetails.map((detail) => ({
      ...detail,
      changes: detail.changes.map((index) => kept.indexOf(index))
    }))
  }))
  const { acknowledged, isGiven } = carryConsent(agreed, rest)
  expect({ acknowledged, isGiven }).toEqual({ acknowledged: agreed.acknowledged, isGiven: true })
})

test("no tick carries over to a change beside which its warning did not stand, though that was seen", () => {
  const warned = warnedOf(connection)
  const others = withPlan(({ changes, warningDetails }) => ({
    warningDetails: warningDetails.map((detail) => ({
      ...detail,
      requiresAcknowledgement: true,
      changes: changes.flatMap((_, index) => (warned.includes(index) ? [] : [index]))
    }))
  }))
  const { acknowledged, isGiven } = carryConsent(agreed, others)
  expect({ acknowledged: [...acknowledged], isGiven }).toEqual({ acknowledged: [], isGiven: false })
})

test("ticks stay while there is no plan, and a consent does not", () => {
  const { plan: _, ...without } = connection
  const { acknowledged, isGiven } = carryConsent(agreed, without)
  expect({ acknowledged, isGiven }).toEqual({ acknowledged: agreed.acknowledged, isGiven: false })
})

/** The changes beside which a warning stands. */
function warnedOf({ plan }: ConnectionDocument): ReadonlyArray<number> {
  return [...new Set(plan?.warningDetails.flatMap(({ changes }) => changes))].toSorted()
}

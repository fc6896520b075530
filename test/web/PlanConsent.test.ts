import { expect, test } from "bun:test"
import { PlanConsent } from "../../src/web/PlanConsent.ts"
import type { ConnectionDocument } from "../../src/web/ConnectionDocument.ts"
import { readDocument } from "./recordedDocuments.ts"

const byHand = readDocument("by-hand").connection
const harmless = readDocument("slip-not-yet").connection

/** Whether somebody who opens the page in an untouched browser goes on without the review. */
const goesOn = (connection: ConnectionDocument, hasBegun: boolean): boolean => {
  // @ts-expect-error: of the element, a consent needs these two only.
  const consent = new PlanConsent({ connectionId: connection.id, requestUpdate: () => {} })
  consent.load()
  consent.accept(connection, undefined)
  consent.resume(connection, hasBegun)
  return consent.draft.isGiven
}

const requires = ({ plan }: ConnectionDocument) =>
  plan?.warningDetails.some(({ requiresAcknowledgement }) => requiresAcknowledgement)

test("a setup by hand that has begun elsewhere goes on, unless something has to be confirmed", () => {
  expect([requires(byHand), requires(harmless)]).toEqual([true, false])
  expect([goesOn(harmless, true), goesOn(harmless, false)]).toEqual([true, false])
  expect(goesOn(byHand, true)).toBe(false)
})

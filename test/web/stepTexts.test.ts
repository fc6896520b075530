import { expect, test } from "bun:test"
import type { ConnectionDocument } from "../../src/web/ConnectionDocument.ts"
import { orderMethods } from "../../src/web/orderMethods.ts"
import { renderFailure } from "../../src/web/steps/failure.ts"
import { renderProgress } from "../../src/web/steps/progress.ts"
import { readDocument } from "./recordedDocuments.ts"
import { textOf, viewOf } from "./templateText.ts"

const { connection } = readDocument("partly-written")

const failedWith = (outcome: "lost" | "unknown"): ConnectionDocument => {
  const { failure } = connection
  if (failure === undefined) throw new Error("the recorded connection has not failed")
  return {
    ...connection,
    failure: { ...failure, details: (failure.details ?? []).map((each) => ({ ...each, outcome })) }
  }
}

test("a change that was made in vain is not called perhaps made", () => {
  const text = textOf(renderFailure(viewOf("partly-written", { connection: failedWith("lost") })))
  expect(text).toContain("Made, and not undone")
  expect(text).not.toContain("Perhaps made")
  expect(textOf(renderFailure(viewOf("partly-written", { connection: failedWith("unknown") })))).toContain(
    "Perhaps made"
  )
})

test("the time for which the old servers may be used is estimated of website and of mail", () => {
  const { plan } = readDocument("by-hand-with-mail").connection
  const { connection: verifying } = readDocument("verifying")
  const moved = { ...verifying, ...(plan === undefined ? {} : { plan }) }
  const text = textOf(renderProgress(viewOf("verifying", { connection: moved })))
  expect(text).toContain("Some visitors may see the old page for up to 5 minutes.")
  expect(text).toContain("Some mail may still go to the old server for up to 5 minutes.")
  expect(textOf(renderProgress(viewOf("verifying")))).not.toContain("Some mail")
})

const methodsIn = (name: "review-with-sign-in" | "sign-in-denied", isKeyRefused = false) =>
  orderMethods(readDocument(name).connection, isKeyRefused)

test("after a sign-in in vain a key is recommended, and another sign-in before the change by hand", () => {
  expect(methodsIn("review-with-sign-in")).toEqual(["oauth2_pkce", "direct_credential", "manual"])
  expect(methodsIn("sign-in-denied")).toEqual(["direct_credential", "oauth2_pkce", "manual"])
  expect(methodsIn("sign-in-denied", true)).toEqual(["oauth2_pkce", "direct_credential", "manual"])
})

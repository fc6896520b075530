import { expect } from "bun:test"
import { Effect } from "effect"
import { formatTestModePage } from "../../tools/writeTestMode.ts"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

/** The calls of the page with their bodies, and the state that it says of the answer. */
const documentedCalls = [...formatTestModePage().matchAll(/^post "(\S+)" (?:\\\n +)?'(\{.*\})' +# ([a-z_]+)/gm)].map(
  ([, path = "", body = "", state = ""]) => ({ path, body: JSON.parse(body), state })
)

concurrentTest("each call on the page of test mode leads to the state that the page names", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { connect, send } = yield* requesterWith(yield* issueTestKey(url))
      const { id, state } = yield* connect("shop-7-by-hand.test", [
        { host: "shop", type: "CNAME", value: "shops.example.net" }
      ])
      expect([state, documentedCalls.length]).toEqual(["awaiting_manual", 6])
      for (const { body, path, state } of documentedCalls) {
        const prefer = path.endsWith("/retry") ? { prefer: "wait=10" } : {}
        const { json } = yield* send("POST", `/v1/${path.replace("$CONNECTION_ID", id)}`, body, prefer)
        expect([path, body, json.connection?.state]).toEqual([path, body, state])
      }
    }).pipe(Effect.provide(testModeService(url)))
  })
)

import { expect } from "bun:test"
import { Effect } from "effect"
import { testDomains } from "../../src/testmode/testDomains.ts"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { issueTestKey, requesterWith, testModeService } from "./testModeService.ts"

/** Words with which test mode explains itself to a developer. */
const explanation = /test mode|test domain|test zone|test page|promise|somebody else/i

const origin = "https://shop.example"

concurrentTest("no text that explains test mode is in what the customer's page gets of a connection", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { authorizeAndApprove, command, connect, send, walk } = yield* requesterWith(yield* issueTestKey(url))
      /** What the browser of the customer reads, without the limitations of the provider, which no page shows. */
      const readAsCustomer = Effect.fnUntraced(function* (id: string) {
        const { accessToken } = (yield* command(id, "access-token", { origin })).json
        const headers = { "x-api-key": "", authorization: `Bearer ${accessToken}`, origin }
        const { provider, ...connection } = (yield* send("GET", `/v1/connections/${id}`, undefined, headers)).json
          .connection
        return JSON.stringify([provider.name, connection])
      })

      const troubled = testDomains.filter(
        ({ refusesToOpen, writes }) => refusesToOpen !== undefined || writes !== undefined
      )
      const texts = yield* Effect.forEach(troubled, ({ name }) =>
        Effect.gen(function* () {
          const { id } = yield* connect(`${name}.test`)
          yield* authorizeAndApprove(id, "planned", "active", "failed")
          if (name === "stale")
            yield* Effect.repeat(Effect.delay(readAsCustomer(id), "20 millis"), {
              until: (text): boolean => text.includes('"replan"') && text.includes('"state":"planned"')
            })
          return [name, yield* readAsCustomer(id)] as const
        })
      )
      const denied = yield* connect("denied-one-click.test")
      const { authorizeUrl } = (yield* command(denied.id, "authorization", { method: "oauth2_pkce" })).json
      yield* walk(authorizeUrl, "Deny")
      const all = [...texts, ["denied", yield* readAsCustomer(denied.id)] as const]
      expect(all.length).toBeGreaterThan(10)
      expect(all.filter(([, text]) => explanation.test(text))).toEqual([])
    }).pipe(Effect.provide(testModeService(url)))
  })
)

concurrentTest("a token of blanks is refused as by the provider of a live domain", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { command, connect, waitFor } = yield* requesterWith(yield* issueTestKey(url))
      const { id } = yield* connect("token-only.test")
      yield* command(id, "authorization", { method: "direct_credential", credential: { apiToken: "   " } })
      const { failure } = yield* waitFor(id, "failed")
      expect([failure.code, JSON.stringify(failure)]).toEqual([
        "credential_invalid",
        expect.stringContaining("in ASCII without spaces or line breaks")
      ])
    }).pipe(Effect.provide(testModeService(url)))
  })
)

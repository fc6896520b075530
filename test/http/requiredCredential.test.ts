import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../support/effectTest.ts"
import { apiInMemory, jsonOf } from "../support/testApi.ts"
import { operations, sendAsCaller, sendTo } from "./support/errorCases.ts"

/** What a 401 says of the credential that its operation takes. */
const credentials = [
  {
    title: "an API key",
    takers: operations.forKeys.filter((operation) => !operations.forBrowserTokens.includes(operation)),
    challenge: 'ApiKey header="x-api-key"',
    message: "a valid API key is required in the header x-api-key"
  },
  {
    title: "an API key or a browser token",
    takers: operations.forBrowserTokens,
    challenge: 'ApiKey header="x-api-key", Bearer',
    message: "a valid API key is required in the header x-api-key, or a valid browser token as Bearer"
  },
  {
    title: "an admin key",
    takers: operations.forAdministrators,
    challenge: 'ApiKey header="x-admin-key"',
    message: "a valid admin key is required in the header x-admin-key"
  },
  {
    title: "an ask secret",
    takers: operations.forWebServers,
    challenge: 'AskSecret path="askSecret"',
    message: "a valid ask secret is required as the last part of the path"
  },
  {
    title: "the code of a share link",
    takers: operations.forHostedPage,
    challenge: 'ShareLink body="code"',
    message: "a valid code of a share link is required in the body"
  }
]

withLayer("the 401 of an operation", apiInMemory(), (live) => {
  for (const { challenge, message, takers, title } of credentials)
    live(`names ${title} where the operation takes that`, () =>
      Effect.gen(function* () {
        expect(takers.length).toBeGreaterThan(0)
        for (const operation of takers) {
          const isForHostedPage = operations.forHostedPage.includes(operation)
          const response = yield* isForHostedPage ? sendAsCaller(operation) : sendTo(operation)
          const { error } = yield* jsonOf(response)
          expect([operation.id, response.headers.get("www-authenticate"), error.message]).toEqual([
            operation.id,
            challenge,
            message
          ])
        }
      })
    )
})

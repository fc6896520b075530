import { expect } from "bun:test"
import { Effect } from "effect"
import { withLayer } from "../support/effectTest.ts"
import { randomKey } from "../../src/security/secrets.ts"
import { apiInMemory, issueKey, jsonOf, send, tenancyOf } from "../support/testApi.ts"
import { operations, sendAsCaller, sendTo } from "./support/errorCases.ts"

/** What a 401 says of the credential that its operation takes. */
const credentials = [
  {
    title: "an API key",
    takers: operations.forKeys.filter((operation) => !operations.forBrowserTokens.includes(operation)),
    challenge: 'ApiKey header="x-api-key"',
    message: "a valid API key is required in the header x-api-key: the request has no header x-api-key"
  },
  {
    title: "an API key or a browser token",
    takers: operations.forBrowserTokens,
    challenge: 'ApiKey header="x-api-key", Bearer',
    message:
      "a valid API key is required in the header x-api-key, or a valid browser token as Bearer: the request has no " +
      "header x-api-key"
  },
  {
    title: "a token to type a domain",
    takers: operations.forEntryTokens,
    challenge: "Bearer",
    message: "a valid token of `POST /v1/domain-entry/access-token` is required as Bearer"
  },
  {
    title: "an admin key",
    takers: operations.forAdministrators,
    challenge: 'ApiKey header="x-admin-key"',
    message: "a valid admin key is required in the header x-admin-key: the request has no header x-admin-key"
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

  live("says what is wrong with the credential that was sent, and repeats none of it", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const unknown = randomKey("dck_live_")
      const token = `dct_${"a".repeat(43)}`
      const faultOf = (path: string, headers: Readonly<Record<string, string>>) =>
        Effect.gen(function* () {
          const response = yield* send(path, { headers })
          const { error } = yield* jsonOf(response)
          expect(JSON.stringify(error)).not.toContain(key.slice(10))
          return [response.status, error.message.replace(/^.*?(required [^:]*): /, "")]
        })
      const usage = (headers: Readonly<Record<string, string>>) => faultOf("/v1/usage", headers)
      const connection = (headers: Readonly<Record<string, string>>) => faultOf("/v1/connections/con_1", headers)
      const admin = (headers: Readonly<Record<string, string>>) => faultOf("/v1/admin/applications", headers)
      const misplaced = "the key was sent in the header authorization; send it in x-api-key, without `Bearer`"
      const belongsInApiKey =
        "the header authorization has an API key, which belongs in the header x-api-key, without `Bearer`"
      const truncated = "the key is truncated or mistyped: its last six characters do not fit the others"
      const expected = [
        [usage({ "x-api-key": "" }), "the header x-api-key is empty"],
        [usage({ "x-api-key": `Bearer ${key}` }), "send the key alone, without `Bearer` in front"],
        [usage({ "x-api-key": `"${key}"` }), "send the key alone, without quotes or spaces"],
        [usage({ "x-api-key": key.slice(0, -3) }), truncated],
        [usage({ "x-api-key": "hello" }), "a key begins with `dck_`, and this one does not"],
        [
          usage({ "x-api-key": token }),
          "the header has a browser token, which belongs in the header authorization, as Bearer"
        ],
        [
          usage({ "x-api-key": randomKey("dcka_") }),
          "the header has an admin key, which belongs in the header x-admin-key"
        ],
        [
          usage({ "x-api-key": unknown }),
          "the key is unknown or was revoked; its environment is `live`, and it is valid in that one only"
        ],
        [usage({ authorization: `Bearer ${key}` }), misplaced],
        [
          usage({ authorization: `Bearer ${token}` }),
          "the endpoint does not take the header authorization, which has a browser token"
        ],
        [usage({ authorization: "Basic aGVsbG8=" }), "the endpoint does not take the header authorization"],
        [usage({ authorization: `Token ${key}` }), misplaced],
        [usage({ authorization: key }), misplaced],
        [usage({ authorization: `Basic ${btoa(`${key}:`)}` }), misplaced],
        [usage({ authorization: `Basic ${btoa(`user:${key}`)}` }), misplaced],
        [connection({ authorization: `Basic ${btoa(`${key}:`)}` }), belongsInApiKey],
        [usage({ "api-key": key }), "the key was sent in the header api-key; send it in x-api-key"],
        [usage({ cookie: `key=${key}` }), "the key was sent in a cookie; send it in x-api-key"],
        [
          faultOf(`/v1/usage?api_key=${key}`, {}),
          "the key was sent in the URL, which is logged on its way: send it in x-api-key, and make a new key"
        ],
        ...["undefined", "null", "$API_KEY", "${API_KEY}", "<your key>"].map(
          (text) =>
            [
              usage({ "x-api-key": text }),
              "the header x-api-key has the name of a variable, or what a program writes for one without a value"
            ] as const
        ),
        [usage({ "x-api-key": `${key}, ${unknown}` }), "the header x-api-key was sent more than once"],
        [usage({ apikey: "hello" }), "the request has the header apikey; send the key in x-api-key"],
        [usage({ "x-auth-token": key }), "the key was sent in the header x-auth-token; send it in x-api-key"],
        [connection({ "api-key": key }), "the key was sent in the header api-key; send it in x-api-key"],
        [admin({ "api-key": randomKey("dcka_") }), "the key was sent in the header api-key; send it in x-admin-key"],
        [admin({ "admin-key": "hello" }), "the request has the header admin-key; send the key in x-admin-key"],
        [usage({ "x-admin-key": "hello" }), "the request has the header x-admin-key instead"],
        [usage({ "x-shop": key }), "the key was sent in the header x-shop; send it in x-api-key"],
        [connection({ authorization: `Bearer ${key}` }), belongsInApiKey],
        [connection({ authorization: token }), "the header authorization is not `Bearer`, one space and the token"],
        [
          connection({ authorization: `Bearer ${token.slice(0, -1)}` }),
          "what follows `Bearer` is no browser token, or is truncated"
        ],
        [
          connection({ authorization: `Bearer ${token}` }),
          "the token is unknown, was revoked or has expired; ask your server for a new one"
        ],
        [admin({ "x-api-key": key }), "the request has the header x-api-key instead"],
        [admin({ "x-admin-key": key }), "the header has an API key, which belongs in the header x-api-key"]
      ] as const
      for (const [fault, message] of expected) expect(yield* fault).toEqual([401, message])
    })
  )

  live("is a 403 that names the scope where the key is valid and lacks it", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey(tenancyOf("app", "tenant"), ["connections:read"])
      const response = yield* send("/v1/webhook-endpoints", { headers: { "x-api-key": key } })
      expect([response.status, (yield* jsonOf(response)).error.message]).toEqual([
        403,
        "the API key lacks the scope webhooks:read; it has connections:read: create a key with `--scopes`"
      ])
    })
  )
})

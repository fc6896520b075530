import { Array, Effect, Option } from "effect"
import { CommitResult, ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { apiInMemory, issueKey, jsonOf, post, send, tenancyOf } from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"
import { apiWith, apiWithOneSlot, checksMayEnd, overrideService } from "../support/apiWith.ts"
import { shopOrigin } from "../support/connectionRequests.ts"
import { caseOf, casesOf, type ErrorCases, operations, sendAsCaller, sendTo } from "../support/errorCases.ts"

const recordTemplate = [{ host: "{host}", type: "A", value: "192.0.2.80" }]

/** Customers of an application with a record template, each with a token of its own. */
const openEntry = (application: string) =>
  Effect.gen(function* () {
    yield* sendAsAdmin("/v1/admin/applications", { body: { id: application, recordTemplate } })
    const { key } = yield* issueKey(tenancyOf(application, "tenant"))
    /** What a new customer sends, who types domains. */
    const newCustomer = (fields: object = {}) =>
      Effect.gen(function* () {
        const issued = yield* post("/v1/domain-entry/access-token", key, { origin: shopOrigin, ...fields })
        const { accessToken } = yield* jsonOf(issued)
        return (domain: string, path = "/v1/domain-entry", method = "POST") =>
          send(path, {
            method,
            headers: {
              authorization: `Bearer ${accessToken}`,
              origin: shopOrigin,
              "content-type": "application/json"
            },
            ...(method === "GET" ? {} : { body: JSON.stringify({ domain }) })
          })
      })
    return { key, newCustomer }
  })

/** Two customers, one after the other, and the answer to the second. */
const afterAnother = (application: string, fields: object = {}, second = "example.com") =>
  Effect.gen(function* () {
    const { newCustomer } = yield* openEntry(application)
    const [one, other] = [yield* newCustomer(fields), yield* newCustomer(fields)]
    return yield* Effect.zipRight(one("example.com"), other(second))
  })

/** The errors of the entry of a domain. */
export const entryErrorCases: ReadonlyArray<ErrorCases> = [
  {
    title: "an API in which customers type domains",
    service: apiInMemory(),
    cases: [
      ...casesOf([401, "unauthenticated"], operations.forEntryTokens, (operation) => sendTo(operation)),
      ...casesOf([403, "origin_not_allowed"], operations.forEntryTokens, (operation) =>
        sendAsCaller(operation, { headers: { origin: "https://other.example.com" } })
      ),
      caseOf("issueDomainEntryToken", [400, "origin_not_canonical"], (operation) =>
        sendAsCaller(operation, { body: { origin: `${shopOrigin}/` } })
      ),
      caseOf("issueDomainEntryToken", [422, "unprocessable"], (operation) => sendAsCaller(operation)),
      caseOf("checkEnteredDomain", [422, "unprocessable"], (operation) => sendAsCaller(operation)),
      caseOf("connectEnteredDomain", [422, "unprocessable"], (operation) => sendAsCaller(operation)),
      caseOf("connectEnteredDomain", [422, "idempotency_key_reused"], () =>
        Effect.gen(function* () {
          const { newCustomer } = yield* openEntry("typed-twice")
          const type = yield* newCustomer()
          return yield* Effect.zipRight(type("example.com"), type("example.org"))
        })
      ),
      caseOf("connectEnteredDomain", [409, "connection_exists"], () => afterAnother("typed-before")),
      caseOf("connectEnteredDomain", [409, "external_id_taken"], () =>
        afterAnother("same-shop", { externalId: "shop" }, "example.org")
      ),
      caseOf("connectEnteredDomain", [409, "connection_ended"], () =>
        Effect.gen(function* () {
          const { key, newCustomer } = yield* openEntry("ended")
          const type = yield* newCustomer()
          const { connectionId } = yield* Effect.flatMap(type("example.com"), jsonOf)
          yield* post(`/v1/connections/${connectionId}/cancel`, key, "")
          return yield* type("example.com")
        })
      )
    ]
  },
  {
    title: "an API that allows one request a minute of each browser",
    service: apiInMemory({ rates: { browser: 1 } }),
    cases: ["getPlatformOfEntry", "checkEnteredDomain", "connectEnteredDomain"].map((id) =>
      caseOf(id, [429, "rate_limited"], ({ method, path }) =>
        Effect.gen(function* () {
          const { newCustomer } = yield* openEntry(id.toLowerCase())
          const type = yield* newCustomer()
          return yield* Effect.zipRight(type("a..b", path, method), type("a..b", path, method))
        })
      )
    )
  },
  {
    title: "an API in which the first request of each token is still running",
    service: apiWith(
      overrideService(ConnectionStore, (real) => ({
        create: (tenancy, transition, key, limit) =>
          Option.isSome(key) ? Effect.succeed(CommitResult.InProgress()) : real.create(tenancy, transition, key, limit)
      }))
    ),
    cases: [
      caseOf("connectEnteredDomain", [409, "idempotency_in_progress"], () =>
        Effect.flatMap(
          Effect.flatMap(openEntry("running"), ({ newCustomer }) => newCustomer()),
          (type) => type("example.com")
        )
      )
    ]
  },
  {
    title: "an API that keeps one answer to a customer who types a domain",
    service: apiInMemory({ quotas: { idempotencyBytes: 1 } }),
    cases: [
      caseOf("connectEnteredDomain", [429, "quota_exceeded"], () => afterAnother("one-answer", {}, "example.org"))
    ]
  },
  {
    title: "an API that allows one open discovery of what customers type",
    service: apiInMemory({ quotas: { openDiscoveries: 1 } }),
    cases: [
      caseOf("connectEnteredDomain", [429, "too_many_open_discoveries"], () =>
        afterAnother("one-discovery", {}, "example.org")
      )
    ]
  },
  {
    title: "an API whose slots other customers have taken",
    service: apiWithOneSlot,
    cases: [
      caseOf("checkEnteredDomain", [503, "busy"], ({ path }) =>
        Effect.gen(function* () {
          const { newCustomer } = yield* openEntry("busy")
          const type = yield* newCustomer()
          yield* checksMayEnd.close
          return yield* Effect.ensuring(
            Effect.raceAll(Array.makeBy(3, () => type("example.com", path))),
            checksMayEnd.open
          )
        })
      )
    ]
  }
]

import { expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/Connection.ts"
import type { IntentRequest } from "../../../src/domain/Intent.ts"
import { failWithServerError, succeed } from "../../support/scriptedZone.ts"
import { acmeTest, commandsFor, createDiscovered, platform, readConnection, readState } from "./scriptedProvider.ts"

const blog = { ...platform, host: "blog" }

/** A connection with these records, whose approved plan fails. */
const failedConnection = (...records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const id = yield* createDiscovered(records)
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).acknowledgeAndApprove
    return id
  })

const readDetails = (id: ConnectionId) => Effect.map(readConnection(id), ({ failure }) => failure?.details ?? [])

acmeTest("a record that the service cannot write after all is not said to be refused by the provider", (acme) =>
  Effect.gen(function* () {
    yield* acme.writeInSingleCalls
    yield* acme.play(succeed, (send) => Effect.zipRight(acme.refuseTypes("CNAME"), failWithServerError(send)))
    const id = yield* failedConnection(platform, blog)
    expect([yield* readState(id), (yield* readDetails(id))[0]]).toEqual([
      "failed: apply_partial → authorized",
      { message: "Acme DNS was not asked: CNAME shop is not written" }
    ])
  })
)

import { describe, expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { IntentRequest } from "../../../src/domain/connection/Intent.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { failWithServerError, rejectWith, succeed } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  commandsFor,
  createDiscovered,
  platform,
  readConnection,
  readState,
  tenancy,
  waitUntilIdle,
  zoneWith
} from "./scriptedProvider.ts"

const blog = { ...platform, host: "blog" }

/** A connection with these records, whose approved plan fails. */
const failedConnection = (...records: IntentRequest["records"]) => Effect.tap(createDiscovered(records), approve)

const approve = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).acknowledgeAndApprove
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

const refuse = rejectWith("apply_rejected")
const answer = "the script says so"

describe("a provider that refuses", () => {
  acmeTest("to write one record is quoted with the record", (acme) =>
    Effect.gen(function* () {
      yield* acme.play(refuse)
      const id = yield* failedConnection(platform)
      expect([yield* readState(id), yield* readDetails(id)]).toEqual([
        "failed: apply_rejected → authorized",
        [
          {
            message:
              "Acme DNS, asked to add CNAME at shop.example.com (shops.example.net), answered: the script says so",
            server: "Acme DNS",
            host: "shop",
            type: "CNAME",
            expected: "shops.example.net",
            answer
          }
        ]
      ])
    })
  )

  acmeTest("is quoted with the name in the spelling of DNS, however the domain was typed", (acme) =>
    Effect.gen(function* () {
      yield* acme.play(refuse)
      const { create } = yield* Connections
      const typed = { domain: "Example.COM", records: [platform] }
      const { stored } = yield* create(tenancy, typed, Option.none())
      yield* waitUntilIdle
      yield* approve(stored.id)
      expect((yield* readDetails(stored.id))[0]?.message).toContain("CNAME at shop.example.com (")
    })
  )

  acmeTest("to delete a record is quoted with the record, and nothing is expected in its place", (acme) =>
    Effect.gen(function* () {
      yield* acme.become(zoneWith("shop 300 A 192.0.2.9"))
      yield* acme.removeUpdate
      yield* acme.writeInSingleCalls
      yield* acme.play(refuse)
      const id = yield* failedConnection(platform)
      expect(yield* readDetails(id)).toEqual([
        {
          message: "Acme DNS, asked to delete A at shop.example.com (192.0.2.9), answered: the script says so",
          server: "Acme DNS",
          host: "shop",
          type: "A",
          answer
        }
      ])
    })
  )

  acmeTest("a call of several changes is quoted once, before the record of each change", (acme) =>
    Effect.gen(function* () {
      yield* acme.play(refuse)
      const id = yield* failedConnection(platform, { host: "@", type: "MX", value: "mx.example.net", priority: 10 })
      expect(yield* readDetails(id)).toEqual([
        {
          message: "Acme DNS, asked to make 2 changes in one call, answered: the script says so",
          server: "Acme DNS",
          answer
        },
        {
          message: "In this call: add CNAME at shop.example.com (shops.example.net)",
          host: "shop",
          type: "CNAME",
          expected: "shops.example.net"
        },
        {
          message: "In this call: replace MX at example.com (mail.example.com) by MX at example.com (mx.example.net)",
          host: "@",
          type: "MX",
          expected: "mx.example.net"
        }
      ])
    })
  )

  acmeTest("a call of many changes is quoted before the first few records, and how many more there are", (acme) =>
    Effect.gen(function* () {
      yield* acme.play(refuse)
      const id = yield* failedConnection(...Array.makeBy(12, (index) => ({ ...platform, host: `shop${index}` })))
      const messages = Array.map(yield* readDetails(id), ({ message }) => message)
      expect([messages.length, messages[0], messages.at(-1)]).toEqual([
        10,
        "Acme DNS, asked to make 12 changes in one call, answered: the script says so",
        "In this call: 4 more changes"
      ])
    })
  )

  acmeTest("a later call is quoted with the record of this call, before the changes of the plan", (acme) =>
    Effect.gen(function* () {
      yield* acme.writeInSingleCalls
      yield* acme.play(succeed, refuse)
      const id = yield* failedConnection(platform, blog)
      const messages = Array.map(yield* readDetails(id), ({ message }) => message)
      expect([yield* readState(id), messages]).toEqual([
        "failed: apply_partial → authorized",
        [
          "Acme DNS, asked to add CNAME at shop.example.com (shops.example.net), answered: the script says so",
          "Of 2 changes of the plan: 1 not made, 1 made",
          "Add CNAME at shop.example.com (shops.example.net): not made",
          "Add CNAME at blog.example.com (shops.example.net): made"
        ]
      ])
    })
  )
})

import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { rejectWith, succeed } from "../../support/scriptedZone.ts"
import { Tables } from "../../support/memory/Tables.ts"
import {
  advanceTime,
  commandsFor,
  controlTest,
  createDiscovered,
  platform,
  readConnection,
  readConnectionRecord,
  type LifecycleServices,
  readState,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { challengeOf, connect, eventsOf, listenToAll, outcomeOf, rival, takeOver } from "./controlSteps.ts"

const news = { host: "news", type: "CNAME", value: "shops.example.net" } as const

/** A connection with a new intent that waits for the customer. */
const changing = Effect.tap(connect(), (id) => commandsFor(id).changeIntent([platform, news]))

/** How often the audit log says that a connection has lost its hosts. */
const countLosses = (id: ConnectionId) =>
  Effect.map(
    Tables,
    ({ audit }) =>
      [...audit.values()].filter(
        ({ action, connectionId, failure }) =>
          action === "connection.degraded" && failure === "control_lost" && connectionId === id
      ).length
  )

/** Declares the test of a change that has reached a state in which it waits. */
const testDegradedIn = (
  state: string,
  reach: (id: ConnectionId, acme: ScriptedProvider) => Effect.Effect<unknown, unknown, LifecycleServices>
) =>
  controlTest(`gives the new intent up and is degraded in ${state}`, (acme) =>
    Effect.gen(function* () {
      const id = yield* changing
      yield* reach(id, acme)
      expect((yield* readConnection(id)).state as string).toBe(state)
      yield* listenToAll
      const other = yield* takeOver(acme)
      expect(yield* readState(other, rival)).toBe("active")
      expect([yield* readState(id), (yield* readConnection(id)).pendingIntent]).toEqual([
        "degraded: control_lost → degraded",
        undefined
      ])
      expect([yield* eventsOf(id), yield* countLosses(id)]).toEqual([
        ["connection.contested", "connection.degraded"],
        1
      ])
      expect((yield* readConnectionRecord(id)).progress.intentChange).toBeUndefined()
      yield* commandsFor(id).recheck
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual([
        "degraded: control_lost → degraded",
        "active"
      ])
    })
  )

/** A change of which the provider has written the first record and takes the next in a minute, and how it is told of. */
const writing = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    const id = yield* connect()
    yield* acme.writeInSingleCalls
    yield* acme.play(succeed, rejectWith("provider_rate_limited", "60 seconds"))
    yield* commandsFor(id).changeIntent([platform, news, { ...news, host: "blog" }])
    yield* commandsFor(id).authorize()
    yield* commandsFor(id).acknowledgeAndApprove
    yield* listenToAll
    return id
  })

describe("a connection that loses its hosts while its new intent waits", () => {
  testDegradedIn("awaiting_manual", (id) => commandsFor(id).chooseManual)
  testDegradedIn("planned", (id) => commandsFor(id).authorize())
  testDegradedIn("failed", (id, acme) =>
    acme.refuse("credential_invalid").pipe(Effect.zipRight(commandsFor(id).authorize()), Effect.zipLeft(acme.refuse()))
  )

  controlTest("continues with a new intent that is being written, and reports the loss", (acme) =>
    Effect.gen(function* () {
      const id = yield* writing(acme)
      const other = yield* takeOver(acme)
      expect([yield* readState(id), yield* readState(other, rival)]).toEqual(["applying", "active"])
      expect([yield* eventsOf(id), yield* countLosses(id)]).toEqual([
        ["connection.contested", "connection.degraded"],
        1
      ])
    })
  )

  controlTest("takes no host back by what it goes on to write", (acme) =>
    Effect.gen(function* () {
      const id = yield* writing(acme)
      const other = yield* createDiscovered([platform], rival)
      const written = acme.made().map(({ after }) => `${after?.host} 3600 CNAME shops.example.net`)
      yield* acme.become(zoneWith(...written, yield* challengeOf(other, rival)))
      yield* commandsFor(other, rival).recheck
      yield* advanceTime("2 minutes")
      expect(acme.now().records.map(({ host }) => host)).toContain("blog")
      yield* commandsFor(id).recheck
      expect([yield* outcomeOf(id), yield* outcomeOf(other, rival)]).toEqual([
        ["verifying", "unproven"],
        ["active", "challenge"]
      ])
    })
  )
})

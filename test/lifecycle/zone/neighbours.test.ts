import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/Connection.ts"
import type { IntentRequest } from "../../../src/domain/Intent.ts"
import { commands, created, inAcme, planIn, platform, shown, state, zoneWith } from "./acme.ts"
import { servesTheSame } from "../../support/scriptedZone.ts"

const mailOf = (sender: string) =>
  ({ host: "@", type: "TXT", value: `v=spf1 include:${sender}.example.net ~all` }) as const
const mark = { host: "_mark", type: "TXT", value: "second" } as const

/** A connection of this domain that is in the zone. */
const connected = (...records: IntentRequest["records"]) =>
  Effect.gen(function* () {
    const id = yield* created(records)
    if ((yield* state(id)) === "awaiting_authorization") {
      yield* commands(id).letIn()
      yield* approved(id)
    }
    expect(yield* state(id)).toBe("active")
    return id
  })

/** Agrees to whatever the plan brings. */
const approved = (id: ConnectionId) =>
  Effect.flatMap(shown(id), ({ plan }) => commands(id).approve(...(plan?.warnings ?? [])))

const leaves = (id: ConnectionId) =>
  Effect.gen(function* () {
    yield* commands(id).disconnect
    yield* commands(id).letIn()
    if ((yield* state(id)) === "planned") yield* approved(id)
    expect(yield* state(id)).toBe("disconnected")
  })

describe("a connection that leaves a zone", () => {
  for (const [situation, reached] of Object.entries({
    "waits to be repaired": (id: ConnectionId) => commands(id).retry,
    "waits for the approval of a repair": (id: ConnectionId) =>
      Effect.zipRight(commands(id).retry, commands(id).letIn())
  }))
    inAcme(`takes nothing of another one that ${situation}`, (acme) =>
      Effect.gen(function* () {
        const first = yield* connected(mailOf("a"), platform)
        const second = yield* connected(mailOf("b"), platform, mark)
        yield* acme.become({ ...acme.now(), records: acme.now().records.filter(({ host }) => host !== mark.host) })
        yield* commands(second).recheck
        yield* reached(second)
        yield* leaves(first)
        const kept = zoneWith("@ 3600 TXT v=spf1 include:b.example.net ~all", "shop 3600 CNAME shops.example.net")
        expect(servesTheSame(acme.now(), kept)).toBe(true)
      })
    )

  inAcme("hands over to another one that wants the same, which takes it out when it leaves", (acme) =>
    Effect.gen(function* () {
      const first = yield* connected(mailOf("a"), platform)
      const heir = yield* connected(mailOf("a"), platform)
      yield* leaves(first)
      expect((yield* shown(first)).leftovers?.map(({ reason }) => reason)).toEqual([
        "wanted_by_another_connection",
        "wanted_by_another_connection"
      ])
      yield* commands(heir).disconnect
      expect([yield* state(heir), (yield* planIn(heir))?.length]).toEqual(["awaiting_authorization", 2])
      yield* commands(heir).letIn()
      yield* approved(heir)
      expect([yield* state(heir), servesTheSame(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )
})

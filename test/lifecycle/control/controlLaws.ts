import { expect } from "bun:test"
import { Array, Effect, FastCheck as fc } from "effect"
import type { ConnectionId } from "../../../src/domain/Connection.ts"
import type { ControlProof } from "../../../src/domain/Application.ts"
import { desiredNamesOf } from "../../../src/domain/ConnectionRecord.ts"
import type { Tenancy } from "../../../src/domain/Tenancy.ts"
import { ConnectionViews } from "../../../src/persistence/stores/ConnectionViews.ts"
import { decodeConnection } from "../../../src/persistence/stores/StoredConnection.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  advanceTime,
  commandsFor,
  createDiscovered,
  type LifecycleServices,
  readConnection,
  type ScriptedProvider,
  zoneWith
} from "../phases/scriptedProvider.ts"

const tenants = [tenancyOf("app", "one"), tenancyOf("app", "two"), tenancyOf("app", "three")]

/** What happens next in a story, to the connection at a place among those of its tenant. */
type StoryStep =
  | { readonly kind: (typeof commandKinds)[number]; readonly tenant: number }
  | { readonly kind: (typeof otherKinds)[number] }

const commandKinds = ["ask", "authorize", "chooseManual", "prove", "recheck", "retry", "disconnect"] as const

/** The records of the host come, or go, or time passes. */
const otherKinds = ["enter", "move", "wait"] as const

/** Stories of several tenants who want one host. */
export const arbitraryStory: fc.Arbitrary<ReadonlyArray<StoryStep>> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(...commandKinds),
        tenant: fc.nat(tenants.length - 1)
      })
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...otherKinds) }) }
  ),
  { minLength: 5, maxLength: 25 }
)

/** Plays a story of several tenants who want one host, and checks the laws after each step. */
export const playStory = (
  acme: ScriptedProvider,
  story: ReadonlyArray<StoryStep>,
  mode: ControlProof
): Effect.Effect<number, unknown, LifecycleServices> =>
  Effect.gen(function* () {
    const latest = new Map<number, ConnectionId>()
    const challenges: Array<string> = []
    let isServed = false
    let activations = 0
    const serve = Effect.suspend(() =>
      acme.become(zoneWith(...(isServed ? ["shop 3600 CNAME shops.example.net"] : []), ...challenges))
    )
    for (const step of story) {
      if (!("tenant" in step)) {
        if (step.kind === "wait") yield* advanceTime("1 hour")
        else isServed = step.kind === "enter"
        yield* serve
        activations += yield* checkLaws(mode)
        continue
      }
      const owner = tenants[step.tenant] ?? tenancyOf("app", "one")
      if (step.kind === "ask") latest.set(step.tenant, yield* createDiscovered(undefined, owner))
      const id = latest.get(step.tenant)
      if (id === undefined) continue
      if (step.kind === "prove") {
        const { challenge } = (yield* readConnection(id, owner)).control ?? {}
        if (challenge !== undefined) challenges.push(`${challenge.host} 300 TXT ${challenge.value}`)
        yield* serve
        yield* Effect.ignore(commandsFor(id, owner).recheck)
      }
      // What the state does not allow is refused.
      else if (step.kind !== "ask") yield* Effect.ignore(take(id, owner, step.kind))
      activations += yield* checkLaws(mode)
    }
    return activations
  })

const take = (
  id: ConnectionId,
  owner: Tenancy,
  kind: Exclude<(typeof commandKinds)[number], "ask" | "prove">
): Effect.Effect<unknown, unknown, LifecycleServices> => {
  const commands = commandsFor(id, owner)
  return kind === "authorize"
    ? Effect.zipRight(
        Effect.ignore(commands.authorize()),
        Effect.flatMap(readConnection(id, owner), ({ plan }) =>
          plan === undefined ? Effect.void : commands.acknowledgeAndApprove
        )
      )
    : commands[kind]
}

/** The laws, over all connections that there are; how many of them are active. */
const checkLaws = (mode: ControlProof) =>
  Effect.gen(function* () {
    const views = yield* ConnectionViews
    const pages = yield* Effect.forEach(tenants, (tenancy) => views.list(tenancy, {}, { limit: 1_000, maxBytes: 1e8 }))
    const active = pages
      .flat()
      .map(({ doc }) => decodeConnection(doc))
      .filter(({ state }) => state === "active")
    const holders = Map.groupBy(
      active.flatMap((connection) =>
        desiredNamesOf(connection).map((name) => ({ name, tenantId: connection.tenantId }))
      ),
      ({ name }) => name
    )
    for (const [name, held] of holders)
      expect([name, Array.dedupe(held.map(({ tenantId }) => tenantId)).length]).toEqual([name, 1])
    if (mode === "required") expect(active.filter(({ control }) => control?.status !== "proven")).toEqual([])
    return active.length
  })

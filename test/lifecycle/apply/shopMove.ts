import { Effect, Fiber } from "effect"
import { describeChange, desiredRecords, planOrThrow, zoneOf } from "../../support/planFixtures.ts"
import { scriptedZone, type WriteBehavior } from "../../support/scriptedZone.ts"
import { requestAt } from "./applyFixtures.ts"

/** The zone of a shop that moves to a platform: records are added, replaced, and removed because they block new ones. */
export const shop = zoneOf(
  "@ 300 MX 10 mx.example.org",
  "@ 300 TXT hello",
  "www 300 A 192.0.2.1",
  "www 300 A 192.0.2.2"
)
export const { changes } = planOrThrow({
  zone: shop,
  desired: desiredRecords("shop 300 A 192.0.2.9", "@ 300 MX 10 mx.example.net", "www 300 CNAME web.example.net")
})
export const words = changes.map(describeChange)
export const all = (status: string) => words.map((change) => `${status} | ${change}`)

/** A scripted zone of the shop, and the request to apply the plan to it. */
export const shopMove = (isAtomic = true) => {
  const at = scriptedZone(shop, { isAtomic })
  return { at, request: () => requestAt(at, changes) }
}

/** Runs an effect whose process dies, and returns its exit. */
export const exitOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(Effect.fork(effect), Fiber.await)

/** The process dies during this call, before or after the provider writes. */
export const dieBeforeWrite: WriteBehavior = () => Effect.interrupt
export const dieAfterWrite: WriteBehavior = (send) => Effect.zipRight(send, Effect.interrupt)

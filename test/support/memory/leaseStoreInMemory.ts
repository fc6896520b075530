import { Clock, Effect, Layer, Option } from "effect"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { areLeasesHeld, Tables } from "./Tables.ts"

/** Leases in a map, with the same guarantees as the table of PostgreSQL. */
export const leaseStoreInMemory = Layer.effect(
  LeaseStore,
  Effect.map(Tables, ({ leases }) => ({
    acquire: (key, owner, seconds) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const lease = leases.get(key)
        if (lease !== undefined && lease.until > now && lease.owner !== owner) return Option.none()
        const claim = (lease?.claim ?? 0) + 1
        leases.set(key, { owner, claim, until: now + seconds * 1_000 })
        return Option.some(claim)
      }),
    renew: (guard, seconds) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const lease = leases.get(guard.key)
        if (lease === undefined || !areLeasesHeld(leases, [guard], now)) return false
        lease.until = now + seconds * 1_000
        return true
      }),
    release: (guard) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const lease = leases.get(guard.key)
        if (lease !== undefined && areLeasesHeld(leases, [guard], now)) lease.until = now
      })
  }))
)

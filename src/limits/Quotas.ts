import { Array, Context, Effect, Layer, Option } from "effect"
import { LruMap } from "./BoundedMap.ts"
import { MonotonicClock } from "../runtime/MonotonicClock.ts"
import type { DetailCode } from "../domain/error/detailMeanings.ts"
import {
  type QuotaAmounts,
  type QuotaLimits,
  type QuotaName,
  type TenantQuota,
  unlimitedQuotas
} from "../domain/access/Quota.ts"
import { type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { LiveProcesses } from "../persistence/postgres/LiveProcesses.ts"
import { UsageStore } from "../persistence/stores/usage/UsageStore.ts"
import { tenantQuotas, UsageLedger } from "./UsageLedger.ts"
import { QuotaExceeded } from "./limitErrors.ts"

/**
 * Refuses writes beyond a quota of their tenant. Usage is counted when it is unknown, when a process has used up its
 * share, and every 30 seconds: far from a limit, a write costs no statement more. Without `layer` nothing is limited.
 */
export class Quotas extends Context.Reference<Quotas>()("lifecycle/Quotas", {
  defaultValue: (): QuotasShape => ({
    limits: unlimitedQuotas,
    domainLimit: Option.none(),
    reserve: (_, __, write) => write,
    add: () => undefined,
    readUsage: () => Effect.succeed({})
  })
}) {
  static readonly layer = (limits: QuotaLimits) =>
    Layer.scoped(
      Quotas,
      Effect.gen(function* () {
        const clock = yield* MonotonicClock
        const processes = yield* LiveProcesses
        const store = yield* UsageStore
        const scope = yield* Effect.scope
        const tenants = new LruMap<string, TenantEntry>(maxTenants)

        const entryOf = (tenancy: Tenancy): TenantEntry => {
          const key = toTenantKey(tenancy)
          const known = tenants.get(key)
          if (known !== undefined) return known
          const entry = { tenancy, ledger: new UsageLedger(limits), turn: Effect.unsafeMakeSemaphore(1) }
          tenants.set(key, entry)
          return entry
        }

        const count = ({ ledger, tenancy }: TenantEntry, quotas: ReadonlyArray<TenantQuota>) =>
          Effect.suspend(() => {
            if (!Array.isNonEmptyReadonlyArray(quotas)) return Effect.void
            const endCount = ledger.startCount(quotas)
            return Effect.map(store.count(tenancy, quotas), (counted) =>
              endCount(counted, processes.count(), clock.nowMillis())
            )
          })

        const isOlder =
          ({ ledger }: TenantEntry, millis: number) =>
          (quota: TenantQuota) =>
            clock.nowMillis() - ledger.countedAt(quota) >= millis

        const isWorthCounting = (entry: TenantEntry) => (quota: TenantQuota) =>
          !entry.ledger.wasFull(quota) || isOlder(entry, countAgainMillis)(quota)

        /** One count at a time for a tenant, and one a second while it is at a limit: a flood of refusals costs no more. */
        const reserveByCount = (entry: TenantEntry, amounts: QuotaAmounts) =>
          entry.turn.withPermits(1)(
            Effect.gen(function* () {
              const short = entry.ledger.reserve(amounts)
              if (short.length === 0) return
              yield* count(entry, short.filter(isWorthCounting(entry)))
              const [exceeded] = entry.ledger.reserveAfterCount(amounts)
              if (exceeded !== undefined)
                return yield* makeQuotaExceeded(exceeded, limits[exceeded], entry.ledger.usedOf(exceeded))
            })
          )

        const refreshInBackground = (entry: TenantEntry, amounts: QuotaAmounts) =>
          Effect.suspend(() => {
            const stale = tenantQuotas.filter(
              (quota) => amounts[quota] !== undefined && limits[quota] > 0 && isOlder(entry, staleMillis)(quota)
            )
            return stale.length === 0
              ? Effect.void
              : count(entry, stale).pipe(entry.turn.withPermitsIfAvailable(1), Effect.ignore, Effect.forkIn(scope))
          })

        const shape: QuotasShape = {
          limits,
          domainLimit: limits.connectionsPerDomain === 0 ? Option.none() : Option.some(limits.connectionsPerDomain),
          reserve: (tenancy, amounts, write) =>
            Effect.suspend(() => {
              const entry = entryOf(tenancy)
              const reserve = Effect.suspend(() =>
                entry.ledger.reserve(amounts).length === 0
                  ? refreshInBackground(entry, amounts)
                  : reserveByCount(entry, amounts)
              )
              return Effect.acquireUseRelease(
                reserve,
                () => write,
                () => Effect.sync(() => entry.ledger.release(amounts))
              )
            }),
          add: (tenancy, amounts) => entryOf(tenancy).ledger.add(amounts),
          readUsage: (tenancy) =>
            Effect.suspend(() => {
              const entry = entryOf(tenancy)
              return entry.turn
                .withPermits(1)(
                  Effect.suspend(() => count(entry, tenantQuotas.filter(isOlder(entry, countAgainMillis))))
                )
                .pipe(
                  Effect.map(() => Object.fromEntries(tenantQuotas.map((quota) => [quota, entry.ledger.usedOf(quota)])))
                )
            })
        }
        return shape
      })
    )
}

interface QuotasShape {
  readonly limits: QuotaLimits
  /** How many connections that have not ended a tenant may have in a registered domain. */
  readonly domainLimit: Option.Option<number>
  /** Runs a write that adds these amounts, unless that would exceed a quota. Bytes may be added afterwards. */
  readonly reserve: <A, E, R>(
    tenancy: Tenancy,
    amounts: QuotaAmounts,
    write: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | QuotaExceeded | StoreUnavailable, R>
  readonly add: (tenancy: Tenancy, amounts: QuotaAmounts) => void
  /** Reads the usage of a tenant, at most a second old. */
  readonly readUsage: (tenancy: Tenancy) => Effect.Effect<QuotaAmounts, StoreUnavailable>
}

interface TenantEntry {
  readonly tenancy: Tenancy
  readonly ledger: UsageLedger
  /** Held by the one fiber that counts. */
  readonly turn: Effect.Semaphore
}

/** An entry takes about 1 kB; a tenant that was dropped is counted again. */
const maxTenants = 10_000

const countAgainMillis = 1_000

const staleMillis = 30_000

interface QuotaText {
  readonly code: DetailCode
  readonly pointer: string
  /** The unit of the limit, which follows its number. */
  readonly subject: string
  /** The advice to the caller. */
  readonly remedy: string
}

const askOperator = (setting: string) => `or ask the operator of the service to raise ${setting}`

const quotaTexts: { readonly [_ in QuotaName]: QuotaText } = {
  connections: {
    code: "connections_per_tenant",
    pointer: "",
    subject: "connections that have not ended",
    remedy: `cancel or disconnect those that are not needed, ${askOperator("CONNECTIONS_PER_TENANT")}`
  },
  connectionsPerDomain: {
    code: "connections_per_domain",
    pointer: "/intent/domain",
    subject: "connections that have not ended in this registered domain",
    remedy: `cancel or disconnect those that are not needed, ${askOperator("CONNECTIONS_PER_DOMAIN")}`
  },
  openDiscoveries: {
    code: "open_discoveries_per_tenant",
    pointer: "",
    subject: "connections whose discovery has not ended",
    remedy: "try again when some have ended"
  },
  storageBytes: {
    code: "storage_per_tenant",
    pointer: "",
    subject: "bytes of connections and their history",
    remedy: `send fewer records in each, ${askOperator("STORAGE_PER_TENANT_MIB")}`
  },
  idempotencyBytes: {
    code: "idempotency_per_tenant",
    pointer: "/idempotency-key",
    subject: "bytes of answers kept under idempotency keys",
    remedy: `they are deleted after 24 hours; wait, ${askOperator("IDEMPOTENCY_PER_TENANT_MIB")}`
  }
}

/** The error of a request that would exceed a quota; `used`, if it is known, may be more than the limit. */
export const makeQuotaExceeded = (quota: QuotaName, limit: number, used = limit): QuotaExceeded => {
  const { code, pointer, remedy, subject } = quotaTexts[quota]
  return new QuotaExceeded({
    message: `the tenant may have ${limit} ${subject}; ${remedy}`,
    details: [{ pointer, code, message: `${used} of ${limit} are used` }],
    ...(quota === "openDiscoveries"
      ? { code: "too_many_open_discoveries", retryAfterSeconds: discoverySeconds }
      : { code: "quota_exceeded" })
  })
}

/** Most discoveries end sooner. */
const discoverySeconds = 5

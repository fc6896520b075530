import type { QuotaAmounts, QuotaLimits, TenantQuota } from "../domain/access/Quota.ts"

/** One process's account of one quota of a tenant. */
interface LedgerEntry {
  /** The last count, and the amount that this process has added since. */
  used: number
  /** The usage at which this process counts again. */
  ceiling: number
  /** The amount that this process is writing at the moment. */
  inFlight: number
  /** The amount added since the running count started. */
  sinceStart: number
  countedAt: number
  /** Whether the last count found the limit reached. */
  isFull: boolean
}

/**
 * One process's account of a tenant's usage, which only grows between two counts. After a count, a process may use its
 * share of the rest; then it counts again, because others may have written too.
 */
export class UsageLedger {
  readonly #limits: QuotaLimits
  readonly #entries = new Map<TenantQuota, LedgerEntry>()

  constructor(limits: QuotaLimits) {
    this.#limits = limits
  }

  /** Reserves these amounts if each is known to fit, and returns the quotas that have to be counted first otherwise. */
  reserve(amounts: QuotaAmounts): ReadonlyArray<TenantQuota> {
    return this.#reserveBelow(amounts, ({ ceiling }) => ceiling)
  }

  /** Reserves as `reserve` does, but right after a count and up to the limit itself. */
  reserveAfterCount(amounts: QuotaAmounts): ReadonlyArray<TenantQuota> {
    return this.#reserveBelow(amounts, (_, limit) => limit)
  }

  #reserveBelow(
    amounts: QuotaAmounts,
    ceilingOf: (entry: LedgerEntry, limit: number) => number
  ): ReadonlyArray<TenantQuota> {
    const limited = this.#limitedQuotasOf(amounts)
    const short = limited.filter((quota) => {
      const entry = this.#entries.get(quota)
      return entry === undefined || entry.used + (amounts[quota] ?? 0) > ceilingOf(entry, this.#limits[quota])
    })
    if (short.length > 0) return short
    limited.forEach((quota) => {
      const entry = this.#entryOf(quota)
      entry.inFlight += amounts[quota] ?? 0
      this.#grow(entry, amounts[quota] ?? 0)
    })
    return []
  }

  /** The write of these reserved amounts has ended, with or without success. */
  release(amounts: QuotaAmounts): void {
    this.#limitedQuotasOf(amounts).forEach((quota) => {
      this.#entryOf(quota).inFlight -= amounts[quota] ?? 0
    })
  }

  /** Adds writes that had no reservation. */
  add(amounts: QuotaAmounts): void {
    this.#limitedQuotasOf(amounts).forEach((quota) => this.#grow(this.#entryOf(quota), amounts[quota] ?? 0))
  }

  /** Starts a count of these quotas, which may or may not see current writes. Returns the function that ends it. */
  startCount(quotas: ReadonlyArray<TenantQuota>): (counted: QuotaAmounts, processes: number, now: number) => void {
    const started = quotas.map((quota) => {
      const entry = this.#entryOf(quota)
      entry.sinceStart = 0
      return { quota, entry, inFlight: entry.inFlight }
    })
    return (counted, processes, now) =>
      started.forEach(({ entry, inFlight, quota }) => {
        entry.used = (counted[quota] ?? 0) + inFlight + entry.sinceStart
        entry.ceiling = entry.used + Math.floor(Math.max(0, this.#limits[quota] - entry.used) / processes)
        entry.countedAt = now
        entry.isFull = entry.used >= this.#limits[quota]
      })
  }

  /** The known usage, at least the amount that this process has written. */
  usedOf(quota: TenantQuota): number {
    return this.#entryOf(quota).used
  }

  /** When the quota was counted last; `-Infinity` if never. */
  countedAt(quota: TenantQuota): number {
    return this.#entries.get(quota)?.countedAt ?? -Infinity
  }

  wasFull(quota: TenantQuota): boolean {
    return this.#entries.get(quota)?.isFull ?? false
  }

  #limitedQuotasOf(amounts: QuotaAmounts): ReadonlyArray<TenantQuota> {
    return tenantQuotas.filter((quota) => amounts[quota] !== undefined && this.#limits[quota] > 0)
  }

  #grow(entry: LedgerEntry, amount: number): void {
    entry.used += amount
    entry.sinceStart += amount
  }

  #entryOf(quota: TenantQuota): LedgerEntry {
    const known = this.#entries.get(quota)
    if (known !== undefined) return known
    const entry = { used: 0, ceiling: -1, inFlight: 0, sinceStart: 0, countedAt: -Infinity, isFull: false }
    this.#entries.set(quota, entry)
    return entry
  }
}

export const tenantQuotas: ReadonlyArray<TenantQuota> = [
  "connections",
  "openDiscoveries",
  "storageBytes",
  "idempotencyBytes"
]

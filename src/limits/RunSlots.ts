import { type Tenancy, toTenantKey } from "../domain/access/Tenancy.ts"
import type { SharePolicy } from "../persistence/stores/phases/SharePolicy.ts"
import { type FairQueue, makeFairQueue, type Permit } from "./FairQueue.ts"

/** How many runs hold a slot or wait outside the slots, in all and of one tenant. */
interface SlotLimits {
  readonly slots: number
  /** New phases may take more while no other tenant waits (see `PhaseStore.takeDue`) and none of the tenant's runs does. */
  readonly slotsPerTenant: number
  readonly waiting: number
  readonly waitingPerTenant: number
}

/** The limits of a process with so many slots. A run that waits costs little: some memory and a timer. */
export const makeSlotLimits = (slots: number): SlotLimits => ({
  slots,
  slotsPerTenant: Math.max(1, Math.floor((slots * 3) / 4)),
  waiting: slots * 20,
  waitingPerTenant: slots * 10
})

/** The slots of one process, which its runs hold by name. A free slot goes to the tenant that holds the fewest. */
export class RunSlots {
  readonly #limits: SlotLimits
  readonly #queue: FairQueue
  readonly #runs = new Map<string, Run>()
  readonly #tenants = new Map<string, TenantTurn>()
  #lastPriorityOffset = 0
  #turns = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
    this.#queue = makeFairQueue({
      permits: limits.slots,
      isFewestFirst: true,
      maxPerKey: limits.slotsPerTenant,
      isMaxPerKeyFirm: true,
      maxQueuedPerKey: limits.slots,
      maxSuspended: limits.waiting,
      maxSuspendedPerKey: limits.waitingPerTenant
    })
  }

  /** How many runs hold a slot; more than there are slots if runs were started by `start`. */
  get holding(): number {
    return this.#queue.count().held
  }

  get waiting(): number {
    return this.#queue.count().suspended
  }

  get free(): number {
    return Math.max(0, this.#queue.count().free)
  }

  /** How far behind `backgroundPriority` all runs of the tenant are scheduled: 1 to 100, which few other tenants share. */
  priorityOffsetOf(tenancy: Tenancy): number {
    return this.#tenantOf(tenancy).priorityOffset
  }

  /** The input for sharing free slots: the slots that each tenant holds or requests, and how many more runs it may have. */
  get sharePolicy(): SharePolicy {
    return {
      perTenant: this.#limits.slotsPerTenant,
      loads: [...this.#tenants].map(([key, { lastTurn, tenancy }]) => {
        const { held, queued } = this.#queue.countOf(key)
        return { tenancy, inFlight: held + queued, room: this.#roomOf(key), lastTurn }
      })
    }
  }

  /** Gives a run a slot, even if none is free: the caller has taken no more than `free`. */
  start(id: string, tenancy: Tenancy, now: number): void {
    this.end(id)
    this.#noteTurn(tenancy)
    this.#runs.set(id, { permit: this.#queue.take(toTenantKey(tenancy)), startedAt: now, isStarted: true })
  }

  /** Calls `onGranted` once a new run holds a slot; false if the tenant has as many requests as there are slots. */
  request(id: string, tenancy: Tenancy, now: number, onGranted: () => void): boolean {
    const run: Run = { permit: undefined, startedAt: now, isStarted: false }
    run.permit = this.#queue.acquire(toTenantKey(tenancy), () => {
      run.isStarted = true
      this.#noteTurn(tenancy)
      onGranted()
    })
    if (run.permit !== undefined) this.#runs.set(id, run)
    return run.permit !== undefined
  }

  /** Takes the slot of a run that waits for others; false, and it keeps the slot, if too many wait already. */
  suspend(id: string): boolean {
    return this.#runs.get(id)?.permit?.suspend() ?? false
  }

  /** Calls `onResumed` once the run holds a slot again; at once if it is not known, or holds one. */
  resume(id: string, onResumed: () => void): void {
    const permit = this.#runs.get(id)?.permit
    if (permit === undefined) onResumed()
    else permit.resume(onResumed)
  }

  /** Ends a run or its request; whether it had begun. A run that requested to resume continues without a slot. */
  end(id: string): boolean {
    const run = this.#runs.get(id)
    this.#runs.delete(id)
    run?.permit?.release()
    this.#forgetIdleTenants()
    return run?.isStarted ?? false
  }

  /** Ends the runs that began before a time: a process that died reports no end of them. */
  endBefore(time: number): void {
    for (const [id, { startedAt }] of this.#runs) if (startedAt < time) this.end(id)
  }

  /** Each run that holds a slot can wait, so that a tenant whose servers are all silent never keeps its slots. */
  #roomOf(key: string): number {
    const { slots, slotsPerTenant, waitingPerTenant } = this.#limits
    const { held, queued, suspended } = this.#queue.countOf(key)
    const free = (suspended > 0 ? slotsPerTenant : slots) - held - queued
    return Math.max(0, Math.min(free, waitingPerTenant - suspended - held))
  }

  #noteTurn(tenancy: Tenancy): void {
    this.#turns += 1
    this.#tenantOf(tenancy).lastTurn = this.#turns
  }

  #tenantOf(tenancy: Tenancy): TenantTurn {
    const key = toTenantKey(tenancy)
    const known = this.#tenants.get(key)
    if (known !== undefined) return known
    this.#lastPriorityOffset = (this.#lastPriorityOffset % 100) + 1
    const tenant = { tenancy, priorityOffset: this.#lastPriorityOffset, lastTurn: 0 }
    this.#tenants.set(key, tenant)
    return tenant
  }

  /** The tenants that had the last turns stay, so that one with many old phases does not win each tie. */
  #forgetIdleTenants(): void {
    if (this.#tenants.size <= tenantsRemembered) return
    const oldest = this.#turns - tenantsRemembered
    for (const [key, { lastTurn }] of this.#tenants) {
      const { held, queued, suspended } = this.#queue.countOf(key)
      if (lastTurn < oldest && held + queued + suspended === 0) this.#tenants.delete(key)
    }
  }
}

interface Run {
  permit: Permit | undefined
  readonly startedAt: number
  /** Whether it has had a slot. */
  isStarted: boolean
}

interface TenantTurn {
  readonly tenancy: Tenancy
  readonly priorityOffset: number
  /** Grows with each turn of any tenant. */
  lastTurn: number
}

const tenantsRemembered = 64

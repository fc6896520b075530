import { type Tenancy, toTenantKey } from "../../domain/Tenancy.ts"
import type { SharePolicy } from "../../persistence/stores/SharePolicy.ts"

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

/**
 * The slots of one process, shared fairly among the tenants. A run holds a slot while it works; it gives the slot back
 * while it waits for others and asks for one again. A free slot goes to the tenant that holds the fewest; within a tenant
 * resumed runs come before new ones, and each kind in the order of its requests.
 */
export class FairSlots {
  readonly #limits: SlotLimits
  readonly #runs = new Map<string, Run>()
  readonly #tenants = new Map<string, TenantShare>()
  #lastPriorityOffset = 0
  #turns = 0
  #holding = 0
  #waiting = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** How many runs hold a slot; more than there are slots if runs were started by `start`. */
  get holding(): number {
    return this.#holding
  }

  /** How many runs wait outside the slots. */
  get waiting(): number {
    return this.#waiting
  }

  get free(): number {
    return Math.max(0, this.#limits.slots - this.#holding)
  }

  has(id: string): boolean {
    return this.#runs.has(id)
  }

  /** How far behind `backgroundPriority` all runs of the tenant are scheduled: 1 to 100, which few other tenants share. */
  priorityOffsetOf(tenancy: Tenancy): number {
    return this.#tenantOf(tenancy).priorityOffset
  }

  /** The input for sharing free slots: the slots that each tenant holds or requests, and how many more runs it may have. */
  get sharePolicy(): SharePolicy {
    return {
      perTenant: this.#limits.slotsPerTenant,
      loads: [...this.#tenants.values()].map((tenant) => ({
        tenancy: tenant.tenancy,
        inFlight: tenant.holding + tenant.resumed.size + tenant.requested.size,
        room: this.#roomOf(tenant),
        lastTurn: tenant.lastTurn
      }))
    }
  }

  /** Gives a run a slot, even if none is free: the caller has taken no more than `free`. */
  start(id: string, tenancy: Tenancy, now: number): void {
    this.end(id)
    this.#hold(id, this.#tenantOf(tenancy), now)
  }

  /**
   * Asks for a slot for a new run and calls `onGranted` once it holds one, which may be at once. Returns false if the
   * tenant has requested as many as there are slots: that is not computed.
   */
  request(id: string, tenancy: Tenancy, now: number, onGranted: () => void): boolean {
    const tenant = this.#tenantOf(tenancy)
    if (tenant.requested.size >= this.#limits.slots) return false
    tenant.requested.set(id, () => {
      this.#hold(id, tenant, now)
      onGranted()
    })
    this.#grant()
    return true
  }

  /** Takes the slot of a run that waits for others; false, and it keeps the slot, if too many wait already. */
  suspend(id: string): boolean {
    const run = this.#runs.get(id)
    if (run === undefined || run.isWaiting || !this.#canWait(run.tenant)) return false
    this.#setWaiting(run, true)
    this.#grant()
    return true
  }

  /** Calls `onResumed` once the run holds a slot again; at once if it is not known, or holds one. */
  resume(id: string, onResumed: () => void): void {
    const run = this.#runs.get(id)
    if (run?.isWaiting !== true) return onResumed()
    run.tenant.resumed.set(id, () => {
      this.#setWaiting(run, false)
      onResumed()
    })
    this.#grant()
  }

  /** Ends a run or its request; false if it is unknown. A run that requested to resume continues without a slot. */
  end(id: string, tenancy?: Tenancy): boolean {
    const run = this.#runs.get(id)
    const tenant = run?.tenant ?? (tenancy === undefined ? undefined : this.#tenants.get(toTenantKey(tenancy)))
    tenant?.requested.delete(id)
    this.#forgetIdleTenants()
    if (run === undefined) return false
    const resume = run.tenant.resumed.get(id)
    run.tenant.resumed.delete(id)
    this.#setWaiting(run, false)
    run.tenant.holding -= 1
    this.#holding -= 1
    this.#runs.delete(id)
    resume?.()
    this.#grant()
    return true
  }

  /** Ends the runs that began before a time: a process that died reports no end of them. */
  endBefore(time: number): void {
    for (const [id, { startedAt }] of this.#runs) if (startedAt < time) this.end(id)
  }

  /** Each run that holds a slot can wait, so that a tenant whose servers are all silent never keeps its slots. */
  #roomOf({ holding, requested, resumed, waiting }: TenantShare): number {
    const { slots, slotsPerTenant, waitingPerTenant } = this.#limits
    const held = (waiting > 0 ? slotsPerTenant : slots) - holding - requested.size - resumed.size
    return Math.max(0, Math.min(held, waitingPerTenant - waiting - holding))
  }

  #canWait(tenant: TenantShare): boolean {
    return this.#waiting < this.#limits.waiting && tenant.waiting < this.#limits.waitingPerTenant
  }

  #hold(id: string, tenant: TenantShare, startedAt: number): void {
    this.#runs.set(id, { tenant, startedAt, isWaiting: false })
    tenant.holding += 1
    this.#holding += 1
    this.#turns += 1
    tenant.lastTurn = this.#turns
  }

  #setWaiting(run: Run, isWaiting: boolean): void {
    if (run.isWaiting === isWaiting) return
    const change = isWaiting ? 1 : -1
    run.isWaiting = isWaiting
    run.tenant.waiting += change
    run.tenant.holding -= change
    this.#waiting += change
    this.#holding -= change
  }

  /** Hands out free slots while a tenant that has requested one may hold it. */
  #grant(): void {
    while (this.free > 0) {
      const tenant = this.#findNextTenant()
      if (tenant === undefined) return
      const queue = tenant.resumed.size > 0 ? tenant.resumed : tenant.requested
      const [[id, grant] = noEntry] = queue
      queue.delete(id)
      grant()
    }
  }

  #findNextTenant(): TenantShare | undefined {
    let next: TenantShare | undefined
    for (const tenant of this.#tenants.values())
      if (this.#mayHoldMore(tenant) && (next === undefined || comesBefore(tenant, next))) next = tenant
    return next
  }

  #mayHoldMore(tenant: TenantShare): boolean {
    if (tenant.holding >= this.#limits.slotsPerTenant) return false
    const canWait = tenant.waiting + tenant.holding < this.#limits.waitingPerTenant
    return tenant.resumed.size > 0 || (tenant.requested.size > 0 && canWait)
  }

  #tenantOf(tenancy: Tenancy): TenantShare {
    const key = toTenantKey(tenancy)
    const known = this.#tenants.get(key)
    if (known !== undefined) return known
    this.#lastPriorityOffset = (this.#lastPriorityOffset % 100) + 1
    const tenant = {
      tenancy,
      priorityOffset: this.#lastPriorityOffset,
      holding: 0,
      waiting: 0,
      lastTurn: 0,
      requested: new Map(),
      resumed: new Map()
    }
    this.#tenants.set(key, tenant)
    return tenant
  }

  /** The tenants that had the last turns stay, so that one with many old phases does not win each tie. */
  #forgetIdleTenants(): void {
    if (this.#tenants.size <= tenantsRemembered) return
    const oldest = this.#turns - tenantsRemembered
    for (const [key, tenant] of this.#tenants) if (isIdle(tenant) && tenant.lastTurn < oldest) this.#tenants.delete(key)
  }
}

interface Run {
  readonly tenant: TenantShare
  readonly startedAt: number
  isWaiting: boolean
}

/** `requested` and `resumed` hold what to call when a run gets its slot, in the order in which they asked. */
interface TenantShare {
  readonly tenancy: Tenancy
  readonly priorityOffset: number
  readonly requested: Map<string, () => void>
  readonly resumed: Map<string, () => void>
  holding: number
  waiting: number
  lastTurn: number
}

const tenantsRemembered = 64

const noEntry: readonly [string, () => void] = ["", () => {}]

const comesBefore = (a: TenantShare, b: TenantShare): boolean =>
  a.holding === b.holding ? a.lastTurn < b.lastTurn : a.holding < b.holding

const isIdle = ({ holding, requested, resumed, waiting }: TenantShare): boolean =>
  holding + waiting + requested.size + resumed.size === 0

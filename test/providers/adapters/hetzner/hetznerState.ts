import type { FakeHetznerSet } from "./hetznerRules.ts"

/** A zone of a project. */
export interface FakeHetznerZone {
  readonly id: number
  readonly mode: "primary" | "secondary"
  /** Seconds, for the sets without a TTL of their own. */
  readonly ttl: number
  readonly sets: ReadonlyArray<FakeHetznerSet>
}

/** The zones of one project, by name, and the changes that were accepted. */
export interface HetznerState {
  readonly zones: Readonly<Record<string, FakeHetznerZone>>
  readonly actions: ReadonlyArray<FakeHetznerAction>
  readonly nextActionId: number
  /** How long an action runs, by the fake's clock; with 0 it has ended when somebody asks. */
  readonly actionMillis: number
  /** The errors in which actions of these commands end; without one, they succeed. */
  readonly actionErrors: Readonly<Record<string, ActionError>>
}

type ActionError = { readonly code: string; readonly message: string } | "no reason"

export interface FakeHetznerAction {
  readonly id: number
  readonly command: string
  readonly zone: string
  readonly startedAt: number
  readonly endsAt: number
  readonly error: ActionError | null
  readonly change: (sets: ReadonlyArray<FakeHetznerSet>) => ReadonlyArray<FakeHetznerSet>
  readonly hasEnded: boolean
}

/** The name servers that Hetzner gives to each zone (recording `authenticate`). */
export const hetznerNameServers = ["hydrogen.ns.hetzner.com.", "oxygen.ns.hetzner.com.", "helium.ns.hetzner.de."]

/** Each zone begins with its SOA and NS, which have no TTL of their own. */
export const hetznerState = (
  zones: Readonly<Record<string, ReadonlyArray<FakeHetznerSet>>>,
  more: Partial<HetznerState> = {}
): HetznerState => ({
  zones: Object.fromEntries(
    Object.entries(zones).map(([name, sets], index) => [
      name,
      { id: 53_091 + index, mode: "primary", ttl: 86_400, sets: [...ownSets, ...sets] }
    ])
  ),
  actions: [],
  nextActionId: 604_989_101_982_297,
  actionMillis: 0,
  actionErrors: {},
  ...more
})

const ownSets: ReadonlyArray<FakeHetznerSet> = [
  { name: "@", type: "NS", ttl: null, records: hetznerNameServers.map((value) => ({ value })) },
  {
    name: "@",
    type: "SOA",
    ttl: null,
    records: [{ value: "hydrogen.ns.hetzner.com. dns.hetzner.com. 2026011546 86400 10800 3600000 3600" }]
  }
]

/** Makes the changes of the actions whose time has come. */
export const endActions = (state: HetznerState, now: number): HetznerState =>
  state.actions
    .filter(({ endsAt, hasEnded }) => !hasEnded && endsAt <= now)
    .reduce((current, action) => {
      const zone = current.zones[action.zone]
      const sets = zone === undefined || action.error !== null ? undefined : action.change(zone.sets)
      return {
        ...current,
        actions: current.actions.map((other) => (other.id === action.id ? { ...other, hasEnded: true } : other)),
        zones: zone && sets ? { ...current.zones, [action.zone]: { ...zone, sets } } : current.zones
      }
    }, state)

/** An action as the API shows it. */
export const toShownAction = (
  { command, endsAt, error, hasEnded, id, startedAt, zone }: FakeHetznerAction,
  state: HetznerState
) => ({
  id,
  command,
  status: !hasEnded ? "running" : error === null ? "success" : "error",
  progress: hasEnded ? 100 : 0,
  started: toTime(startedAt),
  finished: hasEnded ? toTime(endsAt) : null,
  error: hasEnded && error !== "no reason" ? error : null,
  resources: [{ id: state.zones[zone]?.id ?? 0, type: "zone" }]
})

const toTime = (millis: number): string => new Date(millis).toISOString().replace(/\.\d+Z$/, "Z")

/** A set as the API shows it. */
export const toShownSet = ({ isProtected = false, name, records, ttl, type }: FakeHetznerSet, zone: number) => ({
  id: `${name}/${type}`,
  name,
  type,
  ttl,
  labels: {},
  protection: { change: isProtected },
  records: records
    .map(({ comment = "", value }) => ({ value, comment }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  zone
})

/** A zone as the API shows it. */
export const toShownZone = (name: string, { id, mode, sets, ttl }: FakeHetznerZone) => ({
  id,
  name,
  mode,
  ttl,
  labels: {},
  primary_nameservers: [],
  created: "2025-10-28T13:34:24Z",
  protection: { delete: false },
  status: "ok",
  authoritative_nameservers: {
    assigned: hetznerNameServers,
    delegated: hetznerNameServers,
    delegation_last_check: "2026-01-08T04:48:17Z",
    delegation_status: "valid"
  },
  record_count: sets.reduce((count, { records }) => count + records.length, 0),
  registrar: "hetzner"
})

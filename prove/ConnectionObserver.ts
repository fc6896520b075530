import { Effect, Schedule } from "effect"
import type { PowerDns } from "../test/support/lab/PowerDns.ts"
import { type ApiClient, retryUntilAnswered } from "./ApiClient.ts"
import {
  authorizeAndApprove,
  type ConnectionJson,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf
} from "./connectionSteps.ts"
import { dumpZone, type ZoneDump } from "./proofZones.ts"

/** One connection as its client saw it live: what it agreed to, and whatever was not as it has to be. */
export interface ObservedConnection {
  readonly id: string
  readonly zone: string
  readonly domain: string
  readonly changes: ReadonlyArray<any>
  readonly violations: ReadonlyArray<string>
}

/** The states of a one-click connection in their order. */
const path = ["requested", "awaiting_authorization", "authorized", "applying", "verifying", "active"]

/** Connects with one click and looks on until the connection is `active`; nothing of it may ever go backwards. */
export const observeConnection = (api: ApiClient, zone: string, wanted: DesiredConnection, patienceSeconds: number) =>
  Effect.gen(function* () {
    const connection = yield* createPlannedConnection(api, wanted)
    yield* authorizeAndApprove(api, connection, wanted)
    const { id, plan } = connection
    const complaints = yield* lookOn(api, id, patienceSeconds)
    return { id, zone, domain: wanted.domain, changes: plan.changes, violations: complaints }
  })

const lookOn = (api: ApiClient, id: string, patienceSeconds: number) =>
  Effect.gen(function* () {
    const complaints: Array<string> = []
    let [rank, version] = [0, 0]
    const look = Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}`)), ({ body, headers, status }) => {
      const { state, failure }: ConnectionJson = body.connection ?? { state: `status ${status}` }
      const now = { rank: path.indexOf(state), version: Number(headers.get("etag")?.replaceAll('"', "")) }
      if (now.rank < rank) complaints.push(`${id}: ${path[rank]} became ${state} ${failure?.code ?? ""}`)
      if (now.version < version) complaints.push(`${id}: version ${version} became ${now.version}`)
      ;[rank, version] = [now.rank, now.version]
      return state === "active" || now.rank === -1
    })
    const ended = yield* Effect.repeat(look, {
      until: (isOver) => isOver,
      schedule: Schedule.spaced("200 millis")
    }).pipe(Effect.timeoutOption(`${patienceSeconds} seconds`))
    if (ended._tag === "None") complaints.push(`${id}: still ${path[rank]} after ${patienceSeconds} s`)
    return complaints
  })

/** What is wrong afterwards: with what the API knows of the connections, and with what the zones hold. */
export const findInconsistencies = (
  api: ApiClient,
  pdns: PowerDns,
  witnesses: ReadonlyArray<ObservedConnection>,
  zonesBefore: ReadonlyMap<string, ZoneDump>
) =>
  Effect.gen(function* () {
    const lost = yield* Effect.filter(
      witnesses,
      ({ id }) =>
        Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}`)), ({ body }) => body?.connection?.id !== id),
      { concurrency: 4 }
    )
    const astray = yield* Effect.filter(
      witnesses,
      ({ id }) => Effect.map(timelineOf(api, id), (entries) => entries.map(({ to }) => to).join() !== path.join()),
      { concurrency: 4 }
    )
    const zones = yield* Effect.forEach([...zonesBefore], ([zone, before]) =>
      Effect.map(dumpZone(pdns, zone), (now) => {
        const expected = expectedIn(
          before,
          witnesses.filter((one) => one.zone === zone)
        )
        return expected.join("\n") === now.join("\n") ? [] : [{ zone, ...differenceOf(expected, now) }]
      })
    )
    return { lost: lost.map(({ id }) => id), astray: astray.map(({ id }) => id), zones: zones.flat() }
  })

/** What a zone has to hold: what it held, changed by every plan that was agreed to. */
const expectedIn = (before: ZoneDump, witnesses: ReadonlyArray<ObservedConnection>): ZoneDump => {
  const lines = new Set(before)
  for (const { changes, domain } of witnesses) {
    for (const change of changes) if (change.before !== undefined) lines.delete(lineOf(change.before, domain))
    for (const change of changes) if (change.after !== undefined) lines.add(lineOf(change.after, domain))
  }
  return [...lines].toSorted()
}

const differenceOf = (expected: ZoneDump, now: ZoneDump) => ({
  missing: expected.filter((line) => !now.includes(line)),
  unexpected: now.filter((line) => !expected.includes(line))
})

const lineOf = ({ host, priority, ttl, type, value }: any, domain: string): string => {
  const name = host === "@" ? `${domain}.` : `${host}.${domain}.`
  const data = type === "TXT" ? `"${value}"` : type === "CNAME" || type === "MX" ? `${value}.` : value
  return `${name} ${ttl} ${type} ${priority === undefined ? "" : `${priority} `}${data}`
}

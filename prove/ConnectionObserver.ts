import { Effect, Schedule } from "effect"
import type { PowerDns } from "../test/support/lab/PowerDns.ts"
import { type ApiClient, retryUntilAnswered } from "./ApiClient.ts"
import {
  authorizeAndApprove,
  type ConnectionJson,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf,
  oneClickStates
} from "./connectionSteps.ts"
import { dumpZone, type ZoneDump } from "./proofZones.ts"

/** A connection as its client observed it: the approved changes, and the observed violations. */
export interface ObservedConnection {
  readonly id: string
  readonly zone: string
  readonly domain: string
  readonly changes: ReadonlyArray<any>
  readonly violations: ReadonlyArray<string>
}

/** Connects with one click and observes the connection until it is `active`. State and version may never go back. */
export const observeConnection = (api: ApiClient, zone: string, desired: DesiredConnection, timeoutSeconds: number) =>
  Effect.gen(function* () {
    const connection = yield* createPlannedConnection(api, desired)
    yield* authorizeAndApprove(api, connection, desired)
    const { id, plan } = connection
    const violations = yield* observeUntilActive(api, id, timeoutSeconds)
    return { id, zone, domain: desired.domain, changes: plan.changes, violations }
  })

const observeUntilActive = (api: ApiClient, id: string, timeoutSeconds: number) =>
  Effect.gen(function* () {
    const violations: Array<string> = []
    let [rank, version] = [0, 0]
    const observe = Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}`)), ({ body, headers, status }) => {
      const { state, failure }: ConnectionJson = body.connection ?? { state: `status ${status}` }
      const now = { rank: oneClickStates.indexOf(state), version: Number(headers.get("etag")?.replaceAll('"', "")) }
      if (now.rank < rank) violations.push(`${id}: ${oneClickStates[rank]} became ${state} ${failure?.code ?? ""}`)
      if (now.version < version) violations.push(`${id}: version ${version} became ${now.version}`)
      ;[rank, version] = [now.rank, now.version]
      return state === "active" || now.rank === -1
    })
    const ended = yield* Effect.repeat(observe, {
      until: (isOver) => isOver,
      schedule: Schedule.spaced("200 millis")
    }).pipe(Effect.timeoutOption(`${timeoutSeconds} seconds`))
    if (ended._tag === "None") violations.push(`${id}: still ${oneClickStates[rank]} after ${timeoutSeconds} s`)
    return violations
  })

/** Compares the connections in the API and the records in the zones with what was observed and approved. */
export const findInconsistencies = (
  api: ApiClient,
  pdns: PowerDns,
  observed: ReadonlyArray<ObservedConnection>,
  zonesBefore: ReadonlyMap<string, ZoneDump>
) =>
  Effect.gen(function* () {
    const lost = yield* Effect.filter(
      observed,
      ({ id }) =>
        Effect.map(retryUntilAnswered(api.get(`/v1/connections/${id}`)), ({ body }) => body?.connection?.id !== id),
      { concurrency: 4 }
    )
    const wrongTimelines = yield* Effect.filter(
      observed,
      ({ id }) =>
        Effect.map(timelineOf(api, id), (entries) => entries.map(({ to }) => to).join() !== oneClickStates.join()),
      { concurrency: 4 }
    )
    const zones = yield* Effect.forEach([...zonesBefore], ([zone, before]) =>
      Effect.map(dumpZone(pdns, zone), (current) => {
        const expected = expectedIn(
          before,
          observed.filter((connection) => connection.zone === zone)
        )
        return expected.join("\n") === current.join("\n") ? [] : [{ zone, ...differenceOf(expected, current) }]
      })
    )
    return { lost: lost.map(({ id }) => id), wrongTimelines: wrongTimelines.map(({ id }) => id), zones: zones.flat() }
  })

/** The expected records of a zone: the records before, changed by every approved plan. */
const expectedIn = (before: ZoneDump, observed: ReadonlyArray<ObservedConnection>): ZoneDump => {
  const lines = new Set(before)
  for (const { changes, domain } of observed) {
    for (const change of changes) if (change.before !== undefined) lines.delete(lineOf(change.before, domain))
    for (const change of changes) if (change.after !== undefined) lines.add(lineOf(change.after, domain))
  }
  return [...lines].toSorted()
}

const differenceOf = (expected: ZoneDump, current: ZoneDump) => ({
  missing: expected.filter((line) => !current.includes(line)),
  unexpected: current.filter((line) => !expected.includes(line))
})

const lineOf = ({ host, priority, ttl, type, value }: any, domain: string): string => {
  const name = host === "@" ? `${domain}.` : `${host}.${domain}.`
  const data = type === "TXT" ? `"${value}"` : type === "CNAME" || type === "MX" ? `${value}.` : value
  return `${name} ${ttl} ${type} ${priority === undefined ? "" : `${priority} `}${data}`
}

import { ConfigProvider, Effect } from "effect"
import { quantile, roundToThreeDigits } from "../bench/Report.ts"
import type { Lab } from "../test/support/lab/Lab.ts"
import { labEnvironment } from "../test/support/labService.ts"
import { makeApiClient } from "./ApiClient.ts"
import { createProofDatabase, type ProofDatabase } from "./ProofDatabase.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { countEach } from "./countEach.ts"
import { startFaultyReceiver } from "./events/FaultyReceiver.ts"
import { findEventFaults } from "./events/findEventFaults.ts"
import { seededRandom } from "./seededRandom.ts"
import {
  driftsOf,
  harmlessChangesOf,
  repairOf,
  startWatchedServers,
  type WatchedServers
} from "./watch/WatchedServers.ts"
import type { WatchRecording } from "./watch/WatchRecording.ts"
import { startWatchingProcess, type WatchingProcess } from "./watch/WatchingProcess.ts"
import { drawScenario, type WatchAction, type WatchScale } from "./watch/drawScenario.ts"
import { judgeWatch, type WatchRules } from "./watch/judgeWatch.ts"
import {
  countLookedAt,
  fillWithConnections,
  listWatchedZones,
  readSettledTimelines
} from "./watch/watchedConnections.ts"
import { watchingConfig } from "./watch/watchingConfig.ts"

/**
 * Two processes watch active connections, while people change their zones, name servers lie, die, lag and come back, and
 * the processes are killed: every drift is found within the promised time, none is said that was not, and nothing is lost.
 */
export const watch = ({ isShort, seed }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const scale = isShort ? short : full
      const zones = listWatchedZones(scale.connections)
      const watched = yield* startWatchedServers(zones)
      const database = yield* createProofDatabase
      const receiver = yield* startFaultyReceiver(() => undefined)
      const environment = yield* environmentOn(database, scale)
      const changes = makeChanges()
      const processes = yield* Effect.forEach([0, 1], (process) =>
        startWatchingProcess(environment, (isReady) =>
          changes.processChanges.push({ at: Date.now(), process, isReady })
        )
      )
      const url = processes[0]?.url() ?? ""
      yield* fillWithConnections(database, url, scale.connections)
      const endpoint = yield* makeApiClient(url, database.key).post("/v1/webhook-endpoints", { url: receiver.url })
      receiver.useSecret(endpoint.body.secret)
      // Until each connection was looked at.
      yield* Effect.sleep(`${1.5 * scale.recheckSeconds} seconds`)
      const lookedAt = yield* database.run(countLookedAt)

      const beganAt = Date.now()
      const actions = drawScenario(seededRandom(seed), scale)
      const act = (action: WatchAction) => perform({ action, watched, processes, zones, changes })
      yield* Effect.forEach(actions, (action) => Effect.delay(act(action), action.at), {
        concurrency: "unbounded",
        discard: true
      })
      yield* Effect.sleep(Math.max(0, beganAt + scale.runSeconds * 1_000 - Date.now()))
      const endedAt = Date.now()
      yield* Effect.logInfo("The run has ended; waiting for the last webhooks")
      const timelines = yield* readSettledTimelines(database)
      const recording: WatchRecording = {
        beganAt,
        endedAt,
        processes: processes.length,
        ...sortChanges(changes),
        connections: zones.map((zone) => {
          const { id, transitions } = timelines.get(zone) ?? { id: "none", transitions: [] }
          return {
            id,
            zone,
            servers: watched.servers.map(({ name }) => name),
            transitions,
            questionedAt: watched.questionedAt.get(zone) ?? []
          }
        })
      }
      const rules = yield* readRules(environment, scale)
      const { found, ...faults } = judgeWatch(recording, rules)
      const events = findEventFaults(
        new Map(
          [...timelines.values()].map(({ id, transitions }) => [id, transitions.filter(({ at }) => at > beganAt)])
        ),
        receiver.events
      )
      const spared = found.map(({ afterMillis, promisedMillis }) => afterMillis / promisedMillis)
      return {
        figures: {
          connections: zones.length,
          lookedAt,
          actions: countEach(actions.map(({ kind }) => kind)),
          seconds: roundToThreeDigits((endedAt - beganAt) / 1_000),
          /** When a process was killed, and when it was ready again. */
          processes: recording.processChanges.map(
            ({ at, isReady, process }) =>
              `${process} ${isReady ? "ready" : "killed"} ${((at - beganAt) / 1_000).toFixed(1)} s`
          ),
          checks: recording.connections.reduce((sum, { questionedAt }) => sum + questionedAt.length, 0),
          found: found.length,
          transitions: countEach(
            [...timelines.values()].flatMap(({ transitions }) =>
              transitions.filter(({ at }) => at > beganAt).map(({ from, to }) => `${from} to ${to}`)
            )
          ),
          foundSeconds: {
            p50: roundToThreeDigits(
              quantile(
                found.map(({ afterMillis }) => afterMillis / 1_000),
                0.5
              )
            ),
            max: roundToThreeDigits(Math.max(...found.map(({ afterMillis }) => afterMillis / 1_000)))
          },
          shareOfPromise: { p50: quantile(spared, 0.5), p99: quantile(spared, 0.99), max: Math.max(...spared) },
          faults: Object.fromEntries(Object.entries(faults).map(([kind, cases]) => [kind, cases.slice(0, 10)])),
          events: Object.fromEntries(Object.entries(events).map(([kind, cases]) => [kind, cases.slice(0, 10)])),
          webhooks: new Set(receiver.attempts.map(({ webhookId }) => webhookId)).size,
          logged: processes.flatMap(({ errors }) => errors()).slice(0, 5)
        },
        targets: [
          expectNone("drifts that were not found within the promised time", faults.missed),
          expectNone("connections that were degraded without a drift", faults.falselyDegraded),
          expectNone("connections that were restored without their records", faults.falselyRestored),
          expectNone("connections that stayed degraded with their records", faults.unrestored),
          expectNone("active connections that nobody checked for longer than promised", faults.unchecked),
          expectNone("connections that left active and degraded", faults.strayed),
          expectNone("events lost", events.lost),
          expectNone("events of no transition", events.surplus),
          expectNone("connections whose versions do not tell the order", events.disordered),
          expectNone("connections of which the last event by version is not the last", events.misleading),
          expectNone("requests with a wrong signature", receiver.unsigned),
          {
            kind: "gate" as const,
            what: "connections that are looked at when the run begins, of all",
            value: lookedAt / zones.length,
            atLeast: 0.95
          },
          {
            kind: "gate" as const,
            what: "drifts found",
            value: found.length,
            atLeast: Math.floor(scale.connections / 10)
          }
        ]
      }
    }).pipe(Effect.orDie)
  )

const full: WatchScale = {
  connections: 2_000,
  recheckSeconds: 60,
  secondLook: 5,
  longestCheckMillis: 20_000,
  runSeconds: 720,
  kills: 4
}

const short: WatchScale = {
  connections: 120,
  recheckSeconds: 10,
  secondLook: 2,
  longestCheckMillis: 12_000,
  runSeconds: 80,
  kills: 1
}

const environmentOn = (database: ProofDatabase, { recheckSeconds, secondLook }: WatchScale) =>
  labEnvironment([], {
    DATABASE_URL: database.url,
    CLUSTER: "true",
    RECHECK_SECONDS: String(recheckSeconds),
    SECOND_LOOK: String(secondLook),
    OUTBOUND_ALLOW: "127.0.0.0/8",
    CONNECTIONS_PER_TENANT: "0",
    OPEN_DISCOVERIES_PER_TENANT: "0",
    IDEMPOTENCY_PER_TENANT_MIB: "0",
    STORAGE_PER_TENANT_MIB: "0"
  })

/** The longest takeover that `prove takeover` allows. */
const longestTakeoverMillis = 5_000

/** The schedule of the service by its own settings. */
const readRules = (environment: Readonly<Record<string, string>>, { longestCheckMillis }: WatchScale) =>
  Effect.map(
    Effect.withConfigProvider(watchingConfig, ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    ({ stateTimeouts }): WatchRules => ({
      ...stateTimeouts,
      longestCheckMillis,
      longestTakeoverMillis
    })
  )

type Changes = { -readonly [Kind in ChangeKind]: Array<WatchRecording[Kind][number]> }

type ChangeKind = "zoneChanges" | "serverChanges" | "processChanges"

const makeChanges = (): Changes => ({ zoneChanges: [], serverChanges: [], processChanges: [] })

const sortChanges = ({ processChanges, serverChanges, zoneChanges }: Changes) => ({
  processChanges: sortByTime(processChanges),
  serverChanges: sortByTime(serverChanges),
  zoneChanges: sortByTime(zoneChanges)
})

const sortByTime = <A extends { readonly at: number }>(changes: ReadonlyArray<A>): ReadonlyArray<A> =>
  changes.toSorted((one, other) => one.at - other.at)

interface PerformedAction {
  readonly action: WatchAction
  readonly watched: WatchedServers
  readonly processes: ReadonlyArray<WatchingProcess>
  readonly zones: ReadonlyArray<string>
  readonly changes: Changes
}

/** Performs an action, and notes what it changed: a fault from its beginning, a repair from its end. */
const perform = ({ action, changes, processes, watched, zones }: PerformedAction): Effect.Effect<unknown> =>
  Effect.suspend(() => {
    const at = Date.now()
    switch (action.kind) {
      case "drift":
      case "repair": {
        const zone = zones[action.zone] ?? ""
        const server = watched.servers[action.server]
        const isRight = action.kind === "repair"
        const note = () =>
          changes.zoneChanges.push({ at: isRight ? Date.now() : at, zone, server: server?.name ?? "", isRight })
        const rrsets = isRight ? repairOf(zone) : pick(driftsOf(zone), action.nth)
        return Effect.tap(server?.patch(zone, rrsets) ?? Effect.void, () => Effect.sync(note))
      }
      case "harmless": {
        const zone = zones[action.zone] ?? ""
        return Effect.forEach(watched.servers, ({ patch }) => patch(zone, pick(harmlessChangesOf(zone), action.nth)))
      }
      case "behave": {
        const { behaviour, server: nth } = action
        const server = watched.servers[nth]
        // A third of a query's two seconds passes before it is sent again: a second is in time, six are not.
        const isAnswering = typeof behaviour !== "string" && behaviour.delayMillis < 1_000
        const note = () =>
          changes.serverChanges.push({ at: isAnswering ? Date.now() : at, server: server?.name ?? "", isAnswering })
        return Effect.tap(server?.relay.behave(behaviour) ?? Effect.void, () => Effect.sync(note))
      }
      case "kill":
        return processes[action.process]?.restart(action.downMillis) ?? Effect.void
    }
  })

const pick = <A>(choices: Readonly<Record<string, A>>, nth: number): A => {
  const values = Object.values(choices)
  return values[nth % values.length] as A
}

import { SqlClient } from "@effect/sql"
import { Cause, Effect, Exit, Fiber, Schedule, Struct } from "effect"
import { residentMegabytesOf } from "../bench/processes.ts"
import { isMet } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import type { ProofOptions } from "./ProofOptions.ts"
import type { ProofResult } from "./ProofResult.ts"
import { recordsFor } from "./proofZones.ts"
import type { Attack, AttackContext, AttackEvidence } from "./responsive/Attack.ts"
import type { AttackedService } from "./responsive/AttackedService.ts"
import type { AttackTrafficOperations } from "./responsive/attackTrafficProcess.ts"
import { createAttackZones, healthyZones } from "./responsive/attackZones.ts"
import { type CallOperation, startChildProcess } from "./responsive/ChildProcess.ts"
import { discoveryAttacks } from "./responsive/discoveryAttacks.ts"
import { type AttackResult, formatAttacks, formatVerdict } from "./responsive/formatAttacks.ts"
import { type HostileNameServers, startHostileNameServers } from "./responsive/HostileNameServers.ts"
import { keepPriorityRaised } from "./responsive/keepPriorityRaised.ts"
import {
  gateAtMost,
  missedMaxTarget,
  type ProbeLimits,
  probeTargets,
  slownessOf,
  summarizeProbe
} from "./responsive/ProbeSummary.ts"
import { requestAttacks } from "./responsive/requestAttacks.ts"
import type { ReferenceServerOperations } from "./responsive/referenceServerProcess.ts"
import { type ServiceHolder, makeServiceHolder } from "./responsive/ServiceHolder.ts"
import { socketAttacks } from "./responsive/socketAttacks.ts"
import type { VictimProbeOperations } from "./responsive/victimProbeProcess.ts"
import { waitingAttacks } from "./responsive/waitingAttacks.ts"
import { webhookAttacks } from "./responsive/webhookAttacks.ts"
import { zoneAttacks } from "./responsive/zoneAttacks.ts"

/** All attacks, in the order in which they are played. */
const attacks: ReadonlyArray<Attack> = [
  ...requestAttacks,
  ...zoneAttacks,
  ...discoveryAttacks,
  ...socketAttacks,
  ...waitingAttacks,
  ...webhookAttacks
]

/** Nothing but the victim: a machine that misses the gates here is too busy to prove anything. */
const baseline: Attack = {
  name: "baseline",
  what: "no attack",
  prepare: ({ millis }) => Effect.succeed({ play: Effect.as(Effect.sleep(millis), { answers: {}, targets: [] }) })
}

/** Stops the service as a long computation would. */
const stop: Attack = {
  name: "stop",
  what: "the service stops for half a second, which the proof has to see",
  mustMissMaxGate: true,
  prepare: ({ millis, service }) =>
    Effect.succeed({
      play: Effect.gen(function* () {
        yield* Effect.sleep(millis / 4)
        yield* Effect.sync(() => process.kill(service.pid, "SIGSTOP"))
        yield* Effect.sleep("500 millis")
        yield* Effect.sync(() => process.kill(service.pid, "SIGCONT"))
        return { answers: {}, targets: [] }
      })
    })
}

/** What the proof takes from the command line, as `--help` prints it. */
export const responsiveHelp = `responsive [--short] [--behind-caddy] [--only=<attack>,…]
  Plays attacks one after the other, while another tenant reads its connection 50 times a second and requests a healthy
  connection every 2 s. Gates for each attack: get p99 50 ms and max 250 ms, connection planned within 2 s, no request
  failed, the service grows by 700 MB at most, and the attack really happened.
  --short  1.2 s and smaller sizes for each attack, for machines that do other work meanwhile: connections are requested
           every 0.4 s, the gate of get is p95 instead of p99 because there are only 60 requests, times may be 1.6 times
           as long (but for the longest get 3.2 times where an undisturbed discovery takes 150 ms, not 75) and do not contain
           those in which the service had no processor, the service grows by 400 MB at most, and an attack that misses a
           gate is played once more.
  --behind-caddy
           The victim and the attackers reach the service through Caddy, by the settings of docs/behind-a-proxy.md.
  --only   plays the baseline, a stop of the service of half a second, and these attacks:
${attacks.map(({ name, what }) => `           ${name.padEnd(17)} ${what}`).join("\n")}`

/** Proves that no attack disturbs another tenant. */
export const responsive = ({ isBehindCaddy, isShort, only }: ProofOptions): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const named = only?.split(",") ?? attacks.map(({ name }) => name)
      const played = attacks.filter(({ name }) => named.includes(name))
      if (played.length < named.length) return yield* Effect.dieMessage(`no such attacks: ${only}\n${responsiveHelp}`)
      yield* keepPriorityRaised
      yield* createAttackZones
      const context: ProofContext = {
        lab: yield* Lab,
        nameServers: yield* startHostileNameServers,
        probe: yield* startChildProcess<VictimProbeOperations>("victimProbeProcess.ts", -5),
        // Attackers have machines of their own, so theirs must not take the processor from the service.
        traffic: yield* startChildProcess<AttackTrafficOperations>("attackTrafficProcess.ts", 15),
        services: yield* makeServiceHolder(isBehindCaddy),
        referenceUrl: yield* Effect.flatMap(
          startChildProcess<ReferenceServerOperations>("referenceServerProcess.ts"),
          (call) => call("start", { bytes: 3_000 })
        ),
        isShort,
        slowness: 1
      }
      const undisturbed = yield* playAgainIfMissed(baseline, context)
      const slowness = isShort ? slownessOf(undisturbed.victim) : 1
      const others = yield* Effect.forEach([stop, ...played], (attack) =>
        playAgainIfMissed(attack, { ...context, slowness })
      )
      const results = [undisturbed, ...others]
      const isMachineTooBusy = results[0]?.targets.some((target) => !isMet(target)) ?? true
      yield* Effect.sync(() => console.log(`${formatAttacks(results)}${isMachineTooBusy ? tooBusy : ""}`))
      return {
        figures: { isMachineTooBusy, form: isShort ? "short" : "full", isBehindCaddy, attacks: results.map(toFigures) },
        targets: results.flatMap(({ name, targets }) =>
          targets.map((target) => ({ ...target, what: `${name}: ${target.what}` }))
        )
      }
    })
  )

const tooBusy = "\nThe machine is too busy: the gates are missed without any attack, so nothing above is a proof."

const toFigures = (result: AttackResult) => Struct.omit(result, "targets")

/** Everything that runs an attack. */
interface ProofContext {
  readonly lab: typeof Lab.Service
  readonly nameServers: HostileNameServers
  readonly probe: CallOperation<VictimProbeOperations>
  readonly traffic: CallOperation<AttackTrafficOperations>
  readonly services: ServiceHolder
  readonly referenceUrl: string
  readonly isShort: boolean
  /** By how much times may be longer on this machine. */
  readonly slowness: number
}

/** In the short form, which has to hold on a busy machine, the second try counts where the first one misses a gate. */
const playAgainIfMissed = (attack: Attack, context: ProofContext) =>
  Effect.flatMap(play(attack, context), (result) =>
    context.isShort && !result.targets.every(isMet)
      ? Effect.zipRight(context.services.discard, play(attack, context))
      : Effect.succeed(result)
  )

/** Plays an attack on a healthy service, and observes the victim. */
const play = (attack: Attack, context: ProofContext) =>
  Effect.gen(function* () {
    const { isShort, lab, nameServers, probe, services, slowness, traffic } = context
    const limits = { ...(isShort ? shortLimits : fullLimits), slowness }
    const size: AttackContext["size"] = (full, short) => (isShort ? short : full)
    const service = yield* services.get(attack.environment?.(size) ?? {})
    const attacker = yield* service.newAttacker(attack.name)
    const millis = size(10_000, 1_200)
    const prepared = yield* Effect.exit(attack.prepare({ lab, service, attacker, traffic, nameServers, millis, size }))
    yield* startProbe(attack, service, context)
    const startMegabytes = residentMegabytesOf(service.pid)
    const memory = { megabytes: startMegabytes }
    const observing = yield* Effect.fork(observeMemory(service, memory))
    const startedAt = performance.now()
    const evidence = yield* Effect.flatMap(prepared, ({ play }) => play).pipe(Effect.timeout("90 seconds"), Effect.exit)
    yield* Effect.sleep(Math.max(0, millis - (performance.now() - startedAt)))
    const seconds = (performance.now() - startedAt) / 1_000
    const victim = summarizeProbe(yield* probe("endWindow", undefined), limits.subtracted)
    yield* Fiber.interrupt(observing)
    const isHealthy = attack.environment !== undefined || (yield* becomesHealthy(context))
    yield* probe("stop", undefined)
    if (!isHealthy || (yield* hasDiscoveriesLeft(service))) yield* services.discard
    const { answers, figures = {}, targets } = Exit.getOrElse(evidence, notPlayed)
    const result: AttackResult = {
      name: attack.name,
      seconds,
      victim,
      answers,
      figures,
      megabytes: { start: startMegabytes, peak: memory.megabytes },
      hadToRestart: !isHealthy,
      targets:
        attack.mustMissMaxGate === true
          ? [missedMaxTarget(victim, limits)]
          : [
              ...probeTargets(victim, limits),
              gateAtMost("growth of the service, MB", memory.megabytes - startMegabytes, size(700, 400)),
              ...targets
            ]
    }
    yield* Effect.sync(() => console.log(formatVerdict(result)))
    return result
  }).pipe(Effect.scoped)

const fullLimits: ProbeLimits = { getPercentile: "getP99", tolerance: 1, subtracted: "schedulingDelayMillis" }
const shortLimits: ProbeLimits = { getPercentile: "getP95", tolerance: 1.6, subtracted: "machineDelayMillis" }

const startProbe = (
  { hasNewKeys, zones = healthyZones }: Attack,
  service: AttackedService,
  { isShort, probe, referenceUrl }: ProofContext
) =>
  Effect.gen(function* () {
    const { key, connectionId, name } = service.victim
    const newKeys =
      hasNewKeys === true ? yield* Effect.replicateEffect(service.database.issueKeyFor(name), isShort ? 12 : 40) : []
    yield* probe("start", {
      url: service.url,
      pid: service.pid,
      key,
      connectionId,
      getsPerSecond: 50,
      discoveryEveryMillis: isShort ? 400 : 2_000,
      newKeys,
      newKeyEveryMillis: isShort ? 100 : 250,
      zones,
      records: recordsFor("victim"),
      referenceUrl
    })
    yield* probe("sendInTurn", isShort ? { gets: 30, discoveries: 1 } : { gets: 100, discoveries: 3 })
    yield* probe("beginWindow", undefined)
  })

/** Raises `memory` to the most that the service uses. */
const observeMemory = ({ pid }: AttackedService, memory: { megabytes: number }) =>
  Effect.repeat(
    Effect.sync(() => {
      memory.megabytes = Math.max(memory.megabytes, residentMegabytesOf(pid))
    }),
    Schedule.spaced("100 millis")
  )

/** Whether the victim is served as before, a few seconds after the attack at the latest. */
const becomesHealthy = ({ isShort, probe }: ProofContext): Effect.Effect<boolean> =>
  probe("sendInTurn", { gets: 10, discoveries: 1 }).pipe(
    Effect.map(summarizeProbe),
    Effect.filterOrFail(
      ({ discoveryMax, failures, getMax }) =>
        getMax <= 100 && discoveryMax <= 2_000 && Object.keys(failures).length === 0
    ),
    Effect.retry(Schedule.spaced("200 millis")),
    Effect.timeout(isShort ? "3 seconds" : "6 seconds"),
    Effect.isSuccess
  )

/** Whether connections of the attack still wait for their discovery, which would disturb the next attack. */
const hasDiscoveriesLeft = ({ database, victim }: AttackedService): Effect.Effect<boolean> =>
  database.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql`select 1 from connections where state = 'requested' and tenant_id <> ${victim.name} limit 1`,
        (rows) => rows.length > 0
      )
    )
  )

const notPlayed = (cause: Cause.Cause<unknown>): AttackEvidence => ({
  answers: {},
  targets: [{ kind: "gate", what: `could not be played: ${Cause.pretty(cause).slice(0, 500)}`, value: 1, atMost: 0 }]
})

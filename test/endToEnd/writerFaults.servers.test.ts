import { expect } from "bun:test"
import { Effect } from "effect"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import { makeClusterMember } from "../../prove/ClusterMember.ts"
import { startPowerDnsGate } from "../../prove/PowerDnsGate.ts"
import { createProofDatabase } from "../../prove/ProofDatabase.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  type DesiredConnection,
  timelineOf,
  waitForState,
  oneClickStates
} from "../../prove/connectionSteps.ts"
import { freezeWriter, transferOf } from "../../prove/frozenWriter.ts"
import { installJournalPause } from "../../prove/journalPause.ts"
import { duplicateWrites, killAtStep, type WriteStep, writeSteps } from "../../prove/killPoints.ts"
import { createZones, dumpZone, recordsFor, typicalLines } from "../../prove/proofZones.ts"
import { freePort } from "../support/freePort.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labEnvironment, labPowerDns } from "../support/labService.ts"
import { startCompiledService } from "../support/serviceProcess.ts"

const desiredFor = (domain: string, credential: object): DesiredConnection => ({
  idempotencyKey: domain,
  domain,
  records: recordsFor(domain),
  credential
})

const zoneOf = (step: WriteStep) => `${step.replace("_", "-")}.com`

/**
 * Connects a zone with a service that is killed at a step of the write, and disconnects it with a new service on the
 * same database.
 */
const connectAndKillAt = (step: WriteStep, zone: string) =>
  Effect.gen(function* () {
    const { pdns } = yield* Lab
    const before = yield* dumpZone(pdns, zone)
    const database = yield* createProofDatabase
    yield* database.run(installJournalPause)
    const gate = yield* startPowerDnsGate(pdns.url)
    const port = freePort()
    const environment = yield* labEnvironment([{ ...labPowerDns, settings: { baseUrl: gate.url } }], {
      DATABASE_URL: database.url,
      PORT: String(port)
    })
    const api = makeApiClient(`http://127.0.0.1:${port}`, database.key)
    const desired = desiredFor(zone, { apiToken: pdns.key })
    const first = yield* startCompiledService(environment)
    const connection = yield* createPlannedConnection(api, desired)
    const approve = Effect.fork(Effect.delay(authorizeAndApprove(api, connection, desired), "300 millis"))
    const kill = first.end("SIGKILL")
    const isReached = yield* Effect.zipRight(approve, killAtStep(step, { database, gate, kill, seconds: 120 }))
    yield* startCompiledService(environment)
    yield* waitForState(api, connection.id, ["active"])
    const states = (yield* timelineOf(api, connection.id)).map(({ to }) => to)
    const connected = yield* dumpZone(pdns, zone)
    const writtenTwice = duplicateWrites(gate)
    yield* disconnect(api, connection.id, desired)
    const added = connected.filter((line) => !before.includes(line)).map(withoutTtl)
    const challenges = added.filter((line) => line.startsWith(`_domain-connection.${zone}. TXT `))
    const disconnected = yield* dumpZone(pdns, zone)
    expect({ step, isReached, states, added, writtenTwice, disconnected }).toEqual({
      step,
      isReached: true,
      states: oneClickStates,
      added: [
        // The MX of the intent stands already.
        ...challenges.slice(0, 1),
        `_verify.${zone}. TXT "platform-verification=${zone}"`,
        `shop.${zone}. CNAME web.hostprov.net.`,
        `www.${zone}. CNAME web.hostprov.net.`
      ],
      writtenTwice: [],
      disconnected: before
    })
  })

const disconnect = (api: ApiClient, id: string, { credential }: DesiredConnection) =>
  Effect.gen(function* () {
    const command = (name: string, body: object) => retryUntilAnswered(api.post(`/v1/connections/${id}/${name}`, body))
    yield* command("disconnect", {})
    yield* command("authorization", { method: "direct_credential", credential })
    const { plan } = yield* waitForState(api, id, ["planned"])
    yield* command("approval", { digest: plan.digest, acknowledge: plan.warnings })
    yield* waitForState(api, id, ["disconnected"])
  })

const withoutTtl = (line: string): string => line.replace(/ \d+ /, " ")

describeLab("a process that writes a plan", (live) => {
  live(
    "and is killed with kill -9 at any step is followed by one that writes each change once and can restore the zone",
    () =>
      Effect.gen(function* () {
        yield* createZones(yield* Lab, writeSteps.map(zoneOf), typicalLines)
        yield* Effect.forEach(writeSteps, (step) => Effect.scoped(connectAndKillAt(step, zoneOf(step))), {
          concurrency: 2
        })
      })
  )

  live(
    "and is frozen past its lease writes no row when it continues, and no record at a server that compares before it sets",
    () =>
      Effect.gen(function* () {
        const { bind } = yield* Lab
        const database = yield* createProofDatabase
        const members = yield* Effect.all([makeClusterMember(database), makeClusterMember(database)])
        yield* Effect.forEach(members, ({ start }) => start, { concurrency: "unbounded" })
        const anyOther = (excluded = members[1]) => (excluded === members[0] ? members[1] : members[0])
        const { records, rows } = yield* freezeWriter(
          { database, members, anyOther },
          desiredFor("frozen.bindzone.com", bind.key),
          "updates",
          transferOf(bind.key)
        )
        expect({ rows, records }).toEqual({ rows: [], records: [] })
      })
  )
})

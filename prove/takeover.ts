import { Effect } from "effect"
import { median, roundToThreeDigits } from "../bench/Report.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { type ClusterMember, makeClusterMember } from "./ClusterMember.ts"
import { createProofDatabase } from "./ProofDatabase.ts"
import { expectNone, type ProofResult } from "./ProofResult.ts"
import { type DesiredConnection, waitForState } from "./connectionSteps.ts"
import { catchWriter, type Cluster, freezeWriter, transferOf, writtenAt } from "./frozenWriter.ts"
import { createZones, dumpZone, recordsFor, typicalLines } from "./proofZones.ts"
import { seededRandom } from "./seededRandom.ts"

/** Three processes share the work. The one that writes is killed, or frozen and resumed after another has taken over. */
export const takeover = (seed: number): Effect.Effect<ProofResult, never, Lab> =>
  Effect.scoped(
    Effect.gen(function* () {
      const random = seededRandom(seed)
      const lab = yield* Lab
      yield* createZones(lab, [...names("kill", kills), ...names("freeze", freezes)], typicalLines)
      const database = yield* createProofDatabase
      const member = makeClusterMember(database)
      const members = yield* Effect.all([member, member, member])
      yield* Effect.forEach(members, ({ start }) => start, { concurrency: "unbounded" })
      const anyOther = (excluded?: ClusterMember) => {
        const others = members.filter((member) => member !== excluded)
        return others[Math.floor(random() * others.length)] ?? members[0]
      }
      const cluster: Cluster = { database, members, anyOther }

      const pdnsConnection = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { apiToken: lab.pdns.key }
      })
      const bindConnection = (domain: string): DesiredConnection => ({
        idempotencyKey: domain,
        domain,
        records: recordsFor(domain),
        credential: { ...lab.bind.key }
      })
      const millis = yield* Effect.forEach(names("kill", kills), (domain) =>
        measureTakeover(cluster, pdnsConnection(domain))
      )
      const pdnsFreezes = yield* Effect.forEach(names("freeze", freezes), (domain) =>
        freezeWriter(cluster, pdnsConnection(domain), "patches", dumpZone(lab.pdns, domain))
      )
      const bindFreezes = yield* Effect.forEach(names("freeze", freezes), (name) =>
        freezeWriter(cluster, bindConnection(name.replace(/com$/, "bindzone.com")), "updates", transferOf(lab.bind.key))
      )
      const allFreezes = [...pdnsFreezes, ...bindFreezes]
      const millisAfterFreezing = allFreezes.map(({ millis }) => millis)
      return {
        figures: {
          kills,
          freezes: allFreezes.length,
          medianMillis: roundToThreeDigits(median(millis)),
          maxMillis: roundToThreeDigits(Math.max(...millis)),
          millis,
          millisAfterFreezing,
          rowsChangedWhileFrozen: allFreezes.flatMap(({ rows }) => rows),
          recordsChangedWhileFrozen: {
            powerDns: pdnsFreezes.flatMap(({ records }) => records),
            bind: bindFreezes.flatMap(({ records }) => records)
          },
          furtherWritesToPowerDns: pdnsFreezes.flatMap(({ furtherPatches }) => furtherPatches)
        },
        targets: [
          { kind: "gate" as const, what: "ms until another continues, median", value: median(millis), atMost: 3_000 },
          { kind: "aim" as const, what: "ms until another continues, median", value: median(millis), atMost: 2_000 },
          {
            kind: "gate" as const,
            what: "ms until another continues, at worst",
            value: Math.max(...millis),
            atMost: 5_000
          },
          {
            kind: "gate" as const,
            what: "ms until another continues after a freeze, at worst",
            value: Math.max(...millisAfterFreezing),
            atMost: 6_000
          },
          expectNone(
            "rows that a frozen process wrote",
            allFreezes.flatMap(({ rows }) => rows)
          ),
          expectNone(
            "records that a frozen process wrote to BIND",
            bindFreezes.flatMap(({ records }) => records)
          ),
          // PowerDNS cannot compare: the write that was on its way is carried out, and sets what the other process has set.
          expectNone(
            "records of PowerDNS that changed after a freeze",
            pdnsFreezes.flatMap(({ records }) => records)
          ),
          expectNone(
            "writes to PowerDNS that a frozen process sent when it continued",
            pdnsFreezes.flatMap(({ furtherPatches }) => furtherPatches)
          )
        ]
      }
    }).pipe(Effect.orDie)
  )

const kills = 20
const freezes = 5

const names = (kind: string, count: number) => Array.from({ length: count }, (_, nth) => `${kind}${nth}.com`)

/** Kills the process that is about to write the plan; returns the milliseconds until another has written it. */
const measureTakeover = ({ anyOther, members }: Cluster, desired: DesiredConnection) =>
  Effect.gen(function* () {
    const { caught, connection } = yield* catchWriter({ anyOther, members }, desired, "patches", {
      onCaught: ({ kill }) => kill,
      release: Effect.never
    })
    const api = anyOther(caught.member).api
    yield* waitForState(api, connection.id, ["active"])
    const millis = (yield* writtenAt(api, connection)) - caught.at
    yield* caught.member.start
    return millis
  })

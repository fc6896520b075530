import { expect } from "bun:test"
import { Duration, Effect, Layer } from "effect"
import type { Change } from "../../../src/domain/plan/Plan.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { Identifiers } from "../../../src/domain/values/Identifiers.ts"
import { PlanApplier } from "../../../src/lifecycle/apply/PlanApplier.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { JournalStore } from "../../../src/persistence/stores/phases/JournalStore.ts"
import { LeaseStore } from "../../../src/persistence/stores/phases/LeaseStore.ts"
import { computeDigest } from "../../../src/planning/changes/computeDigest.ts"
import { createConnection } from "../../persistence/connectionFixtures.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { openZone, planFrom, resolvedIntentOf } from "../../providers/adapters/AdapterUnderTest.ts"
import { powerDnsUnderTest } from "../../providers/adapters/powerdns/powerDnsUnderTest.ts"
import { Lab } from "../../support/lab/Lab.ts"
import type { PowerDns } from "../../support/lab/PowerDns.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { steadyLeases } from "../../support/steadyLeases.ts"
import { apply } from "./applyFixtures.ts"

describeLab("what was disabled at the provider", (live) => {
  live("is served while a connection wants it, and disabled again afterwards, with its TTL and comment", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const adapter = powerDnsUnderTest(pdns)
      const zone = DomainName.make(adapter.zone)
      const domain = DomainName.make(`parked.${zone}`)
      yield* call(pdns, "PATCH", zone, { rrsets: [set(domain, "TXT"), set(domain, "A")] })
      const opened = yield* openZone(adapter, { domain })
      const read = opened.read
      const connectionId = (yield* createConnection()).id
      const run = (direction: "connect" | "restore", changes: ReadonlyArray<Change>) =>
        Effect.flatMap(read, (snapshot) =>
          apply({
            run: direction,
            connectionId,
            providerId: "lab",
            zone,
            domain,
            direction,
            digest: computeDigest({ domain, zone, changes }),
            changes,
            snapshot,
            client: opened,
            longestDelay: Duration.zero
          })
        )
      const before = yield* readSets(pdns, zone, domain)
      const desired = ["@ 300 TXT wanted", "@ 300 A 192.0.2.1"]
      const { changes } = planFrom(yield* read, resolvedIntentOf(domain, { desired }), opened)
      yield* run("connect", changes)
      const served = (yield* read).zone.records.map(({ ttl, type, value }) => `${ttl} ${type} ${value}`)
      expect(served.toSorted()).toEqual(["300 A 192.0.2.1", "300 TXT wanted"])
      yield* run(
        "restore",
        changes.flatMap(({ after }) =>
          after === undefined ? [] : [{ action: "delete" as const, before: after, destructive: true }]
        )
      )
      expect(yield* readSets(pdns, zone, domain)).toEqual(before)
    }).pipe(Effect.provide(applierOnPostgres))
  )
})

const set = (name: string, type: "A" | "TXT") => ({
  name: `${name}.`,
  type,
  ttl: 60,
  changetype: "REPLACE",
  records: (type === "A" ? ["192.0.2.1", "192.0.2.2"] : ['"wanted"']).map((content) => ({ content, disabled: true })),
  comments: [{ content: `parked ${type}`, account: "owner" }]
})

const call = ({ key, url }: PowerDns, method: string, zone: string, body?: object) =>
  Effect.promise(() =>
    fetch(`${url}/api/v1/servers/localhost/zones/${zone}.`, {
      method,
      headers: { "X-API-Key": key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )

/** The sets of a name, as the server stores them. */
const readSets = (pdns: PowerDns, zone: string, name: string) =>
  Effect.flatMap(call(pdns, "GET", zone), (response) =>
    Effect.map(
      Effect.promise(() => response.json() as Promise<{ readonly rrsets: ReadonlyArray<PowerDnsSet> }>),
      ({ rrsets }) =>
        rrsets
          .filter((stored) => stored.name === `${name}.`)
          .map(({ comments, records, ttl, type }) => ({
            type,
            ttl,
            records: records.map(({ content, disabled }) => `${disabled ? "- " : "+ "}${content}`).toSorted(),
            comments: comments.map(({ account, content }) => `${account}: ${content}`)
          }))
          .toSorted((one, other) => one.type.localeCompare(other.type))
    )
  )

interface PowerDnsSet {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: ReadonlyArray<{ readonly content: string; readonly disabled: boolean }>
  readonly comments: ReadonlyArray<{ readonly content: string; readonly account: string }>
}

const applierOnPostgres = PlanApplier.layer.pipe(
  Layer.provide(steadyLeases),
  Layer.provideMerge(Layer.mergeAll(ConnectionStore.layer, LeaseStore.layer, JournalStore.layer)),
  Layer.provide(freshPool),
  Layer.provideMerge(Identifiers.layer)
)

import { SqlClient } from "@effect/sql"
import { expect } from "bun:test"
import { Array, Duration, Effect, Layer, Option, Random, Redacted, Schedule } from "effect"
import type { ControlProof } from "../../../src/domain/access/Application.ts"
import { ConnectionAction, type ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { decodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { freshPool } from "../../persistence/freshDatabase.ts"
import { live } from "../../support/effectTest.ts"
import { tenancyOf } from "../../support/testApi.ts"
import { initialRecords, scriptedProvider, withoutLogs } from "../phases/scriptedProvider.ts"
import { lifecycleOnPostgres } from "./lifecycleOnPostgres.ts"

const tenants = ["one", "two", "three", "four"].map((tenant) => tenancyOf("app", tenant))

const hostSets = [["shop"], ["blog"], ["shop", "blog"], ["blog", "news"]] as const

const kinds = ["ask", "ask", "change", "change", "recheck", "retry", "cancel", "disconnect"] as const

const stepsOfTenant = 10

const planTimeout = Duration.seconds(1)

live("concurrent tenants of two processes never share an active host, and none is active without a proof", () =>
  playTenants("required")
)

live("concurrent tenants never share an active host either where only a contested host needs a proof", () =>
  playTenants("when_contested")
)

const playTenants = (mode: ControlProof) =>
  Effect.suspend(() => {
    const acme = scriptedProvider(...initialRecords)
    const process = lifecycleOnPostgres(acme.layer, mode)
    return Effect.gen(function* () {
      const halves = Array.chunksOf(tenants, 2).map((half) =>
        Effect.forEach(half, playTenant, { concurrency: "unbounded", discard: true }).pipe(
          Effect.provide(Layer.fresh(process))
        )
      )
      yield* Effect.raceFirst(Effect.all(halves, { concurrency: "unbounded" }), Effect.forever(checkProperties(mode)))
      yield* Effect.forEach(tenants.slice(0, 2), connectLast, { discard: true }).pipe(
        Effect.provide(Layer.fresh(process))
      )
      yield* checkProperties(mode)
      // The properties say something only if tenants were active, and lost their hosts to others.
      const sql = yield* SqlClient.SqlClient
      const [seen] = yield* sql`
        select bool_or(to_state = 'active') as active, bool_or(failure = 'control_lost') as lost from connection_events`
      expect(seen).toEqual({ active: true, lost: true })
    }).pipe(Effect.provide(Layer.merge(freshPool, withoutLogs)))
  })

/** One tenant creates connections and changes its latest one, in any order; what the state does not allow is refused. */
const playTenant = (owner: Tenancy) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    let id: ConnectionId | undefined
    for (let step = 0; step < stepsOfTenant; step += 1) {
      const kind = yield* choose(kinds)
      const hosts = yield* choose(hostSets)
      const records = hosts.map((host) => ({ host, type: "CNAME", value: "shops.example.net" }) as const)
      const request = { domain: "example.com", records }
      if (id === undefined || kind === "ask") {
        const created = yield* connections.create(owner, request, Option.none(), { allowDuplicate: true })
        id = created.stored.id
        yield* authorizeAndApprove(owner, id)
      } else if (kind === "change") {
        yield* Effect.ignore(connections.update(owner, id, { intent: request }, { ...noOptions, allowDuplicate: true }))
        if (yield* Random.nextBoolean) yield* authorizeAndApprove(owner, id)
      } else if (kind === "cancel") yield* Effect.ignore(connections.cancel(owner, id, noOptions))
      else if (kind === "retry") yield* Effect.ignore(connections.retry(owner, id, noOptions))
      else yield* Effect.ignore(connections[kind](owner, id, noOptions))
      yield* connections.awaitPlan(owner, id, planTimeout)
    }
  })

/**
 * Connects a host for a tenant with a value of its own, which the service writes, when nobody else does anything any more: so
 * it takes the host, however slow the machine was before.
 */
const connectLast = (owner: Tenancy) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const records = [{ host: "shop", type: "CNAME", value: `${owner.tenantId}.example.net` } as const]
    const request = { domain: "example.com", records }
    const { stored } = yield* connections.create(owner, request, Option.none(), { allowDuplicate: true })
    const isActive = Effect.zipRight(
      authorizeAndApprove(owner, stored.id),
      Effect.map(connections.awaitPlan(owner, stored.id, planTimeout), ({ state }) => state === "active")
    )
    yield* isActive.pipe(Effect.repeat({ until: (done) => done, times: 60, schedule: Schedule.spaced("500 millis") }))
  })

const choose = <A>(options: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, options.length), (at) => options[at] as A)

const noOptions = { callableActions: ConnectionAction.literals, idempotency: Option.none(), ifVersion: Option.none() }

const authorizeAndApprove = (owner: Tenancy, id: ConnectionId) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    yield* connections.awaitPlan(owner, id, planTimeout)
    const credential = Redacted.make({ apiToken: "s3cret" })
    yield* Effect.ignore(
      connections.authorizeWithCredential(owner, id, { credential, consent: Option.none() }, noOptions)
    )
    const { plan } = decodeConnection((yield* connections.awaitPlan(owner, id, planTimeout)).doc)
    if (plan === undefined) return
    const approval = { digest: plan.digest, acknowledged: plan.warnings, putBack: [] }
    yield* Effect.ignore(connections.approve(owner, id, approval, noOptions))
  })

/** The properties, over one snapshot of the database. */
const checkProperties = (mode: ControlProof) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const shared = yield* sql`
      select record ->> 'host' as host, array_agg(distinct tenant_id) as tenants
      from connections, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record
      where state = 'active' group by 1 having count(distinct tenant_id) > 1`
    const unproven = yield* sql`
      select id from connections where state = 'active' and doc::jsonb #>> '{control,status}' is distinct from 'proven'`
    expect(shared).toEqual([])
    if (mode === "required") expect(unproven).toEqual([])
  })

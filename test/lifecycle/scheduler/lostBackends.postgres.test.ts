import { describe, expect } from "bun:test"
import { Array, Effect } from "effect"
import type { BackendFault } from "../../../prove/backendFaults.ts"
import { makeApiClient } from "../../../prove/ApiClient.ts"
import {
  authorizeAndApprove,
  createPlannedConnection,
  timelineOf,
  waitForState,
  oneClickStates
} from "../../../prove/connectionSteps.ts"
import { databaseProxy } from "../../persistence/databaseProxy.ts"
import { freshDatabase, urlOf } from "../../persistence/freshDatabase.ts"
import { type FaultPoint, loseBackendAt } from "../../persistence/lostBackend.ts"
import { startOwnPostgres } from "../../persistence/ownPostgres.ts"
import { concurrentTest } from "../../support/concurrentTest.ts"
import { desiredShopOf, scriptedService } from "../../support/scriptedService.ts"
import { issueKey, serviceUrl } from "../../support/testApi.ts"

/** Statements of the dispatcher and of the phases in the course of a run. */
const points = {
  "a process takes a phase": { table: "connections", operation: "update", when: "new.attempt <> old.attempt" },
  "a run writes its connection": { table: "connections", operation: "update", when: "new.version <> old.version" },
  "a change is journalled": { table: "journal", operation: "update", when: "true" },
  "a lease is renewed or released": { table: "leases", operation: "update", when: "true" }
} satisfies Record<string, FaultPoint>

/** A stopped backend takes the longest, so that it is tried only where it holds what others wait for. */
const cases: { readonly [_ in BackendFault]: ReadonlyArray<keyof typeof points> } = {
  terminated: Object.keys(points).filter((name): name is keyof typeof points => name in points),
  killed: ["a process takes a phase", "a run writes its connection"],
  stopped: ["a process takes a phase", "a run writes its connection"]
}

/** Connects a domain with one click, as a platform does that repeats what got no answer; returns how to read its states. */
const connect = (key: string, domain: string) =>
  Effect.gen(function* () {
    const api = makeApiClient(yield* serviceUrl, key)
    const desired = desiredShopOf(domain)
    const connection = yield* createPlannedConnection(api, desired)
    yield* authorizeAndApprove(api, connection, desired)
    yield* waitForState(api, connection.id, ["active"])
    return Effect.map(
      timelineOf(api, connection.id),
      Array.map(({ to }) => to)
    )
  })

const domainsOf = (count: number) => Array.makeBy(count, (nth) => `customer-${nth}.com`)

describe("a connection becomes active without a failure although", () => {
  for (const fault of ["terminated", "killed", "stopped"] as const)
    concurrentTest(`a database backend is ${fault} while it runs a statement of the dispatcher or of a phase`, () =>
      Effect.gen(function* () {
        const postgres = yield* startOwnPostgres()
        const domains = domainsOf(cases[fault].length)
        const { layer } = yield* scriptedService(postgres.url, domains)
        const outcomes = Effect.flatMap(issueKey(), ({ key }) =>
          Effect.forEach(Array.zip(cases[fault], domains), ([name, domain]) =>
            Effect.gen(function* () {
              const hit = yield* loseBackendAt(postgres, points[name], fault)
              const states = yield* connect(key, domain)
              yield* hit
              return { name, states: yield* states }
            }).pipe(Effect.scoped)
          )
        )
        expect<unknown>(yield* Effect.provide(outcomes, layer)).toEqual(
          cases[fault].map((name) => ({ name, states: oneClickStates }))
        )
      })
    )

  concurrentTest("answers of the database are lost after the commit", () =>
    Effect.gen(function* () {
      const proxy = yield* databaseProxy(yield* freshDatabase)
      yield* proxy.open
      const domains = domainsOf(6)
      const { layer } = yield* scriptedService(urlOf(proxy.database), domains)
      const connectAll = Effect.gen(function* () {
        const { key } = yield* issueKey()
        let [answers, lost] = [0, 0]
        yield* proxy.loseAnswers(() => (answers += 1) % 20 === 0 && (lost += 1) <= 50)
        const states = yield* Effect.forEach(domains, (domain) => Effect.flatten(connect(key, domain)), {
          concurrency: 2
        })
        return { states, lost: Math.min(lost, 20) }
      })
      expect<unknown>(yield* Effect.provide(connectAll, layer)).toEqual({
        states: domains.map(() => oneClickStates),
        lost: 20
      })
    })
  )
})

import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { Plan } from "../../../src/domain/plan/Plan.ts"
import { seriousByDefault, type Warning } from "../../../src/domain/plan/Warning.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { connectionAndTimeline, createInState, expectNoEffect, idIn } from "../support/commandFixtures.ts"
import { type ExpectedError, expectError } from "../support/expectError.ts"
import { ownTenancy, samplePlan } from "../../persistence/connectionFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, jsonOf, post } from "../../support/testApi.ts"

const approve = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  post(`${path}/approval`, key, body, headers)

const consent = { digest: samplePlan.digest, acknowledge: samplePlan.warnings }

const otherDigest = `sha-256:${"f".repeat(64)}`

const planWith = (...warnings: ReadonlyArray<Warning>) =>
  Effect.map(DateTime.now, (now) =>
    Plan.make({ ...samplePlan, warnings, expiresAt: DateTime.add(now, { minutes: 15 }) })
  )

const expiredPlan = Plan.make({ ...samplePlan, expiresAt: DateTime.unsafeMake("2026-01-02T03:04:05.678Z") })

const phaseOf = (path: string) => Effect.map(Tables, ({ connections }) => connections.get(idIn(path))?.phase)

withLayer("an approval of the current plan", apiInMemory(), (live) => {
  live("starts applying it at once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const { connection } = yield* jsonOf(yield* approve(path, key, consent))
      expect([connection.state, connection.plan.digest]).toEqual(["applying", samplePlan.digest])
      expect(yield* phaseOf(path)).toEqual(Option.some("provision"))
    })
  )

  live("starts removing the records while disconnecting", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", {
        connection: { direction: "restore" },
        progress: { hasWritten: true }
      })
      const { connection } = yield* jsonOf(yield* approve(path, key, consent))
      expect([connection.state, connection.direction]).toEqual(["disconnecting", "restore"])
      expect(yield* phaseOf(path)).toEqual(Option.some("restore"))
    })
  )

  live("sent fifty times at once without an Idempotency-Key succeeds each time, and has its effect once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => approve(path, key, consent)),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, timeline]).toEqual([
        "applying",
        ["→requested", "requested→planned", "planned→applying"]
      ])
    })
  )

  const harmlessWarnings: ReadonlyArray<Warning> = ["ttl_adjusted", "spf_record_merged", "control_not_proven"]
  live("needs no acknowledgement of a warning that does not block", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", {
        connection: { plan: yield* planWith(...harmlessWarnings) }
      })
      expect((yield* approve(path, key, { digest: samplePlan.digest })).status).toBe(200)
    })
  )

  live("may acknowledge more warnings than the plan has", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const acknowledge = ["cname_removed", ...samplePlan.warnings, "mx_replaced"]
      expect((yield* approve(path, key, { ...consent, acknowledge })).status).toBe(200)
    })
  )

  live("that puts records back first starts a new plan, which needs its own approval", () =>
    Effect.gen(function* () {
      const { findRecord } = yield* ConnectionStore
      const putBack = [{ host: "@", type: "MX", value: "mx.example.org", priority: 10 }]
      const leftovers = putBack.map((record) => ({
        record: { ...record, ttl: 300, optional: false },
        reason: "older_than_thirty_days" as const
      }))
      const { id, key, path } = yield* createInState("planned", {
        connection: { direction: "restore", leftovers },
        progress: { hasWritten: true }
      })
      const unknown = yield* approve(path, key, { ...consent, putBack: [{ ...putBack[0], value: "mx.example.net" }] })
      expect([unknown.status, (yield* jsonOf(unknown)).error.details]).toEqual([
        422,
        [{ pointer: "/putBack/0", code: "not_left_over", message: "is not one of the leftovers" }]
      ])
      const { connection } = yield* jsonOf(yield* approve(path, key, { ...consent, putBack }))
      expect(connection.state).toBe("authorized")
      expect((yield* findRecord(ownTenancy, id)).progress.putBack).toEqual(putBack)
    })
  )
})

withLayer("an invalid approval", apiInMemory(), (live) => {
  live("of another digest answers 409, and the plan still waits for approval", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const request = approve(path, key, { ...consent, digest: otherDigest }, { "idempotency-key": "other" })
      yield* expectNoEffect(path, key, request, { status: 409, code: "plan_digest_mismatch" })
    })
  )

  live("without acknowledgements gets a list of the missing ones", () =>
    Effect.gen(function* () {
      const warnings = [...seriousByDefault]
      const { key, path } = yield* createInState("planned", {
        connection: { plan: yield* planWith("ttl_adjusted", ...warnings) }
      })
      for (const count of [0, 1, warnings.length - 1]) {
        const body = { digest: samplePlan.digest, acknowledge: warnings.slice(0, count) }
        const details = warnings.slice(count).map((warning) => ["/acknowledge", warning] as const)
        const refusal: ExpectedError = { status: 409, code: "acknowledgement_required", details }
        yield* expectNoEffect(path, key, approve(path, key, body), refusal)
      }
      expect((yield* approve(path, key, { digest: samplePlan.digest, acknowledge: warnings })).status).toBe(200)
    })
  )

  live("of an expired plan answers 409 and starts a new plan", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { connection: { plan: expiredPlan } })
      const response = yield* approve(path, key, consent, { "idempotency-key": "late" })
      yield* expectError(response, { status: 409, code: "plan_expired" })
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, timeline.at(-1)]).toEqual(["authorized", "planned→authorized"])
      expect(yield* phaseOf(path)).toEqual(Option.some("provision"))
      expect((yield* Tables).idempotency.size).toBe(0)
    })
  )

  live("of another digest than that of the expired plan is a mismatch and has no effect", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { connection: { plan: expiredPlan } })
      yield* expectNoEffect(path, key, approve(path, key, { ...consent, digest: otherDigest }), {
        status: 409,
        code: "plan_digest_mismatch"
      })
    })
  )

  live("in a state without a waiting plan is a conflict, whatever its digest", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      for (const digest of [samplePlan.digest, otherDigest]) {
        yield* expectNoEffect(path, key, approve(path, key, { ...consent, digest }), {
          status: 409,
          code: "state_conflict"
        })
      }
    })
  )

  live("says what a digest and an acknowledgement are if they are none", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const response = yield* approve(path, key, { digest: "abc", acknowledge: ["nonsense"] })
      const { error } = yield* jsonOf(response)
      expect(error.details.map(({ message }: { message: string }) => message)).toEqual([
        "must be `sha-256:` and 64 hexadecimal digits in lower case, as in `plan.digest`",
        "is no warning of a plan; write codes of `plan.warnings`"
      ])
    })
  )

  const invalidRequests: ReadonlyArray<readonly [string, unknown, NonNullable<ExpectedError["details"]>]> = [
    ["no digest", {}, [["/digest", "missing"]]],
    ["a digest of another kind", { digest: "md5:abc" }, [["/digest", "invalid"]]],
    ["an unknown warning", { ...consent, acknowledge: ["all"] }, [["/acknowledge/0", "invalid"]]],
    [
      "an acknowledgement that is not a list",
      { ...consent, acknowledge: "mx_replaced" },
      [["/acknowledge", "invalid"]]
    ],
    ["an unknown field", { ...consent, force: true }, [["/force", "unknown_field"]]],
    ["a record without a value", { ...consent, putBack: [{ host: "@", type: "A" }] }, [["/putBack/0/value", "missing"]]]
  ]
  invalidRequests.forEach(([name, body, details]) =>
    live(`answers 400: ${name}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("planned")
        yield* expectNoEffect(path, key, approve(path, key, body), { status: 400, code: "invalid_request", details })
      })
    )
  )
})

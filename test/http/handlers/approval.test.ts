import { expect } from "bun:test"
import { DateTime, Effect, Option } from "effect"
import { Plan, type Warning } from "../../../src/domain/Plan.ts"
import { ConnectionStore } from "../../../src/persistence/stores/ConnectionStore.ts"
import { ownTenancy, samplePlan } from "../../persistence/connectionFixtures.ts"
import { withLayer } from "../../support/effectTest.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { apiInMemory, jsonOf, post } from "../../support/testApi.ts"
import { connectionAndTimeline, createInState, expectNoEffect, idIn } from "../support/commandFixtures.ts"
import { type ExpectedError, expectError } from "../support/expectError.ts"

const approve = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  post(`${path}/approval`, key, body, headers)

const consent = { digest: samplePlan.digest, acknowledge: samplePlan.warnings }

const another = `sha-256:${"f".repeat(64)}`

const planWith = (...warnings: ReadonlyArray<Warning>) =>
  Effect.map(DateTime.now, (now) =>
    Plan.make({ ...samplePlan, warnings, expiresAt: DateTime.add(now, { minutes: 15 }) })
  )

const oldPlan = Plan.make({ ...samplePlan, expiresAt: DateTime.unsafeMake("2026-01-02T03:04:05.678Z") })

const phaseOf = (path: string) => Effect.map(Tables, ({ connections }) => connections.get(idIn(path))?.phase)

withLayer("an approval of the plan that is shown", apiInMemory(), (live) => {
  live("has it applied at once", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const { connection } = yield* jsonOf(yield* approve(path, key, consent))
      expect([connection.state, connection.plan.digest]).toEqual(["applying", samplePlan.digest])
      expect(yield* phaseOf(path)).toEqual(Option.some("provision"))
    })
  )

  live("has the records taken out once they are to leave", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { shows: { direction: "restore" }, keeps: { wrote: true } })
      const { connection } = yield* jsonOf(yield* approve(path, key, consent))
      expect([connection.state, connection.direction]).toEqual(["disconnecting", "restore"])
      expect(yield* phaseOf(path)).toEqual(Option.some("restore"))
    })
  )

  live("sent fifty times at once without any key is one approval, and the others come too late", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => approve(path, key, consent)),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
      for (const answer of answers.filter(({ status }) => status === 409)) {
        yield* expectError(answer, { status: 409, code: "state_conflict" })
      }
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, timeline]).toEqual([
        "applying",
        ["→requested", "requested→planned", "planned→applying"]
      ])
    })
  )

  const harmless: ReadonlyArray<Warning> = ["ttl_adjusted", "spf_record_merged", "control_not_proven"]
  live("needs no acknowledgement of what is not grave", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { shows: { plan: yield* planWith(...harmless) } })
      expect((yield* approve(path, key, { digest: samplePlan.digest })).status).toBe(200)
    })
  )

  live("may acknowledge more than the plan brings", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const acknowledge = ["cname_removed", ...samplePlan.warnings, "mx_replaced"]
      expect((yield* approve(path, key, { ...consent, acknowledge })).status).toBe(200)
    })
  )

  live("needs a fresh consent for another plan with records to put back, which is made first", () =>
    Effect.gen(function* () {
      const { findRecord: standing } = yield* ConnectionStore
      const putBack = [{ host: "@", type: "MX", value: "mx.example.org", priority: 10 }]
      const leftovers = putBack.map((record) => ({
        record: { ...record, ttl: 300, optional: false },
        reason: "older_than_thirty_days" as const
      }))
      const { id, key, path } = yield* createInState("planned", {
        shows: { direction: "restore", leftovers },
        keeps: { wrote: true }
      })
      const unknown = yield* approve(path, key, { ...consent, putBack: [{ ...putBack[0], value: "mx.example.net" }] })
      expect([unknown.status, (yield* jsonOf(unknown)).error.details]).toEqual([
        422,
        [{ pointer: "/putBack/0", code: "not_left_over", message: "is not one of the leftovers" }]
      ])
      const { connection } = yield* jsonOf(yield* approve(path, key, { ...consent, putBack }))
      expect(connection.state).toBe("authorized")
      expect((yield* standing(ownTenancy, id)).progress.putBack).toEqual(putBack)
    })
  )
})

withLayer("an approval that does not hold", apiInMemory(), (live) => {
  live("of other changes is refused, and the plan still waits", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned")
      const request = approve(path, key, { ...consent, digest: another }, { "idempotency-key": "other" })
      yield* expectNoEffect(path, key, request, { status: 409, code: "plan_digest_mismatch" })
    })
  )

  const graves: ReadonlyArray<Warning> = [
    "plan_large_deletion",
    "mx_replaced",
    "mail_records_removed",
    "mail_target_changed",
    "spf_excludes_existing_mail",
    "spf_lookup_limit_exceeded",
    "dmarc_policy_weakened",
    "dmarc_policy_strengthened",
    "cname_removed",
    "delegation_replaced"
  ]
  live("without the acknowledgement of a grave consequence names each that is missing", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", {
        shows: { plan: yield* planWith("ttl_adjusted", ...graves) }
      })
      for (const given of [0, 1, graves.length - 1]) {
        const body = { digest: samplePlan.digest, acknowledge: graves.slice(0, given) }
        const details = graves.slice(given).map((warning) => ["/acknowledge", warning] as const)
        const refusal: ExpectedError = { status: 409, code: "acknowledgement_required", details }
        yield* expectNoEffect(path, key, approve(path, key, body), refusal)
      }
      expect((yield* approve(path, key, { digest: samplePlan.digest, acknowledge: graves })).status).toBe(200)
    })
  )

  live("of a plan that is too old is refused, and a fresh plan is made", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { shows: { plan: oldPlan } })
      const response = yield* approve(path, key, consent, { "idempotency-key": "late" })
      yield* expectError(response, { status: 409, code: "plan_expired" })
      const { connection, timeline } = yield* connectionAndTimeline(path, key)
      expect([connection.state, timeline.at(-1)]).toEqual(["authorized", "planned→authorized"])
      expect(yield* phaseOf(path)).toEqual(Option.some("provision"))
      expect((yield* Tables).idempotency.size).toBe(0)
    })
  )

  live("of another plan that is too old as well is a mismatch, and nothing happens", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("planned", { shows: { plan: oldPlan } })
      yield* expectNoEffect(path, key, approve(path, key, { ...consent, digest: another }), {
        status: 409,
        code: "plan_digest_mismatch"
      })
    })
  )

  live("where no plan waits is a conflict, whatever digest it names", () =>
    Effect.gen(function* () {
      const { key, path } = yield* createInState("awaiting_authorization")
      for (const digest of [samplePlan.digest, another]) {
        yield* expectNoEffect(path, key, approve(path, key, { ...consent, digest }), {
          status: 409,
          code: "state_conflict"
        })
      }
    })
  )

  const misfits: ReadonlyArray<readonly [string, unknown, NonNullable<ExpectedError["details"]>]> = [
    ["no digest", {}, [["/digest", "missing"]]],
    ["a digest of another kind", { digest: "md5:abc" }, [["/digest", "invalid"]]],
    ["a warning that is none", { ...consent, acknowledge: ["all"] }, [["/acknowledge/0", "invalid"]]],
    ["an acknowledgement that is no list", { ...consent, acknowledge: "mx_replaced" }, [["/acknowledge", "invalid"]]],
    ["an unknown field", { ...consent, force: true }, [["/force", "unknown_field"]]],
    ["a record without a value", { ...consent, putBack: [{ host: "@", type: "A" }] }, [["/putBack/0/value", "missing"]]]
  ]
  misfits.forEach(([name, body, details]) =>
    live(`is a 400: ${name}`, () =>
      Effect.gen(function* () {
        const { key, path } = yield* createInState("planned")
        yield* expectNoEffect(path, key, approve(path, key, body), { status: 400, code: "invalid_request", details })
      })
    )
  )
})

import { expect } from "bun:test"
import { DateTime, Duration, Effect } from "effect"
import { describeLab } from "../support/lab/describeLab.ts"
import { status } from "../support/lab/httpFaults.ts"
import { expectedJournal, labConnections } from "../support/labConnections.ts"

const otherDigest = `sha-256:${"0".repeat(64)}`

/** A record whose way into the zone replaces mail servers, so that it has to be acknowledged. */
const otherMail = { host: "shop", type: "MX", value: "mx2.mailprov.net", priority: 10 }

const refusal = ({ said, status }: { readonly status: number; readonly said: any }) => [status, said.error?.code]

describeLab("consent", (live) => {
  live(
    "is to one digest, and fifty approvals at once write once",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, journal, proxy, service } = yield* labConnections()
        yield* Effect.gen(function* () {
          const connection = yield* connectNew("fifty.com")
          yield* connection.command("authorization", credential)
          const { plan } = yield* connection.until("planned")
          expect(refusal(yield* connection.say("approval", { digest: otherDigest }))).toEqual([
            409,
            "plan_digest_mismatch"
          ])
          const answers = yield* Effect.all(
            Array.from({ length: 50 }, () => connection.say("approval", { digest: plan.digest })),
            { concurrency: "unbounded" }
          )
          expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(409)])
          yield* connection.until("active")
          expect(yield* journal(connection)).toEqual([...expectedJournal("confirmed")])
          expect(proxy.writesTo("fifty.com")).toBe(1)
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "given with the credential holds for exactly the plan that was shown, and for what was acknowledged",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, proxy, service, setAddress } = yield* labConnections()
        yield* Effect.gen(function* () {
          const same = yield* connectNew("same.com")
          yield* same.command("authorization", { ...credential, approvedDigest: same.asked.plan.digest })
          yield* same.until("active")

          const changed = yield* connectNew("changed.com")
          yield* setAddress("changed.com", "www", "192.0.2.99")
          yield* changed.command("authorization", { ...credential, approvedDigest: changed.asked.plan.digest })
          const { plan } = yield* changed.until("planned", "active")
          expect(plan.digest).not.toBe(changed.asked.plan.digest)
          expect(plan.warnings).toContain("provider_zone_differs_from_public_dns")

          const grave = yield* connectNew("grave.com", [otherMail])
          yield* grave.command("authorization", { ...credential, approvedDigest: grave.asked.plan.digest })
          const { plan: digested } = yield* grave.until("planned", "active")
          expect(digested.digest).toBe(grave.asked.plan.digest)
          const refused = yield* grave.say("approval", { digest: digested.digest })
          expect(refused.said.error.details.map(({ code }: any) => code)).toEqual(["mx_replaced"])
          expect(refusal(refused)).toEqual([409, "acknowledgement_required"])
          expect([proxy.writesTo("changed.com"), proxy.writesTo("grave.com")]).toEqual([0, 0])
          yield* grave.command("approval", { digest: digested.digest, acknowledge: ["mx_replaced"] })
          yield* grave.until("active")
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "to a plan that the zone has outlived writes nothing; a new plan waits",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, journal, proxy, service, setAddress } = yield* labConnections()
        yield* Effect.gen(function* () {
          const connection = yield* connectNew("stale.com")
          yield* connection.command("authorization", credential)
          const { plan } = yield* connection.until("planned")
          yield* setAddress("stale.com", "www", "192.0.2.99")
          yield* connection.command("approval", { digest: plan.digest })
          const fresh = yield* connection.until("planned", "active", "verifying")
          expect(fresh.state).toBe("planned")
          expect(fresh.plan.digest).not.toBe(plan.digest)
          expect(fresh.plan.changes.flatMap(({ before }: any) => before?.value ?? [])).toEqual(["192.0.2.99"])
          expect([proxy.writesTo("stale.com"), ...(yield* journal(connection))]).toEqual([0])
          yield* setAddress("stale.com", "mail", "192.0.2.25")
          yield* connection.command("approval", { digest: fresh.plan.digest })
          yield* connection.until("active")
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "to a plan that the zone outlives while it is about to be written writes nothing either",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, journal, proxy, service, setAddress } = yield* labConnections()
        yield* Effect.gen(function* () {
          const domain = "overtaken.com"
          const connection = yield* connectNew(domain)
          yield* connection.command("authorization", credential)
          const { plan } = yield* connection.until("planned")
          let reads = 0
          yield* proxy.meddle(domain, "reading", async (response, pass) => {
            reads += 1
            if (reads === 2) await Effect.runPromise(setAddress(domain, "www", "192.0.2.99"))
            const answer = await pass()
            response.writeHead(answer.status).end(await answer.text())
          })
          yield* connection.command("approval", { digest: plan.digest })
          const fresh = yield* connection.until("planned", "active", "verifying")
          expect([fresh.state, fresh.plan.digest === plan.digest]).toEqual(["planned", false])
          expect(yield* journal(connection)).toEqual([...expectedJournal("failed")])
          expect(proxy.writesTo(domain)).toBe(0)
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "to a plan that is too old is refused, and a fresh plan waits",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, proxy, service } = yield* labConnections({
          settings: ({ stateTimeouts }) => ({
            phasesInFlight: 1,
            stateTimeouts: { ...stateTimeouts, plan: Duration.seconds(3) }
          })
        })
        yield* Effect.gen(function* () {
          const old = yield* connectNew("old.com")
          const busy = yield* connectNew("busy.com")
          const { promise: latch, resolve: open } = Promise.withResolvers<void>()
          yield* proxy.meddle("busy.com", "opening", async (response) => {
            await latch
            response.writeHead(401).end()
          })
          yield* old.command("authorization", credential)
          const { plan } = yield* old.until("planned")
          // The only phase at a time is busy, so that nothing but the approval notices that the plan is too old.
          yield* busy.command("authorization", credential)
          yield* Effect.sleep(Duration.millis(DateTime.toEpochMillis(DateTime.unsafeMake(plan.expiresAt)) - Date.now()))
          expect(refusal(yield* old.say("approval", { digest: plan.digest }))).toEqual([409, "plan_expired"])
          open()
          const fresh = yield* old.until("planned")
          expect([fresh.plan.digest, fresh.plan.expiresAt > plan.expiresAt]).toEqual([plan.digest, true])
          expect(proxy.writesTo("old.com")).toBe(0)
          yield* old.command("approval", { digest: fresh.plan.digest })
          yield* old.until("active")
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "may be withdrawn as long as nothing can have been written; what may have been is taken out again",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, proxy, service } = yield* labConnections()
        yield* Effect.gen(function* () {
          const failing = (domain: string, code: number) =>
            Effect.gen(function* () {
              const connection = yield* connectNew(domain)
              yield* proxy.meddle(domain, "writing", status(code))
              yield* connection.command("authorization", {
                ...credential,
                approvedDigest: connection.asked.plan.digest
              })
              yield* Effect.flip(connection.until("active"))
              return connection
            })
          const refused = yield* failing("refused.com", 422)
          expect(refusal(yield* refused.say("retry"))).toEqual([409, "failure_not_retryable"])
          expect(refusal(yield* refused.say("disconnect"))).toEqual([409, "state_conflict"])
          expect((yield* refused.command("cancel")).state).toBe("canceled")
          const doubtful = yield* failing("doubtful.com", 500)
          expect(refusal(yield* doubtful.say("cancel"))).toEqual([409, "records_written"])
          yield* proxy.heal("doubtful.com")
          yield* doubtful.command("disconnect")
          expect((yield* doubtful.until("disconnected")).leftovers).toEqual([])
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "that was carried out without anybody being told so can be taken back",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, journal, proxy, service } = yield* labConnections()
        yield* Effect.gen(function* () {
          const connection = yield* connectNew("unheard.com")
          yield* proxy.meddle("unheard.com", "writing", async (response, pass) => {
            await (await pass()).text()
            await Effect.runPromise(proxy.meddle("unheard.com", "reading", status(500)))
            response.writeHead(502).end()
          })
          yield* connection.command("authorization", { ...credential, approvedDigest: connection.asked.plan.digest })
          yield* Effect.flip(connection.until("active"))
          expect((yield* connection.now).failure).toMatchObject({
            code: "provider_unavailable",
            resumeState: "applying"
          })
          expect(yield* journal(connection)).toEqual([...expectedJournal("unknown")])
          yield* proxy.heal("unheard.com")
          yield* connection.command("disconnect")
          const { plan: waiting } = yield* connection.until("planned")
          yield* connection.command("approval", { digest: waiting.digest, acknowledge: waiting.warnings })
          const { leftovers, plan } = yield* connection.until("disconnected")
          expect(leftovers).toEqual([])
          expect(plan.changes.map(({ action, after, before }: any) => [action, before?.type, after?.type])).toEqual([
            ["delete", "CNAME", undefined],
            ["create", undefined, "A"],
            ["delete", "TXT", undefined]
          ])
          expect(proxy.writesTo("unheard.com")).toBe(2)
        }).pipe(Effect.provide(service))
      }),
    60_000
  )
})

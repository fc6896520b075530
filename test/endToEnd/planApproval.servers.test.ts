import { expect } from "bun:test"
import { Effect } from "effect"
import { describeLab } from "../support/lab/describeLab.ts"
import { status } from "../support/lab/httpFaults.ts"
import { approvalOf, approvedInAdvance } from "../support/TestConnection.ts"
import { expectedJournal, labConnections } from "../support/labConnections.ts"

const otherDigest = `sha-256:${"0".repeat(64)}`

/** A record that replaces mail servers and therefore needs an acknowledgement. */
const otherMail = { host: "shop", type: "MX", value: "mx2.mailprov.net", priority: 10 }

const refusalOf = ({ body, status }: { readonly status: number; readonly body: any }) => [status, body.error?.code]

describeLab("an approval", (live) => {
  live("holds for one digest, and fifty concurrent approvals write once", () =>
    Effect.gen(function* () {
      const { createConnection, credential, journal, proxy, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const connection = yield* createConnection("fifty.com")
        yield* connection.command("authorization", credential)
        const { plan } = yield* connection.waitForState("planned")
        expect(refusalOf(yield* connection.send("approval", { digest: otherDigest }))).toEqual([
          409,
          "plan_digest_mismatch"
        ])
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => connection.send("approval", approvalOf(plan))),
          { concurrency: "unbounded" }
        )
        expect(answers.map(({ status }) => status).toSorted()).toEqual(Array(50).fill(200))
        yield* connection.waitForState("active")
        expect(yield* journal(connection)).toEqual([...expectedJournal("confirmed")])
        expect(proxy.writesTo("fifty.com")).toBe(1)
      }).pipe(Effect.provide(service))
    })
  )

  live("given with the credential holds for exactly the plan that was shown and its acknowledged warnings", () =>
    Effect.gen(function* () {
      const { createConnection, credential, proxy, service, setAddress } = yield* labConnections()
      yield* Effect.gen(function* () {
        const same = yield* createConnection("same.com")
        yield* same.command("authorization", { ...credential, ...approvedInAdvance(same.created.plan) })
        yield* same.waitForState("active")

        const changed = yield* createConnection("changed.com")
        yield* setAddress("changed.com", "www", "192.0.2.99")
        yield* changed.command("authorization", { ...credential, ...approvedInAdvance(changed.created.plan) })
        const { plan } = yield* changed.waitForState("planned", "active")
        expect(plan.digest).not.toBe(changed.created.plan.digest)
        expect(plan.warnings).toContain("provider_zone_differs_from_public_dns")

        const withMail = yield* createConnection("with-mail.com", [otherMail])
        yield* withMail.command("authorization", {
          ...credential,
          ...approvedInAdvance(withMail.created.plan),
          acknowledge: ["website_replaced"]
        })
        const { plan: replanned } = yield* withMail.waitForState("planned", "active")
        expect(replanned.digest).toBe(withMail.created.plan.digest)
        const refused = yield* withMail.send("approval", {
          digest: replanned.digest,
          acknowledge: ["website_replaced"]
        })
        expect(refused.body.error.details.map(({ code }: any) => code)).toEqual(["mx_replaced"])
        expect(refusalOf(refused)).toEqual([409, "acknowledgement_required"])
        expect([proxy.writesTo("changed.com"), proxy.writesTo("with-mail.com")]).toEqual([0, 0])
        yield* withMail.command("approval", approvalOf(replanned))
        yield* withMail.waitForState("active")
      }).pipe(Effect.provide(service))
    })
  )

  live("of a plan that no longer fits the zone writes nothing, and a new plan waits for approval", () =>
    Effect.gen(function* () {
      const { createConnection, credential, journal, proxy, service, setAddress } = yield* labConnections()
      yield* Effect.gen(function* () {
        const connection = yield* createConnection("stale.com")
        yield* connection.command("authorization", credential)
        const { plan } = yield* connection.waitForState("planned")
        yield* setAddress("stale.com", "www", "192.0.2.99")
        yield* connection.command("approval", approvalOf(plan))
        const fresh = yield* connection.waitForState("planned", "active", "verifying")
        expect(fresh.state).toBe("planned")
        expect(fresh.plan.digest).not.toBe(plan.digest)
        expect(fresh.plan.changes.flatMap(({ before }: any) => before?.value ?? [])).toEqual(["192.0.2.99"])
        expect([proxy.writesTo("stale.com"), ...(yield* journal(connection))]).toEqual([0])
        yield* setAddress("stale.com", "mail", "192.0.2.25")
        yield* connection.command("approval", approvalOf(fresh.plan))
        yield* connection.waitForState("active")
      }).pipe(Effect.provide(service))
    })
  )

  live("of a plan that stops fitting the zone just before the write writes nothing either", () =>
    Effect.gen(function* () {
      const { createConnection, credential, journal, proxy, service, setAddress } = yield* labConnections()
      yield* Effect.gen(function* () {
        const domain = "overtaken.com"
        const connection = yield* createConnection(domain)
        yield* connection.command("authorization", credential)
        const { plan } = yield* connection.waitForState("planned")
        let reads = 0
        yield* proxy.injectFault(domain, "reading", async (response, pass) => {
          reads += 1
          if (reads === 2) await Effect.runPromise(setAddress(domain, "www", "192.0.2.99"))
          const answer = await pass()
          response.writeHead(answer.status).end(await answer.text())
        })
        yield* connection.command("approval", approvalOf(plan))
        const fresh = yield* connection.waitForState("planned", "active", "verifying")
        expect([fresh.state, fresh.plan.digest === plan.digest]).toEqual(["planned", false])
        expect(yield* journal(connection)).toEqual([...expectedJournal("failed")])
        expect(proxy.writesTo(domain)).toBe(0)
      }).pipe(Effect.provide(service))
    })
  )

  live("of an expired plan is rejected, and a new plan waits for approval", () =>
    Effect.gen(function* () {
      const { createConnection, credential, expirePlan, proxy, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const old = yield* createConnection("old.com")
        yield* old.command("authorization", credential)
        const { plan } = yield* old.waitForState("planned")
        yield* expirePlan(old, plan)
        expect(refusalOf(yield* old.send("approval", approvalOf(plan)))).toEqual([409, "plan_expired"])
        const fresh = yield* old.waitForState("planned")
        expect([fresh.plan.digest, fresh.plan.expiresAt > plan.expiresAt]).toEqual([plan.digest, true])
        expect(proxy.writesTo("old.com")).toBe(0)
        yield* old.command("approval", approvalOf(fresh.plan))
        yield* old.waitForState("active")
      }).pipe(Effect.provide(service))
    })
  )

  live("can be canceled while nothing can have been written; otherwise disconnecting restores the zone", () =>
    Effect.gen(function* () {
      const { createConnection, credential, proxy, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const failing = (domain: string, code: number) =>
          Effect.gen(function* () {
            const connection = yield* createConnection(domain)
            yield* proxy.injectFault(domain, "writing", status(code))
            yield* connection.command("authorization", {
              ...credential,
              ...approvedInAdvance(connection.created.plan)
            })
            yield* Effect.flip(connection.waitForState("active"))
            return connection
          })
        const refused = yield* failing("refused.com", 422)
        expect(refusalOf(yield* refused.send("disconnect"))).toEqual([409, "state_conflict"])
        expect((yield* refused.command("cancel")).state).toBe("canceled")
        const doubtful = yield* failing("doubtful.com", 500)
        expect(refusalOf(yield* doubtful.send("cancel"))).toEqual([409, "records_written"])
        yield* proxy.heal("doubtful.com")
        yield* doubtful.command("disconnect")
        expect((yield* doubtful.waitForState("disconnected")).leftovers).toEqual([])
      }).pipe(Effect.provide(service))
    })
  )

  live("of a plan whose write got no response can be undone", () =>
    Effect.gen(function* () {
      const { createConnection, credential, journal, proxy, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const connection = yield* createConnection("unheard.com")
        yield* proxy.injectFault("unheard.com", "writing", async (response, pass) => {
          await (await pass()).text()
          await Effect.runPromise(proxy.injectFault("unheard.com", "reading", status(500)))
          response.writeHead(502).end()
        })
        yield* connection.command("authorization", { ...credential, ...approvedInAdvance(connection.created.plan) })
        yield* Effect.flip(connection.waitForState("active"))
        expect((yield* connection.read).failure).toMatchObject({
          code: "provider_unavailable",
          resumeState: "applying"
        })
        expect(yield* journal(connection)).toEqual([...expectedJournal("unknown")])
        yield* proxy.heal("unheard.com")
        yield* connection.command("disconnect")
        const { plan: waiting } = yield* connection.waitForState("planned")
        yield* connection.command("approval", { digest: waiting.digest, acknowledge: waiting.warnings })
        const { leftovers, plan } = yield* connection.waitForState("disconnected")
        expect(leftovers).toEqual([])
        expect(plan.changes.map(({ action, after, before }: any) => [action, before?.type, after?.type])).toEqual([
          ["delete", "CNAME", undefined],
          ["create", undefined, "A"],
          ["delete", "TXT", undefined]
        ])
        expect(proxy.writesTo("unheard.com")).toBe(2)
      }).pipe(Effect.provide(service))
    })
  )
})

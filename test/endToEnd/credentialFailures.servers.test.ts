import { expect } from "bun:test"
import { Effect } from "effect"
import { approvalOf, approvedInAdvance, createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import type { ProxyPhase } from "../support/lab/PowerDnsProxy.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { status } from "../support/lab/httpFaults.ts"
import { labConnections } from "../support/labConnections.ts"
import { labPowerDns } from "../support/labService.ts"
import { issueKey } from "../support/testApi.ts"

const failureOf = ({ failure, state }: any) => [state, failure?.code, failure?.resumeState]

describeLab("a credential", (live) => {
  live("that is wrong fails the connection, and the right one works afterwards", () =>
    Effect.gen(function* () {
      const { createConnection, credential, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const connection = yield* createConnection("wrong-key.com")
        const approval = approvedInAdvance(connection.created.plan)
        for (const apiToken of ["wrong", "schlüssel", `${credential.credential.apiToken}\n`]) {
          yield* connection.command("authorization", { ...credential, credential: { apiToken }, ...approval })
          expect(failureOf(yield* connection.waitForState("failed"))).toEqual([
            "failed",
            "credential_invalid",
            "awaiting_authorization"
          ])
        }
        yield* connection.command("authorization", { ...credential, ...approval })
        yield* connection.waitForState("active")
      }).pipe(Effect.provide(service))
    })
  )

  live("expires after its lifetime", () =>
    Effect.gen(function* () {
      const { createConnection, credential, expireCredential, journal, service } = yield* labConnections()
      yield* Effect.gen(function* () {
        const connection = yield* createConnection("too-late.com")
        yield* connection.command("authorization", credential)
        const { plan } = yield* connection.waitForState("planned")
        yield* expireCredential(connection)
        yield* connection.command("approval", approvalOf(plan))
        expect(failureOf(yield* connection.waitForState("failed"))).toEqual([
          "failed",
          "authorization_expired",
          "awaiting_authorization"
        ])
        expect(yield* journal(connection)).toEqual([])
        yield* connection.command("authorization", { ...credential, ...approvedInAdvance(plan) })
        yield* connection.waitForState("active")
      }).pipe(Effect.provide(service))
    })
  )

  live("for a server without the zone, or with another zone of that name, is rejected", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const { credential, journal, service } = yield* labConnections({
        others: [{ ...labPowerDns, id: "elsewhere", nameServers: ["bindprov.net"] }]
      })
      yield* Effect.gen(function* () {
        const { key } = yield* issueKey()
        const records = [{ host: "www", type: "CNAME", value: "web.hostprov.net" }]
        const connection = yield* createTestConnection(key, { domain: "bindzone.com", records })
        const outcome = Effect.zipRight(
          connection.command("authorization", { ...credential, ...approvedInAdvance(connection.created.plan) }),
          Effect.map(connection.waitForState("failed", "active"), failureOf)
        )
        const mismatch = ["failed", "authorization_zone_mismatch", "awaiting_authorization"]
        expect(yield* outcome).toEqual(mismatch)
        yield* pdns.createZone("bindzone.com", "@ NS ns1.elsewhere.net.\nwww A 192.0.2.20")
        expect(yield* outcome).toEqual(mismatch)
        expect(yield* journal(connection)).toEqual([])
      }).pipe(Effect.provide(service))
    })
  )

  live("cannot write records that the provider does not support; optional ones are skipped", () =>
    Effect.gen(function* () {
      const { createConnection, credential, service } = yield* labConnections({
        capabilities: { caaRecords: "unsupported", cnameFlattening: "unsupported" }
      })
      yield* Effect.gen(function* () {
        const caa = { host: "@", type: "CAA", value: `0 issue "letsencrypt.org"` }
        const needed = yield* createConnection("needed.com", [caa])
        expect(failureOf(needed.created)).toEqual(["failed", "record_type_unsupported", undefined])
        const apex = yield* createConnection("apex.com", [{ host: "@", type: "CNAME", value: "web.hostprov.net" }])
        expect(failureOf(apex.created)).toEqual(["failed", "apex_cname_unsupported", undefined])

        const optional = yield* createConnection("optional.com", [{ ...caa, optional: true }])
        expect(optional.created.optionalFailures).toEqual(["CAA @ record_type_unsupported"])
        yield* optional.command("authorization", { ...credential, ...approvedInAdvance(optional.created.plan) })
        const active = yield* optional.waitForState("active")
        expect(active.optionalFailures).toEqual(["CAA @ record_type_unsupported"])
        expect(active.effectiveIntent.records.map(({ type }: any) => type)).toEqual(["CNAME", "TXT"])
      }).pipe(Effect.provide(service))
    })
  )

  live("is stored while a retry needs it, and no longer", () =>
    Effect.gen(function* () {
      const { createConnection, credential, hasCredential, proxy, service } = yield* labConnections()
      const failAt = (moment: ProxyPhase, code: number) =>
        Effect.gen(function* () {
          const domain = `kept-${moment}-${code}.com`
          const connection = yield* createConnection(domain)
          yield* proxy.injectFault(domain, moment, status(code))
          const approval = approvedInAdvance(connection.created.plan)
          yield* connection.command("authorization", { ...credential, ...approval })
          yield* Effect.flip(connection.waitForState("active"))
          const isStored = yield* hasCredential(connection)
          yield* proxy.heal(domain)
          return { connection, isStored }
        })
      yield* Effect.gen(function* () {
        expect((yield* failAt("reading", 401)).isStored).toBe(false)
        expect((yield* failAt("reading", 404)).isStored).toBe(false)
        expect((yield* failAt("writing", 422)).isStored).toBe(true)
        expect((yield* failAt("writing", 423)).isStored).toBe(true)
        const { connection, isStored } = yield* failAt("writing", 500)
        expect(isStored).toBe(true)
        yield* connection.command("retry")
        yield* connection.waitForState("active")
        expect(yield* hasCredential(connection)).toBe(false)
      }).pipe(Effect.provide(service))
    })
  )
})

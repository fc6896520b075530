import { expect } from "bun:test"
import { Duration, Effect } from "effect"
import { createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import type { ProxyPhase } from "../support/lab/PowerDnsProxy.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { status } from "../support/lab/httpFaults.ts"
import { labConnections } from "../support/labConnections.ts"
import { labPowerDns } from "../support/labService.ts"
import { issueKey } from "../support/testApi.ts"

const failureOf = ({ failure, state }: any) => [state, failure?.code, failure?.resumeState]

describeLab("the way into a zone", (live) => {
  live(
    "is not a wrong key; the right one opens it afterwards",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, service } = yield* labConnections()
        yield* Effect.gen(function* () {
          const connection = yield* connectNew("wrong-key.com")
          const approvedDigest = connection.asked.plan.digest
          for (const apiToken of ["wrong", "schlüssel", `${credential.credential.apiToken}\n`]) {
            yield* connection.command("authorization", { ...credential, credential: { apiToken }, approvedDigest })
            expect(failureOf(yield* connection.until("failed"))).toEqual([
              "failed",
              "credential_invalid",
              "awaiting_authorization"
            ])
          }
          yield* connection.command("authorization", { ...credential, approvedDigest })
          yield* connection.until("active")
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "is not a key that was handed in too long ago",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, journal, service } = yield* labConnections({
          settings: ({ stateTimeouts }) => ({ stateTimeouts: { ...stateTimeouts, credential: Duration.seconds(2) } })
        })
        yield* Effect.gen(function* () {
          const connection = yield* connectNew("too-late.com")
          yield* connection.command("authorization", credential)
          const { plan } = yield* connection.until("planned")
          yield* Effect.sleep("2 seconds")
          yield* connection.command("approval", { digest: plan.digest })
          expect(failureOf(yield* connection.until("failed"))).toEqual([
            "failed",
            "authorization_expired",
            "awaiting_authorization"
          ])
          expect(yield* journal(connection)).toEqual([])
          yield* connection.command("authorization", { ...credential, approvedDigest: plan.digest })
          yield* connection.until("active")
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "is not a key to a server that does not have the zone, or has another one of that name",
    () =>
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
            connection.command("authorization", { ...credential, approvedDigest: connection.asked.plan.digest }),
            Effect.map(connection.until("failed", "active"), failureOf)
          )
          const mismatch = ["failed", "authorization_zone_mismatch", "awaiting_authorization"]
          expect(yield* outcome).toEqual(mismatch)
          yield* pdns.createZone("bindzone.com", "@ NS ns1.elsewhere.net.\nwww A 192.0.2.20")
          expect(yield* outcome).toEqual(mismatch)
          expect(yield* journal(connection)).toEqual([])
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "does not help where the provider cannot store what is wanted, unless that is optional",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, service } = yield* labConnections({
          capabilities: { caaRecords: "unsupported", cnameFlattening: "unsupported" }
        })
        yield* Effect.gen(function* () {
          const caa = { host: "@", type: "CAA", value: `0 issue "letsencrypt.org"` }
          const needed = yield* connectNew("needed.com", [caa])
          expect(failureOf(needed.asked)).toEqual(["failed", "record_type_unsupported", undefined])
          const apex = yield* connectNew("apex.com", [{ host: "@", type: "CNAME", value: "web.hostprov.net" }])
          expect(failureOf(apex.asked)).toEqual(["failed", "apex_cname_unsupported", undefined])

          const optional = yield* connectNew("optional.com", [{ ...caa, optional: true }])
          expect(optional.asked.optionalFailures).toEqual(["CAA @ record_type_unsupported"])
          yield* optional.command("authorization", { ...credential, approvedDigest: optional.asked.plan.digest })
          const active = yield* optional.until("active")
          expect(active.optionalFailures).toEqual(["CAA @ record_type_unsupported"])
          expect(active.effectiveIntent.records.map(({ type }: any) => type)).toEqual(["CNAME", "TXT"])
        }).pipe(Effect.provide(service))
      }),
    60_000
  )

  live(
    "is kept for as long as a retry needs it, and no longer",
    () =>
      Effect.gen(function* () {
        const { connectNew, credential, holdsCredential, proxy, service } = yield* labConnections()
        const afterFault = (moment: ProxyPhase, code: number) =>
          Effect.gen(function* () {
            const domain = `kept-${moment}-${code}.com`
            const connection = yield* connectNew(domain)
            yield* proxy.meddle(domain, moment, status(code))
            const approvedDigest = connection.asked.plan.digest
            yield* connection.command("authorization", { ...credential, approvedDigest })
            yield* Effect.flip(connection.until("active"))
            const held = yield* holdsCredential(connection)
            yield* proxy.heal(domain)
            return { connection, held }
          })
        yield* Effect.gen(function* () {
          expect((yield* afterFault("reading", 401)).held).toBe(false)
          expect((yield* afterFault("reading", 404)).held).toBe(false)
          expect((yield* afterFault("writing", 422)).held).toBe(false)
          expect((yield* afterFault("writing", 423)).held).toBe(true)
          const { connection, held } = yield* afterFault("writing", 500)
          expect(held).toBe(true)
          yield* connection.command("retry")
          yield* connection.until("active")
          expect(yield* holdsCredential(connection)).toBe(false)
        }).pipe(Effect.provide(service))
      }),
    60_000
  )
})

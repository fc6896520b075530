import { expect } from "bun:test"
import { Effect } from "effect"
import { type ApiClient, makeApiClient, retryUntilAnswered } from "../../prove/ApiClient.ts"
import { createProofDatabase } from "../../prove/ProofDatabase.ts"
import { createPlannedConnection, waitForState } from "../../prove/connectionSteps.ts"
import { makeFakeOf, zone as domain } from "../providers/adapters/DescribedAdapter.ts"
import { ovh } from "../providers/adapters/ovh/ovh.ts"
import { application } from "../providers/adapters/ovh/signedOvhCalls.ts"
import { makeConsentingOvh } from "../providers/oauth/consentingOvh.ts"
import { HttpBrowser } from "../support/HttpBrowser.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { labEnvironment } from "../support/labService.ts"
import { startCompiledService } from "../support/serviceProcess.ts"
import { toZoneFileLine } from "../support/vendors/DescribedVendor.ts"
import { makeVendorHosts, vendorHostsUnavailableReason } from "../support/vendors/VendorHosts.ts"

const host = "eu.api.ovh.com"

/** The connection of a customer who consents at OVHcloud each time that the service needs access. */
const makeLife = Effect.gen(function* () {
  const hosts = yield* makeVendorHosts([host])
  const customer = makeConsentingOvh()
  const lines = 'www 3600 A 192.0.2.10\n@ 3600 TXT "v=spf1 -all"'
  const fake = yield* makeFakeOf(customer, lines, { ...hosts.listener(host), clock: Date.now })
  const served = Effect.sync(() =>
    (fake.state().served?.[domain] ?? []).map((record) => toZoneFileLine(customer.vendor, record, domain)).toSorted()
  )
  yield* serveAtLab({ dump: served, nameServers: ovh.nameServers, zone: domain })
  const database = yield* createProofDatabase
  const registration = { clientId: application.key, clientSecret: application.secret }
  const environment = yield* labEnvironment([{ id: "ovh", oauth: registration }], {
    ...hosts.environment,
    DATABASE_URL: database.url
  })
  const { url } = yield* startCompiledService(environment, hosts.wrap)
  const api = makeApiClient(url, database.key)
  const browser = new HttpBrowser()
  /** The service was told to take any port, which its own URLs then name. */
  const load = (page: string) => {
    const { pathname, search } = new URL(page)
    return Effect.promise(() => browser.load(`${url}${pathname}${search}`))
  }

  const consent = (id: string, consented: object) =>
    Effect.gen(function* () {
      const { authorizeUrl } = yield* command(api, id, "authorization", { method: "oauth2_pkce", ...consented })
      yield* load(authorizeUrl)
      const key = [...customer.keys().keys()].at(-1) ?? ""
      const { status } = yield* load(customer.allow(key))
      expect(status).toBe(200)
    })
  return { api, consent, customer, served }
})

const command = (api: ApiClient, id: string, name: string, body: object) =>
  Effect.flatMap(retryUntilAnswered(api.post(`/v1/connections/${id}/${name}`, body)), ({ body, status }) =>
    status === 200 ? Effect.succeed(body) : Effect.dieMessage(`${name}: ${JSON.stringify(body)}`)
  )

describeIfPossible("at OVHcloud's own host", vendorHostsUnavailableReason(), () => {
  describeLab("a connection by consent", (live) => {
    live("is written and served, is removed again, and leaves no key at OVHcloud", () =>
      Effect.gen(function* () {
        const { api, consent, customer, served } = yield* makeLife
        const before = yield* served
        const { id, plan, provider } = yield* createPlannedConnection(api, {
          idempotencyKey: domain,
          domain,
          records: [
            { host: "www", type: "CNAME", value: "web.hostprov.net" },
            { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" }
          ],
          credential: {}
        })
        expect([provider.id, provider.availableAuthorizationMethods]).toEqual(["ovh", ["oauth2_pkce", "manual"]])
        yield* consent(id, { approvedDigest: plan.digest, acknowledge: plan.warnings })
        yield* waitForState(api, id, ["active"])
        expect(yield* served).toContain(`www.${domain}. 3600 CNAME web.hostprov.net.`)

        yield* command(api, id, "disconnect", {})
        yield* consent(id, {})
        const { plan: restore } = yield* waitForState(api, id, ["planned"])
        yield* command(api, id, "approval", { digest: restore.digest, acknowledge: restore.warnings })
        yield* waitForState(api, id, ["disconnected"])
        expect(yield* served).toEqual(before)
        yield* Effect.sync(() => customer.keys().size).pipe(Effect.delay(20), Effect.repeat({ until: (n) => n === 0 }))
      })
    )
  })
})

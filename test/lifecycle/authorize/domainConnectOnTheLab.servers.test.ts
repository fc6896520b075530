import { expect } from "bun:test"
import { Effect } from "effect"
import {
  authorizeAtProvider,
  connectDomain,
  createSigningKey,
  DomainConnectLab,
  type DomainConnectConnection,
  domainConnectLab,
  newBrowser,
  template,
  visitProvider
} from "../../support/DomainConnectLab.ts"
import { loadPage, stateOf, waitForState } from "../../support/OAuthLab.ts"
import { labPowerDns } from "../../support/labService.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { Lab } from "../../support/lab/Lab.ts"
import { jsonOf, post } from "../../support/testApi.ts"

const resultAt = (location: string | null) => new URL(location ?? "").searchParams.get("result")

describeLab("Domain Connect", (live) => {
  live("lets the provider write the records, after the customer has seen what it would remove", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const { provider } = yield* DomainConnectLab
      yield* createSigningKey("success")
      const connected = yield* connectDomain(
        "success",
        "success-dc.com",
        'www A 192.0.2.20\nwww TXT "of another service"\nmail A 192.0.2.30'
      )
      const { connection } = connected
      expect(connection.state).toBe("awaiting_authorization")
      expect(connection.provider).toMatchObject({
        name: "Lab Connect",
        implementation: "redirect",
        availableAuthorizationMethods: ["domain_connect", "manual"],
        detection: { method: "domain_connect" },
        referenceUrl: `https://${provider.address}/zones/success-dc.com`,
        domainConnect: {
          serviceId: "website",
          zone: "success-dc.com",
          variables: { shop: "shop-7", token: "7f3a" },
          groups: ["site", "proof"]
        }
      })
      const authorized = yield* authorizeAtProvider(connected)
      expect(authorized.connection.state).toBe("authorizing")
      expect(
        authorized.connection.provider.domainConnect.removes.map(
          ({ host, type, value }: any) => `${host} ${type} ${value}`
        )
      ).toEqual(["www A 192.0.2.20", "www TXT of another service"])
      const browser = yield* newBrowser
      const back = yield* visitProvider(browser, authorized.authorizeUrl)
      expect(new URL(back).searchParams.get("error")).toBeNull()
      const { location, status } = yield* loadPage(browser, back)
      expect([status, resultAt(location)]).toEqual([303, "returned"])
      yield* waitForState(connected, "active")
      const written = yield* pdns.dump("success-dc.com")
      expect(written.filter((line) => line.startsWith("www."))).toEqual([
        "www.success-dc.com. + 3600 CNAME shop-7.hostprov.net."
      ])
      // A link counts once.
      expect((yield* loadPage(browser, back)).status).toBe(400)
      yield* post(`${connected.path}/disconnect`, connected.key, {})
      const { provider: known, state } = yield* waitForState(connected, "disconnecting")
      expect([state, known.referenceUrl]).toEqual(["disconnecting", `https://${provider.address}/zones/success-dc.com`])
    }).pipe(Effect.provide(domainConnectLab()))
  )

  live("says afterwards what the provider has removed beside what it was to remove", () =>
    Effect.gen(function* () {
      const { provider } = yield* DomainConnectLab
      yield* createSigningKey("careless")
      const lines = '@ MX 10 mx1.mailprov.net.\n@ TXT "v=spf1 -all"\n@ TXT "another service"\nwww A 192.0.2.20'
      const connected = yield* connectDomain("careless", "careless-dc.com", lines)
      provider.setCarelessness(["careless-dc.com. MX"])
      const browser = yield* newBrowser
      yield* loadPage(browser, yield* visitProvider(browser, (yield* authorizeAtProvider(connected)).authorizeUrl))
      const { domainConnect } = (yield* waitForState(connected, "active")).provider
      expect(domainConnect.removes).toEqual([{ host: "www", type: "A", value: "192.0.2.20" }])
      expect(domainConnect.keeps).toContainEqual({ host: "@", type: "TXT", value: "another service" })
      expect(domainConnect.alsoRemoved).toEqual([{ host: "@", type: "MX", value: "mx1.mailprov.net", priority: 10 }])
    }).pipe(Effect.provide(domainConnectLab()))
  )

  live("leads a customer who cancels back to the choice of a method, and refuses an approval in advance", () =>
    Effect.gen(function* () {
      const { provider } = yield* DomainConnectLab
      yield* createSigningKey("cancel")
      const connected = yield* connectDomain("cancel", "cancel-dc.com", "mail A 192.0.2.30")
      const { plan } = connected.connection
      const { error } = yield* authorizeAtProvider(connected, { approvedDigest: plan.digest })
      expect([error.code, error.details[0].pointer]).toEqual(["approval_unavailable", "/approvedDigest"])
      provider.setCustomerDecision("cancel")
      const browser = yield* newBrowser
      const { authorizeUrl } = yield* authorizeAtProvider(connected)
      const { location } = yield* loadPage(browser, yield* visitProvider(browser, authorizeUrl))
      expect(resultAt(location)).toBe("not_completed")
      const { failure, state } = yield* stateOf(connected)
      expect([state, failure]).toEqual(["awaiting_authorization", undefined])
      provider.setCustomerDecision("agree")
      yield* loadPage(browser, yield* visitProvider(browser, (yield* authorizeAtProvider(connected)).authorizeUrl))
      yield* waitForState(connected, "active")
    }).pipe(Effect.provide(domainConnectLab()))
  )

  live("writes nothing by a link that was changed on its way", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      const { provider } = yield* DomainConnectLab
      yield* createSigningKey("forged")
      const connected = yield* connectDomain("forged", "forged-dc.com", "mail A 192.0.2.30")
      const before = yield* pdns.dump("forged-dc.com")
      const browser = yield* newBrowser
      const { authorizeUrl } = yield* authorizeAtProvider(connected)
      const link = yield* Effect.promise(() =>
        browser.follow(authorizeUrl, (next) => next.startsWith(`https://${provider.address}/`), {
          referer: "https://shop.example.com/"
        })
      )
      expect((yield* loadPage(browser, link.replace("shop=shop-7", "shop=evil"))).status).toBe(403)
      expect(yield* pdns.dump("forged-dc.com")).toEqual(before)
      expect((yield* stateOf(connected)).state).toBe("authorizing")
      const manual = yield* Effect.flatMap(
        post(`${connected.path}/authorization`, connected.key, { method: "manual" }),
        jsonOf
      )
      expect(manual.connection.state).toBe("awaiting_manual")
    }).pipe(Effect.provide(domainConnectLab()))
  )

  live("is offered beside a key where entries stand already, and proves control by the challenge in the link", () =>
    Effect.gen(function* () {
      const { pdns } = yield* Lab
      yield* createSigningKey("beside")
      const connected = yield* connectDomain("beside", "beside-dc.com", 'www A 192.0.2.20\n_verify TXT "other"')
      const { connection } = connected
      expect(connection.provider).toMatchObject({
        id: labPowerDns.id,
        implementation: "automatic",
        availableAuthorizationMethods: ["domain_connect", "direct_credential", "manual"]
      })
      expect(connection.plan.changes.map(({ after }: any) => after?.host)).not.toContain("_domain-connection")
      expect(connection.control).toEqual({ status: "unproven" })
      const challenge = { host: "_domain-connection", type: "TXT", value: expect.stringMatching(/^domain-connection=/) }
      expect(connection.provider.domainConnect.adds).toEqual([challenge])
      const browser = yield* newBrowser
      yield* loadPage(browser, yield* visitProvider(browser, (yield* authorizeAtProvider(connected)).authorizeUrl))
      const { control } = yield* waitForState(connected, "active")
      expect(control).toEqual({ status: "proven", by: "challenge" })
      const written = yield* pdns.dump("beside-dc.com")
      expect(written.filter((line) => line.startsWith("_domain-connection."))).toHaveLength(1)
    }).pipe(Effect.provide(domainConnectLab({ declarations: [labPowerDns] })))
  )

  live("is not offered without template, published key or allowed host, and says why", () =>
    Effect.gen(function* () {
      const { provider } = yield* DomainConnectLab
      yield* createSigningKey("unpublished", { isPublished: false })
      expect(limitationsOf(yield* connectDomain("unpublished", "unpublished-dc.com", ""))).toContain(
        "no key of it is published below platformkeys.com"
      )
      yield* createSigningKey("unfit")
      const unfit = [{ ...template, records: template.records.slice(1) }]
      expect(limitationsOf(yield* connectDomain("unfit", "unfit-dc.com", "", unfit))).toContain(
        "the template does not have CNAME at www.unfit-dc.com"
      )
      provider.setTemplates([])
      yield* createSigningKey("absent")
      const unknown = [{ ...template, serviceId: "shop" }]
      expect(limitationsOf(yield* connectDomain("absent", "absent-dc.com", "", unknown))).toContain(
        "Lab Connect does not have platform.example/shop (it answers 404)"
      )
    }).pipe(
      Effect.provide(domainConnectLab()),
      Effect.zipRight(
        Effect.gen(function* () {
          const { provider } = yield* DomainConnectLab
          yield* createSigningKey("elsewhere")
          const { connection } = yield* connectDomain("elsewhere", "elsewhere-dc.com", "")
          expect(connection.provider.availableAuthorizationMethods).toEqual(["manual"])
          expect(provider.calls).toEqual([])
        }).pipe(Effect.provide(domainConnectLab({ isAllowed: false })))
      )
    )
  )
})

const limitationsOf = ({ connection }: DomainConnectConnection) => {
  expect(connection.state).toBe("awaiting_manual")
  expect(connection.provider.availableAuthorizationMethods).toEqual(["manual"])
  return connection.provider.limitations.join()
}

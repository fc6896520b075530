import { expect, test } from "bun:test"
import { Effect, Layer, Schedule, Schema } from "effect"
import { ConnectionDocument } from "../../src/domain/connection/ConnectionDocument.ts"
import { ObservationsDocument } from "../../src/domain/plan/ObservationsDocument.ts"
import { Provider } from "../../src/domain/provider/Provider.ts"
import { unknownProvider } from "../../src/providers/catalog/catalog.ts"
import { makeManualFields } from "../../src/providers/guides/makeManualFields.ts"
import { generalGuide, manualGuides } from "../../src/providers/guides/manualGuides.ts"
import {
  authorizeAtProvider,
  connectDomain,
  createSigningKey,
  DomainConnectLab,
  domainConnectLab,
  newBrowser,
  visitProvider
} from "../support/DomainConnectLab.ts"
import { withLayer } from "../support/effectTest.ts"
import { labBind, labPowerDns, labService } from "../support/labService.ts"
import { Lab } from "../support/lab/Lab.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { loadPage, waitForState } from "../support/OAuthLab.ts"
import { get, issueKey, jsonOf, patch, post } from "../support/testApi.ts"
import { recordSet } from "./labCustomer.ts"
import { documentNames, readDocument, saveDocument } from "./recordedDocuments.ts"
import { recordTestMode } from "./recordTestMode.ts"

test("each recorded document is one that the service sends", () => {
  const strict = { onExcessProperty: "error" } as const
  expect(documentNames().length).toBeGreaterThan(0)
  for (const name of documentNames()) {
    const { connection, observations } = readDocument(name)
    Schema.decodeUnknownSync(ConnectionDocument, strict)(connection)
    Schema.decodeUnknownSync(ObservationsDocument, strict)(observations)
  }
})

test("each recorded guide has the fields that the service gives for its record", () => {
  for (const name of documentNames()) {
    const { connection, observations } = readDocument(name)
    const { guides = [] } = observations
    if (guides.length === 0) continue
    const { plan, provider } = Schema.decodeUnknownSync(PlannedDocument)(connection)
    for (const { provider: known = unknownProvider, tasks } of guides) {
      const guide = manualGuides[known.id] ?? generalGuide
      const page = { guide, provider: Provider.make({ ...provider, id: known.id }), zone: plan.zone }
      for (const { fields, record } of tasks) expect([name, fields]).toEqual([name, makeManualFields(record, page)])
    }
  }
})

const PlannedDocument = Schema.Struct({ plan: Schema.Struct({ zone: Schema.String }), provider: Provider })

const shop = `
  @      NS   ns1.pdnsprov.net.
  @      NS   ns2.pdnsprov.net.
  @      A    192.0.2.20
  www    A    192.0.2.20`

const mail = `
  @      MX   10 mx1.mailprov.net.
  @      TXT  "v=spf1 ip4:192.0.2.25 -all"`

const website = [
  { host: "@", type: "A", value: "203.0.113.80" },
  { host: "www", type: "CNAME", value: "web.hostprov.net" }
]

const sender = { host: "@", type: "TXT", value: "v=spf1 a:web.hostprov.net ~all" }

/** A connection of a domain, and what becomes of it. */
const connect = (domain: string, wanted: ReadonlyArray<object> = website) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const proof = { host: "_verify", type: "TXT", value: `platform-verification=${domain}` }
    const intent = { domain, records: [...wanted, proof] }
    const { connection } = yield* Effect.flatMap(post("/v1/connections", key, { intent }), jsonOf)
    const path = `/v1/connections/${connection.id}`
    const read = Effect.map(Effect.flatMap(get(path, key), jsonOf), (body) => body.connection)
    const waitFor = (...states: ReadonlyArray<string>) =>
      Effect.retry(
        Effect.filterOrFail(read, ({ plan, state }) => plan !== undefined && states.includes(state)),
        Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(900))
      )
    const observe = Effect.flatMap(get(`${path}/records`, key), jsonOf)
    const save = (name: string) =>
      Effect.flatMap(Effect.all([read, observe]), ([shown, observations]) =>
        Effect.sync(() => saveDocument(name, { connection: shown, observations }))
      )
    const command = (name: string, body: object = {}) => Effect.flatMap(post(`${path}/${name}`, key, body), jsonOf)
    const replaceIntent = (records: ReadonlyArray<object>) =>
      patch(path, key, { intent: { domain, records: [...records, proof] } })
    return { command, observe, read, replaceIntent, save, waitFor }
  })

const createZone = (domain: string, lines: string) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    yield* pdns.createZone(domain, lines)
    yield* delegate(domain, ["ns1.pdnsprov.net", "ns2.pdnsprov.net"])
    return pdns
  })

const approvalOf = ({ plan }: any) => ({
  approvedDigest: plan.digest,
  acknowledge: plan.warningDetails.flatMap((each: any) => (each.requiresAcknowledgement ? [each.code] : []))
})

/** Providers that ask for other keys than one token, by the names of their servers. */
const keyProviders = {
  azure: ["ns1-07.azure-dns.com", "ns2-07.azure-dns.net"],
  ionos: ["ns1061.ui-dns.com", "ns1067.ui-dns.de"],
  route53: ["ns-1.awsdns-01.com", "ns-2.awsdns-01.net"]
}

const route53WithRole = {
  id: "route53",
  aws: { principalArn: "arn:aws:iam::111122223333:user/dns", accessKeyId: "AKIAEXAMPLE", secretAccessKey: "example" }
}

const labOf = (...declared: ReadonlyArray<object>) => labService(declared).pipe(Layer.provideMerge(Lab.layer))

if (process.env["RECORD_DOCUMENTS"] !== undefined) {
  withLayer("a record of", labOf(labPowerDns), (live) => {
    live("a way with a key, its mistakes, and the end of it", () =>
      Effect.gen(function* () {
        const domain = "record-shop.com"
        const pdns = yield* createZone(domain, shop + mail)
        const { command, save, waitFor } = yield* connect(domain, [...website, sender])
        const { plan } = yield* waitFor("awaiting_authorization")
        yield* save("review")
        const authorize = (apiToken: string, consent: object) =>
          command("authorization", { method: "direct_credential", credential: { apiToken }, ...consent })
        yield* authorize("wrong key", approvalOf({ plan }))
        yield* waitFor("failed")
        yield* save("refused-key")
        yield* pdns.update(domain, [[recordSet(`www.${domain}`, "A", "192.0.2.21")]])
        yield* authorize(pdns.key, approvalOf({ plan }))
        const planned = yield* waitFor("planned")
        yield* save("planned-again")
        const { acknowledge, approvedDigest } = approvalOf(planned)
        yield* command("approval", { digest: approvedDigest, acknowledge })
        yield* waitFor("active")
        yield* save("active")
        yield* pdns.update(domain, [[recordSet(`www.${domain}`, "CNAME")]])
        yield* command("recheck")
        yield* waitFor("degraded")
        yield* save("degraded")
        yield* command("disconnect")
        const leaving = yield* waitFor("awaiting_authorization", "disconnecting", "planned", "disconnected")
        if (leaving.state === "awaiting_authorization") {
          yield* save("disconnect-review")
          yield* authorize(pdns.key, approvalOf(leaving))
        }
        const next = yield* waitFor("planned", "disconnected", "failed")
        if (next.state === "planned") yield* command("approval", approvalOfPlan(next))
        yield* waitFor("disconnected")
        yield* save("disconnected-partly")
      })
    )

    live("a disconnection with a key, which leaves nothing", () =>
      Effect.gen(function* () {
        const domain = "leaving-shop.com"
        const pdns = yield* createZone(domain, shop + mail)
        const { command, save, waitFor } = yield* connect(domain)
        const { plan } = yield* waitFor("awaiting_authorization")
        const credential = { apiToken: pdns.key }
        yield* command("authorization", { method: "direct_credential", credential, ...approvalOf({ plan }) })
        yield* waitFor("active")
        yield* command("disconnect")
        const leaving = yield* waitFor("awaiting_authorization")
        yield* command("authorization", { method: "direct_credential", credential, ...approvalOf(leaving) })
        yield* waitFor("disconnected")
        yield* save("disconnected")
      })
    )

    live("a small shop without mail, by hand, there and back", () =>
      Effect.gen(function* () {
        const domain = "small-shop.com"
        const pdns = yield* createZone(domain, shop)
        const { command, read, save, waitFor } = yield* connect(domain)
        yield* waitFor("awaiting_authorization")
        yield* save("review-without-mx")
        yield* command("authorization", { method: "manual" })
        yield* waitFor("awaiting_manual")
        yield* command("recheck")
        yield* Effect.sleep("2 seconds")
        yield* save("by-hand")
        const enter = (changes: ReadonlyArray<any>) =>
          Effect.forEach(changes, ({ after, before }) => {
            const { name, type } = after ?? before
            const value = after === undefined ? [] : [contentOf(after)]
            return pdns.update(domain, [[recordSet(name, type, ...value)]])
          })
        const { plan } = yield* read
        yield* enter(plan.changes)
        yield* command("recheck")
        yield* waitFor("active")
        yield* save("active-by-hand")
        yield* command("disconnect")
        const leaving = yield* waitFor("disconnecting")
        yield* Effect.sleep("2 seconds")
        yield* save("disconnecting-by-hand")
        yield* enter(leaving.plan.changes.filter(({ after }: any) => after === undefined))
        yield* enter(leaving.plan.changes.filter(({ after }: any) => after !== undefined))
        yield* command("recheck")
        yield* waitFor("disconnected")
        yield* save("disconnected-by-hand")
      })
    )

    live("a new intent of a connection that is active, at its review", () =>
      Effect.gen(function* () {
        const domain = "moving-shop.com"
        const pdns = yield* createZone(domain, `${shop}\n  store CNAME web.hostprov.net.`)
        const { command, replaceIntent, save, waitFor } = yield* connect(domain)
        const credential = { apiToken: pdns.key }
        const { plan } = yield* waitFor("awaiting_authorization")
        yield* command("authorization", { method: "direct_credential", credential, ...approvalOf({ plan }) })
        yield* waitFor("active")
        yield* replaceIntent([
          { host: "store", type: "CNAME", value: "web.hostprov.net" },
          { host: "help", type: "CNAME", value: "web.hostprov.net" }
        ])
        yield* waitFor("awaiting_authorization", "planned")
        yield* save("review-of-new-intent")
      })
    )

    live("an unknown provider, and a name in Unicode", () =>
      Effect.gen(function* () {
        const unknown = yield* connect("bindzone.com")
        yield* unknown.waitFor("awaiting_manual")
        yield* unknown.save("unknown-provider")
        yield* createZone("xn--bcker-gra.com", shop)
        const idn = yield* connect("xn--bcker-gra.com")
        yield* idn.waitFor("awaiting_authorization")
        yield* idn.save("review-idn")
      })
    )
  })

  withLayer("a record of a plan for many hosts", labOf(labPowerDns), (live) => {
    live("at the review", () =>
      Effect.gen(function* () {
        const domain = "many-shops.com"
        const hosts = [..."abcdefghijk"]
        yield* createZone(domain, shop + hosts.map((host) => `\n${host} A 192.0.2.20`).join(""))
        const records = hosts.map((host) => ({ host, type: "CNAME", value: "web.hostprov.net" }))
        const many = yield* connect(domain, records)
        yield* many.waitFor("awaiting_authorization")
        yield* many.save("many-hosts")
      })
    )
  })

  recordTestMode()

  withLayer("a record of two providers", labOf(labPowerDns, labBind), (live) => {
    live("at the review", () =>
      Effect.gen(function* () {
        const two = yield* connect("mixed.com")
        yield* two.waitFor("awaiting_manual")
        yield* two.save("two-providers")
      })
    )
  })

  withLayer("a record of the ways with a key", labOf(route53WithRole), (live) => {
    for (const [provider, nameServers] of Object.entries(keyProviders))
      live(`at ${provider}`, () =>
        Effect.gen(function* () {
          const zone = `${provider}-shop.com`
          const dump = Effect.succeed([
            `${zone} 3600 A 192.0.2.20`,
            `${zone} 3600 MX 10 mx1.mailprov.net`,
            `www.${zone} 3600 A 192.0.2.20`
          ])
          yield* serveAtLab({ dump, nameServers, zone })
          const { save, waitFor } = yield* connect(zone)
          yield* waitFor("awaiting_authorization")
          yield* save(`review-at-${provider}`)
        }).pipe(Effect.scoped)
      )
  })

  withLayer("a record of Domain Connect", Lab.layer, (live) => {
    live("at a provider that removes more than it was to", () =>
      Effect.gen(function* () {
        const { provider } = yield* DomainConnectLab
        yield* createSigningKey("recorded")
        const lines = '@ MX 10 mx1.mailprov.net.\n@ TXT "v=spf1 -all"\nwww A 192.0.2.20'
        const connected = yield* connectDomain("recorded", "recorded-dc.com", lines)
        const save = (name: string) =>
          Effect.gen(function* () {
            const read = (path: string) => Effect.flatMap(get(path, connected.key), jsonOf)
            const { connection } = yield* read(connected.path)
            saveDocument(name, { connection, observations: yield* read(`${connected.path}/records`) })
          })
        yield* save("review-with-domain-connect")
        provider.setCarelessness(["recorded-dc.com. MX"])
        const { authorizeUrl } = yield* authorizeAtProvider(connected)
        const browser = yield* newBrowser
        yield* loadPage(browser, yield* visitProvider(browser, authorizeUrl))
        yield* waitForState(connected, "active")
        yield* save("active-by-domain-connect")
      }).pipe(Effect.provide(domainConnectLab()))
    )
  })
}

const approvalOfPlan = (connection: any) => {
  const { acknowledge, approvedDigest } = approvalOf(connection)
  return { digest: approvedDigest, acknowledge }
}

/** A value as PowerDNS takes it. */
const contentOf = ({ type, value }: { readonly type: string; readonly value: string }): string =>
  type === "TXT" ? `"${value}"` : type === "CNAME" ? `${value}.` : value

import { FetchHttpClient } from "@effect/platform"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { DomainConnectKeyId } from "../../src/domain/access/DomainConnectKey.ts"
import { parseNetwork } from "../../src/domain/names/IpAddress.ts"
import { formatPublicKey } from "../../src/domainConnect/signature.ts"
import { DomainConnectDirectory } from "../../src/providers/domainConnect/DomainConnectDirectory.ts"
import { DomainConnectKeys } from "../../src/security/DomainConnectKeys.ts"
import { sendAsAdmin } from "../http/support/adminRequests.ts"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { freePort } from "./freePort.ts"
import { HttpBrowser } from "./HttpBrowser.ts"
import { type LabDomainConnect, makeDomainConnectProvider } from "./lab/DomainConnectProvider.ts"
import { Lab } from "./lab/Lab.ts"
import { labService } from "./labService.ts"
import { createTestConnection } from "./TestConnection.ts"
import { issueKey, jsonOf, post, tenancyOf } from "./testApi.ts"

/** The provider's side of Domain Connect on the lab, and the means to connect domains there. */
export class DomainConnectLab extends Context.Tag("test/DomainConnectLab")<
  DomainConnectLab,
  { readonly provider: LabDomainConnect; readonly publicUrl: string }
>() {}

const host = "127.0.0.2"

export const nameServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]

/** The domain at which the platform publishes its keys. */
export const keyDomain = "platformkeys.com"

/** The template of the platform, with a group of its own for the proof of control. */
export const template = {
  providerId: "platform.example",
  providerName: "Platform",
  serviceId: "website",
  serviceName: "Website",
  syncPubKeyDomain: keyDomain,
  syncRedirectDomain: host,
  records: [
    { groupId: "site", type: "CNAME", host: "www", pointsTo: "%shop%.hostprov.net", ttl: 3600 },
    { groupId: "site", type: "TXT", host: "_verify", data: "platform=%token%", ttl: 3600 },
    {
      groupId: "proof",
      type: "TXT",
      host: "_domain-connection",
      data: "domain-connection=%proof%",
      ttl: 300,
      txtConflictMatchingMode: "All"
    }
  ]
}

/** The service on the lab, which trusts the certificate of the provider and is allowed to ask it. */
export const domainConnectLab = ({
  declarations = [],
  hasPages = false,
  isAllowed = true
}: {
  readonly declarations?: ReadonlyArray<object>
  readonly hasPages?: boolean
  readonly isAllowed?: boolean
} = {}) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { pdns, resolver } = yield* Lab
      const port = freePort()
      const publicUrl = `http://${host}:${port}`
      const provider = yield* makeDomainConnectProvider({ pdns, resolver, nameServers, hasPages })
      provider.setTemplates([template])
      const database = yield* freshDatabase
      const environment = {
        HOST: host,
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        DATABASE_URL: Redacted.value(urlOf(database)),
        LOG_LEVEL: "none",
        DOMAIN_CONNECT_HOSTS: isAllowed ? provider.address : "elsewhere.example"
      }
      const domainConnectDirectory = DomainConnectDirectory.layer({
        domainConnectHosts: isAllowed ? [provider.address] : [],
        outboundAllow: Option.toArray(parseNetwork("127.10.0.0/16")),
        outboundProxy: Option.none()
      }).pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(
          Layer.sync(FetchHttpClient.RequestInit, () =>
            Object.assign({ redirect: "manual", keepalive: false } as const, { tls: { ca: provider.certificate } })
          )
        )
      )
      return Layer.mergeAll(
        labService(declarations, { environment, domainConnectDirectory }),
        Layer.succeed(DomainConnectLab, { provider, publicUrl })
      )
    })
  )

/** Makes a key for the application, and publishes its public half unless told otherwise. */
export const createSigningKey = (application: string, { isPublished = true } = {}) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const { create } = yield* DomainConnectKeys
    const { applicationId } = tenancyOf(application, "tenant")
    const label = `${application}1`
    const id = DomainConnectKeyId.make({
      applicationId,
      domain: DomainConnectKeyId.fields.domain.make(keyDomain),
      label
    })
    const { publicKey } = yield* Effect.map(create(id), Option.getOrThrow)
    yield* Effect.ignore(Effect.sandbox(pdns.createZone(keyDomain, "@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.")))
    yield* delegate(keyDomain, nameServers)
    if (!isPublished) return
    const records = formatPublicKey(publicKey).map((text) => ({ content: `"${text}"` }))
    yield* pdns.patch(keyDomain, [
      { name: `${label}.${keyDomain}.`, type: "TXT", changetype: "REPLACE", ttl: 60, records }
    ])
  })

/** Creates a zone with these lines beside `_domainconnect`, and a connection of an application that has the template. */
export const connectDomain = (
  application: string,
  domain: string,
  lines: string,
  templates: ReadonlyArray<object> = [template]
) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    const { provider } = yield* DomainConnectLab
    const apex = nameServers.map((name) => `@ NS ${name}.`).join("\n")
    yield* pdns.createZone(domain, `${apex}\n_domainconnect TXT "${provider.address}"\n${lines}`)
    yield* delegate(domain, nameServers)
    const { key } = yield* issueKey(tenancyOf(application, "tenant"))
    yield* sendAsAdmin(`/v1/admin/applications/${application}`, {
      method: "PATCH",
      body: { domainConnectTemplates: templates.map((each) => JSON.stringify(each)) }
    })
    const records = [
      { host: "www", type: "CNAME", value: "shop-7.hostprov.net" },
      { host: "_verify", type: "TXT", value: "platform=7f3a" }
    ]
    const { created: connection } = yield* createInTime(key, { domain, records })
    return { key, connection, path: `/v1/connections/${connection.id}`, bearer: "" }
  })

/** A provider on a busy machine may answer too late for a discovery: then the customer begins again. */
const createInTime = (key: string, intent: object) =>
  Effect.repeat(createTestConnection(key, intent), {
    times: 5,
    while: ({ created, send }) => {
      const isLate = /has not answered within|does not answer/.test(String(created.provider?.limitations))
      return Effect.as(isLate ? send("cancel") : Effect.void, isLate)
    }
  })

const returnUrl = "https://shop.example.com/domain"

export type DomainConnectConnection = Effect.Effect.Success<ReturnType<typeof connectDomain>>

/** Chooses Domain Connect, which answers with the link to the provider. */
export const authorizeAtProvider = ({ key, path }: DomainConnectConnection, body: object = {}) =>
  Effect.flatMap(post(`${path}/authorization`, key, { method: "domain_connect", returnUrl, ...body }), jsonOf)

/** Follows the customer to the provider and back to the service, without loading its callback. */
export const visitProvider = (browser: HttpBrowser, authorizeUrl: string) =>
  Effect.flatMap(DomainConnectLab, ({ publicUrl }) =>
    Effect.promise(() =>
      browser.follow(authorizeUrl, (next) => next.startsWith(`${publicUrl}/v1/oauth/callback`), {
        referer: "https://shop.example.com/"
      })
    )
  )

/** A browser that trusts the provider's certificate. */
export const newBrowser = Effect.map(DomainConnectLab, ({ provider }) => new HttpBrowser(provider.certificate))

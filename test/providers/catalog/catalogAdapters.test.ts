import { describe, expect, test } from "bun:test"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { Provider, type ProviderLimits } from "../../../src/domain/provider/Provider.ts"
import type { ProviderClient } from "../../../src/providers/ProviderClient.ts"
import { ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { catalog, limitsOf, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import type { CatalogAdapter } from "../../../src/providers/catalog/CatalogAdapter.ts"
import { catalogAdapters } from "../../../src/providers/catalog/catalogAdapters.ts"
import { makeCatalogProviders } from "../../../src/providers/catalog/makeCatalogProviders.ts"
import {
  commandsFor,
  createDiscovered,
  initialRecords,
  readConnection,
  readState,
  scriptedProvider,
  withoutLogs,
  zoneWith
} from "../../lifecycle/phases/scriptedProvider.ts"
import { effect } from "../../support/effectTest.ts"
import { lifecycleInMemory } from "../../support/lifecycleInMemory.ts"
import { hasSameRecords } from "../../support/scriptedZone.ts"
import { evidenceKinds } from "../adapters/AdapterEvidence.ts"
import { evidence } from "../adapters/evidence.ts"
import { httpClient } from "../httpClient.ts"

const unproven = "Writing to this provider is not yet proven at the vendor."

const inCatalog = (id: string): Provider =>
  catalog.find(({ provider }) => provider.id === id)?.provider ?? unknownProvider

/** The providers of the catalog, of which deSEC has this adapter. */
const withDesec = (desec: CatalogAdapter) =>
  Providers.layer([], makeCatalogProviders({ adapters: { desec }, http: httpClient, settings: [] }))

const detectAt = (...parentNameServers: ReadonlyArray<string>) =>
  Effect.map(Providers, ({ detect }) => detect({ parentNameServers, childNameServers: [] }))

/** An adapter that refuses to open any zone, and counts how often it is loaded and made. */
const makeRefusingAdapter = () => {
  const counts = { loads: 0, clients: 0 }
  const observedLimits: Array<ProviderLimits> = []
  const adapter: CatalogAdapter = {
    credential: "api_token",
    load: () => {
      counts.loads += 1
      return Promise.resolve(({ limits }): ProviderClient => {
        counts.clients += 1
        observedLimits.push(limits)
        return {
          credential: "api_token",
          openZone: ({ zone }) => new ProviderFailure({ code: "credential_invalid", detail: zone })
        }
      })
    }
  }
  return { adapter, counts, observedLimits }
}

const zoneRequest = {
  connectionId: "con_1",
  domain: DomainName.make("example.com"),
  zone: DomainName.make("example.com"),
  nameServers: ["ns1.desec.io"],
  credential: { _tag: "api_token", apiToken: Redacted.make("s3cret") }
} as const

describe("a provider of the catalog with an adapter", () => {
  effect("is written to with a credential, and says how far that is proven", () =>
    Effect.gen(function* () {
      const { all } = yield* Providers
      const { limits, provider } = yield* detectAt("ns1.desec.io", "ns2.desec.org")
      expect(provider).toEqual(
        new Provider({
          ...inCatalog("desec"),
          implementation: "automatic",
          availableAuthorizationMethods: ["direct_credential", "manual"],
          authorizationInputs: { directCredential: "api_token", providerSession: "none" },
          limitations: [unproven]
        })
      )
      expect(limits).toEqual(limitsOf(inCatalog("desec")))
      expect(all.map(({ id }) => id)).toEqual(catalog.map(({ provider: { id } }) => id))
      expect(all.find(({ id }) => id === "desec")).toEqual(provider)
      expect(all.filter(({ implementation }) => implementation === "automatic")).toEqual([provider])
      expect(Schema.decodeSync(Provider)(Schema.encodeSync(Provider)(provider))).toEqual(provider)
    }).pipe(Effect.provide(withDesec(makeRefusingAdapter().adapter)))
  )

  effect("says nothing about the proof once a live account has confirmed the adapter", () =>
    Effect.gen(function* () {
      expect((yield* detectAt("ns1.desec.io")).provider.limitations).toEqual(["Needs a token for each domain."])
    }).pipe(
      Effect.provide(
        withDesec({
          ...makeRefusingAdapter().adapter,
          limitations: ["Needs a token for each domain."],
          isProvenLive: true
        })
      )
    )
  )

  effect("loads its adapter when a zone is first opened, and once only, with the limits of the catalog", () => {
    const { adapter, counts, observedLimits } = makeRefusingAdapter()
    return Effect.gen(function* () {
      const { clientFor } = yield* Providers
      const { provider } = yield* detectAt("ns1.desec.io")
      const client = yield* clientFor(provider)
      expect([client.credential, counts]).toEqual(["api_token", { loads: 0, clients: 0 }])
      const open = Effect.flip(client.openZone(zoneRequest))
      const failures = yield* Effect.all([open, open], { concurrency: "unbounded" })
      expect(failures.map(({ code, detail }) => [code, detail])).toEqual([
        ["credential_invalid", "example.com"],
        ["credential_invalid", "example.com"]
      ])
      yield* open
      expect(counts).toEqual({ loads: 1, clients: 1 })
      expect(observedLimits).toEqual([limitsOf(provider)])
    }).pipe(Effect.provide(withDesec(adapter)))
  })

  effect("is manual where it serves a zone together with another provider", () =>
    Effect.gen(function* () {
      const { clientFor } = yield* Providers
      const { provider } = yield* detectAt("ns1.desec.io", "ns1.linode.com")
      expect([provider.implementation, clientFor(provider)]).toEqual(["manual", Option.none()])
    }).pipe(Effect.provide(withDesec(makeRefusingAdapter().adapter)))
  )

  effect("leads a connection from the credential to active records and back", () => {
    const desec = scriptedProvider(...initialRecords)
    const adapter: CatalogAdapter = {
      credential: "api_token",
      load: () => Promise.resolve(() => desec.providerClient)
    }
    return Effect.gen(function* () {
      yield* desec.moveTo("ns1.desec.io", "ns2.desec.org")
      const id = yield* createDiscovered()
      expect([yield* readState(id), (yield* readConnection(id)).provider?.id]).toEqual([
        "awaiting_authorization",
        "desec"
      ])
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect(yield* readState(id)).toBe("active")
      expect(hasSameRecords(desec.now(), zoneWith("shop 3600 CNAME shops.example.net"))).toBe(true)
      yield* commandsFor(id).disconnect
      yield* commandsFor(id).authorize()
      yield* commandsFor(id).approve()
      expect([yield* readState(id), hasSameRecords(desec.now(), zoneWith())]).toEqual(["disconnected", true])
    }).pipe(Effect.provide(Layer.merge(lifecycleInMemory(Layer.merge(desec.layer, withDesec(adapter))), withoutLogs)))
  })
})

describe("a zone on name servers that Netlify shares", () => {
  effect("is written to with a token of Netlify once it is known to be there, and only then", () =>
    Effect.gen(function* () {
      const { all, clientFor, detect } = yield* Providers
      const netlify = all.find(({ id }) => id === "netlify") ?? unknownProvider
      const delegation = { parentNameServers: ["dns1.p05.nsone.net"], childNameServers: ["DNS4.p05.nsone.net."] }
      const detectAfter = (method: Provider["detection"]["method"], known = netlify) =>
        detect(delegation, new Provider({ ...known, detection: { method } })).provider
      expect(Option.isNone(clientFor(detect(delegation).provider))).toBe(true)
      for (const method of ["soa", "manual_selection"] as const) {
        const provider = detectAfter(method)
        expect([provider.id, provider.implementation]).toEqual(["netlify", "automatic"])
        expect(Option.isSome(clientFor(provider))).toBe(true)
      }
      expect(detectAfter("manual_selection", inCatalog("cloudflare")).id).toBe("unknown")
      const elsewhere = { parentNameServers: ["ada.ns.cloudflare.com"], childNameServers: [] }
      expect(detect(elsewhere, detectAfter("manual_selection")).provider.id).toBe("cloudflare")
    }).pipe(
      Effect.provide(
        Providers.layer([], makeCatalogProviders({ adapters: catalogAdapters, http: httpClient, settings: [] }))
      )
    )
  )
})

describe("the adapters of the catalog", () => {
  const adapters = Object.entries(catalogAdapters)

  test("belong to providers of the catalog", () => {
    const ids = catalog.map(({ provider }) => provider.id)
    expect(adapters.filter(([id]) => !ids.includes(id))).toEqual([])
  })

  test("say that they are proven by the kinds of evidence that their tests declare, and no others", () => {
    const declared = evidence.map(({ provider, rows }) => [
      provider,
      evidenceKinds.filter((kind) => Object.values(rows[kind]).some((each) => typeof each !== "string"))
    ])
    expect(Object.fromEntries(adapters.map(([id, { provenBy }]) => [id, provenBy]))).toEqual(
      Object.fromEntries(declared)
    )
  })

  effect("say so in the limitations of their providers: Netlify has no recording, and deSEC no document", () =>
    Effect.gen(function* () {
      const { all } = yield* Providers
      const limitationsOf = (id: string) => all.find((provider) => provider.id === id)?.limitations
      expect(limitationsOf("netlify")).toContain(
        "Writing to this provider is proven by its document, a client of another author and known traps, not yet at the vendor."
      )
      expect(limitationsOf("desec")).toContain(
        "Writing to this provider is proven by a recording, a client of another author and known traps, not yet at the vendor."
      )
    }).pipe(
      Effect.provide(
        Providers.layer([], makeCatalogProviders({ adapters: catalogAdapters, http: httpClient, settings: [] }))
      )
    )
  )

  test("take the credentials that they declare", async () => {
    const environment = { http: httpClient, limits: limitsOf(unknownProvider) }
    const loaded = await Promise.all(
      adapters.map(async ([id, { load }]) => [id, (await load())(environment).credential] as const)
    )
    expect(Object.fromEntries(loaded)).toEqual(
      Object.fromEntries(adapters.map(([id, { credential }]) => [id, credential]))
    )
  })
})

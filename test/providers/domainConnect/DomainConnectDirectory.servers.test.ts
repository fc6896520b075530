import { FetchHttpClient } from "@effect/platform"
import { expect } from "bun:test"
import { Effect, Either, Layer, Option } from "effect"
import { DnsClient } from "../../../src/dns/transport/DnsClient.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { parseNetwork } from "../../../src/domain/names/IpAddress.ts"
import { parseTemplate } from "../../../src/domainConnect/Template.ts"
import { DomainConnectDirectory } from "../../../src/providers/domainConnect/DomainConnectDirectory.ts"
import { template } from "../../support/DomainConnectLab.ts"
import { describeLab } from "../../support/lab/describeLab.ts"
import { makeCertificate } from "../../support/lab/DomainConnectProvider.ts"
import { Lab } from "../../support/lab/Lab.ts"

/** A provider of Domain Connect at an address that is allowed, and a server in the network that is not. */
const [allowedAddress, privateAddress] = ["127.10.5.1", "127.0.0.9"]

const nameServers = ["ns1.pdnsprov.net", "ns2.pdnsprov.net"]

const providerZone = "connectprov.com"

const names = ["api", "inner", "mixed", "moved", "away", "later"].map((label) => `${label}.${providerZone}`)

/** The tests of a lab share its zones. */
const createOnce = (created: Effect.Effect<void>) => Effect.ignore(Effect.sandbox(created))

const settings = {
  providerId: "connect.example",
  providerName: "Connect",
  urlSyncUX: `https://api.${providerZone}/sync`,
  nameServers
}

/** The zone of the provider, the servers at both addresses with what they were asked for, and a directory. */
const setUp = Effect.gen(function* () {
  const { delegate, pdns, resolver } = yield* Lab
  const tls = yield* makeCertificate(allowedAddress, [...names, "domainconnect.vercel.com"])
  const asked: Array<string> = []
  const serve = (hostname: string) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Bun.serve({
          port: 443,
          hostname,
          tls,
          fetch: ({ headers, url }) => {
            const { pathname } = new URL(url)
            asked.push(`${hostname} ${headers.get("host")} ${pathname}`)
            if (pathname.startsWith("/moved")) return Response.redirect(`https://${privateAddress}/settings`, 302)
            if (pathname.includes("/domainTemplates/"))
              return new Response("", { status: pathname.endsWith("/website") ? 200 : 404 })
            const later = pathname.startsWith("/later") ? { trust: "all", crit: ["trust"] } : {}
            const away = pathname.startsWith("/away") ? { nameServers: ["ns1.bindprov.net"] } : {}
            const api = pathname.startsWith("/inner")
              ? `inner.${providerZone}`
              : pathname.startsWith("/foreign")
                ? "inner.other.example"
                : headers.get("host")
            return Response.json({ ...settings, urlAPI: `https://${api}`, ...later, ...away, unknownMember: 1 })
          }
        })
      ),
      (server) => Effect.promise(() => server.stop(true))
    )
  yield* Effect.forEach([allowedAddress, privateAddress], serve)
  const apex = nameServers.map((name) => `@ NS ${name}.`).join("\n")
  const hosts = [
    "api CNAME host",
    `host A ${allowedAddress}`,
    `inner A ${privateAddress}`,
    `mixed A ${allowedAddress}`,
    "mixed A 10.0.0.1"
  ]
  yield* createOnce(pdns.createZone(providerZone, [apex, ...hosts].join("\n")))
  yield* delegate(providerZone, nameServers)
  const directory = DomainConnectDirectory.layer({
    domainConnectHosts: names,
    outboundAllow: Option.toArray(parseNetwork("127.10.0.0/16")),
    outboundProxy: Option.none()
  }).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(
      Layer.sync(FetchHttpClient.RequestInit, () =>
        Object.assign({ redirect: "manual", keepalive: false } as const, { tls: { ca: tls.cert } })
      )
    ),
    Layer.provide(CachedResolver.layer),
    Layer.provide(Resolver.layer([{ host: resolver, port: 53 }])),
    Layer.provide(
      DnsClient.layer({
        allowed: Option.toArray(parseNetwork("127.10.0.0/16")),
        limits: { queriesPerSecond: 100_000 }
      })
    )
  )
  const services = yield* Layer.build(directory)
  const discover = (zone: string, lines: string, ...providerIds: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      yield* pdns.createZone(zone, `${apex}\n${lines}`)
      yield* delegate(zone, nameServers)
      return yield* ask(zone, ...providerIds)
    })
  const ask = (zone: string, ...providerIds: ReadonlyArray<string>) =>
    Effect.provide(
      Effect.flatMap(DomainConnectDirectory, ({ discover }) => discover({ name: zone, nameServers, providerIds })),
      services
    )
  return { ask, asked, discover, pdns, services }
})

const reasonsOf = ({ steps }: { readonly steps: ReadonlyArray<{ isGood: boolean; message: string }> }) =>
  steps.filter(({ isGood }) => !isGood).map(({ message }) => message)

describeLab("the directory of Domain Connect", (live) => {
  live("finds the provider by one of several texts, through an alias, at a host with a path", () =>
    Effect.gen(function* () {
      const { asked, discover, pdns } = yield* setUp
      const texts = `a TXT "https://no.host"\na TXT "elsewhere.example"\na TXT "api.${providerZone}/v9"`
      yield* pdns.createZone("aliases.com", `@ NS ns1.pdnsprov.net.\n@ NS ns2.pdnsprov.net.\n${texts}`)
      yield* Effect.flatMap(Lab, ({ delegate }) => delegate("aliases.com", nameServers))
      const found = yield* discover("several-dc.com", "_domainconnect CNAME a.aliases.com.")
      expect(Option.map(found.provider, ({ settings: { providerName } }) => providerName)).toEqual(
        Option.some("Connect")
      )
      expect(asked).toEqual([`${allowedAddress} api.${providerZone} /v9/v2/several-dc.com/settings`])
    })
  )

  live("says why a zone has no provider, for each of its texts", () =>
    Effect.gen(function* () {
      const { asked, discover } = yield* setUp
      expect(reasonsOf(yield* discover("none-dc.com", ""))).toEqual([
        "_domainconnect.none-dc.com has no TXT record: its provider takes no part"
      ])
      const texts = ["api.connectprov.com:8443", "user@api.connectprov.com", "connectprov.com"]
      const lines = texts.map((text) => `_domainconnect TXT "${text}"`).join("\n")
      expect(reasonsOf(yield* discover("unfit-dc.com", lines)).toSorted()).toEqual([
        '"api.connectprov.com:8443" names no host',
        '"user@api.connectprov.com" names no host',
        "connectprov.com is not among the allowed hosts"
      ])
      expect(asked).toEqual([])
      const later = yield* discover("later-dc.com", `_domainconnect TXT "api.${providerZone}/later"`)
      expect(reasonsOf(later)).toEqual(["crit: trust are not known here"])
      const away = yield* discover("away-dc.com", `_domainconnect TXT "api.${providerZone}/away"`)
      expect(reasonsOf(away)).toEqual(["the settings name other name servers than the delegation"])
    })
  )

  live("never reaches an address that is not public, by a name, a redirect or the settings", () =>
    Effect.gen(function* () {
      const { asked, discover, services } = yield* setUp
      const reasonOf = (zone: string, address: string) =>
        Effect.map(discover(zone, `_domainconnect TXT "${address}"`), reasonsOf)
      expect(yield* reasonOf("inner-dc.com", `inner.${providerZone}`)).toEqual([
        `inner.${providerZone} has an address that is not public`
      ])
      expect(yield* reasonOf("mixed-dc.com", `mixed.${providerZone}`)).toEqual([
        `mixed.${providerZone} has an address that is not public`
      ])
      expect(yield* reasonOf("moved-dc.com", `api.${providerZone}/moved`)).toEqual([
        `api.${providerZone}/moved answers 302 for moved-dc.com`
      ])
      const { provider } = yield* discover("api-dc.com", `_domainconnect TXT "api.${providerZone}/inner"`)
      const checked = yield* DomainConnectDirectory.pipe(
        Effect.flatMap(({ checkTemplate }) => checkTemplate(Option.getOrThrow(provider), website, [])),
        Effect.provide(services)
      )
      expect(reasonsOf({ steps: checked })).toContain(
        `platform.example/website: inner.${providerZone} has an address that is not public`
      )
      expect(asked.filter((request) => request.startsWith(privateAddress))).toEqual([])
    })
  )

  live("connects to the address that it has checked, and checks a new one again", () =>
    Effect.gen(function* () {
      const { ask, asked, discover, pdns } = yield* setUp
      const found = yield* discover("rebound-dc.com", `_domainconnect TXT "api.${providerZone}"`)
      expect(Option.isSome(found.provider)).toBe(true)
      const away = [{ content: privateAddress, disabled: false }]
      const before = asked.length
      yield* pdns.patch(providerZone, [
        { name: `later.${providerZone}.`, type: "A", changetype: "REPLACE", ttl: 0, records: away }
      ])
      yield* discover("again-dc.com", `_domainconnect TXT "later.${providerZone}"`)
      expect(reasonsOf(yield* ask("again-dc.com"))).toEqual([`later.${providerZone} has an address that is not public`])
      expect(asked.length).toBe(before)
    })
  )

  live("takes the settings of a provider only for its own name servers", () =>
    Effect.gen(function* () {
      const { discover, pdns } = yield* setUp
      yield* pdns.createZone("vercel.com", `@ NS ns1.pdnsprov.net.\ndomainconnect A ${allowedAddress}`)
      yield* Effect.flatMap(Lab, ({ delegate }) => delegate("vercel.com", nameServers))
      const line = '_domainconnect TXT "domainconnect.vercel.com"'
      expect(Option.isSome((yield* discover("vercel-dc.com", line, "vercel")).provider)).toBe(true)
      expect(reasonsOf(yield* discover("ionos-dc.com", line, "ionos"))).toEqual([
        "the settings are those of vercel, the name servers those of ionos"
      ])
      const foreign = yield* discover("foreign-dc.com", `_domainconnect TXT "api.${providerZone}/foreign"`)
      expect(reasonsOf(foreign)).toEqual(["urlAPI leads to inner.other.example, which is of another domain"])
    })
  )

  live("asks a provider once for each template, and says which it lacks", () =>
    Effect.gen(function* () {
      const { asked, discover, services } = yield* setUp
      const { provider } = yield* discover("cached-dc.com", `_domainconnect TXT "api.${providerZone}"`)
      const check = (serviceId: string) =>
        DomainConnectDirectory.pipe(
          Effect.flatMap(({ checkTemplate }) =>
            checkTemplate(Option.getOrThrow(provider), { ...website, serviceId }, [])
          ),
          Effect.map(([first]) => [first?.isGood, first?.message]),
          Effect.provide(services)
        )
      expect(yield* check("website")).toEqual([true, "Connect has platform.example/website"])
      expect(yield* check("website")).toEqual([true, "Connect has platform.example/website"])
      expect(yield* check("shop")).toEqual([false, "Connect does not have platform.example/shop (it answers 404)"])
      expect(asked.filter((request) => request.endsWith("/services/website"))).toHaveLength(1)
    })
  )
})

const website = Either.getOrThrow(parseTemplate(JSON.stringify(template)))

import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { parseProvidersFile } from "../../src/providers/ProvidersFile.ts"
import { powerDnsCapabilities } from "../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import { rfc2136Capabilities } from "../../src/providers/adapters/rfc2136/makeRfc2136Client.ts"
import type { CatalogAdapters } from "../../src/providers/catalog/CatalogAdapter.ts"
import { digitalOceanAuthorizationServer } from "../../src/providers/catalog/catalogAdapters.ts"
import { httpClient } from "./httpClient.ts"

const acmeDns = {
  id: "acme-dns",
  name: "Acme DNS",
  adapter: "powerdns",
  nameServers: ["Acme-DNS.net."],
  settings: { baseUrl: "https://pdns.acme.example" },
  capabilities: { cnameFlattening: "supported" }
}
const acmeBind = {
  id: "acme-bind",
  name: "Acme BIND",
  adapter: "rfc2136",
  nameServers: ["ns1.acme-bind.net", "ns2.acme-bind.net"],
  settings: { server: "192.0.2.53" }
}

const oauth = { clientId: "our-client", clientSecret: "our-s3cret" }

const awsIdentity = {
  principalArn: "arn:aws:iam::111111111111:user/dns",
  accessKeyId: "AKIAEXAMPLE",
  secretAccessKey: "our-s3cret"
}

const load = () => Promise.resolve(() => ({ credential: "api_token", openZone: () => Effect.never }) as const)

/** Two providers of the catalog with adapters, one of which offers OAuth. */
const adapters: CatalogAdapters = {
  desec: { credential: "api_token", load },
  digitalocean: { credential: "api_token", authorizationServer: digitalOceanAuthorizationServer, load }
}

const read = (entries: unknown) => parseProvidersFile(JSON.stringify(entries), httpClient, adapters)

const cataloguedOf = (entries: unknown) => Either.getOrThrow(read(entries)).catalogued.map(({ provider }) => provider)

/** How customers of a provider of the catalog authorize the service, if it writes there. */
const offerOf = (entries: ReadonlyArray<object>, id: string) =>
  Either.getOrThrow(parseProvidersFile(JSON.stringify(entries), httpClient)).catalogued.flatMap(({ provider }) =>
    provider.id === id ? [[provider.availableAuthorizationMethods, provider.authorizationInputs]] : []
  )

const issuesOf = (text: string) =>
  Either.match(parseProvidersFile(text, httpClient, adapters), {
    onLeft: ({ message }) => message,
    onRight: () => "accepted"
  })

describe("the file of an operator's own providers", () => {
  test("declares providers, with the adapter's capabilities by default", () => {
    const {
      declared: [dns, bind]
    } = Either.getOrThrow(read([acmeDns, acmeBind]))
    expect(dns?.suffixes).toEqual(["acme-dns.net"])
    expect(dns?.provider).toMatchObject({
      id: "acme-dns",
      name: "Acme DNS",
      implementation: "automatic",
      availableAuthorizationMethods: ["direct_credential", "manual"],
      authorizationInputs: { directCredential: "api_token", providerSession: "none" },
      capabilities: { ...powerDnsCapabilities, cnameFlattening: "supported" },
      detection: { method: "nameserver" }
    })
    expect(bind?.suffixes).toEqual(["ns1.acme-bind.net", "ns2.acme-bind.net"])
    expect(bind?.provider.authorizationInputs.directCredential).toBe("tsig_key")
    expect(bind?.provider.capabilities).toEqual(rfc2136Capabilities)
  })

  test("may link to the provider's page for credentials", () => {
    const referenceUrl = "https://acme.example/account?tab=api#tokens"
    const {
      declared: [dns, bind]
    } = Either.getOrThrow(read([{ ...acmeDns, referenceUrl }, acmeBind]))
    expect([dns?.provider.referenceUrl, bind?.provider.referenceUrl]).toEqual([referenceUrl, undefined])
  })

  test.each([
    [{ baseUrl: "http://127.0.0.1:8081" }],
    [{ baseUrl: "http://[::1]:8081/pdns" }],
    [{ baseUrl: "http://10.0.0.1:8081", allowPlainHttp: true }]
  ])("may name an API without TLS on loopback, or by an explicit setting: %j", (settings) =>
    expect(issuesOf(JSON.stringify([{ ...acmeDns, settings }]))).toBe("accepted")
  )

  test("sets nothing for the catalog if it is silent about it", () =>
    expect(cataloguedOf([])).toMatchObject([
      { id: "desec", availableAuthorizationMethods: ["direct_credential", "manual"] },
      { id: "digitalocean", availableAuthorizationMethods: ["direct_credential", "manual"] }
    ]))

  test("gives a provider of the catalog an OAuth client", () =>
    expect(cataloguedOf([{ id: "digitalocean", oauth }, acmeDns])).toMatchObject([
      { id: "desec", availableAuthorizationMethods: ["direct_credential", "manual"] },
      { id: "digitalocean", availableAuthorizationMethods: ["oauth2_pkce", "direct_credential", "manual"] }
    ]))

  test("switches the adapter of a provider of the catalog off", () =>
    expect(cataloguedOf([{ id: "digitalocean", implementation: "manual" }])).toMatchObject([{ id: "desec" }]))

  test("may be empty", () => expect(Either.getOrThrow(read([])).declared).toEqual([]))

  for (const [about, declaration, issue] of [
    ["an unknown adapter", { ...acmeDns, adapter: "bind9" }, '0.adapter: Expected "powerdns" | "rfc2136"'],
    ["settings of another adapter", { ...acmeDns, settings: acmeBind.settings }, "0.settings.server: is unexpected"],
    ["an invalid URL", { ...acmeDns, settings: { baseUrl: "pdns:8081" } }, "0.settings.baseUrl: must be an http"],
    ["a URL with a password", { ...acmeDns, settings: { baseUrl: "https://a:b@c" } }, "0.settings.baseUrl: must be an"],
    [
      "a URL without TLS that is not on loopback",
      { ...acmeDns, settings: { baseUrl: "http://10.0.0.1:8081" } },
      "0.settings.baseUrl: must be an https URL; with allowPlainHttp, credentials are sent over plain http"
    ],
    ["an invalid port", { ...acmeBind, settings: { server: "a", port: 0 } }, "0.settings.port: Expected a number"],
    ["no name server", { ...acmeDns, nameServers: [] }, "0.nameServers.0: is missing"],
    ["an invalid name server", { ...acmeDns, nameServers: ["a..b"] }, "0.nameServers.0: the name has an empty label"],
    ["an unknown capability", { ...acmeDns, capabilities: { flying: "supported" } }, "0.capabilities.flying: is unexp"],
    [
      "an invalid capability value",
      { ...acmeDns, capabilities: { caaRecords: "yes" } },
      "0.capabilities.caaRecords: Ex"
    ],
    ["an id with blanks", { ...acmeDns, id: "Acme DNS" }, "0.id: must be a lower-case word like acme-dns"],
    ["an id of the catalog", { ...acmeDns, id: "cloudflare" }, "0.id: is the id of a provider in the catalog"],
    [
      "a link without TLS",
      { ...acmeDns, referenceUrl: "http://acme.example/" },
      "0.referenceUrl: must be an https URL"
    ],
    ["a link that runs a script", { ...acmeDns, referenceUrl: "javascript:alert(1)" }, "0.referenceUrl: must be an"],
    ["a link with a password", { ...acmeDns, referenceUrl: "https://a:b@c.example" }, "0.referenceUrl: must be an"],
    ["a link to nowhere", { ...acmeDns, referenceUrl: "https://" }, "0.referenceUrl: must be an https URL"],
    [
      "a provider that nobody knows",
      { id: "cloudfare", oauth },
      "0.id: is not the id of a provider in the catalog; one"
    ],
    ["the unknown provider", { id: "unknown", oauth }, "0.id: is not the id of a provider in the catalog"],
    ["an inherited name", { id: "constructor", oauth }, "0.id: is not the id of a provider in the catalog"],
    ["a provider without an adapter", { id: "wix", oauth }, "0.id: is a provider without an adapter"],
    [
      "a provider of the catalog without a setting",
      { id: "desec" },
      '0: must have oauth, or "implementation": "manual"'
    ],
    [
      "OAuth where the provider has none",
      { id: "desec", oauth },
      "0.oauth: must not be set: this provider has no OAuth"
    ],
    [
      "OAuth of an adapter that is switched off",
      { id: "digitalocean", implementation: "manual", oauth },
      '0.oauth: must not be set together with "implementation": "manual"'
    ],
    [
      "an OAuth client without its secret",
      { id: "digitalocean", oauth: { clientId: "x" } },
      "0.oauth.clientSecret: is missing"
    ],
    [
      "an OAuth client with an endpoint of its own",
      { id: "digitalocean", oauth: { ...oauth, tokenUrl: "https://evil.example" } },
      "0.oauth.tokenUrl: is unexpected"
    ],
    [
      "another implementation",
      { id: "digitalocean", implementation: "redirect" },
      '0.implementation: Expected "manual", actual "redirect"'
    ],
    [
      "a region where all accounts have the same",
      { id: "digitalocean", oauth: { ...oauth, region: "ca" } },
      "0.oauth: must not have a region"
    ],
    [
      "an identity at AWS for a provider that takes no roles",
      { id: "digitalocean", aws: awsIdentity },
      "0.aws: must be set for a provider only to whose zones the service writes with roles at AWS"
    ],
    [
      "an identity at AWS that is no user",
      { id: "route53", aws: { ...awsIdentity, principalArn: "arn:aws:iam::111111111111:root" } },
      "0.aws.principalArn: Expected"
    ],
    ["an entry that is no object", 5, "0: Expected"],
    ["an unknown field", { ...acmeDns, apiKey: "x" }, "0.apiKey: is unexpected"]
  ] as const)
    test(`is rejected for ${about}, with the location`, () =>
      expect(issuesOf(JSON.stringify([declaration]))).toContain(issue))

  test("offers the consent of OVHcloud only with an application, and roles of Route 53 only with an identity", () => {
    expect(offerOf([], "ovh")).toEqual([])
    expect(offerOf([{ id: "ovh", oauth: { ...oauth, region: "ca" } }], "ovh")).toEqual([
      [["oauth2_pkce", "manual"], { directCredential: "none", providerSession: "none" }]
    ])
    const methods = ["direct_credential", "manual"] as const
    expect(offerOf([], "route53")).toEqual([
      [methods, { directCredential: "access_key_secret", providerSession: "none" }]
    ])
    expect(offerOf([{ id: "route53", aws: awsIdentity }], "route53")).toEqual([
      [methods, { directCredential: "aws_role", providerSession: "none", roleTrust: awsIdentity.principalArn }]
    ])
  })

  test("is rejected if two declarations claim the same id or name servers", () => {
    const twice = [acmeDns, { ...acmeBind, id: "acme-dns", nameServers: ["x.net", "ACME-dns.net"] }]
    expect(issuesOf(JSON.stringify(twice))).toBe("1.id: is also the id of 0; 1.nameServers: are also name servers of 0")
  })

  test("is rejected if it has two entries about a provider of the catalog", () => {
    const twice = [
      { id: "digitalocean", oauth },
      { id: "digitalocean", implementation: "manual" }
    ]
    expect(issuesOf(JSON.stringify(twice))).toBe("1.id: is also the id of 0")
  })

  test("is rejected with the faults of all its entries, and without their secrets", () => {
    const both = [
      { id: "desec", oauth },
      { ...acmeDns, nameServers: [] }
    ]
    expect(issuesOf(JSON.stringify(both))).toBe(
      "0.oauth: must not be set: this provider has no OAuth that the service can use; 1.nameServers.0: is missing"
    )
    for (const misplaced of ["our-s3cret", { clientId: "x", clientSecret: ["our-s3cret"] }])
      for (const entry of [{ id: "digitalocean" }, acmeDns])
        expect(issuesOf(JSON.stringify([{ ...entry, oauth: misplaced }]))).toMatch(/^0\.oauth((?!s3cret).)*$/)
    for (const aws of ["our-s3cret", { ...awsIdentity, secretAccessKey: ["our-s3cret"] }])
      expect(issuesOf(JSON.stringify([{ id: "route53", aws }]))).toMatch(/^0\.aws((?!s3cret).)*$/)
  })

  test("is rejected without its secrets if something else stands in the place of the list or of an entry", () => {
    for (const misplaced of [{ digitalocean: oauth }, [[oauth]], [oauth.clientSecret], oauth.clientSecret])
      expect(issuesOf(JSON.stringify(misplaced))).toMatch(/^((?!s3cret).)*$/)
  })

  test("is rejected if it is not a JSON array", () => {
    expect(issuesOf("[")).not.toBe("accepted")
    expect(issuesOf("{}")).not.toBe("accepted")
    expect(issuesOf("")).not.toBe("accepted")
  })
})

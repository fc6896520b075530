import { describe, expect, test } from "bun:test"
import { Either, Option } from "effect"
import { makeApplyLink } from "../../src/domainConnect/applyLink.ts"
import {
  encodeQuery,
  formatPublicKey,
  generateSigningKey,
  isPublished,
  isSignatureOf,
  parsePublicKey,
  publicKeyOf,
  spkiOf
} from "../../src/domainConnect/signature.ts"
import { parseTemplate } from "../../src/domainConnect/Template.ts"
import { specificationKey } from "./specificationKey.ts"

const privateKey = generateSigningKey()

const template = (more: object = {}) =>
  Either.getOrThrowWith(
    parseTemplate(
      JSON.stringify({
        providerId: "platform.example",
        providerName: "Platform",
        serviceId: "website",
        serviceName: "Website",
        syncPubKeyDomain: "keys.platform.example",
        syncRedirectDomain: "platform.example, platform.test",
        records: [{ type: "TXT", host: "@", data: "%text%", ttl: 3600 }],
        ...more
      })
    ),
    (message) => new Error(message)
  )

const request = {
  syncUrl: "https://connect.provider.example/sync/",
  template: template(),
  domain: "shop.example",
  host: "",
  solution: { variables: { text: "a b+c" }, groups: [] },
  key: { label: "_dck1", privateKey }
}

describe("a link", () => {
  test("is signed as it is sent, with the signature and the key at its end", () => {
    const link = Either.getOrThrow(
      makeApplyLink({ ...request, host: "www", redirectUri: "https://app.platform.example/back?a=1", state: "s1" })
    )
    expect(link.replace(/&sig=[^&]+/, "")).toBe(
      "https://connect.provider.example/sync/v2/domainTemplates/providers/platform.example/services/website/apply" +
        "?domain=shop.example&host=www&redirect_uri=https%3A%2F%2Fapp.platform.example%2Fback%3Fa%3D1&state=s1" +
        "&text=a%20b%2Bc&key=_dck1"
    )
    const [, query = "", sig = ""] = /\?(.*)&sig=([^&]+)&key=/.exec(link) ?? []
    const publicKey = Option.getOrThrow(publicKeyOf(privateKey))
    expect(isSignatureOf(query, decodeURIComponent(sig), publicKey)).toBe(true)
    expect(isSignatureOf(`${query}0`, decodeURIComponent(sig), publicKey)).toBe(false)
  })

  test("is refused for a template without links, a reserved variable, a foreign return, and beyond 8,000 characters", () => {
    expect(codeOf({ template: template({ syncBlock: true }) })).toBe("sync_blocked")
    expect(codeOf({ template: template({ warnPhishing: true }) })).toBe("warns_of_phishing")
    expect(codeOf({ solution: { variables: { state: "x" }, groups: [] } })).toBe("reserved_variable")
    expect(codeOf({ solution: { variables: { "vnd.x": "x" }, groups: [] } })).toBe("reserved_variable")
    expect(codeOf({ redirectUri: "https://platform.example.evil.example/" })).toBe("foreign_redirect")
    expect(codeOf({ solution: { variables: { text: "x".repeat(8_000) }, groups: [] } })).toBe("link_too_long")
  })
})

describe("a signature", () => {
  test("of the specification is verified with the key of the specification, over the text as it was sent", () => {
    const key = Option.getOrThrow(parsePublicKey(specificationKey.toReversed()))
    const signature =
      "rxWqGP0qPPzaj+9zukKC/jZqz4ic7bHO62GyGlxqcnz6s9/tEPJccwJfku8jD9ofK3eTJpKJLTsYN00SN9qyx0YXVT8baPtkavMpT" +
      "+epcuDaUbcyXo270s7RQmwPAo0C8I1NLodGbzTUvTktwdgZPRT3Oda1Hyk7eFJetmocLv6iGICAsPkCf32C8EcQcxYjQ56ytINIn" +
      "FQwKOLuZr8g3AMNOVX73Qu3rnuB4Zl2BKOQi9dikzUxOyAsOLMUrWLbXthpwJ2cl5ek2QSg9KX+2WhEyQmaaJWveYVkYCRL1ckMk" +
      "q35pIq++RJI48CbTIQPPh2VdqZsUSu16fKztrt9pw=="
    expect(isSignatureOf("a=1&b=2&ip=10.10.10.10&domain=foobar.com", signature, key)).toBe(true)
    expect(isSignatureOf("a=1&b=2&domain=foobar.com&ip=10.10.10.10", signature, key)).toBe(false)
  })

  test("is over names and values in the encoding of RFC 3986, sorted by encoded name", () =>
    expect(encodeQuery({ b: "a b", ä: "1", a: "!'()*~-._", B: "%" })).toBe(
      "%C3%A4=1&B=%25&a=%21%27%28%29%2A~-._&b=a%20b"
    ))
})

const publicHalfOf = (key: typeof privateKey) => Option.getOrThrow(Option.map(publicKeyOf(key), spkiOf))

describe("a public key", () => {
  test("is published in numbered parts of one string each, and read again in any order", () => {
    const spki = publicHalfOf(privateKey)
    const texts = formatPublicKey(spki)
    expect(texts.map(({ length }) => length <= 255)).toEqual(texts.map(() => true))
    expect(isPublished(spki, texts.toReversed())).toBe(true)
  })

  test("is not that of another private key, nor one that lacks a part", () => {
    const spki = publicHalfOf(privateKey)
    const texts = formatPublicKey(spki)
    expect(isPublished(publicHalfOf(generateSigningKey()), texts)).toBe(false)
    expect(isPublished(spki, texts.slice(1))).toBe(false)
    expect(isPublished(spki, [])).toBe(false)
  })
})

const codeOf = (more: object) => Either.getOrThrow(Either.flip(makeApplyLink({ ...request, ...more }))).code

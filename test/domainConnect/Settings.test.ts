import { expect, test } from "bun:test"
import { Either } from "effect"
import { findProfile } from "../../src/domainConnect/providerProfiles.ts"
import {
  agreesWithDelegation,
  controlPanelOf,
  parseAddress,
  parseSettings,
  templateUrlOf
} from "../../src/domainConnect/Settings.ts"

const settings = {
  providerId: "connect.example",
  providerName: "Connect",
  urlSyncUX: "https://connect.example/sync",
  urlAPI: "https://connect.example/api"
}

const parse = (changes: object) => parseSettings(JSON.stringify({ ...settings, ...changes }))

test.each([
  ["connect.example", "connect.example"],
  ['"connect.example/client/v4/"', "connect.example/client/v4"],
  ["https://connect.example", undefined],
  ["connect.example:8443", undefined],
  ["user@connect.example", undefined],
  ["user:secret@connect.example", undefined],
  ["connect.example?zone=1", undefined],
  ["connect.example#fragment", undefined],
  ["connect.example/%2e%2e/admin", undefined],
  ["connect.example/../admin", undefined],
  ["connect.example/./admin", undefined],
  ["connect.example//other.example", undefined],
  ["connect.example\\@other.example", undefined],
  ["", undefined]
])("the text %p of _domainconnect names the host and path %p", (text, address) => {
  expect(parseAddress(text)).toBe(address)
})

const idOf = (address: string) => findProfile(address)?.id

test("an address belongs to a provider only at its very host, and at or below its path", () => {
  expect(idOf("API.Cloudflare.com/client/v4/dns/domainconnect")).toBe("cloudflare")
  expect(idOf("api.cloudflare.com/client/v4/dns/domainconnect/v9")).toBe("cloudflare")
  expect(idOf("api.cloudflare.com/client/v4/dns/domainconnected")).toBeUndefined()
  expect(idOf("api.cloudflare.com")).toBeUndefined()
  expect(idOf("domainconnect.godaddy.com.other.example")).toBeUndefined()
  expect(idOf("other.domainconnect.godaddy.com")).toBeUndefined()
})

test.each([
  ["no https", "http://connect.example"],
  ["a user", "https://user@connect.example"],
  ["a password", "https://user:secret@connect.example"],
  ["a port", "https://connect.example:8443"],
  ["a query", "https://connect.example?a=1"],
  ["a fragment", "https://connect.example#a"]
])("settings with %s in a URL are refused", (_, url) => {
  expect(Either.isLeft(parse({ urlAPI: url }))).toBe(true)
  expect(Either.isLeft(parse({ urlSyncUX: url }))).toBe(true)
})

test("settings whose crit names an unknown member are refused, and other unknown members are ignored", () => {
  expect(parse({ later: 1, crit: ["later"] })).toEqual(Either.left("crit: later are not known here"))
  expect(parse({ crit: ["absent", "urlAPI"] })).toEqual(Either.left("crit: absent are not known here"))
  expect(Either.isRight(parse({ later: 1, crit: ["urlAPI", "width"] }))).toBe(true)
  expect(parseSettings("no JSON")).toEqual(Either.left("the settings are not JSON"))
})

const agrees = (nameServers: ReadonlyArray<string>) =>
  Either.map(parse({ nameServers }), (read) => agreesWithDelegation(read, ["ns1.connect.example"]))

test("settings agree with a delegation if they name none of the servers or at least one", () => {
  expect(agrees([])).toEqual(Either.right(true))
  expect(agrees(["NS1.Connect.Example.", "ns2.connect.example"])).toEqual(Either.right(true))
  expect(agrees(["ns1.other.example"])).toEqual(Either.right(false))
})

test("a page of the provider has the zone in A-labels, and the address of a template has each id encoded", () => {
  const read = Either.getOrThrow(parse({ urlControlPanel: "https://connect.example/?zone=%domain%" }))
  expect(controlPanelOf(read, "xn--bcher-kva.example")).toBe("https://connect.example/?zone=xn--bcher-kva.example")
  expect(templateUrlOf(read, { providerId: "a/b.example", serviceId: "c d" })).toBe(
    "https://connect.example/api/v2/domainTemplates/providers/a%2Fb.example/services/c%20d"
  )
  const script = Either.getOrThrow(parse({ urlControlPanel: "javascript:alert(1)" }))
  expect(controlPanelOf(script, "connect.example")).toBeUndefined()
})

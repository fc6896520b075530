import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../describeIfPossible.ts"
import { live } from "../effectTest.ts"
import { type FakeVendorSpec, makeFakeVendor } from "./FakeVendor.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "./VendorHosts.ts"

const host = "api.cloudflare.com"

/** Knows one zone, as far as the SDK looks at it. */
const oneZone: FakeVendorSpec<undefined> = {
  baseUrl: `https://${host}/client/v4`,
  initial: undefined,
  authenticate: (headers) => (headers.get("authorization") === "Bearer right" ? undefined : { status: 403, body: {} }),
  operations: {
    "GET /zones": () => ({
      status: 200,
      body: { success: true, errors: [], result: [{ id: "z1", name: "example.com" }] }
    })
  },
  lists: [],
  refuse: (status) => ({ status, body: {} })
}

const sdk = `${judges}node_modules/cloudflare/package.json`

describeIfPossible("at the vendor's own host", vendorHostsUnavailableReason("curl"), () => {
  live("a fake answers by HTTPS, and its faults arrive; another host and another CA's certificate are refused", () =>
    Effect.gen(function* () {
      const hosts = yield* makeVendorHosts([host])
      const fake = yield* makeFakeVendor(oneZone, hosts.listener(host))
      const curl = (...parameters: ReadonlyArray<string>) =>
        Effect.map(
          hosts.run(["curl", "--silent", "--show-error", "-H", "authorization: Bearer right", ...parameters]),
          ({ stderr, stdout }) => stdout + stderr
        )
      expect(yield* curl(`https://${host}/client/v4/zones`)).toContain('"example.com"')
      fake.injectFault({ nth: 1 }, { change: "not_made", answer: "cut" })
      expect(yield* curl(`https://${host}/client/v4/zones`)).toMatch(/^curl: \((52|56)\)/)
      expect(yield* curl("https://api.digitalocean.com/v2/domains")).toContain("Could not resolve host")
      expect(yield* curl("--cacert", "/dev/null", `https://${host}/client/v4/zones`)).toContain("certificate")
    })
  )
})

describeIfPossible("a package of npm", vendorHostsUnavailableReason(sdk), () => {
  live("runs unaltered at the vendor's own host: the SDK of Cloudflare", () =>
    Effect.gen(function* () {
      const hosts = yield* makeVendorHosts([host])
      const fake = yield* makeFakeVendor(oneZone, hosts.listener(host))
      const command = [process.execPath, `${judges}cloudflare.js`, '[["listZones"]]']
      const { exitCode, stderr, stdout } = yield* hosts.run(command, { CLOUDFLARE_API_TOKEN: "right" })
      expect([exitCode, stderr]).toEqual([0, ""])
      expect(JSON.parse(stdout)).toEqual([[{ id: "z1", name: "example.com" }]])
      expect(fake.calls().map(({ operation, outcome }) => [operation, outcome])).toEqual([["GET /zones", 200]])
    })
  )
})

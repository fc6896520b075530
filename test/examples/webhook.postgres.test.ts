import { expect } from "bun:test"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { randomKey } from "../../src/security/secrets.ts"
import { startProgram } from "../cli/commandLine.ts"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { serviceUrl } from "../support/testApi.ts"
import { issueTestKey, testModeService } from "../testmode/testModeService.ts"

const program = `${import.meta.dir}/../../examples/webhook/receive.ts`

const receive = (environment: Readonly<Record<string, string>>) =>
  Effect.scoped(Effect.flatMap(startProgram(program, [], environment), ({ result }) => result))

/** A server of somebody else, at a port of its own. */
const strangeServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((_, response) =>
      response.writeHead(404, { "content-type": "text/html" }).end("Nothing")
    )
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    return { server, address: `http://127.0.0.1:${port}` }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

/** A program that fails with one sentence, and no stack. */
const failsWith = (sentence: string) => ({ code: 1, out: "", err: `${sentence}\n` })

concurrentTest("the webhook example names the address that it tried, where no service or another server is", () =>
  Effect.gen(function* () {
    const { address: closed } = yield* Effect.scoped(strangeServer)
    expect(yield* receive({ SERVICE: closed })).toEqual(
      failsWith(`No service answers at ${closed}: start it with npm start, or set SERVICE to its address.`)
    )
    const { address: other } = yield* strangeServer
    expect(yield* receive({ SERVICE: other })).toEqual(
      failsWith(`What answers at ${other} is not the Domain Connection Service: set SERVICE to its address.`)
    )
    expect(yield* receive({ SERVICE: "connect" })).toEqual(
      failsWith("SERVICE is no URL, but connect: set it to the address of the service, such as http://127.0.0.1:8080.")
    )
    expect(yield* receive({ SERVICE: other, TEST_KEY: randomKey("dck_live_") })).toEqual(
      failsWith("TEST_KEY is an API key for live domains: set it to one of test mode, which begins with dck_test_.")
    )
  })
)

concurrentTest("the webhook example names the setting that is missing, where the service refuses", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const SERVICE = yield* serviceUrl
      const withoutKey = yield* receive({ SERVICE })
      expect(withoutKey).toMatchObject({ code: 1, out: "" })
      expect(withoutKey.err).toMatch(/^The service at \S+ does not accept TEST_KEY: set it to an API key .*\n$/)
      const TEST_KEY = yield* issueTestKey(url)
      const withoutAllow = yield* receive({ SERVICE, TEST_KEY })
      expect(withoutAllow).toMatchObject({ code: 1, out: "" })
      expect(withoutAllow.err).toMatch(
        /^The service at \S+ sends no webhooks to this machine: start it with OUTBOUND_ALLOW=127\.0\.0\.0\/8 .*\n$/
      )
    }).pipe(Effect.provide(testModeService(url, { count: 0 }, { OUTBOUND_ALLOW: "" })))
  })
)

concurrentTest("the webhook example verifies a webhook of a service on this machine", () =>
  Effect.gen(function* () {
    const url = urlOf(yield* freshTestModeDatabase)
    yield* Effect.gen(function* () {
      const { code, err, out } = yield* receive({ SERVICE: yield* serviceUrl, TEST_KEY: yield* issueTestKey(url) })
      expect([code, err]).toEqual([0, ""])
      expect(out).toContain("Verified: connection.active of ")
    }).pipe(Effect.provide(testModeService(url)))
  })
)

import { expect } from "bun:test"
import { Effect } from "effect"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { issueTestKey, requesterWith, testModeService } from "../testmode/testModeService.ts"
import { environmentOf, runCliHere } from "./commandLine.ts"

const asTest = ["--environment", "test"]

concurrentTest("the applications and ask secrets of test mode are none of the live ones", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) => runCliHere(environmentOf(database), ...args)
    const text = (...args: ReadonlyArray<string>) => Effect.map(run(...args), ({ out }) => out)
    yield* run("applications", "create", "shop", "--name", "The Shop")
    yield* run("applications", "create", "trial", "--name", "The Trial", ...asTest)
    expect(yield* text("applications", "list")).toBe("shop  The Shop\n")
    expect(yield* text("applications", "list", ...asTest)).toBe("trial  The Trial\n")
    yield* run("applications", "set", "trial", "--control-proof", "off", ...asTest)
    expect(yield* text("applications", "show", "trial", ...asTest)).toContain("controlProof: off\n")
    expect((yield* run("applications", "show", "trial")).code).toBe(1)
    const create = ["ask-secrets", "create", "--application", "trial", "--json"]
    expect((yield* run(...create)).code).toBe(1)
    const { id, path, secret } = JSON.parse(yield* text(...create, ...asTest))
    expect(path).toBe(`/test-mode/v1/domains/allowed/${secret}`)
    const ask = (name: string, ...args: ReadonlyArray<string>) =>
      text("ask-secrets", name, ...args, "--application", "trial", "--json", ...asTest)
    const successor = JSON.parse(yield* ask("rotate", id, "--overlap-hours", "0"))
    expect(successor.path).toBe(`/test-mode/v1/domains/allowed/${successor.secret}`)
    expect(JSON.parse(yield* ask("list"))).toMatchObject([{ id: successor.id }])
    expect(JSON.parse(yield* ask("revoke", successor.id))).toEqual({ id: successor.id, revoked: true })
    expect(yield* text("applications", "delete", "trial", ...asTest)).toBe("trial is deleted\n")
  })
)

concurrentTest("an ask secret of test mode from the command line answers for the hosts of test connections", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const run = (...args: ReadonlyArray<string>) =>
      Effect.map(runCliHere(environmentOf(database), ...args, "--json", ...asTest), ({ out }) => JSON.parse(out))
    const { key } = yield* run("keys", "create", "--application", "trial", "--tenant", "bakery")
    const { path } = yield* run("ask-secrets", "create", "--application", "trial")
    yield* Effect.gen(function* () {
      const { authorizeAndApprove, connect } = yield* requesterWith(key)
      const ask = Effect.flatMap(requesterWith(""), ({ send }) => send("GET", `${path}?domain=shop.one-click.test`))
      expect((yield* ask).status).toBe(404)
      yield* authorizeAndApprove((yield* connect("one-click.test")).id, "active")
      expect((yield* ask).status).toBe(200)
    }).pipe(Effect.provide(testModeService(urlOf(database))))
  })
)

concurrentTest(
  "credentials reseal seals the webhook secrets of test mode again, and leaves the live ones as they are",
  () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase
      const url = urlOf(database)
      const key = yield* issueTestKey(url)
      yield* Effect.gen(function* () {
        const { send } = yield* requesterWith(key)
        yield* send("POST", "/v1/webhook-endpoints", { url: "http://127.0.0.1:9/" })
      }).pipe(Effect.provide(testModeService(url)))
      const reseal = (...args: ReadonlyArray<string>) =>
        Effect.map(
          runCliHere(
            { ...environmentOf(database), MASTER_KEY: masterKey(2, 1) },
            "credentials",
            "reseal",
            "--json",
            ...args
          ),
          ({ out }) => JSON.parse(out)
        )
      expect((yield* reseal()).webhookEndpoints).toBe(0)
      expect((yield* reseal(...asTest)).webhookEndpoints).toBe(1)
      expect((yield* reseal(...asTest)).webhookEndpoints).toBe(0)
    })
)

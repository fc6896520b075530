import { expect } from "bun:test"
import { Effect, type Layer, Redacted } from "effect"
import { AskSecrets } from "../../src/administration/AskSecrets.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { initialRecords, type ScriptedProvider } from "../lifecycle/phases/scriptedProvider.ts"
import { approvalOf, createTestConnection } from "../support/TestConnection.ts"
import type { apiWithLifecycle } from "./support/apiWithLifecycle.ts"
import { issueKey, jsonOf, patch, send, tenancyOf } from "../support/testApi.ts"

type ServicesOfApi = Layer.Layer.Success<ReturnType<typeof apiWithLifecycle>>

const intentOf = (hosts: ReadonlyArray<string>, value = "shops.example.net") => ({
  domain: "example.com",
  records: hosts.map((host) => ({ host, type: "CNAME", value }))
})

const lineOf = (host: string, value = "shops.example.net") => `${host} 3600 CNAME ${value}`

/** Which of the hosts the web server of the application may get a certificate for. */
const listAllowed = Effect.gen(function* () {
  const { secret } = yield* (yield* AskSecrets).issue(ApplicationId.make("app"))
  return Effect.filter(["shop", "blog", "news"], (host) =>
    Effect.map(
      send(`/v1/domains/allowed/${Redacted.value(secret)}?domain=${host}.example.com`),
      ({ status }) => status === 200
    )
  )
})

const credential = { method: "direct_credential", credential: { apiToken: "s3cret" } }

/** An active connection with these hosts, and what changes it; `beforeWrite` happens once its plan is made. */
const connect = (
  tenant: string,
  hosts: ReadonlyArray<string>,
  value = "shops.example.net",
  beforeWrite: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey(tenancyOf("app", tenant))
    const connection = yield* createTestConnection(key, intentOf(hosts, value))
    const { command, id, waitForState } = connection
    const write = Effect.gen(function* () {
      yield* command("authorization", credential)
      const { plan } = yield* waitForState("planned")
      yield* beforeWrite
      yield* command("approval", approvalOf(plan))
    })
    yield* write
    yield* waitForState("active")
    const change = (others: ReadonlyArray<string>) =>
      Effect.flatMap(patch(`/v1/connections/${id}`, key, { intent: intentOf(others) }, { prefer: "wait=30" }), jsonOf)
    return { ...connection, change, write }
  })

/** The contract of `GET /v1/domains/allowed` and of `allowedNames`, over every kind of store. */
export const allowedNamesContract = (
  test: (name: string, body: (acme: ScriptedProvider) => Effect.Effect<void, unknown, ServicesOfApi>) => void
): void => {
  test("hosts that both intents have stay allowed through a change, old ones until it is written, new ones after it", (acme) =>
    Effect.gen(function* () {
      const { change, command, read, waitForState, write } = yield* connect("tenant", ["shop", "blog"])
      const allowed = yield* listAllowed
      const observe = Effect.zipWith(allowed, read, (hosts, { allowedNames, state }) => [state, hosts, allowedNames])
      expect(yield* observe).toEqual(["active", ["shop", "blog"], undefined])
      yield* change(["shop", "news"])
      const oldNames = ["shop.example.com", "blog.example.com"]
      expect(yield* observe).toEqual(["awaiting_authorization", ["shop", "blog"], oldNames])
      // The name servers go on showing the old records.
      yield* acme.serve(...initialRecords, lineOf("shop"), lineOf("blog"))
      yield* write
      yield* waitForState("verifying")
      expect(yield* observe).toEqual(["verifying", ["shop"], ["shop.example.com"]])
      yield* acme.serveZone
      yield* command("recheck")
      yield* waitForState("active")
      expect(yield* observe).toEqual(["active", ["shop", "news"], undefined])
    }))

  test("a host that stays allowed through a change is lost to a tenant whose proof is newer", (acme) =>
    Effect.gen(function* () {
      const { change, read, waitForState, write } = yield* connect("tenant", ["shop", "blog"])
      const allowed = yield* listAllowed
      yield* change(["shop", "news"])
      yield* acme.serve(...initialRecords, lineOf("shop"), lineOf("blog"))
      yield* write
      yield* waitForState("verifying")
      const serveRival = acme.serve(...initialRecords, lineOf("shop", "rivals.example.net"))
      const rival = yield* connect("rival", ["shop"], "rivals.example.net", serveRival)
      const { allowedNames, state } = yield* read
      expect([state, allowedNames, yield* allowed]).toEqual(["verifying", undefined, ["shop"]])
      yield* rival.command("disconnect")
      expect(yield* allowed).toEqual([])
    }))

  test("nothing is allowed from the moment in which a changing connection is disconnected", (acme) =>
    Effect.gen(function* () {
      const { change, command, read, waitForState, write } = yield* connect("tenant", ["shop", "blog"])
      const allowed = yield* listAllowed
      yield* change(["shop", "news"])
      yield* acme.serve(...initialRecords, lineOf("shop"), lineOf("blog"))
      yield* write
      yield* waitForState("verifying")
      expect(yield* allowed).toEqual(["shop"])
      yield* command("disconnect")
      expect([yield* allowed, (yield* read).allowedNames]).toEqual([[], undefined])
    }))
}

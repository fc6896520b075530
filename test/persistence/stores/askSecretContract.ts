import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { AskSecretId } from "../../../src/domain/access/AskSecret.ts"
import type { ConnectionState } from "../../../src/domain/connection/Connection.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { ApplicationId } from "../../../src/domain/access/Tenancy.ts"
import { AskSecretStore } from "../../../src/persistence/stores/access/AskSecretStore.ts"
import { StoreFixture } from "../StoreFixture.ts"
import { connectionFor, createConnection, dueNow, moveToState, ownTenancy } from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

const { applicationId } = ownTenancy

const other = ApplicationId.make("other")

const secretOf = (id: string) => ({
  id: AskSecretId.make(id),
  hash: Buffer.from(`hash of ${id}`),
  prefix: "dcas_abcdefg"
})

/** The contract of every `AskSecretStore`. */
export const askSecretContract = (test: StoreTest): void => {
  secrets(test)
  answers(test)
}

const secrets = (test: StoreTest) => {
  test("lists the valid ask secrets of an application in pages, without their hashes", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      for (const id of ["ask_2", "ask_1", "ask_3"]) yield* store.insert(applicationId, secretOf(id))
      yield* store.insert(other, secretOf("ask_4"))
      yield* store.revoke(applicationId, secretOf("ask_2").id)
      const [first, ...more] = yield* store.list(applicationId, { limit: 1 })
      expect<unknown>(first).toEqual({ id: "ask_1", prefix: "dcas_abcdefg", createdAt: expect.anything() })
      expect(more).toEqual([])
      expect((yield* store.list(applicationId, { limit: 9, after: "ask_1" })).map(({ id }) => `${id}`)).toEqual([
        "ask_3"
      ])
    }))

  test("a rotated ask secret is valid during the overlap, as well as its successor", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      const { advanceTime } = yield* StoreFixture
      yield* store.insert(applicationId, secretOf("ask_1"))
      const successor = yield* Effect.flatten(store.rotate(applicationId, secretOf("ask_1").id, secretOf("ask_2"), 60))
      expect(`${successor.id}`).toBe("ask_2")
      expect(yield* validOf("ask_1", "ask_2")).toEqual(["ask_1", "ask_2"])
      yield* advanceTime("1 minute")
      expect(yield* validOf("ask_1", "ask_2")).toEqual(["ask_2"])
      expect(yield* store.rotate(applicationId, secretOf("ask_1").id, secretOf("ask_3"), 60)).toEqual(Option.none())
    }))

  test("an ask secret can be rotated and revoked by its application only, and once", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      const { hash: _, id } = secretOf("ask_1")
      yield* store.insert(applicationId, secretOf("ask_1"))
      expect(yield* store.rotate(other, id, secretOf("ask_2"), 60)).toEqual(Option.none())
      expect(yield* store.revoke(other, id)).toBe(false)
      expect(yield* validOf("ask_1", "ask_2")).toEqual(["ask_1"])
      expect([yield* store.revoke(applicationId, id), yield* store.revoke(applicationId, id)]).toEqual([true, false])
      expect(yield* validOf("ask_1")).toEqual([])
    }))
}

const answers = (test: StoreTest) => {
  test("an ask secret answers for the application that it belongs to", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      yield* store.insert(other, secretOf("ask_2"))
      yield* connect("active", "shop 300 CNAME shops.example.net")
      expect(yield* ask("ask_1", "shop.bakery.example")).toEqual(Option.some({ applicationId, isAllowed: true }))
      expect(yield* ask("ask_2", "shop.bakery.example")).toEqual(
        Option.some({ applicationId: other, isAllowed: false })
      )
      expect(yield* ask("ask_3", "shop.bakery.example")).toEqual(Option.none())
    }))

  test("a host is allowed by an address or a CNAME of an active connection, exactly there", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      yield* connect(
        "active",
        "@ 300 A 192.0.2.1",
        "six 300 AAAA 2001:db8::1",
        "*.app 300 CNAME apps.example.net",
        "mail 300 MX 10 mx.example.net"
      )
      const allowed = yield* Effect.filter(
        [
          "bakery.example",
          "six.bakery.example",
          "*.app.bakery.example",
          "mail.bakery.example",
          "x.bakery.example",
          "x.six.bakery.example"
        ],
        isAllowed
      )
      expect(allowed).toEqual(["bakery.example", "six.bakery.example", "*.app.bakery.example"])
      expect(yield* ask("ask_1", "nothing.example", "six.bakery.example")).toEqual(
        Option.some({ applicationId, isAllowed: true })
      )
    }))

  test("questions that come at the same time get each their own answer", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      yield* store.insert(other, secretOf("ask_2"))
      yield* connect("active", "shop 300 CNAME shops.example.net")
      const questions = Array.makeBy(60, (nth) => ({
        id: `ask_${1 + (nth % 3)}`,
        host: nth % 2 === 0 ? "shop.bakery.example" : "www.bakery.example"
      }))
      const answers = yield* Effect.forEach(questions, ({ host, id }) => ask(id, host), { concurrency: "unbounded" })
      const expected = questions.map(({ host, id }) =>
        id === "ask_3"
          ? Option.none()
          : Option.some({
              applicationId: id === "ask_1" ? applicationId : other,
              isAllowed: id === "ask_1" && host === "shop.bakery.example"
            })
      )
      expect<ReadonlyArray<unknown>>(answers).toEqual(expected)
    }))

  test("a host of a connection that is not active is not allowed", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      yield* createConnection(ownTenancy, connectionOf("shop 300 CNAME shops.example.net"))
      expect(yield* isAllowed("shop.bakery.example")).toBe(false)
      yield* moveToState("degraded")
      expect(yield* isAllowed("shop.bakery.example")).toBe(false)
    }))

  test("a host stays allowed while a new intent is verified, if the connection goes on serving it", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      const lines = connectionOf("shop 300 CNAME shops.example.net", "news 300 CNAME shops.example.net")
      yield* createConnection(ownTenancy, { ...lines, allowedNames: ["shop.bakery.example"] })
      yield* moveToState("verifying")
      expect([yield* isAllowed("shop.bakery.example"), yield* isAllowed("news.bakery.example")]).toEqual([true, false])
    }))

  test("a host stays allowed while a new intent of its active connection waits, and not if that was degraded", () =>
    Effect.gen(function* () {
      const store = yield* AskSecretStore
      yield* store.insert(applicationId, secretOf("ask_1"))
      yield* createConnection(ownTenancy, connectionOf("shop 300 CNAME shops.example.net"))
      const next = dueNow("discover")
      yield* moveToState("awaiting_authorization", { next }, { intentChange: { returnsTo: "active", hasBegun: false } })
      expect(yield* isAllowed("shop.bakery.example")).toBe(true)
      yield* moveToState("planned", {}, { intentChange: { returnsTo: "degraded", hasBegun: false } })
      expect(yield* isAllowed("shop.bakery.example")).toBe(false)
    }))
}

const connectionOf = (...lines: ReadonlyArray<string>) => {
  const { effectiveIntent, intent } = connectionFor("bakery.example", lines)
  return { effectiveIntent, intent }
}

/** Makes a connection of `bakery.example` with these records, in a state. */
const connect = (state: ConnectionState, ...lines: ReadonlyArray<string>) =>
  Effect.zipRight(createConnection(ownTenancy, connectionOf(...lines)), moveToState(state))

const ask = (id: string, ...names: Array.NonEmptyReadonlyArray<string>) =>
  Effect.flatMap(AskSecretStore, (store) =>
    store.ask(
      secretOf(id).hash,
      Array.map(names, (name) => DomainName.make(name))
    )
  )

const isAllowed = (name: string) => Effect.map(Effect.flatten(ask("ask_1", name)), ({ isAllowed }) => isAllowed)

const validOf = (...ids: ReadonlyArray<string>) =>
  Effect.filter(ids, (id) => Effect.map(ask(id, "any.example"), Option.isSome))

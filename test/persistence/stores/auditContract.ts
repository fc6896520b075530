import { expect } from "bun:test"
import { Array, Duration, Effect, Option } from "effect"
import { type ActorContext, actAs, browserTokenIdOf } from "../../../src/domain/access/Actor.ts"
import { AdminKeyId } from "../../../src/domain/access/AdminKey.ts"
import { ApplicationSettings } from "../../../src/domain/access/Application.ts"
import { AskSecretId } from "../../../src/domain/access/AskSecret.ts"
import { auditActionOf, type AuditEntry } from "../../../src/domain/access/AuditEntry.ts"
import { Origin } from "../../../src/domain/names/Origin.ts"
import { ApiKeyId } from "../../../src/domain/access/Tenancy.ts"
import { CredentialChange } from "../../../src/domain/connection/Transition.ts"
import { AdminKeyStore } from "../../../src/persistence/stores/access/AdminKeyStore.ts"
import { ApiKeyStore } from "../../../src/persistence/stores/access/ApiKeyStore.ts"
import { ApplicationStore } from "../../../src/persistence/stores/access/ApplicationStore.ts"
import { AskSecretStore } from "../../../src/persistence/stores/access/AskSecretStore.ts"
import { type AuditFilter, AuditStore } from "../../../src/persistence/stores/audit/AuditStore.ts"
import { BrowserTokenStore, exchangeCodeOrigin } from "../../../src/persistence/stores/access/BrowserTokenStore.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { CredentialStore } from "../../../src/persistence/stores/access/CredentialStore.ts"
import { PhaseStore } from "../../../src/persistence/stores/phases/PhaseStore.ts"
import { sha256 } from "../../../src/security/secrets.ts"
import type { ListWindow } from "../../../src/domain/values/PageRequest.ts"
import { StoreFixture } from "../StoreFixture.ts"
import {
  createConnection,
  firstTransition,
  foreignTenancies,
  ownTenancy,
  transitionInto
} from "../connectionFixtures.ts"
import type { StoreTest } from "./storeContract.ts"

/** The contract of the audit log: every store writes to it with what it tells of. */
export const auditContract = (test: StoreTest): void => {
  writing(test)
  reading(test)
}

const writing = (test: StoreTest) => {
  test("a creation is audited with its actor, request and address, and a refused one is not", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const first = yield* actAs(keyActor)(firstTransition())
      const { id } = first.after.connection
      yield* store.create(ownTenancy, first, Option.none(), { refusesDuplicate: true })
      yield* Effect.flip(store.create(ownTenancy, yield* firstTransition(), Option.none(), { refusesDuplicate: true }))
      expect(yield* summaries()).toEqual([["connection.created", "key_1", id]])
      expect(yield* listed()).toMatchObject([
        { actor: keyActor.actor, ...ownTenancy, requestId: "req_1", address: "192.0.2.1", to: "requested" }
      ])
    }))

  test("a transition is audited with all its entries if it is written, by a command or a phase", () =>
    Effect.gen(function* () {
      const store = yield* ConnectionStore
      const { id } = yield* createConnection()
      const read = yield* store.findRecord(ownTenancy, id)
      const transition = yield* transitionInto(read, "active", {
        audit: [
          yield* actAs(keyActor)(
            auditActionOf("connection.approved", { to: "applying", acknowledged: ["mx_replaced"] })
          ),
          yield* actAs(keyActor)(auditActionOf("credential.stored"))
        ]
      })
      const write = store.update(ownTenancy, read, transition, Option.none())
      expect([(yield* write)._tag, (yield* write)._tag]).toEqual(["Done", "Stale"])
      const phases = yield* PhaseStore
      expect(yield* phases.save({ ...read, attempt: 9, claim: 9 }, transition)).toBe(false)
      expect(yield* summaries()).toEqual([
        ["credential.stored", "key_1", id],
        ["connection.approved", "key_1", id],
        ["connection.created", "service", id]
      ])
      expect((yield* listed())[1]).toMatchObject({ to: "applying", acknowledged: ["mx_replaced"] })
    }))

  test("a deleted credential is audited if there was one, also when it expires", () =>
    Effect.gen(function* () {
      const { advanceTime, insertCredential } = yield* StoreFixture
      const store = yield* ConnectionStore
      const { id } = yield* createConnection()
      const owner = { ...ownTenancy, connectionId: id }
      const drop = Effect.gen(function* () {
        const read = yield* store.findRecord(ownTenancy, id)
        const audit = [yield* auditActionOf("credential.deleted")]
        const transition = yield* transitionInto(read, "active", { credential: CredentialChange.Delete(), audit })
        yield* store.update(ownTenancy, read, transition, Option.none())
      })
      yield* drop
      expect(yield* summaries({ action: "credential.deleted" })).toEqual([])
      yield* insertCredential(owner, sealed, 60)
      yield* drop
      yield* drop
      expect(yield* summaries({ action: "credential.deleted" })).toEqual([["credential.deleted", "service", id]])
      yield* insertCredential(owner, sealed, 60)
      yield* advanceTime("61 seconds")
      const { deleteExpired } = yield* CredentialStore
      yield* actAs({ actor: { type: "service", id: "retention" } })(deleteExpired)
      expect(yield* summaries({ actor: "retention" })).toEqual([["credential.deleted", "retention", id]])
    }))

  test("browser tokens are audited by a part of their hash: issued, exchanged for a link, revoked", () =>
    Effect.gen(function* () {
      const { insert, redeemCode, revokeAll } = yield* BrowserTokenStore
      const { id } = yield* createConnection()
      yield* insertKey("key_1")
      const role = "customer" as const
      const token = { hash: sha256("token"), connectionId: id, apiKeyId, origin, role, lifetimeSeconds: 60 }
      const code = { ...token, hash: sha256("code"), origin: exchangeCodeOrigin }
      yield* actAs(keyActor)(insert(ownTenancy, token))
      yield* actAs(keyActor)(insert(ownTenancy, code))
      const redeem = redeemCode(code.hash, { ...token, hash: sha256("other") })
      yield* redeem
      yield* actAs(keyActor)(revokeAll(ownTenancy, id))
      for (const tenancy of foreignTenancies) yield* revokeAll(tenancy, id)
      const codeId = browserTokenIdOf(code.hash)
      expect((yield* summaries({ connectionId: id })).slice(0, -1)).toEqual([
        ["browser_tokens.revoked", "key_1", id],
        ["browser_token.redeemed", codeId, id],
        ["share_link.issued", "key_1", id],
        ["browser_token.issued", "key_1", id]
      ])
      const [, redeemed, linked, issued] = yield* listed({ connectionId: id })
      expect(redeemed).toMatchObject({ tokenId: browserTokenIdOf(sha256("other")), origin, ...ownTenancy })
      expect(linked?.tokenId).toBe(codeId)
      expect(issued).toMatchObject({ tokenId: browserTokenIdOf(token.hash), origin })
    }))

  test("API keys are audited: created with their application, rotated, revoked once", () =>
    Effect.gen(function* () {
      const { revoke, revokeAll, rotate } = yield* ApiKeyStore
      yield* insertKey("key_1")
      yield* rotate(apiKeyId, { id: ApiKeyId.make("key_2"), hash: sha256("key_2"), prefix: "dck_test_key" }, 60)
      yield* rotate(ApiKeyId.make("key_9"), { id: ApiKeyId.make("key_3"), hash: sha256("key_3"), prefix: "dck" }, 60)
      expect([yield* revoke(apiKeyId), yield* revoke(apiKeyId)]).toEqual([true, true])
      yield* revoke(ApiKeyId.make("key_9"))
      expect([yield* revokeAll(ownTenancy), yield* revokeAll(ownTenancy)]).toEqual([1, 0])
      expect(yield* listed()).toMatchObject([
        { action: "api_key.revoked", keyId: "key_2", ...ownTenancy },
        { action: "api_key.revoked", keyId: "key_1", ...ownTenancy },
        { action: "api_key.rotated", keyId: "key_1", successorId: "key_2", ...ownTenancy },
        { action: "api_key.created", keyId: "key_1", scopes: ["tokens:issue"], ...ownTenancy },
        { action: "application.created", applicationId: ownTenancy.applicationId }
      ])
      yield* insertKey("key_4")
      expect(yield* count({ action: "application.created" })).toBe(1)
      expect(JSON.stringify(yield* listed())).not.toContain("dck")
    }))

  test("applications are audited: created, changed with the names of the settings, deleted; a refused change is not", () =>
    Effect.gen(function* () {
      const store = yield* ApplicationStore
      const create = store.create(ownTenancy.applicationId, ApplicationSettings.make({ name: "The Shop" }))
      const created = yield* Effect.flatten(actAs(keyActor)(create))
      yield* create
      const settings = ApplicationSettings.make({ supportEmail: "help@shop.example.com", controlProof: "off" })
      const changed = yield* Effect.flatten(store.update(created, settings))
      yield* store.update(created, settings)
      yield* store.remove(created)
      yield* store.remove(changed)
      expect(yield* listed()).toMatchObject([
        { action: "application.deleted", applicationId: ownTenancy.applicationId },
        { action: "application.changed", settings: ["name", "supportEmail", "controlProof"] },
        { action: "application.created", ...keyActor }
      ])
    }))

  test("ask secrets are audited: created, rotated, revoked once", () =>
    Effect.gen(function* () {
      const { insert, revoke, rotate } = yield* AskSecretStore
      const { applicationId } = ownTenancy
      const [first, second, third] = [newSecret("ask_1"), newSecret("ask_2"), newSecret("ask_3")]
      yield* actAs(keyActor)(insert(applicationId, first))
      yield* rotate(applicationId, first.id, second, 60)
      yield* rotate(applicationId, third.id, third, 60)
      yield* revoke(applicationId, second.id)
      yield* revoke(applicationId, second.id)
      expect(yield* listed()).toMatchObject([
        { action: "ask_secret.revoked", keyId: "ask_2", applicationId },
        { action: "ask_secret.rotated", keyId: "ask_1", successorId: "ask_2" },
        { action: "ask_secret.created", keyId: "ask_1", ...keyActor }
      ])
      expect(JSON.stringify(yield* listed())).not.toContain("dcas")
    }))

  test("admin keys are audited in the log of no application: created, revoked once", () =>
    Effect.gen(function* () {
      const { insert, revoke } = yield* AdminKeyStore
      const id = AdminKeyId.make("adk_1")
      yield* actAs(keyActor)(
        insert({
          id,
          hash: sha256("adk_1"),
          prefix: "dcka_prefix",
          name: Option.none(),
          scopes: ["audit:read"],
          expiresAt: Option.none()
        })
      )
      expect([yield* revoke(id), yield* revoke(id)]).toEqual([true, true])
      yield* revoke(AdminKeyId.make("adk_2"))
      yield* createConnection()
      const { entries } = yield* (yield* AuditStore).list(Option.none(), {}, { limit: 100 })
      expect(entries).toMatchObject([
        { action: "admin_key.revoked", keyId: "adk_1" },
        { action: "admin_key.created", keyId: "adk_1", ...keyActor }
      ])
      expect(entries.map(({ applicationId }) => applicationId)).toEqual([undefined, undefined])
      expect((yield* listed()).map(({ action }) => action)).toEqual(["connection.created"])
    }))
}

const reading = (test: StoreTest) => {
  test("each filter leaves the entries that it names, and no application sees another's", () =>
    Effect.gen(function* () {
      const { id } = yield* createConnection()
      for (const tenancy of foreignTenancies) yield* createConnection(tenancy)
      yield* actAs(keyActor)(insertKey("key_1"))
      expect(yield* count({})).toBe(4)
      expect(yield* count({ tenantId: ownTenancy.tenantId })).toBe(2)
      expect(yield* count({ connectionId: id })).toBe(1)
      expect(yield* count({ actor: "key_1" })).toBe(2)
      expect(yield* count({ action: "connection.created" })).toBe(2)
      expect(yield* count({ action: "connection.canceled" })).toBe(0)
    }))

  test("the times of the filter include their beginning and exclude their end", () =>
    Effect.gen(function* () {
      yield* createConnection()
      const [entry] = yield* listed()
      const at = new Date(entry?.occurredAt.epochMillis ?? 0)
      const later = new Date(at.getTime() + 1)
      expect(yield* countIn({ createdAfter: at, createdBefore: later })).toBe(1)
      expect(yield* countIn({ createdBefore: at })).toBe(0)
      expect(yield* countIn({ createdAfter: later })).toBe(0)
    }))

  test("pages follow one another by the last entry, newest first or oldest first", () =>
    Effect.gen(function* () {
      for (const _ of Array.range(1, 5)) yield* createConnection()
      const all = yield* listed()
      const { list } = yield* AuditStore
      const readPages = Effect.fnUntraced(function* (window: ListWindow) {
        const ids: Array<string> = []
        for (let page = yield* list(own, {}, { limit: 2, ...window }); page.entries.length > 0;) {
          ids.push(...page.entries.map(({ id }) => id))
          page = yield* list(own, {}, { limit: 2, ...window, after: ids.at(-1) ?? "" })
        }
        return ids
      })
      const ids = all.map(({ id }) => id)
      expect(yield* readPages({})).toEqual(ids)
      expect(yield* readPages({ order: "asc" })).toEqual(ids.toReversed())
      expect(ids.toSorted().toReversed()).toEqual(ids)
    }))

  test("a page after an entry that its log does not have fails and names it, whatever the order", () =>
    Effect.gen(function* () {
      const { deleteOld, list } = yield* AuditStore
      for (const _ of Array.range(1, 2)) yield* createConnection()
      for (const tenancy of foreignTenancies) yield* createConnection(tenancy)
      const all = yield* listed()
      const foreign = yield* Effect.forEach(foreignTenancies, ({ applicationId }) =>
        Effect.map(list(Option.some(applicationId), {}, { limit: 10 }), ({ entries }) => entries)
      )
      const [unseen] = foreign.flat().filter(({ applicationId }) => applicationId !== ownTenancy.applicationId)
      yield* Effect.flatMap(StoreFixture, ({ advanceTime }) => advanceTime("1 second"))
      yield* deleteOld(Duration.zero, 1)
      for (const order of ["asc", "desc"] as const)
        for (const after of ["con_1", all.at(-1)?.id ?? "", unseen?.id ?? ""])
          expect(yield* Effect.flip(list(own, {}, { limit: 2, order, after }))).toMatchObject({ id: after })
    }))

  test("only entries older than the age are deleted, the oldest first", () =>
    Effect.gen(function* () {
      const { deleteOld } = yield* AuditStore
      for (const _ of Array.range(1, 3)) yield* createConnection()
      expect(yield* deleteOld(Duration.days(1), 10)).toBe(0)
      const [newest] = yield* listed()
      yield* Effect.flatMap(StoreFixture, ({ advanceTime }) => advanceTime("1 second"))
      expect(yield* deleteOld(Duration.zero, 2)).toBe(2)
      expect(yield* listed()).toEqual(newest === undefined ? [] : [newest])
    }))
}

/** How many entries of the application are in a window. */
const countIn = (window: ListWindow) =>
  Effect.flatMap(AuditStore, ({ list }) =>
    Effect.map(list(own, {}, { limit: 10, ...window }), ({ entries }) => entries.length)
  )

const newSecret = (id: string) => ({ id: AskSecretId.make(id), hash: sha256(id), prefix: "dcas_prefix" })

const keyActor: ActorContext = {
  actor: { type: "api_key", id: "key_1" },
  requestId: "req_1",
  address: "192.0.2.1"
}

const own = Option.some(ownTenancy.applicationId)

const apiKeyId = ApiKeyId.make("key_1")

const origin = Origin.make("https://shop.example.com")

const sealed = { keyVersion: 1, nonce: new Uint8Array(12), ciphertext: new Uint8Array(20) }

const insertKey = (id: string) =>
  Effect.flatMap(ApiKeyStore, ({ insert }) =>
    insert({
      id: ApiKeyId.make(id),
      hash: sha256(id),
      prefix: "dck_test_key",
      tenancy: ownTenancy,
      scopes: ["tokens:issue"]
    })
  )

const listed = (filter: AuditFilter = {}): Effect.Effect<ReadonlyArray<AuditEntry>, never, AuditStore> =>
  Effect.flatMap(AuditStore, ({ list }) =>
    Effect.map(
      Effect.orDie(list(Option.some(ownTenancy.applicationId), filter, { limit: 100 })),
      ({ entries }) => entries
    )
  )

const count = (filter: AuditFilter) => Effect.map(listed(filter), ({ length }) => length)

/** The action, actor and connection of each entry. */
const summaries = (filter?: AuditFilter) =>
  Effect.map(
    listed(filter),
    Array.map(({ action, actor, connectionId }) => [action, actor.id, connectionId])
  )

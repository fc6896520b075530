import { describe, expect } from "bun:test"
import { Context, Duration, Effect, Layer, Logger, Option, Redacted, Ref } from "effect"
import { type SealedSecret, secretOwnerOf } from "../../src/domain/access/SealedSecret.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../src/domain/webhook/WebhookEndpoint.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { Origin } from "../../src/domain/names/Origin.ts"
import { MasterKeyStore } from "../../src/persistence/stores/access/MasterKeyStore.ts"
import { MasterKeyMissing } from "../../src/persistence/StoreUnavailable.ts"
import { AdminRequests } from "../../src/security/AdminRequests.ts"
import { ApiKeys, Unauthenticated } from "../../src/security/ApiKeys.ts"
import { DomainEntryTokens } from "../../src/security/DomainEntryTokens.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { WebhookSecrets } from "../../src/security/WebhookSecrets.ts"
import { createConnection, ownTenancy } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey, securityWith } from "../support/masterKeys.ts"
import { hex, Tables } from "../support/memory/Tables.ts"
import { withoutKeys } from "./credentialsInMemory.ts"
import { issueOwnKey } from "./securityInMemory.ts"

const makeVerifier = () => Effect.succeedSome({ verifier: Redacted.make("verifier") })

describe("a process without the newest master key leaves to another one", () => {
  effect("an OAuth session: its start, its ticket and its callback, which completes there", () =>
    Effect.gen(function* () {
      const owner = secretOwnerOf(yield* createConnection())
      const session = yield* newer(
        Effect.flatMap(OAuthSessions, ({ create }) => create(owner, { providerId: "provider" }, Duration.minutes(10)))
      )
      const { oauthSessions } = yield* Tables
      const { sealed, ticketHash } = session
      oauthSessions.set(owner.connectionId, { owner, sealed, ticketHash: hex(ticketHash), expiresAt: 600_000 })
      const found = yield* newer(Effect.flatMap(OAuthSessions, ({ findTicket }) => findTicket(owner)))
      const ticket = Option.getOrThrow(found)
      expect(yield* Effect.flip(older(Effect.flatMap(OAuthSessions, ({ findTicket }) => findTicket(owner))))).toBe(
        MasterKeyMissing.error
      )
      expect(yield* Effect.flip(older(Effect.flatMap(OAuthSessions, ({ start }) => start(ticket, makeVerifier))))).toBe(
        MasterKeyMissing.error
      )
      const started = Option.getOrThrow(
        yield* newer(Effect.flatMap(OAuthSessions, ({ start }) => start(ticket, makeVerifier)))
      )
      const complete = Effect.flatMap(OAuthSessions, ({ complete }) => complete(started.state, started.browser))
      expect(yield* Effect.flip(older(complete))).toBe(MasterKeyMissing.error)
      expect(Option.map(yield* newer(complete), ({ requestContext }) => requestContext.providerId)).toEqual(
        Option.some("provider")
      )
      expect(yield* newer(complete)).toEqual(Option.none())
    }).pipe(Effect.provide(inMemory))
  )

  effect("the signature of a webhook, even if it could sign with the previous secret", () =>
    Effect.gen(function* () {
      const owner = { applicationId: ApplicationId.make("app"), endpointId: WebhookEndpointId.make("whe_1") }
      const seal = Effect.flatMap(WebhookSecrets, ({ generate, seal }) =>
        Effect.flatMap(generate, (secret) => seal(owner, secret))
      )
      const secrets = { previous: yield* older(seal), current: yield* newer(seal) }
      const open = Effect.flatMap(WebhookSecrets, ({ open }) => open(owner, secrets))
      expect(yield* Effect.flip(older(open))).toBe(MasterKeyMissing.error)
      expect(yield* newer(open)).toHaveLength(2)
    }).pipe(Effect.provide(inMemory))
  )

  effect("a token with which a customer types a domain, but none of a key that no process has", () =>
    Effect.gen(function* () {
      const registered = yield* Ref.make<ReadonlyArray<SealedSecret>>([])
      const store = Layer.mock(MasterKeyStore, {
        register: (choose) =>
          Effect.flatMap(Effect.flatMap(Ref.get(registered), choose), (added) =>
            Ref.update(registered, (before) => [...before, ...added])
          ),
        listChecks: Ref.get(registered),
        findSealed: () => Effect.succeed([]),
        countUnreadable: () => Effect.succeed(nothing)
      })
      const start = (keys: string) => Layer.build(Layer.provide(Layer.fresh(securityWith(keys)), store))
      const old = Context.get(yield* start(masterKey(1)), DomainEntryTokens)
      const { issue, verify } = Context.get(yield* start(masterKey(2, 1)), DomainEntryTokens)
      const entry = {
        tenancy: ownTenancy,
        apiKeyId: (yield* issueOwnKey()).id,
        origin: Origin.make("https://a.example")
      }
      const { token } = yield* issue(entry)
      expect(yield* Effect.flip(old.verify(token))).toBe(MasterKeyMissing.error)
      expect(yield* verify(token)).toEqual(entry)
      const forged = Redacted.make(Redacted.value(token).replace("entry_2.", "entry_77."))
      expect(yield* Effect.flip(old.verify(forged))).toBe(Unauthenticated.error)
      // Once the key is given to all, who names the removed one gets no answer that asks to try again.
      const { verify: verifyLater } = Context.get(yield* start(masterKey(2)), DomainEntryTokens)
      const { token: former } = yield* old.issue(entry)
      expect(yield* Effect.flip(verifyLater(former))).toBe(Unauthenticated.error)
    }).pipe(Effect.provide(Layer.provideMerge(ApiKeys.layer, inMemory)))
  )

  effect("the kept answer to an administrator", () =>
    Effect.gen(function* () {
      const request = Option.some({ route: "POST /v1/admin/x", key: "once", fingerprints: ["id:hash"] as const })
      const once = Effect.flatMap(AdminRequests, ({ once }) => once(request, Effect.succeed(Redacted.make("answer"))))
      yield* newer(once)
      expect(yield* Effect.flip(older(once))).toBe(MasterKeyMissing.error)
      expect(yield* newer(once)).toMatchObject({ isReplayed: true })
    }).pipe(Effect.provide(inMemory))
  )
})

const nothing = {
  keyVersions: [],
  credentials: 0,
  oauthSessions: 0,
  webhookEndpoints: [],
  domainConnectKeys: [],
  answers: 0
}

/** Runs an effect in a process with these keys. */
const withKeys =
  (keys: string) =>
  <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.provide(use, securityWith(keys))

const newer = withKeys(masterKey(2, 1))

const older = withKeys(masterKey(1))

const inMemory = Layer.mergeAll(withoutKeys, Identifiers.layer, Logger.remove(Logger.defaultLogger))

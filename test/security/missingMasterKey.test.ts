import { describe, expect } from "bun:test"
import { Duration, Effect, Layer, Logger, Option, Redacted } from "effect"
import { secretOwnerOf } from "../../src/domain/access/SealedSecret.ts"
import { ApplicationId } from "../../src/domain/access/Tenancy.ts"
import { WebhookEndpointId } from "../../src/domain/webhook/WebhookEndpoint.ts"
import { Identifiers } from "../../src/domain/values/Identifiers.ts"
import { MasterKeyMissing } from "../../src/persistence/StoreUnavailable.ts"
import { AdminRequests } from "../../src/security/AdminRequests.ts"
import { OAuthSessions } from "../../src/security/OAuthSessions.ts"
import { WebhookSecrets } from "../../src/security/WebhookSecrets.ts"
import { createConnection } from "../persistence/connectionFixtures.ts"
import { effect } from "../support/effectTest.ts"
import { masterKey, securityWith } from "../support/masterKeys.ts"
import { hex, Tables } from "../support/memory/Tables.ts"
import { withoutKeys } from "./credentialsInMemory.ts"

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

/** Runs an effect in a process with these keys. */
const withKeys =
  (keys: string) =>
  <A, E, R>(use: Effect.Effect<A, E, R>) =>
    Effect.provide(use, securityWith(keys))

const newer = withKeys(masterKey(2, 1))

const older = withKeys(masterKey(1))

const inMemory = Layer.mergeAll(withoutKeys, Identifiers.layer, Logger.remove(Logger.defaultLogger))

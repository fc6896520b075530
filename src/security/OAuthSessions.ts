import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Consent } from "../domain/ConnectionRecord.ts"
import { Origin } from "../domain/Origin.ts"
import type { SecretOwner, StoredSecret } from "../domain/SealedSecret.ts"
import type { NewOAuthSession } from "../domain/Transition.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { OAuthSessionStore } from "../persistence/stores/OAuthSessionStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { makeSealer } from "./makeSealer.ts"
import { randomBase62, sha256 } from "./secrets.ts"

/** What a customer goes to a provider for, and where they are to be led afterwards. */
export const OAuthRequestContext = Schema.Struct({
  providerId: Schema.String,
  /** The origin of the page that sends the customer, where there is one. */
  from: Schema.optionalWith(Origin, { exact: true }),
  returnUrl: Schema.optionalWith(Schema.String, { exact: true }),
  consent: Schema.optionalWith(Consent, { exact: true })
})
export type OAuthRequestContext = typeof OAuthRequestContext.Type

/** A visit to a provider: whose it is, what for, and the secret that proves that whoever began it also ends it. */
export interface OAuthSession {
  readonly owner: SecretOwner
  readonly requestContext: OAuthRequestContext
  /** Of PKCE (RFC 7636). */
  readonly verifier: Redacted.Redacted
}

/** A visit that has just begun, with the two halves of its way back: one through the provider, one in the browser. */
export interface StartedOAuthSession extends OAuthSession {
  readonly state: string
  readonly browser: Redacted.Redacted
}

/**
 * Visits of customers to providers, from the ticket that a page gets to the answer that a browser brings back. A visit
 * is one connection's, is the browser's that began it last, and ends once.
 */
export class OAuthSessions extends Context.Tag("security/OAuthSessions")<
  OAuthSessions,
  {
    /** A visit to be written with the step that opens it. */
    readonly create: (
      owner: SecretOwner,
      errand: OAuthRequestContext,
      lifetime: Duration.Duration
    ) => Effect.Effect<NewOAuthSession>
    /** The ticket to the visit that a connection has open. */
    readonly findTicket: (owner: SecretOwner) => Effect.Effect<Option.Option<Redacted.Redacted>, StoreUnavailable>
    readonly start: (ticket: Redacted.Redacted) => Effect.Effect<Option.Option<StartedOAuthSession>, StoreUnavailable>
    /** Ends a visit; none if there is none of this state, or not in this browser, or not any more. */
    readonly complete: (
      state: string,
      browser: Redacted.Redacted
    ) => Effect.Effect<Option.Option<OAuthSession>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    OAuthSessions,
    Effect.gen(function* () {
      const store = yield* OAuthSessionStore
      const { open, seal } = makeSealer(
        yield* MasterKeys,
        Content,
        ({ applicationId, connectionId, tenantId }: SecretOwner) => [
          "oauth_session",
          applicationId,
          tenantId,
          connectionId
        ]
      )

      /** One that does not open counts as none: the customer begins anew. */
      const contentOf = (stored: Option.Option<StoredSecret>) =>
        Effect.option(Effect.flatMap(stored, ({ owner, sealed }) => open(owner, sealed)))

      return {
        create: Effect.fn("OAuthSessions.create")(function* (owner, errand, lifetime) {
          const ticket = randomBase62(digits)
          return {
            ticketHash: sha256(ticket),
            sealed: yield* seal(owner, { ticket: Redacted.make(ticket), errand }),
            lifetimeSeconds: Duration.toSeconds(lifetime)
          }
        }),
        findTicket: Effect.fn("OAuthSessions.findTicket")((owner) =>
          Effect.map(
            Effect.flatMap(store.find(owner), contentOf),
            Option.map(({ ticket }) => ticket)
          )
        ),
        start: Effect.fn("OAuthSessions.start")(function* (ticket) {
          const found = yield* isSecret(Redacted.value(ticket))
            ? store.findByTicket(sha256(Redacted.value(ticket)))
            : Effect.succeedNone
          const content = yield* contentOf(found)
          if (Option.isNone(found) || Option.isNone(content)) return Option.none()
          const { owner } = found.value
          const { errand } = content.value
          const [state, browser, verifier] = [randomBase62(digits), randomBase62(digits), randomBase62(digits)]
          const begun = yield* store.setCallback(
            sha256(Redacted.value(ticket)),
            { stateHash: sha256(state), browserHash: sha256(browser) },
            yield* seal(owner, { ticket, errand, verifier: Redacted.make(verifier) })
          )
          return begun
            ? Option.some({
                owner,
                requestContext: errand,
                state,
                verifier: Redacted.make(verifier),
                browser: Redacted.make(browser)
              })
            : Option.none()
        }),
        complete: Effect.fn("OAuthSessions.complete")(function* (state, browser) {
          const secret = Redacted.value(browser)
          if (!isSecret(state) || !isSecret(secret)) return Option.none()
          const taken = yield* store.consume({ stateHash: sha256(state), browserHash: sha256(secret) })
          return Option.flatMap(Option.all([taken, yield* contentOf(taken)]), ([{ owner }, { errand, verifier }]) =>
            Option.map(Option.fromNullable(verifier), (verifier) => ({ owner, requestContext: errand, verifier }))
          )
        })
      }
    })
  )
}

/** 256 bits; also as long as a verifier has to be (RFC 7636 section 4.1). */
const digits = 43

const isSecret = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text)

const Content = Schema.Struct({
  ticket: Schema.Redacted(Schema.String),
  errand: OAuthRequestContext,
  verifier: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true })
})

import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Consent } from "../domain/connection/ConnectionRecord.ts"
import { Origin } from "../domain/names/Origin.ts"
import type { SecretOwner, StoredSecret } from "../domain/access/SealedSecret.ts"
import type { NewOAuthSession } from "../domain/connection/Transition.ts"
import type { StoreUnavailable } from "../persistence/StoreUnavailable.ts"
import { OAuthSessionStore } from "../persistence/stores/access/OAuthSessionStore.ts"
import { MasterKeys } from "./MasterKeys.ts"
import { identifyOwner } from "./identifyOwner.ts"
import { makeSealer } from "./makeSealer.ts"
import { randomBase62, sha256 } from "./secrets.ts"

/** Why a customer goes to the provider, and where the browser returns to afterwards. */
export const OAuthRequestContext = Schema.Struct({
  providerId: Schema.String,
  /** The origin of the page that sends the customer, if there is one. */
  from: Schema.optionalWith(Origin, { exact: true }),
  returnUrl: Schema.optionalWith(Schema.String, { exact: true }),
  consent: Schema.optionalWith(Consent, { exact: true }),
  /** Whether the provider itself writes the records, by Domain Connect, so that no token comes back. */
  isDomainConnect: Schema.optionalWith(Schema.Boolean, { exact: true })
})
export type OAuthRequestContext = typeof OAuthRequestContext.Type

/** An OAuth session: its owner, its request, and the secret that proves that its client also started it. */
export interface OAuthSession {
  readonly owner: SecretOwner
  readonly requestContext: OAuthRequestContext
  /** What the authorization is completed with, such as the `code_verifier` of PKCE (RFC 7636). */
  readonly verifier: Redacted.Redacted
}

/** A session that starts; `state` passes the provider. */
export interface StartingOAuthSession extends Omit<OAuthSession, "verifier"> {
  readonly state: string
}

/** A session that has just started, with the secret that stays in a cookie, and what was made for its provider. */
interface StartedOAuthSession<Authorization> extends StartingOAuthSession {
  readonly browser: Redacted.Redacted
  readonly authorization: Authorization
}

/** OAuth sessions, from a page's ticket to the callback. Each completes once, in the browser that started it last. */
export class OAuthSessions extends Context.Tag("security/OAuthSessions")<
  OAuthSessions,
  {
    /** Makes a session, to be stored by the transition that opens it. */
    readonly create: (
      owner: SecretOwner,
      requestContext: OAuthRequestContext,
      lifetime: Duration.Duration
    ) => Effect.Effect<NewOAuthSession>
    /** The ticket of the open session of a connection. */
    readonly findTicket: (owner: SecretOwner) => Effect.Effect<Option.Option<Redacted.Redacted>, StoreUnavailable>
    /** Starts a session, also again, with what `request` makes; none without an open session of this ticket. */
    readonly start: <Authorization extends Pick<OAuthSession, "verifier">, E>(
      ticket: Redacted.Redacted,
      request: (session: StartingOAuthSession) => Effect.Effect<Option.Option<Authorization>, E>
    ) => Effect.Effect<Option.Option<StartedOAuthSession<Authorization>>, StoreUnavailable | E>
    /** Whose open session has this state. */
    readonly findOwner: (state: string) => Effect.Effect<Option.Option<SecretOwner>, StoreUnavailable>
    /** Completes a session; none if none has this state, another browser started it, or it has ended. */
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
      const { open, seal } = makeSealer(yield* MasterKeys, Content, identifyOwner.oauthSession)

      /** A session that nobody can open counts as none: the customer starts again. */
      const openContent = (stored: Option.Option<StoredSecret>) =>
        Effect.transposeMapOption(stored, ({ owner, sealed }) =>
          Effect.catchTag(Effect.asSome(open(owner, sealed)), "UnsealError", () => Effect.succeedNone)
        ).pipe(Effect.map(Option.flatten))

      return {
        create: Effect.fnUntraced(function* (owner, requestContext, lifetime) {
          const ticket = randomBase62(secretLength)
          return {
            ticketHash: sha256(ticket),
            sealed: yield* seal(owner, { ticket: Redacted.make(ticket), requestContext }),
            lifetimeSeconds: Duration.toSeconds(lifetime)
          }
        }),
        findTicket: (owner) =>
          Effect.map(
            Effect.flatMap(store.find(owner), openContent),
            Option.map(({ ticket }) => ticket)
          ),
        start: Effect.fnUntraced(function* (ticket, request) {
          const found = yield* isOAuthSecret(Redacted.value(ticket))
            ? store.findByTicket(sha256(Redacted.value(ticket)))
            : Effect.succeedNone
          const content = yield* openContent(found)
          if (Option.isNone(found) || Option.isNone(content)) return Option.none()
          const { owner } = found.value
          const { requestContext } = content.value
          const [state, browser] = [randomBase62(secretLength), randomBase62(secretLength)]
          const session = { owner, requestContext, state }
          const authorization = yield* request(session)
          if (Option.isNone(authorization)) return Option.none()
          const { verifier } = authorization.value
          const isStarted = yield* store.setCallback(
            sha256(Redacted.value(ticket)),
            { stateHash: sha256(state), browserHash: sha256(browser) },
            yield* seal(owner, { ticket, requestContext, verifier })
          )
          return isStarted
            ? Option.some({ ...session, authorization: authorization.value, browser: Redacted.make(browser) })
            : Option.none()
        }),
        findOwner: (state) =>
          Effect.map(
            store.findByState(sha256(state)),
            Option.map(({ owner }) => owner)
          ),
        complete: Effect.fnUntraced(function* (state, browser) {
          const secret = Redacted.value(browser)
          if (!isOAuthSecret(state) || !isOAuthSecret(secret)) return Option.none()
          const callback = { stateHash: sha256(state), browserHash: sha256(secret) }
          // It stays for another process if only that can open it.
          const content = yield* openContent(yield* store.findByCallback(callback))
          return Option.flatMap(
            Option.all([yield* store.consume(callback), content]),
            ([{ owner }, { requestContext, verifier }]) =>
              Option.map(Option.fromNullable(verifier), (verifier) => ({ owner, requestContext, verifier }))
          )
        })
      }
    })
  )
}

/** 256 bits. */
const secretLength = 43

/** Whether a text has the form of a ticket or state. */
export const isOAuthSecret = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text)

/** The sealed part of a row; its keys are stored. */
const Content = Schema.Struct({
  ticket: Schema.Redacted(Schema.String),
  requestContext: Schema.propertySignature(OAuthRequestContext).pipe(Schema.fromKey("errand")),
  verifier: Schema.optionalWith(Schema.Redacted(Schema.String), { exact: true })
})

import { Context, Deferred, Effect, FiberId, Layer, type Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { MonotonicClock } from "../runtime/MonotonicClock.ts"
import { Unauthenticated } from "../security/ApiKeys.ts"
import { LruMap } from "./BoundedMap.ts"
import { ConcurrencyLimiter, type PermitHolder } from "./ConcurrencyLimiter.ts"
import { makePacer, type Pacer } from "./Pacer.ts"
import { PendingCredentialChecks, type CredentialCheckDecision } from "./PendingCredentialChecks.ts"
import { RateLimited } from "./limitErrors.ts"
import { RateLimiter } from "./RateLimiter.ts"
import { clientNetworkOf, isSameSource, type KnownSource, type RequestSource, unknownSource } from "./RequestSource.ts"

/**
 * Limits by client address how many credentials are checked in vain. At the limit, recently valid ones (others behind
 * the same NAT or untrusted proxy) are checked as before, the rest at five a second, with 429 once twenty wait.
 * An unknown one reserves its place before the check, and waits if none is left. A malformed one costs no look-up.
 */
export class CredentialGate extends Context.Tag("http/CredentialGate")<
  CredentialGate,
  {
    /**
     * Verifies a credential with the permit of its source, unless the limit forbids it, and counts a refusal: a 401, or
     * a 403 of a foreign origin. A malformed credential is refused at once.
     */
    readonly check: <A, E extends CredentialError>(
      sender: CredentialSender & PermitHolder,
      check: CredentialCheck<A, E>
    ) => Effect.Effect<A, E | Unauthenticated | RateLimited>
    /** Refuses a request whose credential would not be checked, before anything is known of it. */
    readonly requireAttempt: (sender: CredentialSender) => Effect.Effect<void, RateLimited>
    /** The source of a credential that was valid lately, from the origin of this request. */
    readonly findKnown: (sender: CredentialSender, credential: Redacted.Redacted) => KnownSource | undefined
    /** Lets a credential of this source that was just issued pass, for requests from this origin. */
    readonly trust: (credential: Redacted.Redacted, origin: string, source: KnownSource) => void
  }
>() {
  static readonly layer = Layer.effect(
    CredentialGate,
    Effect.map(Effect.all([RateLimiter, ConcurrencyLimiter, MonotonicClock]), ([rateLimiter, limiter, clock]) => {
      const seed = BigInt(`0x${randomBytes(8).toString("hex")}`)
      const knownSources = new LruMap<number | bigint, KnownSource>(maxKnownCredentials)
      const fingerprintOf = (credential: Redacted.Redacted, origin: string) =>
        Bun.hash.wyhash(`${Redacted.value(credential)} ${origin}`, seed)
      const fingerprintFrom = ({ origin }: CredentialSender, credential: Redacted.Redacted) =>
        fingerprintOf(credential, origin ?? noOrigin)

      const pending = new PendingCredentialChecks((bucket) => rateLimiter.read("refused", bucket).remaining)
      const pacers = new LruMap<string, Pacer>(maxPacers)
      const pacerOf = (bucket: string) => pacers.getOrMake(bucket, () => makePacer({ perSecond: 5, burst: 1 }))
      const hasTurn = (bucket: string) => pacerOf(bucket).delayOf(clock.nowMillis()) < queueSeconds * 1_000

      const refuse = (bucket: string) =>
        RateLimited.of(
          `more than ${rateLimiter.read("refused", bucket).limit} refused credentials from this address in this minute, and further ones wait to be checked; try again in ${queueSeconds} seconds`,
          queueSeconds
        )

      const waitForTurn = (bucket: string) =>
        Effect.suspend(() => {
          if (!hasTurn(bucket)) return refuse(bucket)
          const millis = pacerOf(bucket).reserve(clock.nowMillis())
          return millis === 0 ? Effect.void : Effect.sleep(millis)
        })

      const refuseMalformed = (sender: CredentialSender) => {
        const { isExceeded, limit, resetSeconds } = rateLimiter.consume("malformed", bucketOf(sender))
        return isExceeded
          ? RateLimited.of(
              `more than ${limit} malformed credentials from this address in this minute; try again in ${resetSeconds} seconds`,
              resetSeconds
            )
          : Unauthenticated.error
      }

      return {
        check: <A, E extends CredentialError>(
          sender: CredentialSender & PermitHolder,
          { credential, isWellFormed, sourceOf = () => undefined, verification }: CredentialCheck<A, E>
        ) =>
          Effect.suspend((): Effect.Effect<A, E | Unauthenticated | RateLimited> => {
            if (!isWellFormed) return refuseMalformed(sender)
            const fingerprint = fingerprintFrom(sender, credential)
            const isKnown = () => knownSources.get(fingerprint) !== undefined
            let bucket: string | undefined
            const verify = Effect.matchEffect(verification, {
              onSuccess: (verified) => {
                const source = sourceOf(verified)
                if (source !== undefined) knownSources.set(fingerprint, source)
                return Effect.succeed(verified)
              },
              onFailure: (error) => {
                if (error._tag !== "StoreUnavailable") {
                  knownSources.delete(fingerprint)
                  rateLimiter.consume("refused", bucket ?? bucketOf(sender))
                }
                return Effect.fail(error)
              }
            })
            let heldBy: RequestSource | undefined
            const verifyWithPermit = () => {
              heldBy = knownSources.get(fingerprint) ?? unknownSource(bucket ?? bucketOf(sender))
              return Effect.zipRight(limiter.acquire(sender, heldBy), verify)
            }
            const verifyWithinLimit = () => {
              const ofClient = (bucket = bucketOf(sender))
              return withReservation(pending, ofClient, isKnown, (decision): Effect.Effect<A, E | RateLimited> => {
                if (decision === "known") return verifyWithPermit()
                // A client that goes away could otherwise try any number of credentials, of which none would count.
                const verifyToTheEnd = Effect.uninterruptible(Effect.suspend(verifyWithPermit))
                return decision === "above" ? Effect.zipRight(waitForTurn(ofClient), verifyToTheEnd) : verifyToTheEnd
              })
            }
            return Effect.tap(
              isKnown() || rateLimiter.shareOf("refused") === 0 ? verifyWithPermit() : verifyWithinLimit(),
              (verified) => {
                const source = sourceOf(verified)
                return source === undefined || (heldBy !== undefined && isSameSource(source, heldBy))
                  ? undefined
                  : limiter.acquire(sender, source)
              }
            )
          }),
        requireAttempt: (sender) =>
          Effect.suspend(() => {
            const address = bucketOf(sender)
            const { limit, remaining } = rateLimiter.read("refused", address)
            return limit > 0 && remaining === 0 && !hasTurn(address) ? refuse(address) : Effect.void
          }),
        findKnown: (sender, credential) => knownSources.get(fingerprintFrom(sender, credential)),
        trust: (credential, origin, source) =>
          [origin, noOrigin].forEach((from) => knownSources.set(fingerprintOf(credential, from), source))
      }
    })
  )
}

export interface CredentialSender {
  /** The address of the client, behind trusted proxies; none once it has gone away. */
  readonly remoteAddress: Option.Option<string>
  readonly origin: string | undefined
}

interface CredentialCheck<A, E> {
  readonly credential: Redacted.Redacted
  readonly isWellFormed: boolean
  readonly verification: Effect.Effect<A, E>
  readonly sourceOf?: (verified: A) => KnownSource | undefined
}

/** Why a credential is not accepted: unknown, of a foreign origin, or nobody can tell. */
interface CredentialError {
  readonly _tag: "Unauthenticated" | "Forbidden" | "StoreUnavailable"
}

/** Runs a check as it was decided, and gives its reservation back. */
const withReservation = <A, E>(
  pending: PendingCredentialChecks,
  bucket: string,
  isKnown: () => boolean,
  run: (decision: CredentialCheckDecision) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const decided = Deferred.unsafeMake<CredentialCheckDecision>(FiberId.none)
    const leave = pending.enter(bucket, isKnown, (decision) => Deferred.unsafeDone(decided, Effect.succeed(decision)))
    return Effect.ensuring(Effect.flatMap(Deferred.await(decided), run), Effect.sync(leave))
  })

const bucketOf = ({ remoteAddress }: CredentialSender) => clientNetworkOf(remoteAddress)

/** Browsers omit `Origin` when a page reads from its own server. */
const noOrigin = ""

/** An entry takes about 200 bytes. */
const maxKnownCredentials = 20_000

/** How long the queue of an address above its limit is: twenty checks, at five a second, which cost little. */
const queueSeconds = 4

/** An entry takes about 200 bytes. */
const maxPacers = 100_000

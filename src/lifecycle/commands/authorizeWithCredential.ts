import { Array, DateTime, Duration, Effect, Either, Option, ParseResult, Record, Redacted, Schema } from "effect"
import type { Connection, ConnectionId } from "../../domain/connection/Connection.ts"
import { type ConnectionRecord, Consent } from "../../domain/connection/ConnectionRecord.ts"
import { Credential } from "../../domain/provider/Credential.ts"
import type { RequestFingerprint } from "../../domain/access/IdempotentRequest.ts"
import { describeMeant, type ErrorDetail, suggestName, toJsonPointer } from "../../domain/error/ErrorDetail.ts"
import { type SecretOwner, secretOwnerOf } from "../../domain/access/SealedSecret.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import { CredentialChange } from "../../domain/connection/Transition.ts"
import type { DetailCode } from "../../domain/error/detailMeanings.ts"
import { Credentials } from "../../security/Credentials.ts"
import { RequestFingerprints } from "../../security/RequestFingerprints.ts"
import { CommandRunner, type Decision } from "../commit/CommandRunner.ts"
import { Transitions } from "../commit/Transitions.ts"
import { findApprovalRefusal } from "../state/ApprovalRefusal.ts"
import { type AuthorizedEvent, LifecycleEvent } from "../state/LifecycleEvent.ts"
import { canChooseAgain } from "../state/failures.ts"
import { isFailedRemoval } from "../state/listAllowedActions.ts"
import { requireMethodOffered, returnAndChoose } from "./authorizationMethods.ts"
import { AuthorizationRefused } from "./commandErrors.ts"
import { type CommandEffect, type CommandOptions, runCommand } from "./defineCommand.ts"

/** A credential as the client sent it, and the consent that came with it. */
export interface CredentialAuthorization {
  readonly credential: CredentialFields
  readonly consent: Option.Option<Consent>
}

type SentFields = Readonly<Record<string, string>>

type CredentialFields = Redacted.Redacted<SentFields>

/** The customer gives the service access to the zone with a credential of their provider. */
export const authorizeWithCredential = Effect.gen(function* () {
  const credentials = yield* Credentials
  const { compute } = yield* RequestFingerprints
  const runner = yield* CommandRunner
  const { timeouts } = yield* Transitions
  const lifetimeSeconds = Duration.toSeconds(timeouts.credential)

  const isStored = (owner: SecretOwner, credential: Credential) =>
    Effect.map(credentials.load(owner), (stored) =>
      Option.exists(stored, (known) => isSameCredential(known, credential))
    )

  return (
    tenancy: Tenancy,
    id: ConnectionId,
    { consent, credential: fields }: CredentialAuthorization,
    options: CommandOptions
  ): CommandEffect<AuthorizationRefused> =>
    runCommand(runner, tenancy, id, options, (current) =>
      Effect.gen(function* () {
        yield* requireMethodOffered(current.connection, "direct_credential")
        const credential = yield* parseCredential(current.connection, fields)
        // A credential is the same whether its kind was named or not.
        const body = { credential: Record.remove(Redacted.value(fields), "kind"), consent: Option.getOrNull(consent) }
        const { fingerprints } = yield* compute(tenancy, { route: "authorization", key: id, body })
        const repetition = isRepetition(current, { consent, fingerprints }, yield* DateTime.now)
        if (repetition === "yes") return { events: [] }
        if (repetition === "with_same_credential" && (yield* isStored(secretOwnerOf(current.connection), credential)))
          return { events: [] }
        const sealed = yield* credentials.seal(secretOwnerOf(current.connection), credential)
        return {
          events: decideAuthorization(current, { consent, fingerprint: fingerprints[0] }),
          sideEffects: { credential: CredentialChange.Replace({ sealed, lifetimeSeconds }) }
        }
      })
    )
})

interface AuthorizationInput extends Pick<CredentialAuthorization, "consent"> {
  readonly fingerprints: Array.NonEmptyReadonlyArray<RequestFingerprint>
}

/** Whether this authorization may have led to this state, by the credential, later by plan and fingerprint. */
const isRepetition = (
  current: ConnectionRecord,
  { consent, fingerprints }: AuthorizationInput,
  now: DateTime.Utc
): "no" | "with_same_credential" | "yes" => {
  const { connection, progress } = current
  const { plan, state } = connection
  const isApproved = Option.exists(consent, ({ digest }) => digest === progress.approved)
  const isSameRequest = fingerprints.some((fingerprint) => fingerprint === progress.authorization)
  switch (state) {
    case "authorized":
      return isSameConsent(Option.fromNullable(progress.consent), consent) ? "with_same_credential" : "no"
    case "planned":
      // A consent that covers the plan would have applied it: it is new, and the approval is a command of its own.
      return plan !== undefined &&
        Option.exists(consent, (given) => Option.isNone(findApprovalRefusal(plan, given, now)))
        ? "no"
        : "with_same_credential"
    case "applying":
      if (isSameRequest) return "yes"
      return Option.isNone(consent) || isApproved ? "with_same_credential" : "no"
    case "verifying":
    case "active":
    case "degraded":
      return progress.hasProvenAccess && (isApproved || isSameRequest) ? "yes" : "no"
    case "disconnecting":
    case "disconnected":
      return isSameRequest ? "yes" : "no"
    case "failed":
      return isSameRequest && !canChooseAgain(current) && !isFailedRemoval(connection) ? "yes" : "no"
    default:
      return "no"
  }
}

const isSameConsent = Option.getEquivalence(Schema.equivalence(Consent))

const isSameCredential = Schema.equivalence(Credential)

/** Allowed wherever the customer can choose a method, also instead of one that was chosen before. */
export const decideAuthorization = (
  current: ConnectionRecord,
  authorization: Pick<AuthorizedEvent, "consent" | "fingerprint">
): Decision["events"] => returnAndChoose(current, LifecycleEvent.Authorized(authorization))

/** Reads a credential as the kind that the provider of the connection takes. No error repeats a value of it. */
const parseCredential = (
  { provider }: Connection,
  redacted: CredentialFields
): Either.Either<Credential, AuthorizationRefused> => {
  const kind = provider?.authorizationInputs.directCredential ?? "none"
  return Either.mapLeft(
    decodeAs(kind, Redacted.value(redacted)),
    (details) =>
      new AuthorizationRefused({
        code: "credential_kind_mismatch",
        message: `the provider of this domain takes a credential of the kind ${kind}`,
        details
      })
  )
}

/** Decodes the fields of a credential, which may name this kind, and no other. */
const decodeAs = (kind: string, { _tag: sentTag, kind: sentKind = kind, ...fields }: SentFields) => {
  if (sentTag !== undefined) return Either.left([unknownField(["_tag"])])
  return sentKind === kind
    ? Either.mapLeft(decodeCredential({ ...fields, _tag: kind }), detailsOf)
    : Either.left([detail(["kind"], "invalid", "is not the kind that the provider takes")])
}

const decodeCredential = Schema.decodeUnknownEither(Credential, { errors: "all", onExcessProperty: "error" })

const detailsOf = (error: ParseResult.ParseError) => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const missing = issues.flatMap(({ _tag, path }) => (_tag === "Missing" ? [path.join(".")] : []))
  return Array.dedupeWith(
    issues.map(({ _tag, path }) => {
      if (_tag === "Unexpected") return unknownField(path, suggestName(path.join("."), missing))
      return _tag === "Missing" ? detail(path, "missing", "is missing") : detail(path, "invalid", "must not be empty")
    }),
    (first, second) => first.pointer === second.pointer
  )
}

const unknownField = (path: ReadonlyArray<PropertyKey>, suggestion?: string): ErrorDetail => ({
  ...detail(path, "unknown_field", `is not a field of this kind of credential${describeMeant(suggestion)}`),
  ...(suggestion === undefined ? {} : { suggestion })
})

const detail = (path: ReadonlyArray<PropertyKey>, code: DetailCode, message: string): ErrorDetail => ({
  pointer: toJsonPointer(["credential", ...path]),
  code,
  message
})

import { Option } from "effect"
import { type ConnectionState, finalStates } from "../../../domain/connection/Connection.ts"
import { computeIntentKey, holdsIntent } from "../../../domain/connection/ConnectionKeys.ts"
import { desiredNamesOf } from "../../../domain/connection/ConnectionRecord.ts"
import type { IdempotentRequest } from "../../../domain/access/IdempotentRequest.ts"
import type { Tenancy } from "../../../domain/access/Tenancy.ts"
import {
  CredentialChange,
  type NewOAuthSession,
  SessionChange,
  type Transition
} from "../../../domain/connection/Transition.ts"
import { encodeKeptAnswers } from "../phases/keptAnswersColumns.ts"
import { nameParameters } from "../../batchStatement.ts"
import { encodeAudit } from "../audit/auditTrail.ts"
import { toPlatformKeys } from "../access/platformKeys.ts"
import { toReversedName } from "./reversedNames.ts"
import { encodeProgress } from "./StoredConnection.ts"

/** A transition to be written to its connection, if that is still at the version from which the transition was made. */
interface TransitionWrite {
  readonly tenancy: Tenancy
  readonly version: number
  readonly transition: Transition
  /** The document of the connection after the transition. */
  readonly doc: string
  /** The cause of the next phase (see `encodeDueTrace`). */
  readonly trace: string | null
  /** The run of a phase that writes it, whose claim must be the current one; a command has none. */
  readonly run?: { readonly attempt: number; readonly claim: number }
  /** Stored with the transition, which is not written if the key is in use. */
  readonly idempotency?: Option.Option<IdempotentRequest>
}

/** The parameters of the statement that writes transitions, an element each for every transition. */
export const transitionParameters = nameParameters(
  {
    id: "text",
    application_id: "text",
    tenant_id: "text",
    version: "int",
    attempt: "int",
    claim: "int",
    state: "text",
    provider_id: "text",
    failure: "text",
    has_ended: "bool",
    holds_intent: "bool",
    new_intent_key: "bytea",
    counting_intent_key: "bytea",
    allows_duplicate: "bool",
    external_key: "bytea",
    metadata_keys: "text",
    doc: "text",
    progress: "text",
    phase: "text",
    in_seconds: "float8",
    trace: "text",
    stays_claimed: "bool",
    keeps_phase: "bool",
    has_hosts: "bool",
    hosts: "jsonb",
    events: "jsonb",
    audit: "jsonb",
    contests: "jsonb",
    holder_id: "text",
    held_names: "jsonb",
    deletes_credential: "bool",
    credential_key: "int",
    credential_nonce: "bytea",
    credential_text: "bytea",
    credential_seconds: "float8",
    deletes_session: "bool",
    session_ticket: "bytea",
    session_key: "int",
    session_nonce: "bytea",
    session_text: "bytea",
    session_seconds: "float8",
    observations: "text",
    watch: "text",
    look_key: "int",
    watch_zone: "text",
    watch_servers: "text",
    watch_silent: "text",
    watch_until: "float8",
    watch_answers: "text",
    route: "text",
    key: "text",
    fingerprint: "text"
  },
  ({ doc, idempotency = Option.none(), run, tenancy, trace, transition, version }: TransitionWrite) => {
    const { after, audit, contests = [], countingIntent, duplicates, events, newIntent, ...rest } = transition
    const { next, observations, requiredHolder } = rest
    const { id, state } = after.connection
    const phase = Option.getOrUndefined(next)
    const request = Option.getOrUndefined(idempotency)
    return {
      id,
      application_id: tenancy.applicationId,
      tenant_id: tenancy.tenantId,
      version,
      attempt: run?.attempt,
      claim: run?.claim,
      state,
      provider_id: after.connection.provider?.id,
      failure: after.connection.failure?.code,
      has_ended: finalStates.includes(state),
      holds_intent: holdsIntent(after.connection),
      new_intent_key: newIntent && computeIntentKey(tenancy, newIntent),
      counting_intent_key: countingIntent && computeIntentKey(tenancy, countingIntent),
      allows_duplicate: duplicates && duplicates === "allowed",
      ...toPlatformKeys(tenancy, after.connection),
      doc,
      progress: encodeProgress(after.progress),
      phase: phase?.phase,
      in_seconds: phase?.inSeconds,
      // The checks of an active connection are due by time only.
      trace: state === "active" ? null : trace,
      stays_claimed: phase?.isTaken === true,
      keeps_phase: transition.keepsPhase === true,
      has_hosts: hasHosts(state),
      hosts: JSON.stringify(desiredNamesOf(after.connection).map(toReversedName)),
      events: JSON.stringify(events),
      audit: encodeAudit(audit),
      contests: JSON.stringify(contests),
      holder_id: requiredHolder?.tenantId,
      held_names: requiredHolder && JSON.stringify(requiredHolder.names.map(toReversedName)),
      ...toCredentialRow(transition.credential),
      ...toSessionRow(transition.session),
      observations: Option.getOrNull(observations),
      ...toWatchRow(transition.watch),
      route: request?.route,
      key: request?.key,
      fingerprint: request?.fingerprints[0]
    }
  }
)

/** Whether a connection in this state may have or want records. Other names are deleted, for others to hold. */
const hasHosts = (state: ConnectionState): boolean => state !== "requested" && !finalStates.includes(state)

const toCredentialRow = (change: CredentialChange) => {
  const { lifetimeSeconds, sealed } = CredentialChange.$is("Replace")(change) ? change : nothing
  return {
    deletes_credential: CredentialChange.$is("Delete")(change),
    credential_key: sealed?.keyVersion,
    credential_nonce: sealed?.nonce,
    credential_text: sealed?.ciphertext,
    credential_seconds: lifetimeSeconds
  }
}

const toSessionRow = (change: SessionChange) => {
  const { lifetimeSeconds, sealed, ticketHash } = SessionChange.$is("Replace")(change) ? change.session : nothing
  return {
    deletes_session: SessionChange.$is("Delete")(change),
    session_ticket: ticketHash,
    session_key: sealed?.keyVersion,
    session_nonce: sealed?.nonce,
    session_text: sealed?.ciphertext,
    session_seconds: lifetimeSeconds
  }
}

/** `watch` says whether the row is replaced or deleted; else it stays. */
const toWatchRow = (watch: Transition["watch"]) => {
  const replaced = watch && Option.getOrUndefined(watch)
  const columns = replaced && encodeKeptAnswers(replaced)
  return {
    watch: watch && (replaced === undefined ? "delete" : "replace"),
    look_key: replaced?.lookKey,
    watch_zone: replaced?.zone,
    watch_servers: columns?.servers,
    watch_silent: columns?.silentServers,
    watch_until: replaced?.serversUntil,
    watch_answers: columns?.answers
  }
}

const nothing: Partial<NewOAuthSession> = {}

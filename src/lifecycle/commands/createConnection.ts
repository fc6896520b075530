import { DateTime, Effect, Either, Option } from "effect"
import { Connection, ConnectionId } from "../../domain/connection/Connection.ts"
import type { IdempotentRequest } from "../../domain/access/IdempotentRequest.ts"
import { Identifiers } from "../../domain/values/Identifiers.ts"
import type { PlatformFields } from "../../domain/connection/PlatformFields.ts"
import { describeProblems, limitErrorDetails } from "../../domain/error/ErrorDetail.ts"
import type { IntentRequest, ResolvedIntent } from "../../domain/connection/Intent.ts"
import type { ApiKeyId, Tenancy } from "../../domain/access/Tenancy.ts"
import type { Transition } from "../../domain/connection/Transition.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import { ConnectionStore } from "../../persistence/stores/connections/ConnectionStore.ts"
import type { CreationRules } from "../../persistence/stores/connections/insertConnections.ts"
import { Unauthenticated } from "../../security/ApiKeys.ts"
import { ConnectionSignals } from "../commit/ConnectionSignals.ts"
import { Transitions } from "../commit/Transitions.ts"
import { resolveAllowedIntent } from "../plan/AllowedDomains.ts"
import { Quotas, makeQuotaExceeded } from "../../limits/Quotas.ts"
import type { QuotaExceeded } from "../../limits/limitErrors.ts"
import { Unprocessable } from "./commandErrors.ts"
import { toCommandResult } from "./defineCommand.ts"

export interface CreationOptions extends PlatformFields {
  /** Whether it may have the same intent as another connection of the tenant. */
  readonly allowDuplicate?: boolean
  /** The API key of the request, or the one that requested its token: it must be valid at the moment of the write. */
  readonly apiKeyId?: ApiKeyId
}

/** Writes a new connection in `requested`, with its discovery due at once. */
export const createConnection = Effect.gen(function* () {
  const identifiers = yield* Identifiers
  const quotas = yield* Quotas
  const signals = yield* ConnectionSignals
  const store = yield* ConnectionStore
  const transitions = yield* Transitions
  const resolveRequest = yield* resolveAllowedIntent

  const start = Effect.fnUntraced(function* (tenancy: Tenancy, resolved: ResolvedIntent, fields: PlatformFields) {
    const id = ConnectionId.make(yield* identifiers.next("con"))
    return yield* transitions.start(newConnection(tenancy, id, resolved, fields, yield* DateTime.now))
  })

  /** Writes the connection within the quotas of its tenant; one byte is reserved, the others are added when they are known. */
  const write = (
    tenancy: Tenancy,
    transition: Transition,
    idempotency: Option.Option<IdempotentRequest>,
    rules: CreationRules
  ) => {
    const keyBytes = (bytes: number) => (Option.isSome(idempotency) ? { idempotencyBytes: bytes } : {})
    return store.create(tenancy, transition, idempotency, { domainLimit: quotas.domainLimit, ...rules }).pipe(
      Effect.tap((commit) => {
        if (commit._tag !== "Done") return
        const bytes = Buffer.byteLength(commit.stored.doc) - 1
        quotas.add(tenancy, { storageBytes: bytes, ...keyBytes(bytes) })
      }),
      Effect.catchTag("DomainLimitReached", ({ limit }) => makeQuotaExceeded("connectionsPerDomain", limit)),
      Effect.catchTag("ApiKeyInvalid", () => Unauthenticated.error),
      (create) =>
        quotas.reserve(tenancy, { connections: 1, openDiscoveries: 1, storageBytes: 1, ...keyBytes(1) }, create),
      Effect.uninterruptible
    )
  }

  /** Refuses the request, unless the idempotency key was used before: that answer comes first, whatever the body. */
  const refuse = Effect.fnUntraced(function* (
    tenancy: Tenancy,
    idempotency: Option.Option<IdempotentRequest>,
    refusal: Unprocessable | QuotaExceeded
  ) {
    const earlier = yield* Effect.transposeMapOption(idempotency, (request) => store.findReplay(tenancy, request))
    return yield* Option.match(Option.flatten(earlier), { onNone: () => refusal, onSome: toCommandResult })
  })

  return Effect.fnUntraced(function* (
    tenancy: Tenancy,
    request: IntentRequest,
    idempotency: Option.Option<IdempotentRequest>,
    { allowDuplicate = false, apiKeyId, ...fields }: CreationOptions = {}
  ) {
    const resolved = resolveRequest(request)
    if (Either.isLeft(resolved)) {
      const details = limitErrorDetails(resolved.left)
      return yield* refuse(
        tenancy,
        idempotency,
        new Unprocessable({
          code: "unprocessable",
          message: describeProblems("intent", details, resolved.left.length),
          details
        })
      )
    }
    const transition = yield* start(tenancy, resolved.right, fields)
    const rules = { refusesDuplicate: !allowDuplicate, ...(apiKeyId === undefined ? {} : { apiKeyId }) }
    const commit = yield* Effect.either(write(tenancy, transition, idempotency, rules))
    if (Either.isLeft(commit))
      return yield* commit.left._tag === "QuotaExceeded"
        ? refuse(tenancy, idempotency, commit.left)
        : Effect.fail(commit.left)
    yield* signals.notifyDue
    return yield* toCommandResult(commit.right)
  })
})

/** Every part was validated when it was made. A row that does not match its schema is a defect when it is read. */
const newConnection = (
  tenancy: Tenancy,
  id: ConnectionId,
  { effectiveIntent, intent }: ResolvedIntent,
  { externalId, metadata }: PlatformFields,
  now: DateTime.Utc
): Connection =>
  Connection.make(
    {
      ...tenancy,
      id,
      intent,
      effectiveIntent,
      state: "requested",
      optionalFailures: [],
      createdAt: now,
      updatedAt: now,
      ...(externalId === undefined ? {} : { externalId }),
      ...(metadata === undefined ? {} : { metadata })
    },
    withoutValidation
  )

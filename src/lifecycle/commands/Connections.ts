import { Context, type Duration, Effect, Layer, type Option } from "effect"
import type { ConnectionId } from "../../domain/connection/Connection.ts"
import type { IdempotentRequest } from "../../domain/access/IdempotentRequest.ts"
import type { IntentRequest } from "../../domain/connection/Intent.ts"
import type { Tenancy } from "../../domain/access/Tenancy.ts"
import type { Provider } from "../../domain/provider/Provider.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { ConnectionExists, ConnectionNotFound } from "../../persistence/stores/connections/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/connections/StoredConnection.ts"
import type { Unauthenticated } from "../../security/ApiKeys.ts"
import { type ApprovalInput, approvePlan } from "./approvePlan.ts"
import { authorizeWithCredential, type CredentialAuthorization } from "./authorizeWithCredential.ts"
import { awaitPlan } from "../plan/awaitPlan.ts"
import { cancel } from "./cancel.ts"
import { chooseManual } from "./chooseManual.ts"
import type { QuotaExceeded } from "../../limits/limitErrors.ts"
import type {
  ApprovalRefused,
  AuthorizationRefused,
  CancelRefused,
  FailureNotRetryable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  LeftoverNotFound,
  PreconditionFailed,
  ProviderNotSelectable,
  StateConflict,
  Unprocessable
} from "./commandErrors.ts"
import { createConnection, type CreationOptions } from "./createConnection.ts"
import type { Command, CommandEffect, CommandError, CommandOptions, CommandResult } from "./defineCommand.ts"
import { disconnect } from "./disconnect.ts"
import { type ErasureOptions, eraseConnection } from "./eraseConnection.ts"
import { recheck } from "./recheck.ts"
import { retry } from "./retry.ts"
import { type ConnectionUpdate, updateConnection, type UpdateOptions } from "./updateConnection.ts"
import { selectProvider } from "./selectProvider.ts"
import { type OAuthAuthorization, type OAuthCommandResult, startOAuth } from "./startOAuth.ts"

/** The commands on connections. Each one writes rows and returns; the phases do the work. */
export class Connections extends Context.Tag("lifecycle/Connections")<
  Connections,
  {
    readonly create: (
      tenancy: Tenancy,
      request: IntentRequest,
      idempotency: Option.Option<IdempotentRequest>,
      options?: CreationOptions
    ) => Effect.Effect<
      CommandResult,
      | ConnectionExists
      | Unprocessable
      | IdempotencyKeyReused
      | IdempotencyInProgress
      | QuotaExceeded
      | StoreUnavailable
      | Unauthenticated
    >
    /** Returns the connection when no plan is being made for it, or as it is after `atMost`. */
    readonly awaitPlan: (
      tenancy: Tenancy,
      id: ConnectionId,
      atMost: Duration.Duration
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    readonly chooseManual: Command
    readonly selectProvider: (
      tenancy: Tenancy,
      id: ConnectionId,
      providerId: Provider["id"],
      options: CommandOptions
    ) => CommandEffect<ProviderNotSelectable>
    readonly authorizeWithCredential: (
      tenancy: Tenancy,
      id: ConnectionId,
      authorization: CredentialAuthorization,
      options: CommandOptions
    ) => CommandEffect<AuthorizationRefused>
    readonly startOAuth: (
      tenancy: Tenancy,
      id: ConnectionId,
      authorization: OAuthAuthorization,
      options: CommandOptions
    ) => Effect.Effect<OAuthCommandResult, CommandError | AuthorizationRefused>
    readonly approve: (
      tenancy: Tenancy,
      id: ConnectionId,
      approval: ApprovalInput,
      options: CommandOptions
    ) => CommandEffect<ApprovalRefused | LeftoverNotFound>
    readonly recheck: Command
    readonly retry: Command<FailureNotRetryable>
    /** Gives the connection another intent for the same domain, or attaches other fields of the platform. */
    readonly update: (
      tenancy: Tenancy,
      id: ConnectionId,
      change: ConnectionUpdate,
      options: UpdateOptions
    ) => CommandEffect<Unprocessable | ConnectionExists>
    /** Ends a connection before its records are in the zone, or gives up a new intent before it is written. */
    readonly cancel: Command<CancelRefused>
    readonly disconnect: Command
    /** Erases a connection that has ended, with everything about it. */
    readonly erase: (
      tenancy: Tenancy,
      id: ConnectionId,
      options: ErasureOptions
    ) => Effect.Effect<void, ConnectionNotFound | PreconditionFailed | StateConflict | StoreUnavailable>
  }
>() {
  /** Each command is built once, from the services that it needs. */
  static readonly layer = Layer.effect(
    Connections,
    Effect.all({
      create: createConnection,
      awaitPlan,
      chooseManual,
      selectProvider,
      authorizeWithCredential,
      startOAuth,
      approve: approvePlan,
      recheck,
      retry,
      update: updateConnection,
      cancel,
      disconnect,
      erase: eraseConnection
    })
  )
}

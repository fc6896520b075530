import { Context, type Duration, Effect, Layer, type Option } from "effect"
import type { ConnectionId } from "../../domain/Connection.ts"
import type { IdempotentRequest } from "../../domain/IdempotentRequest.ts"
import type { IntentRequest } from "../../domain/Intent.ts"
import type { Tenancy } from "../../domain/Tenancy.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import type { ConnectionExists, ConnectionNotFound } from "../../persistence/stores/ConnectionStore.ts"
import type { StoredConnection } from "../../persistence/stores/StoredConnection.ts"
import { type ApprovalInput, approvePlan } from "./approvePlan.ts"
import { authorizeWithCredential, type CredentialAuthorization } from "./authorizeWithCredential.ts"
import { awaitPlan } from "../plan/awaitPlan.ts"
import { cancel } from "./cancel.ts"
import { changeIntent, type IntentChangeOptions } from "./changeIntent.ts"
import { chooseManual } from "./chooseManual.ts"
import type { QuotaExceeded } from "../quotas/QuotaExceeded.ts"
import type {
  ApprovalRefused,
  AuthorizationRefused,
  CancelRefused,
  FailureNotRetryable,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  LeftoverNotFound,
  Unprocessable
} from "./commandErrors.ts"
import { createConnection, type CreationOptions } from "./createConnection.ts"
import type { Command, CommandEffect, CommandError, CommandOptions, CommandResult } from "./defineCommand.ts"
import { disconnect } from "./disconnect.ts"
import { recheck } from "./recheck.ts"
import { retry } from "./retry.ts"
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
      ConnectionExists | Unprocessable | IdempotencyKeyReused | IdempotencyInProgress | QuotaExceeded | StoreUnavailable
    >
    /** Returns the connection when no plan is being made for it, or as it is after `atMost`. */
    readonly awaitPlan: (
      tenancy: Tenancy,
      id: ConnectionId,
      atMost: Duration.Duration
    ) => Effect.Effect<StoredConnection, ConnectionNotFound | StoreUnavailable>
    readonly chooseManual: Command
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
    /** Gives the connection another intent for the same domain. */
    readonly changeIntent: (
      tenancy: Tenancy,
      id: ConnectionId,
      request: IntentRequest,
      options: IntentChangeOptions
    ) => CommandEffect<Unprocessable | ConnectionExists>
    readonly cancel: Command<CancelRefused>
    readonly disconnect: Command
  }
>() {
  /** Each command is built once, from the services that it needs. */
  static readonly layer = Layer.effect(
    Connections,
    Effect.all({
      create: createConnection,
      awaitPlan,
      chooseManual,
      authorizeWithCredential,
      startOAuth,
      approve: approvePlan,
      recheck,
      retry,
      changeIntent,
      cancel,
      disconnect
    })
  )
}

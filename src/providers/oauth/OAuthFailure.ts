import { Data } from "effect"
import type { FailureCode } from "../../domain/Connection.ts"

/** The authorization server gave no token. `detail` is for operators and holds no secret. */
export class OAuthFailure extends Data.TaggedError("OAuthFailure")<{
  readonly code: Extract<
    FailureCode,
    | "authorization_denied"
    /** What was to be exchanged for a token is not good, or no more. */
    | "authorization_revoked"
    | "authorization_insufficient_scope"
    | "provider_unavailable"
    | "provider_rate_limited"
  >
  readonly detail: string
}> {
  override get message(): string {
    return `${this.code}: ${this.detail}`
  }
}

/** An answer that came by the customer's browser is not the one that was asked for: its server or its form is another. */
export class AuthorizationResponseMismatch extends Data.TaggedError("AuthorizationResponseMismatch")<{
  readonly detail: string
}> {
  override get message(): string {
    return this.detail
  }
}

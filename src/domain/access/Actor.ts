import { Effect, FiberRef, GlobalValue, Schema } from "effect"
import type { TenantId } from "./Tenancy.ts"

/** The kind of an actor. */
export const ActorType = Schema.Literal(
  "api_key",
  "admin_key",
  "browser_token",
  "share_link",
  "provider",
  "service",
  "command_line"
).annotations({ identifier: "ActorType" })
export type ActorType = typeof ActorType.Type

/**
 * Who causes a change: the key or token by its id, the customer who returns from a provider by the id of the provider,
 * and the service by the name of its phase or task.
 */
export const Actor = Schema.Struct({
  type: ActorType,
  id: Schema.String.annotations({
    description:
      "The id of the key or token; of `provider` that of the provider; of `service` its phase or task, such as `verify`."
  })
}).annotations({ identifier: "Actor" })
export type Actor = typeof Actor.Type

/** An actor, and the request by which it acts. */
export interface ActorContext {
  readonly actor: Actor
  /** The tenant of an API key, to which what it does for the application as a whole counts. */
  readonly tenantId?: TenantId
  readonly requestId?: string
  /** The address of the client, behind trusted proxies. */
  readonly address?: string
}

/**
 * Who acts in this fiber. The edges set it: HTTP for each request that may change something, the runs of phases, and the
 * command line. Whatever is written reads it for its audit entry.
 */
export const currentActor: FiberRef.FiberRef<ActorContext> = GlobalValue.globalValue("domain/currentActor", () =>
  FiberRef.unsafeMake<ActorContext>({ actor: { type: "service", id: "service" } })
)

export const actAs = (context: ActorContext) => Effect.locally(currentActor, context)

/** Runs an effect as another actor in place of the current one, in the same request. */
export const actOnBehalfAs = (actor: Actor) => Effect.locallyWith(currentActor, (context) => ({ ...context, actor }))

/** Names a browser token in the audit log: the first characters of the hex of its SHA-256, which lead back to no token. */
export const browserTokenIdOf = (hash: Uint8Array): string => `tok_${hash.toHex().slice(0, 16)}`

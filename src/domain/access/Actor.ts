import { Effect, FiberRef, GlobalValue, Schema, Encoding } from "effect"
import type { TenantId } from "./Tenancy.ts"

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

/** Who causes a change: a key or token by its id, a customer by the provider, the service by its phase or task. */
export const Actor = Schema.Struct({
  type: ActorType,
  id: Schema.String.annotations({
    description:
      "The id of the key or token; of `provider` that of the provider; of `service` its phase or task, such as `verify`."
  })
}).annotations({ identifier: "Actor" })
export type Actor = typeof Actor.Type

export interface ActorContext {
  readonly actor: Actor
  /** The tenant of an API key; changes of the application as a whole count for it. */
  readonly tenantId?: TenantId
  readonly requestId?: string
  /** The address of the client, behind trusted proxies. */
  readonly address?: string
}

/** Who acts in this fiber, for the audit entries; set by HTTP requests that change something, phases and the CLI. */
export const currentActor: FiberRef.FiberRef<ActorContext> = GlobalValue.globalValue("domain/currentActor", () =>
  FiberRef.unsafeMake<ActorContext>({ actor: { type: "service", id: "service" } })
)

export const actAs = (context: ActorContext) => Effect.locally(currentActor, context)

/** Runs an effect as another actor in place of the current one, in the same request. */
export const actOnBehalfAs = (actor: Actor) => Effect.locallyWith(currentActor, (context) => ({ ...context, actor }))

/** Names a browser token in the audit log: the first characters of the hex of its SHA-256, which lead back to no token. */
export const browserTokenIdOf = (hash: Uint8Array): string => `tok_${Encoding.encodeHex(hash).slice(0, 16)}`

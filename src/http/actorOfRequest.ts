import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import type { Actor, ActorContext } from "../domain/Actor.ts"
import { requestIdOf } from "./requestMetadata.ts"

/** An actor with the id of its request and the address of its client, as the audit log names them. */
export const actorOfRequest = (request: HttpServerRequest.HttpServerRequest, actor: Actor): ActorContext => ({
  actor,
  requestId: requestIdOf(request),
  ...Option.match(request.remoteAddress, { onNone: () => ({}), onSome: (address) => ({ address }) })
})

import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import type { Actor, ActorContext } from "../domain/Actor.ts"
import type { CredentialGate } from "./middleware/CredentialGate.ts"
import { requestIdOf } from "./requestMetadata.ts"

/** An actor with the id of its request and the address of its client, as the audit log names them. */
export const actorOfRequest = (
  { addressOf }: Pick<typeof CredentialGate.Service, "addressOf">,
  request: HttpServerRequest.HttpServerRequest,
  actor: Actor
): ActorContext => ({
  actor,
  requestId: requestIdOf(request),
  ...Option.match(addressOf(request), { onNone: () => ({}), onSome: (address) => ({ address }) })
})

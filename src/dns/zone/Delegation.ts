import { Data } from "effect"
import type { DomainName } from "../../domain/names/DomainName.ts"
import type { ServerFailure } from "../transport/Query.ts"
import type { NameServer } from "./NameServer.ts"

/** Where the zone of a domain begins and which name servers serve it. Names are sorted. */
export interface Delegation {
  readonly zone: DomainName
  /** At most eight of the name servers of parent and child, and six of those without glue. */
  readonly nameServers: ReadonlyArray<NameServer>
  readonly parentNameServers: ReadonlyArray<string>
  readonly childNameServers: ReadonlyArray<string>
  readonly hasParentChildMismatch: boolean
  /** Whether the parent has a DS record for the zone. */
  readonly isSigned: boolean
  /** Until when it may be kept, in milliseconds since 1970; absent where nobody said so. */
  readonly keptUntil?: number
  /** Why the servers of the parent did not say whether it has one. */
  readonly signerFailures?: ReadonlyArray<ServerFailure>
}

/** The domain is not registered: the registry's own servers say that it does not exist; `servers` are those. */
export class DomainNotRegistered extends Data.TaggedError("DomainNotRegistered")<{
  readonly domain: DomainName
  readonly servers?: ReadonlyArray<ServerFailure>
}> {}

/** The domain is registered, but no server with an address has it; `servers`: those without, or the registry's. */
export class DomainHasNoNameServers extends Data.TaggedError("DomainHasNoNameServers")<{
  readonly domain: DomainName
  readonly servers?: ReadonlyArray<ServerFailure>
}> {}

/** Every name server answers, and none has authority for the zone. */
export class ZoneNotFound extends Data.TaggedError("ZoneNotFound")<{
  readonly domain: DomainName
  readonly servers?: ReadonlyArray<ServerFailure>
}> {}

/** No resolver gives a usable answer, so that nothing is known. `message` names them: for the operator, not tenants. */
export class ResolversUnavailable extends Data.TaggedError("ResolversUnavailable")<{ readonly message: string }> {}

/** Too few servers answered, so nothing is known about the delegation. */
export class DelegationTimedOut extends Data.TaggedError("DelegationTimedOut")<{
  readonly domain: DomainName
  readonly servers?: ReadonlyArray<ServerFailure>
}> {}

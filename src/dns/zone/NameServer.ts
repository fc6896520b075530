import { Data, Either } from "effect"
import { isAtOrBelow } from "../../domain/names/DomainName.ts"
import { failWithNoAnswer, type NoAnswer } from "../transport/Query.ts"
import { findReferral, hasAuthority, type Message, type Question, type ResourceRecord } from "../wire/Message.ts"

/** A name server with at most two of its addresses, IPv4 before IPv6. */
export interface NameServer {
  readonly name: string
  readonly addresses: ReadonlyArray<string>
  /** Whether it did not answer while the delegation was resolved. */
  readonly wasUnreachable?: boolean
}

/** A server's answer about a name: records from its own data, or a referral to a child zone, with glue. */
export type ServerAnswer = Data.TaggedEnum<{
  Authoritative: { readonly message: Message }
  Referral: {
    readonly zone: string
    readonly nameServers: ReadonlyArray<ResourceRecord>
    readonly glue: ReadonlyArray<ResourceRecord>
  }
}>

export const ServerAnswer = Data.taggedEnum<ServerAnswer>()

/** A response that is neither authoritative for `zone` nor a referral downwards is lame. */
export const classifyResponse = (
  message: Message,
  question: Question,
  zone: string
): Either.Either<ServerAnswer, NoAnswer> => {
  const delegation = findReferral(message, question, zone)
  if (delegation !== undefined) {
    const nameServers = message.authorities.filter(({ name, type }) => type === "NS" && name === delegation.name)
    return Either.right(
      ServerAnswer.Referral({ zone: delegation.name, nameServers, glue: glueOf(message, nameServers, zone) })
    )
  }
  return hasAuthority(message, question, zone)
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : failWithNoAnswer("lame")
}

/** The addresses of the name servers that lie in the zone; for others the server is not authoritative. */
const glueOf = (message: Message, nameServers: ReadonlyArray<ResourceRecord>, zone: string) =>
  message.additionals.filter(
    ({ name, type }) =>
      (type === "A" || type === "AAAA") && isAtOrBelow(name, zone) && nameServers.some(({ value }) => value === name)
  )

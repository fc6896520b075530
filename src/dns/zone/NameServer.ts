import { Array, Data, Either } from "effect"
import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import { flatMapQuery, hedgeQueries, isUnreachable, makeFailedQuery, NoAnswer, type Query } from "../transport/Query.ts"
import type { Message, Question, ResourceRecord } from "../wire/Message.ts"

/** A name server with at most two of its addresses, IPv4 before IPv6. */
export interface NameServer {
  readonly name: string
  readonly addresses: ReadonlyArray<string>
  /** Whether it did not answer while the delegation was resolved. */
  readonly wasUnreachable?: boolean
}

/**
 * What a server answers about a name in a zone: records from its own data, or a referral to the name servers of a child
 * zone, with the addresses it has for them (glue).
 */
export type ServerAnswer = Data.TaggedEnum<{
  Authoritative: { readonly message: Message }
  Referral: {
    readonly zone: string
    readonly nameServers: ReadonlyArray<ResourceRecord>
    readonly glue: ReadonlyArray<ResourceRecord>
  }
}>

export const ServerAnswer = Data.taggedEnum<ServerAnswer>()

/** Classifies the response of a server of `zone`. One that is neither authoritative nor a referral downwards is lame. */
export const classifyResponse = (
  message: Message,
  question: Question,
  zone: string
): Either.Either<ServerAnswer, NoAnswer> => {
  const delegation = message.authorities.find(
    ({ name, type }) => type === "NS" && isAtOrBelow(name, zone) && name !== zone
  )
  if (message.answers.length === 0 && delegation !== undefined && isAtOrBelow(question.name, delegation.name)) {
    const nameServers = message.authorities.filter(({ name, type }) => type === "NS" && name === delegation.name)
    return Either.right(
      ServerAnswer.Referral({ zone: delegation.name, nameServers, glue: glueOf(message, nameServers, zone) })
    )
  }
  return message.aa
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : Either.left(new NoAnswer({ reason: "lame" }))
}

/** The addresses of the name servers that lie in the zone; for others the server is not authoritative. */
const glueOf = (message: Message, nameServers: ReadonlyArray<ResourceRecord>, zone: string) =>
  message.additionals.filter(
    ({ name, type }) =>
      (type === "A" || type === "AAAA") && isAtOrBelow(name, zone) && nameServers.some(({ value }) => value === name)
  )

/** Sends many queries to one name server. */
interface ServerSession {
  readonly query: (question: Question) => Query<ServerAnswer>
}

/**
 * Opens a session that sends queries first to the address that answered last. A server that has never answered gets no
 * more queries once all tries at all of its addresses have failed. Nothing is sent once `isOver` is true.
 */
export const openServerSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  zone: string,
  isOver: () => boolean
): ServerSession => {
  let reachability: Reachability = {
    addresses: server.addresses,
    hasAnswered: false,
    noAnswerReason: "address_not_reachable"
  }
  const queryAt = (address: string, question: Question) =>
    flatMapQuery(client.query(address, question), (message) => {
      const answer = classifyResponse(message, question, zone)
      if (Either.isRight(answer)) reachability = afterAnswer(reachability, address)
      return answer
    })
  const queryAnyAddress = (question: Question): Query<ServerAnswer> => {
    const attempts = reachability.addresses.map((address) => queryAt(address, question))
    if (!Array.isNonEmptyReadonlyArray(attempts)) return makeFailedQuery(reachability.noAnswerReason)
    return isOver() ? makeFailedQuery("timed_out") : hedgeQueries(attempts)
  }
  return {
    query: (question) => (onOutcome) =>
      queryAnyAddress(question)((outcome) => {
        if (Either.isLeft(outcome)) reachability = afterFailure(reachability, outcome.left)
        onOutcome(outcome)
      })
  }
}

/** `noAnswerReason`: why a server without addresses is not queried. */
interface Reachability {
  readonly addresses: ReadonlyArray<string>
  readonly hasAnswered: boolean
  readonly noAnswerReason: NoAnswer["reason"]
}

const afterAnswer = (reachability: Reachability, address: string): Reachability => ({
  ...reachability,
  hasAnswered: true,
  addresses: [address, ...reachability.addresses.filter((other) => other !== address)]
})

const afterFailure = (reachability: Reachability, failure: NoAnswer): Reachability =>
  reachability.hasAnswered || !isUnreachable(failure)
    ? reachability
    : { ...reachability, addresses: [], noAnswerReason: failure.reason }

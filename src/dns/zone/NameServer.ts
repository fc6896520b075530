import { Array, Data, Either } from "effect"
import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { DnsClient } from "../transport/DnsClient.ts"
import { failedQuery, flatMapQuery, hedgeQueries, isUnreachable, NoAnswer, type Query } from "../transport/Query.ts"
import type { Message, Question, ResourceRecord } from "../wire/Message.ts"

/** A name server with at most two of its addresses, IPv4 before IPv6. */
export interface NameServer {
  readonly name: string
  readonly addresses: ReadonlyArray<string>
  /** Whether it said nothing when it was asked on the way to the zone. */
  readonly wasUnreachable?: boolean
}

/**
 * What a server says of a name in a zone: it answers from its own data, or refers to the name servers of a zone further
 * down, with the addresses it has for them.
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

/** Reads an answer of a server of `zone`. One that neither has authority nor refers downwards is lame. */
export const classifyResponse = (
  message: Message,
  question: Question,
  zone: string
): Either.Either<ServerAnswer, NoAnswer> => {
  const cut = message.authorities.find(({ name, type }) => type === "NS" && isAtOrBelow(name, zone) && name !== zone)
  if (message.answers.length === 0 && cut !== undefined && isAtOrBelow(question.name, cut.name)) {
    const nameServers = message.authorities.filter(({ name, type }) => type === "NS" && name === cut.name)
    return Either.right(
      ServerAnswer.Referral({ zone: cut.name, nameServers, glue: glueOf(message, nameServers, zone) })
    )
  }
  return message.aa
    ? Either.right(ServerAnswer.Authoritative({ message }))
    : Either.left(new NoAnswer({ reason: "lame" }))
}

/** Addresses of those name servers that lie in the zone itself; of others the server knows nothing for certain. */
const glueOf = (message: Message, nameServers: ReadonlyArray<ResourceRecord>, zone: string) =>
  message.additionals.filter(
    ({ name, type }) =>
      (type === "A" || type === "AAAA") && isAtOrBelow(name, zone) && nameServers.some(({ value }) => value === name)
  )

/** Puts many questions to one name server. */
export interface ServerSession {
  readonly query: (question: Question) => Query<ServerAnswer>
}

/**
 * Asks first at the address that answered last. A server that never answered anything is asked no more once all tries
 * at all of its addresses have failed. Once it is over nothing is asked.
 */
export const openServerSession = (
  client: typeof DnsClient.Service,
  server: NameServer,
  zone: string,
  isOver: () => boolean
): ServerSession => {
  let hearing: Hearing = { addresses: server.addresses, heard: false, silence: notReachable }
  const askAt = (address: string, question: Question) =>
    flatMapQuery(client.query(address, question), (message) => {
      const answer = classifyResponse(message, question, zone)
      if (Either.isRight(answer)) hearing = heardAt(hearing, address)
      return answer
    })
  const attemptsAt = (question: Question): Query<ServerAnswer> => {
    const attempts = hearing.addresses.map((address) => askAt(address, question))
    if (!Array.isNonEmptyReadonlyArray(attempts)) return failedQuery(hearing.silence)
    return isOver() ? failedQuery("timed_out") : hedgeQueries(attempts)
  }
  return {
    query: (question) => (over) =>
      attemptsAt(question)((outcome) => {
        if (Either.isLeft(outcome)) hearing = failedBy(hearing, outcome.left)
        over(outcome)
      })
  }
}

/** `silence`: why a server without addresses to ask at is not asked. */
interface Hearing {
  readonly addresses: ReadonlyArray<string>
  readonly heard: boolean
  readonly silence: NoAnswer["reason"]
}

const notReachable = "address_not_reachable"

const heardAt = (hearing: Hearing, address: string): Hearing => ({
  ...hearing,
  heard: true,
  addresses: [address, ...hearing.addresses.filter((other) => other !== address)]
})

const failedBy = (hearing: Hearing, failure: NoAnswer): Hearing =>
  hearing.heard || !isUnreachable(failure) ? hearing : { ...hearing, addresses: [], silence: failure.reason }

import { Data, Either } from "effect"
import { isAtOrBelow } from "../../domain/DomainName.ts"
import { NoAnswer } from "../transport/NoAnswer.ts"
import type { Message, Question, ResourceRecord } from "../wire/decodeResponse.ts"

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

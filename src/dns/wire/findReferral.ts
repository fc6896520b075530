import { isAtOrBelow } from "../../domain/DomainName.ts"
import type { Message, Question, ResourceRecord } from "./Message.ts"

/** Finds an NS record by which a server of `zone` refers to the name servers of a zone below it; undefined without one. */
export const findReferral = (message: Message, question: Question, zone: string): ResourceRecord | undefined => {
  if (message.answers.length > 0) return undefined
  const delegation = message.authorities.find(
    ({ name, type }) => type === "NS" && isAtOrBelow(name, zone) && name !== zone
  )
  return delegation !== undefined && isAtOrBelow(question.name, delegation.name) ? delegation : undefined
}

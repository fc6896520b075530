import { Either } from "effect"
import { isBasicType } from "../../domain/records/dnsTypes.ts"
import {
  findReferral,
  formatError,
  hasAuthority,
  isNotImplemented,
  type Message,
  nameError,
  noError,
  type Question,
  refused
} from "../wire/Message.ts"
import { failWithNoAnswer, type NoAnswer, type QueryOutcome } from "./Query.ts"

/** Fails if a server of `zone` neither has authority nor refers to a zone below: it is lame. */
export const checkAuthority = (message: Message, question: Question, zone: string): QueryOutcome<Message> =>
  hasAuthority(message, question, zone) || findReferral(message, question, zone) !== undefined
    ? Either.right(message)
    : failWithNoAnswer("lame")

/** Whether a response code is an answer. NOTIMP is one from a server without the type, but not from a resolver. */
export const checkResponseCode =
  ({ question, recursionDesired }: { readonly question: Question; readonly recursionDesired: boolean }) =>
  (message: Message): QueryOutcome<Message> =>
    message.rcode === noError ||
    message.rcode === nameError ||
    (isNotImplemented(message) && !recursionDesired && !isBasicType(question.type))
      ? Either.right(message)
      : failWithNoAnswer(failureReasons.get(message.rcode) ?? "server_failure")

/** Why there is no answer, by response code (RFC 1035 section 4.1.1, RFC 2136 for NOTAUTH). */
const failureReasons: ReadonlyMap<number, NoAnswer["reason"]> = new Map([
  [formatError, "format_error"],
  [refused, "refused"],
  [9, "refused"]
])

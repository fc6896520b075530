import type { Question } from "./decodeAnswer.ts"
import { encodeName, uint16 } from "./encodeName.ts"
import { classIn, codeOf } from "./recordTypes.ts"

/** The bytes of a question in class IN; with EDNS it allows answers of 1,232 bytes over UDP (RFC 6891). */
export const encodeQuery = (query: {
  readonly id: number
  readonly question: Question
  readonly recursionDesired: boolean
  readonly edns: boolean
}): Uint8Array =>
  Uint8Array.from([
    ...uint16(query.id),
    ...uint16(query.recursionDesired ? 0x100 : 0),
    ...[1, 0, 0, query.edns ? 1 : 0].flatMap(uint16),
    ...encodeName(query.question.name),
    ...uint16(codeOf(query.question.type)),
    ...uint16(classIn),
    ...(query.edns ? options : [])
  ])

/** An OPT record: the root, the type, the size in place of the class, a TTL of 0, no data. */
const options = [0, ...uint16(codeOf("OPT")), ...uint16(1_232), 0, 0, 0, 0, 0, 0]

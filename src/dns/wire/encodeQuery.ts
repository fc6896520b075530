import type { Question } from "./decodeResponse.ts"
import { encodeName, encodeUint16 } from "./encodeName.ts"
import { classIn, typeCodeOf } from "./recordTypes.ts"

/** The bytes of a question in class IN; with EDNS it allows answers of 1,232 bytes over UDP (RFC 6891). */
export const encodeQuery = (query: {
  readonly id: number
  readonly question: Question
  readonly recursionDesired: boolean
  readonly edns: boolean
}): Uint8Array =>
  Uint8Array.from([
    ...encodeUint16(query.id),
    ...encodeUint16(query.recursionDesired ? 0x100 : 0),
    ...[1, 0, 0, query.edns ? 1 : 0].flatMap(encodeUint16),
    ...encodeName(query.question.name),
    ...encodeUint16(typeCodeOf(query.question.type)),
    ...encodeUint16(classIn),
    ...(query.edns ? options : [])
  ])

/** An OPT record: the root, the type, the size in place of the class, a TTL of 0, no data. */
const options = [0, ...encodeUint16(typeCodeOf("OPT")), ...encodeUint16(1_232), 0, 0, 0, 0, 0, 0]

import type { RecordTypeName } from "../../src/domain/records/dnsTypes.ts"
import type { MalformedResponse } from "../support/lab/malformedResponses.ts"

/** The question type that a malformed response is built for. */
export const questionTypeOf = ({ type }: MalformedResponse): RecordTypeName => {
  const questionType = (["A", "CAA", "CNAME", "MX", "NS", "SOA", "TXT"] as const).find((name) => name === type)
  if (questionType === undefined) throw new Error(`no question of type ${type} is sent here`)
  return questionType
}

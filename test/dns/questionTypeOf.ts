import type { RecordTypeName } from "../../src/dns/wire/recordTypes.ts"
import type { MalformedResponse } from "../support/lab/malformedResponses.ts"

/** The type of the question that a hostile answer is made for. */
export const questionTypeOf = ({ type }: MalformedResponse): RecordTypeName => {
  const known = (["A", "CAA", "CNAME", "MX", "NS", "SOA", "TXT"] as const).find((name) => name === type)
  if (known === undefined) throw new Error(`no question of type ${type} is sent here`)
  return known
}

import type { TypeName } from "../../src/dns/wire/recordTypes.ts"
import type { HostileAnswer } from "../support/lab/hostile.ts"

/** The type of the question that a hostile answer is made for. */
export const typeOf = ({ type }: HostileAnswer): TypeName => {
  const known = (["A", "CAA", "CNAME", "MX", "NS", "SOA", "TXT"] as const).find((name) => name === type)
  if (known === undefined) throw new Error(`no question of type ${type} is asked here`)
  return known
}

import { type AdapterEvidence, eachTrap, forEveryRow, testsOf } from "../AdapterEvidence.ts"
import { goDaddy } from "./goDaddy.ts"

const { adapter, contract, documentRows, trapRows, traps } = testsOf("godaddy/goDaddy", goDaddy)

const account =
  "the DNS API was closed in May 2024 to accounts with fewer than 10 domains; since April 2026 one bought domain is enough, but an account may still be refused"
const putOfType = "PUT of a type replaces every name"
const emptyPut = "the last record of a set could not be deleted by PUT []"
const emptySet = "GET does not need the set to exist: 200 []"
const srv = traps("an SRV is written below its service and protocol, and read back in either form")
const byOthers = "what others wrote of GoDaddy is of version 1, with keys that end with the year 2026"

/** What proves the adapter of GoDaddy. */
export const goDaddyEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document:
      "GoDaddy's document of version 3, as GoDaddy's own program has it (godaddy/cli), judges every request to the fake and every answer of it",
    recording: byOthers,
    judge: byOthers,
    trap: "what happened to others, and what GoDaddy's own program warns of"
  },
  rows: {
    document: {
      ...documentRows,
      NS: "the document says that name servers are read-only: the contract proves that they are refused",
      readsEveryPage: traps("a large zone is read within 60 calls a minute, to its last page")
    },
    recording: forEveryRow(byOthers),
    judge: forEveryRow(byOthers),
    trap: trapRows({
      findsZone: [...contract("404 NOT_FOUND while opening is authorization_zone_mismatch"), ...traps(emptySet)],
      readsEveryPage: traps("a large zone is read within 60 calls a minute, to its last page"),
      creates: contract("422 DUPLICATE_RECORD to a write is ZoneChanged"),
      replaces: traps(putOfType),
      removes: traps(emptyPut),
      NS: traps("name servers and records without an id are GoDaddy's own"),
      SRV: srv,
      wildcard: traps("a guard before a write asks at a wildcard for the whole zone"),
      errors: [...traps(account), ...contract("403 FORBIDDEN while opening is authorization_insufficient_scope")],
      faults: contract("504 GATEWAY_TIMEOUT to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [account, putOfType, emptyPut, emptySet])
}

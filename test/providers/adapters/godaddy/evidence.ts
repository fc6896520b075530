import { type AdapterEvidence, contractRows, eachTrap, forEveryRow, forRows, testsIn } from "../AdapterEvidence.ts"
import { goDaddy } from "./goDaddy.ts"

const contract = testsIn("godaddy/goDaddyContract.test.ts")
const traps = testsIn("godaddy/goDaddyTraps.test.ts")

const account =
  "the DNS API was closed in May 2024 to accounts with fewer than 10 domains; since April 2026 one bought domain is enough, but an account may still be refused"
const putOfType = "PUT of a type replaces every name"
const emptyPut = "the last record of a set could not be deleted by PUT []"
const emptySet = "GET does not need the set to exist: 200 []"
const srv = traps("an SRV is written below its service and protocol, and read back in either form")
const byOthers = "what others wrote of GoDaddy is of version 1, with keys that end with the year 2026"

/** What proves the adapter of GoDaddy. */
export const goDaddyEvidence: AdapterEvidence = {
  provider: "godaddy",
  vendor: "godaddy",
  name: "GoDaddy",
  sources: {
    document:
      "GoDaddy's document of version 3, as GoDaddy's own program has it (godaddy/cli), judges every request to the fake and every answer of it",
    recording: byOthers,
    judge: byOthers,
    trap: "what happened to others, and what GoDaddy's own program warns of"
  },
  rows: {
    document: {
      ...contractRows("godaddy/goDaddyContract.test.ts"),
      NS: "the document says that name servers are read-only: the contract proves that they are refused",
      readsEveryPage: traps("a large zone is read within 60 calls a minute, to its last page"),
      rateLimit: "the document states no rate",
      faults: testsIn("godaddy/goDaddyFaults.test.ts")("the fault matrix of GoDaddy")
    },
    recording: forEveryRow(byOthers),
    judge: forEveryRow(byOthers),
    trap: {
      ...forRows(["A", "AAAA", "CNAME", "MX", "TXT", "CAA"], "no trap of GoDaddy is about it"),
      findsZone: [...contract("404 NOT_FOUND while opening is authorization_zone_mismatch"), ...traps(emptySet)],
      readsEveryPage: traps("a large zone is read within 60 calls a minute, to its last page"),
      creates: contract("422 DUPLICATE_RECORD to a write is ZoneChanged"),
      replaces: traps(putOfType),
      removes: traps(emptyPut),
      NS: traps("name servers and records without an id are GoDaddy's own"),
      SRV: srv,
      wildcard: traps("a guard before a write asks at a wildcard for the whole zone"),
      refuses: contract("refuses each record that the vendor cannot store, before any call that writes"),
      errors: [...traps(account), ...contract("403 FORBIDDEN while opening is authorization_insufficient_scope")],
      rateLimit: contract("a limit says how long to wait"),
      faults: contract("504 GATEWAY_TIMEOUT to a write is OutcomeUnknown")
    }
  },
  limitations: goDaddy.limitations,
  traps: eachTrap(traps, [account, putOfType, emptyPut, emptySet])
}

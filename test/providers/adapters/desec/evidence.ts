import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsIn, testsOf, unproven } from "../AdapterEvidence.ts"
import { desec } from "./desec.ts"

const tests = testsOf("desec/desec", desec)
const { adapter, contract, decoded, faults, recordings, requests, trapRows, traps } = tests
const lego = testsIn("desec/lego.servers.test.ts")

const pages = "the first page beyond 500 is a 400 with a Link header"
const lowestTtl = "minimum TTL is of the domain"
const longWait = "Retry-After of an hour is more than a customer waits"
const normalised = "signed always; values are normalised by the server"

/** What proves the adapter of deSEC. */
export const desecEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "deSEC publishes none",
    recording:
      "Lexicon's tests once made 123 exchanges at deSEC, and the fake keeps to their shapes, which are the same for each type, and to the rules of deSEC's own code; they write addresses, aliases and texts only",
    judge:
      "Debian's lego, unaltered, drives the fake at deSEC's own host while it proves control of a domain to Debian's Pebble; it writes texts only, and of Debian's other clients none has deSEC (Lexicon 3.11, the plugins of Certbot)",
    trap: "traps and errors that other clients of deSEC met"
  },
  rows: {
    document: forEveryRow("deSEC publishes no document"),
    recording: {
      ...unproven.byRecording,
      ...forRows(["creates", "replaces", "removes", "A", "TXT"], requests),
      findsZone: recordings("reads with the recorded requests"),
      CNAME: decoded,
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      errors: "its only error is 404 for a domain",
      readsEveryPage: "its lists were cut to six sets"
    },
    judge: {
      ...forRows(["creates", "TXT", "removes"], lego("creates a text that the adapter reads, and removes it")),
      replaces: lego("adds a text beside one that the adapter has written, and removes its own"),
      errors: lego("reports a credential that is refused"),
      ...forRows(
        ["A", "AAAA", "CNAME", "MX", "NS", "SRV", "CAA", "wildcard"],
        "lego writes texts only; Debian has no other client of deSEC, and none is known on npm"
      ),
      findsZone: "lego finds the zone in DNS",
      readsEveryPage: "lego reads one set, and no list",
      refuses: "lego writes nothing that deSEC cannot store",
      ...unproven.byJudge
    },
    trap: trapRows({
      findsZone: contract("404 No Domain matches the given query. while opening is authorization_zone_mismatch"),
      readsEveryPage: traps(pages),
      replaces: traps("a set whose TTL is from a time with a lower minimum keeps it, and can be changed"),
      ...forRows(["AAAA", "CNAME", "MX", "TXT", "CAA"], traps(normalised)),
      ...forRows(
        ["NS", "SRV", "refuses"],
        traps("a record that deSEC refuses is refused before the request, and one that it stores is not")
      ),
      errors: contract(
        "401 Invalid token. while opening is credential_invalid",
        "409 Conflict: duplicate key value violates unique constraint to a write is ZoneChanged",
        "a credential that may only read opens and reads the zone, and its writes lack a scope"
      ),
      rateLimit: traps(
        longWait,
        "is enough to open, read, change and read again a zone of 10,000 hosts",
        "does not fail a plan for a zone of 10,000 hosts that is planned, written and checked within a minute"
      ),
      faults: [...faults, ...contract("a plan of three sets is written as a whole or not at all: no answer, but done")]
    })
  },
  traps: eachTrap(traps, [pages, lowestTtl, longWait, normalised])
}

import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { desec } from "./desec.ts"

const tests = testsOf("desec/desec", desec)
const { adapter, contract, decoded, faults, largeZones, lego, legoRows, readOnly } = tests
const { recordings, recordRules, requests, trapRows, traps } = tests

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
      "Debian's lego, unaltered, drives the fake at deSEC's own host while it proves control of a domain to Debian's Pebble; it writes texts only, and of Debian's other clients none has deSEC (Lexicon 3.11, the plugins of Certbot), and none is known on npm",
    trap: "traps and errors that other clients of deSEC met"
  },
  rows: {
    document: forEveryRow("deSEC publishes no document"),
    recording: {
      ...unproven.byPlainRecording,
      ...forRows(["creates", "replaces", "removes", "A", "TXT"], requests),
      findsZone: recordings("reads with the recorded requests"),
      CNAME: decoded,
      errors: "its only error is 404 for a domain",
      readsEveryPage: "its lists were cut to six sets"
    },
    judge: {
      ...legoRows,
      ...forRows(["creates", "TXT", "removes"], lego("creates a text that the adapter reads, and removes it")),
      replaces: lego("adds a text beside one that the adapter has written, and removes its own"),
      findsZone: "lego finds the zone in DNS",
      readsEveryPage: "lego reads one set, and no list"
    },
    trap: trapRows({
      findsZone: contract("404 No Domain matches the given query. while opening is authorization_zone_mismatch"),
      readsEveryPage: traps(pages),
      replaces: traps("a set whose TTL is from a time with a lower minimum keeps it, and can be changed"),
      ...forRows(["AAAA", "CNAME", "MX", "TXT", "CAA"], traps(normalised)),
      ...forRows(["NS", "SRV", "refuses"], recordRules),
      errors: [
        ...contract(
          "401 Invalid token. while opening is credential_invalid",
          "409 Conflict: duplicate key value violates unique constraint to a write is ZoneChanged"
        ),
        ...readOnly
      ],
      rateLimit: [...traps(longWait), ...largeZones],
      faults: [...faults, ...contract("a plan of three sets is written as a whole or not at all: no answer, but done")]
    })
  },
  traps: eachTrap(traps, [pages, lowestTtl, longWait, normalised])
}

import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsIn, unproven } from "../AdapterEvidence.ts"
import { desecLimitations } from "./desecUnderTest.ts"

const recordings = testsIn("desec/desecRecordings.test.ts")
const failures = testsIn("desec/desecFailures.test.ts")
const lego = testsIn("desec/lego.servers.test.ts")
const traps = testsIn("desec/desecTraps.test.ts")

const pages = "the first page beyond 500 is a 400 with a Link header"
const lowestTtl = "minimum TTL is of the domain"
const longWait = "Retry-After of an hour is more than a customer waits"
const normalised = "signed always; values are normalised by the server"

const besideAnother = "adds a text beside one that the adapter has written, and leaves that one when it removes its own"

/** What proves the adapter of deSEC. */
export const desecEvidence: AdapterEvidence = {
  provider: "desec",
  name: "deSEC",
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
      ...forRows(
        ["findsZone", "creates", "removes"],
        recordings("begins with the requests of the adapter, and creates and empties sets with the same members")
      ),
      TXT: recordings("begins with the requests of the adapter, and creates and empties sets with the same members"),
      ...forRows(["A", "CNAME"], recordings("is decoded by the adapter")),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      replaces: "it replaces by a PATCH of one set, which the adapter sends as one of a bulk",
      errors: "its only error is 404 for a domain",
      readsEveryPage: "its lists were cut to six sets"
    },
    judge: {
      ...forRows(["creates", "TXT", "removes"], lego("creates a text that the adapter reads, and removes it")),
      replaces: lego(besideAnother),
      errors: lego("reports a token that deSEC refuses"),
      ...forRows(
        ["A", "AAAA", "CNAME", "MX", "NS", "SRV", "CAA", "wildcard"],
        "lego writes texts only; Debian has no other client of deSEC, and none is known on npm"
      ),
      findsZone: "lego finds the zone in DNS",
      readsEveryPage: "lego reads one set, and no list",
      refuses: "lego writes nothing that deSEC cannot store",
      ...unproven.byJudge
    },
    trap: {
      ...forRows(["creates", "removes", "A", "wildcard"], "no trap of deSEC is about it"),
      findsZone: failures("an error of deSEC"),
      readsEveryPage: traps(pages),
      replaces: traps("a set whose TTL is from a time with a lower minimum keeps it, and can be changed"),
      ...forRows(["AAAA", "CNAME", "MX", "TXT", "CAA"], traps(normalised)),
      ...forRows(
        ["NS", "SRV", "refuses"],
        failures("a record that deSEC refuses is refused before the request, and one that it stores is not")
      ),
      errors: failures(
        "an error of deSEC",
        "a token without the permission to write reads, and its write is authorization_insufficient_scope"
      ),
      rateLimit: [
        ...traps(longWait),
        ...failures(
          "is enough to open, read, change and read again a zone of 10,000 sets",
          "does not fail a plan for a zone of 10,000 sets that is planned, written and checked within a minute"
        )
      ],
      faults: [
        ...testsIn("desec/desecFaults.test.ts")("the fault matrix of deSEC"),
        ...failures("a plan of three sets is written as a whole or not at all")
      ]
    }
  },
  limitations: desecLimitations,
  traps: eachTrap(traps, [pages, lowestTtl, longWait, normalised])
}

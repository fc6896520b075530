import { type AdapterEvidence, contractRows, eachTrap, forRows, testsIn, unproven } from "../AdapterEvidence.ts"
import { hetznerLimitations } from "./hetznerUnderTest.ts"

const recordings = testsIn("hetzner/hetznerRecordings.test.ts")
const judge = testsIn("hetzner/hetznerClient.servers.test.ts")
const errors = testsIn("hetzner/hetznerErrors.test.ts")
const zones = testsIn("hetzner/hetznerZones.test.ts")
const faults = testsIn("hetzner/hetznerFaults.test.ts")
const traps = testsIn("hetzner/hetznerTraps.test.ts")

const running = "201 means accepted: the action is running and can end in error"
const twoCalls = "set_records does not take a TTL and change_ttl does not take records: one change can be two calls"
const conflict = "409 conflict while another action runs on the zone"
const oldTokens = "zones of the old console API moved here in 2026"

/** What proves the adapter of Hetzner. */
export const hetznerEvidence: AdapterEvidence = {
  provider: "hetzner",
  name: "Hetzner",
  sources: {
    document: "Hetzner's OpenAPI document judges every request to the fake and every answer of it",
    recording:
      "the tests of a newer Lexicon once made 360 exchanges at Hetzner; they write addresses, aliases and texts only",
    judge:
      "Distilled's client for JavaScript, which its authors generate from Hetzner's document, drives the fake unaltered at Hetzner's own host; Hetzner has no SDK on npm, and the clients of Debian are older than DNS in Hetzner Cloud",
    trap: "traps and errors that other clients of Hetzner met"
  },
  rows: {
    document: {
      ...contractRows(testsIn("hetzner/hetznerContract.test.ts")),
      readsEveryPage: zones("of 10,000 records is read within the limit of an hour, in pages of 100 sets"),
      rateLimit: "the document states no rate",
      faults: faults("the fault matrix of Hetzner")
    },
    recording: {
      ...unproven.byRecording,
      findsZone: recordings("has 360 exchanges, and the adapter understands each answer"),
      creates: recordings("a new set", "a text beside another one"),
      replaces: recordings("a text in the place of another one"),
      removes: recordings("a text that goes, with its set"),
      TXT: recordings("a text beside another one"),
      CNAME: recordings("except that a target ends in a dot, because the recorded one is below the zone"),
      A: recordings("a new set"),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      readsEveryPage: "its lists were cut to six sets",
      errors: "its only error is 404 for a zone"
    },
    judge: {
      ...forRows(
        ["findsZone", "creates", "replaces", "removes", "errors"],
        judge("finds the zone, and creates, lists, changes and deletes a set")
      ),
      readsEveryPage: judge("reads every page of a zone"),
      ...forRows(
        ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "wildcard"],
        judge("writes records that the adapter reads, and reads those that the adapter writes")
      ),
      refuses: "the client leaves it to its caller what Hetzner cannot store",
      ...unproven.byJudge
    },
    trap: {
      ...forRows(["A", "AAAA", "TXT", "SRV", "CAA", "wildcard"], "no trap of Hetzner is about it"),
      findsZone: errors("a secondary zone is locked"),
      readsEveryPage: zones("of 10,000 records is read within the limit of an hour, in pages of 100 sets"),
      creates: traps("so a change is made when its action has ended"),
      replaces: traps(twoCalls),
      removes: zones("loses nothing that somebody else adds to a set between the comparison and a write"),
      ...forRows(["CNAME", "MX"], zones("shows targets below the zone, and the TTL of the zone, as they are served")),
      NS: zones("has a set of the zone's own name servers, which no plan changes"),
      refuses: zones("has a set that is protected, which no plan changes"),
      errors: [...errors("in a write: token_readonly", "in a write: uniqueness_error"), ...traps(oldTokens)],
      rateLimit: [
        ...zones("of 10,000 records is read within the limit of an hour, in pages of 100 sets"),
        ...errors("the rate limit is over as soon as one call is back, not when the whole hour's are")
      ],
      faults: traps(
        "so an action whose answer was lost shows in the list later",
        "when the TTL cannot be put back either, the outcome is unknown"
      )
    }
  },
  limitations: hetznerLimitations,
  traps: eachTrap(traps, [running, twoCalls, conflict, oldTokens])
}

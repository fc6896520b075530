import { type AdapterEvidence, contractRows, eachTrap, forRows, testsIn, unproven } from "../AdapterEvidence.ts"
import { route53Limitations } from "./route53UnderTest.ts"

const recordings = testsIn("route53/route53Recordings.test.ts")
const sdk = testsIn("route53/route53Sdk.servers.test.ts")
const failures = testsIn("route53/route53Failures.test.ts")
const faults = testsIn("route53/route53Faults.test.ts")
const traps = testsIn("route53/route53Traps.test.ts")

const octalNames = "\\052 and octal names"
const routed = "weighted, latency, geo sets share a name and type"
const aliases = "alias sets have no TTL and no values"
const throttling = "Throttling and PriorRequestNotComplete are 400"
const ownWrite = 'an SDK that retries a lost CREATE reports "already exists" for its own write'
const rate = "429-free: 5 requests a second"

/** What proves the adapter of Amazon Route 53. */
export const route53Evidence: AdapterEvidence = {
  provider: "route53",
  name: "Amazon Route 53",
  sources: {
    document:
      "Amazon's OpenAPI document judges every request to the fake and every answer of it, and the fake checks signatures by itself",
    recording:
      "Lexicon's tests once made 124 exchanges at Route 53; they write addresses, aliases and texts only, and one batch was refused",
    judge: "Amazon's own SDK for JavaScript, unaltered, drives the fake at Route 53's own host",
    trap: "traps and errors that other clients of Route 53 met"
  },
  rows: {
    document: {
      ...contractRows(testsIn("route53/route53Contract.test.ts")),
      readsEveryPage: traps(rate),
      rateLimit: "the document states no rate",
      faults: faults("the fault matrix of Route 53")
    },
    recording: {
      ...unproven.byRecording,
      ...forRows(
        ["findsZone", "creates", "removes", "A", "CNAME", "TXT"],
        recordings("is requested in the same way: the zone, its sets, a creation and a deletion")
      ),
      ...forRows(["errors", "refuses"], recordings("has one refused batch, which was understood and rejected")),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      replaces: "it replaces by UPSERT, which the adapter never sends"
    },
    judge: {
      ...forRows(
        ["findsZone", "creates", "replaces", "removes", "A", "wildcard", "errors"],
        sdk("finds the zone, and creates, lists, changes and deletes a set")
      ),
      refuses: "the SDK offers no set that the adapter refuses; the fake refuses it an old deletion, which is an error",
      ...forRows(
        ["AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"],
        sdk("writes records that the adapter reads, and reads those that the adapter writes")
      ),
      readsEveryPage: "the SDK leaves the pages of sets to its caller",
      ...unproven.byJudge
    },
    trap: {
      ...forRows(["AAAA", "CNAME", "MX", "NS", "SRV", "CAA"], "no trap of Route 53 is about it"),
      findsZone: failures("and none of them is opened if the delegation is to none"),
      readsEveryPage: traps(rate),
      ...forRows(["creates", "faults"], traps(ownWrite)),
      replaces: failures("deletions and creations only, all in one batch, also for another type"),
      refuses: [...failures("no value of more than 4,000 characters"), ...traps(routed)],
      ...forRows(["removes", "A"], traps(aliases)),
      ...forRows(["TXT", "wildcard"], traps(octalNames)),
      errors: [
        ...traps(throttling),
        ...failures(
          "with the scope that a key lacks, only when it writes",
          "and loses nothing if the set is gone just before the batch arrives"
        )
      ],
      rateLimit: traps(rate, throttling)
    }
  },
  limitations: route53Limitations,
  traps: eachTrap(traps, [octalNames, routed, aliases, throttling, ownWrite, rate]),
  findings: {
    "customers of platforms give an assumed role with an external id, not a long-lived key": [
      ...sdk("assumes a role with its external id only, as the service does, and uses the session"),
      ...testsIn("route53/route53Roles.test.ts")(
        "is assumed with the id of the connection, for Route 53 only, and writes the zone",
        "of another customer is refused, though it trusts the service: each connection has its own external id",
        "is assumed once for a session that lasts, and again before one ends"
      )
    ]
  }
}

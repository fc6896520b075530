import { type AdapterEvidence, contractRows, eachTrap, forRows, rowsWithoutJudge, testsIn } from "../AdapterEvidence.ts"
import { googleCloudDns } from "./googleCloudDns.ts"

const contract = testsIn("googleclouddns/googleCloudDnsContract.test.ts")
const faults = testsIn("googleclouddns/googleCloudDnsFaults.test.ts")("the fault matrix of Google Cloud DNS")
const recordings = testsIn("googleclouddns/googleCloudDnsRecordings.test.ts")
const sdk = testsIn("googleclouddns/googleCloudDnsSdk.servers.test.ts")
const traps = testsIn("googleclouddns/googleCloudDnsTraps.test.ts")

const throttling = "403 is throttling or scope by reason"
const routed = "routingPolicy sets have no rrdatas"
const twoZones = "two zones of one name, public and private"
const squarespace = "googledomains.com servers belong to Squarespace"

const pages = traps("all pages of a zone are read, each by the token of the one before")
const changed = recordings("writes with the recorded requests")
const decoded = recordings("decodes what was recorded")
const calls = sdk("finds the zone, and creates, lists, replaces and deletes a set")
const bothWays = sdk("writes records that the adapter reads, and reads those that the adapter writes, on every page")

/** What proves the adapter of Google Cloud DNS. */
export const googleCloudDnsEvidence: AdapterEvidence = {
  provider: "googleclouddns",
  vendor: "googleclouddns",
  name: "Google Cloud DNS",
  sources: {
    document:
      "Google's document of version 2 judges every request to the fake and every answer of it; version 1, which is in use, has no locations, and its words are in small letters",
    recording: "Lexicon's tests once made 155 exchanges at Google, and the fake gives the same answers",
    judge:
      "Google's own client for JavaScript, unaltered, drives the fakes of the API and of the tokens at Google's hosts",
    trap: "traps and errors that other clients of Cloud DNS met"
  },
  rows: {
    document: {
      ...contractRows("googleclouddns/googleCloudDnsContract.test.ts"),
      readsEveryPage: pages,
      rateLimit: "the document states no rate",
      faults
    },
    recording: {
      ...forRows(["creates", "replaces", "removes", "A", "TXT"], changed),
      CNAME: decoded,
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      findsZone: "it lists all zones of a project with one, without the filter of the adapter",
      readsEveryPage: "its lists fit one page",
      refuses: "nothing was refused while it was made",
      errors: "it has no error",
      rateLimit: "the limit was not reached while it was made",
      faults: "no call failed while it was made"
    },
    judge: {
      ...forRows(["findsZone", "creates", "replaces", "removes", "A", "wildcard", "errors"], calls),
      ...forRows(["readsEveryPage", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA"], bothWays),
      refuses: "the client offers no set that the adapter refuses",
      ...rowsWithoutJudge
    },
    trap: {
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "no trap of Cloud DNS is about it"),
      findsZone: traps(twoZones, squarespace),
      readsEveryPage: pages,
      creates: contract("that cannot be renewed before a write leaves the zone as it is"),
      ...forRows(
        ["replaces", "removes"],
        [
          ...traps("one change deletes each set exactly as it was read, and adds it as it must be"),
          ...contract(
            "a set that gets another TTL just before the call arrives is a zone that has changed, and loses nothing"
          )
        ]
      ),
      A: traps(routed),
      CNAME: traps("an alias at the apex is written as ALIAS, but not in a zone that Google signs"),
      TXT: traps("a text is written in quotes, with quotes and backslashes of its own escaped by a backslash"),
      refuses: [
        ...contract("refuses each record that the vendor cannot store, before any call that writes"),
        ...traps(routed)
      ],
      errors: [...traps(throttling), ...contract("that is not given says why, and nothing that is secret")],
      rateLimit: [...traps(throttling), ...contract("a limit says how long to wait")],
      faults: [...faults, ...contract("502 badGateway to a write is OutcomeUnknown")]
    }
  },
  limitations: googleCloudDns.limitations,
  traps: eachTrap(traps, [throttling, routed, twoZones, squarespace])
}

import { type AdapterEvidence, contractRows, eachTrap, forRows, rowsWithoutJudge, testsIn } from "../AdapterEvidence.ts"
import { azure } from "./azure.ts"

const contract = testsIn("azure/azureContract.test.ts")
const faults = testsIn("azure/azureFaults.test.ts")("the fault matrix of Azure DNS")
const recordings = testsIn("azure/azureRecordings.test.ts")
const sdk = testsIn("azure/azureSdk.servers.test.ts")
const traps = testsIn("azure/azureTraps.test.ts")

const conditions = "PUT without If-Match overwrites"
const metadata = "metadata and targetResource of a set are lost if not sent back"
const twoZones = "two zones of one name"
const foreignLink = "nextLink to another host"

const requests = recordings("writes with the recorded requests")
const calls = sdk("finds the zone, and creates, lists, replaces and deletes a set, each under a condition")
const bothWays = sdk("writes records that the adapter reads, and reads those that the adapter writes, on every page")
const expiry = contract("that is not given says why, and nothing that is secret")

/** What proves the adapter of Azure DNS. */
export const azureEvidence: AdapterEvidence = {
  provider: "azure",
  vendor: "azure",
  name: "Azure DNS",
  sources: {
    document: "Microsoft's OpenAPI document of 2018-05-01 judges every request to the fake and every answer of it",
    recording: "Lexicon's tests once made 155 exchanges at Azure, and the fake gives the same answers",
    judge:
      "Azure's own client for JavaScript, unaltered, drives the fake at Azure's host, with a token of the other fake",
    trap: "traps and errors that other clients of Azure DNS met"
  },
  rows: {
    document: {
      ...contractRows("azure/azureContract.test.ts"),
      readsEveryPage: traps(foreignLink),
      rateLimit: "the document states no rate",
      faults
    },
    recording: {
      ...forRows(["creates", "replaces", "removes", "A", "CNAME", "TXT"], requests),
      ...forRows(["AAAA", "MX", "NS", "SRV", "CAA", "wildcard"], "it writes addresses, aliases and texts only"),
      findsZone: "it lists the zones of a resource group, of which the adapter reads one",
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
      ...forRows(["AAAA", "CNAME", "MX", "SRV", "CAA", "wildcard"], "no trap of Azure DNS is about it"),
      findsZone: traps(twoZones),
      readsEveryPage: traps(foreignLink),
      creates: [
        ...traps(conditions),
        ...contract("a set that appears just before the call arrives is a zone that has changed, and loses nothing")
      ],
      removes: traps(conditions),
      replaces: traps(conditions, metadata),
      A: traps(metadata),
      TXT: traps("a long text is written in strings of 255 characters, and what stays as it was read"),
      NS: traps("the name servers of the zone itself are locked, and those of a part of it are not"),
      refuses: [
        ...contract("refuses each record that the vendor cannot store, before any call that writes"),
        ...traps(metadata)
      ],
      errors: [...expiry, ...contract("409 ScopeLocked to a write is provider_zone_locked")],
      rateLimit: contract("a limit says how long to wait"),
      faults: [...faults, ...contract("500 InternalServerError to a write is OutcomeUnknown")]
    }
  },
  limitations: azure.limitations,
  traps: eachTrap(traps, [conditions, metadata, twoZones, foreignLink])
}

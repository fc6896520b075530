import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { azure } from "./azure.ts"

const { adapter, contract, documentRows, requests, sdkRows, trapRows, traps } = testsOf("azure/azure", azure)

const conditions = "PUT without If-Match overwrites"
const metadata = "metadata and targetResource of a set are lost if not sent back"
const twoZones = "two zones of one name"
const foreignLink = "nextLink to another host"
const appears = "a set that appears just before the call arrives is a zone that has changed, and loses nothing"

/** What proves the adapter of Azure DNS. */
export const azureEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: "Microsoft's OpenAPI document of 2018-05-01 judges every request to the fake and every answer of it",
    recording: "Lexicon's tests once made 155 exchanges at Azure, and the fake gives the same answers",
    judge: "Azure's own client for JavaScript, unaltered, drives the fakes of the API and of the tokens",
    trap: "traps and errors that other clients of Azure DNS met"
  },
  rows: {
    document: documentRows,
    recording: {
      ...unproven.byPlainRecording,
      ...forRows(["creates", "replaces", "removes", "A", "CNAME", "TXT"], requests),
      findsZone: "it lists the zones of a resource group, of which the adapter reads one"
    },
    judge: sdkRows("finds the zone, and creates, lists, replaces and deletes a set, each under a condition"),
    trap: trapRows({
      findsZone: traps(twoZones),
      readsEveryPage: traps(foreignLink),
      creates: [...traps(conditions), ...contract(appears)],
      removes: traps(conditions),
      replaces: traps(conditions, metadata),
      A: traps(metadata),
      TXT: traps("a long text is written in strings of 255 characters, and what stays as it was read"),
      NS: traps("the name servers of the zone itself are locked, and those of a part of it are not"),
      refuses: traps(metadata),
      errors: contract(
        "that is not given says why, and nothing that is secret",
        "409 ScopeLocked to a write is provider_zone_locked"
      ),
      faults: contract("500 InternalServerError to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [conditions, metadata, twoZones, foreignLink])
}

import { type AdapterEvidence, eachTrap, forEveryRow, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { ionos, unitedDomains } from "./ionos.ts"

const tests = testsOf("ionos/ionos", ionos)
const { adapter, contract, decoded, faults, lego, legoRows, requests, trapRows, traps } = tests

const quoted = 'TXT written as token is read as "token"'
const disabled = "records carry disabled"
const rewritten = "mail and web records of the hosting are rewritten by IONOS when a feature is switched on"
const put = "PUT of a record cannot change its name or type"

const trap = trapRows({
  findsZone: traps("a zone is found by its name among those that the account serves itself"),
  readsEveryPage: "a zone comes in one answer",
  creates: traps("a record that is created twice is stored once, with a new id"),
  ...forRows(["replaces", "CNAME"], traps(put)),
  removes: traps(disabled),
  ...forRows(["MX", "SRV"], traps("a priority stands beside the rest of an MX and an SRV")),
  TXT: traps(quoted),
  errors: [
    ...traps("a key without its prefix is refused before any call"),
    ...contract("400 INVALID_RECORD to a write is apply_rejected")
  ],
  faults: [...faults, ...contract("500 INTERNAL_SERVER_ERROR to a write is OutcomeUnknown")]
})

const noDocument = "the document of IONOS is on its site, and not among the data"

/** What proves the adapter of IONOS at IONOS itself. */
export const ionosEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document: noDocument,
    recording: "Lexicon's tests once made 93 exchanges at IONOS, and the fake gives the same answers",
    judge: "Debian's lego, unaltered, drives the fake at IONOS's own host; it writes texts only",
    trap: "what other clients met, and what IONOS's documentation says of changes"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: {
      ...unproven.byRecording,
      ...forRows(["findsZone", "creates", "removes"], requests),
      ...forRows(["A", "AAAA", "CNAME", "MX", "TXT"], decoded),
      ...forRows(["NS", "SRV", "CAA", "wildcard"], "no such record was recorded"),
      readsEveryPage: "a zone comes in one answer",
      replaces: "it replaces by a removal and a creation",
      errors: "no error was recorded"
    },
    judge: {
      ...legoRows,
      ...forRows(
        ["findsZone", "creates", "TXT"],
        lego("adds a text beside one that the adapter has written, and leaves its own")
      ),
      replaces: "lego replaces whole sets, which the adapter does not",
      removes: "lego looks for its text without the quotes in which IONOS shows it, and so removes nothing",
      readsEveryPage: "a zone comes in one answer"
    },
    trap
  },
  traps: eachTrap(traps, [quoted, disabled, rewritten, put])
}

const asIonos = "united-domains has the API of IONOS: see there"

/** What proves the same adapter at united-domains, a brand of IONOS. */
export const unitedDomainsEvidence: AdapterEvidence = {
  provider: "unitedomains",
  adapter: "ionos",
  name: "united-domains",
  sources: {
    document: noDocument,
    recording: asIonos,
    judge: asIonos,
    trap: "united-domains has the API of IONOS: the contract runs at its host as well"
  },
  rows: {
    document: forEveryRow(noDocument),
    recording: forEveryRow(asIonos),
    judge: forEveryRow(asIonos),
    trap: trapRows({
      ...trap,
      findsZone: contract("rejects a zone that does not exist or is not the delegated one"),
      errors: contract("401 UNAUTHORIZED while opening is credential_invalid")
    })
  },
  limitations: unitedDomains.limitations,
  traps: {}
}

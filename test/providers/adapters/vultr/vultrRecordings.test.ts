import { Struct } from "effect"
import { CreatedVultrRecord, VultrPage } from "../../../../src/providers/adapters/vultr/makeVultrClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { headers, readShown, vultr, type VultrData } from "./vultr.ts"

const zone = "lexicon-test.eu"
const recording = { ...(await recordedScenarios("vultr")), zone }

/** Without another domain of the account, and times. */
const tidy = (body: any) =>
  body.domains === undefined
    ? body
    : body.domains.flatMap(({ domain }: { readonly domain: string }) => (domain === zone ? [domain] : []))

testRecording<VultrData>(vultr, {
  ...recording,
  headers,
  readListed: (body, zone) => (body.records ?? []).map((record: unknown) => readShown(record, zone)),
  createdBy: ({ method, responseBody }) => (method === "POST" ? [responseBody.record.id] : []),
  tidy
})

testRecordedCalls({
  adapter: vultr,
  recording,
  answers: [
    ["records", VultrPage, 51],
    ["record", CreatedVultrRecord, 29]
  ],
  changes: [
    "address",
    "alias",
    "text that comes and goes",
    "text beside another that goes",
    "text that another one replaces",
    "text that is replaced"
  ],
  tidyPath: (path) => path.replace(/\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, "/1"),
  // Lexicon changes the data only, which leaves the rest as it is.
  tidyBody: (body) => (body.type === undefined ? Struct.omit(body, "priority", "ttl") : body)
})

import { Struct } from "effect"
import { TransipEntries } from "../../../../src/providers/adapters/transip/makeTransipClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { idOf, readShown, transip } from "./transip.ts"

const recording = { ...(await recordedScenarios("transip")), zone: "nuvius.nl" }

/** Without tokens, links, and what is said of a domain besides its name. */
const tidy = ({ domain, token, ...body }: any) => ({
  ...Struct.omit(body, "_links"),
  ...(domain === undefined ? {} : { domain: domain.name }),
  ...(token === undefined ? {} : { token: "" })
})

// The signatures were not kept.
testRecording(transip, {
  ...recording,
  readListed: (body, zone) => (body?.dnsEntries ?? []).map((entry: unknown) => readShown(entry, zone)),
  createdBy: ({ method, requestBody }) =>
    method === "POST" && requestBody.dnsEntry !== undefined ? [idOf(requestBody.dnsEntry)] : [],
  tidy: (body) => (Array.isArray(body) ? body : tidy(body))
})

testRecordedCalls({
  adapter: transip,
  recording,
  answers: [["dnsEntries", TransipEntries, 55]],
  changes: ["address", "alias", "text that comes and goes", "text beside another that goes"]
})

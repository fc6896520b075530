import { NamecomPage } from "../../../../src/providers/adapters/namecom/makeNamecomClient.ts"
import { NamecomRecord } from "../../../../src/providers/adapters/namecom/NamecomRecord.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { basicHeader, formerNamecomVendor, namecom, readShown } from "./namecom.ts"

const recording = { ...(await recordedScenarios("namecom")), zone: "mim.pw" }

testRecording(
  { name: "Name.com", vendor: formerNamecomVendor },
  {
    ...recording,
    headers: { authorization: basicHeader },
    readListed: (body) => (body?.records ?? []).map(readShown),
    createdBy: ({ method, responseBody, status }) =>
      method === "POST" && status === 200 ? [String(responseBody.id)] : [],
    // Of the account, the fake has this domain only.
    tidy: (body) =>
      body.domains === undefined ? body : body.domains.some(({ domainName }: any) => domainName === recording.zone)
  }
)

testRecordedCalls({
  adapter: namecom,
  recording,
  answers: [
    ["records", NamecomPage, 29],
    ["answer", NamecomRecord, 41]
  ],
  changes: ["address", "alias", "text that comes and goes", "text that is replaced"],
  tidyPath: (path) => path.replace(/^\/(v4|core\/v1)/, "")
})

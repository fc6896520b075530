import { Struct } from "effect"
import { LinodeRecord } from "../../../../src/providers/adapters/linode/LinodeRecord.ts"
import { LinodePage } from "../../../../src/providers/adapters/linode/makeLinodeClient.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { linode, type LinodeData, readShown, validToken } from "./linode.ts"

const zone = "lexicon-test.com"
const recording = { ...(await recordedScenarios("linode")), zone }

/** Without the address of the owner of a domain. */
const tidy = ({ data, ...body }: any) =>
  data === undefined ? body : { ...body, data: data.map((item: any) => ({ ...item, soa_email: "" })) }

testRecording<LinodeData>(linode, {
  ...recording,
  headers: { authorization: `Bearer ${validToken}`, "x-filter": JSON.stringify({ domain: zone }) },
  readListed: (body, zone) =>
    (body?.data ?? []).flatMap((item: any) => (item.domain === undefined ? readShown(item, zone) : [])),
  createdBy: ({ method, responseBody }) => (method === "POST" ? [String(responseBody.id)] : []),
  // One account did not have the domain.
  before: (fake, { responseBody, url }) => {
    if (url.pathname === "/v4/domains" && responseBody.results === 0) fake.update((state) => ({ ...state, zones: {} }))
  },
  tidy
})

testRecordedCalls({
  adapter: linode,
  // A list of domains has the form of a list of records.
  recording: { zone, exchanges: recording.exchanges.filter(({ url }) => url.pathname !== "/v4/domains") },
  answers: [
    ["results", LinodePage, 49],
    ["target", LinodeRecord, 29]
  ],
  changes: [
    "address",
    "alias",
    "text that comes and goes",
    "text beside another that goes",
    "text that another one replaces",
    "text that is replaced"
  ],
  tidyBody: (body) => Struct.omit(body, "ttl_sec")
})

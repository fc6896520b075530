import { DesecRRsets } from "../../../../src/providers/adapters/desec/DesecApi.ts"
import { toAbsoluteName } from "../../../support/vendors/VendorZones.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { desec, validToken } from "./desec.ts"

/** Lexicon ends paths in two slashes, which a web server takes for one. */
const words = { "rrsets//": "rrsets/", "TXT//": "TXT/" }
const recording = { ...(await recordedScenarios("desec", words)), zone: "desec.lexicon" }

const idOf = ({ created }: any): string => String(Date.parse(created))

/** Times are of the moment, the records of a set have no order, and the members of the domain were removed. */
const tidy = (body: any): unknown => {
  if (Array.isArray(body)) return body.map(tidy)
  if (body.records === undefined) return { detail: body.detail }
  return { ...body, created: "", touched: "", records: body.records.toSorted() }
}

testRecording(desec, {
  ...recording,
  headers: { authorization: `Token ${validToken}` },
  readListed: (body, zone) =>
    [body].flat().flatMap(({ records = [], subname, ttl, type, ...set }) => {
      const place = { id: idOf(set), name: toAbsoluteName(subname ?? "", zone), type, ttl }
      return records.map((content: string) => ({ ...place, data: { content } }))
    }),
  createdBy: ({ method, responseBody: set }) => (method === "POST" ? set.records.map(() => idOf(set)) : []),
  tidy
})

testRecordedCalls({
  adapter: desec,
  recording,
  answers: [["length", DesecRRsets, 58]],
  changes: ["address", "text that comes and goes", "text beside another that goes"],
  readsAlike: true,
  // The adapter sends a bulk of sets, without the TTL of one that it has read; Lexicon writes each set with all members.
  toRecorded: ({ body, path }) =>
    body.map((set: any) =>
      set.ttl === undefined
        ? { method: "PATCH", path: `${path}${set.subname}/${set.type}/`, body: { ...set, ttl: 3600 } }
        : { method: "POST", path, body: set }
    ),
  tidyBody: ({ records = [], subname, ttl, type }) => ({ subname, type, ttl, records: records.toSorted() })
})

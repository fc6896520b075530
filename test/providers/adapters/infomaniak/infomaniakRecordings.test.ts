import { InfomaniakPage } from "../../../../src/providers/adapters/infomaniak/makeInfomaniakClient.ts"
import { unquoteText } from "../../../../src/domain/records/unquoteText.ts"
import { recordedScenarios, testRecordedCalls, testRecording } from "../recordingTests.ts"
import { formerInfomaniakVendor, headers, infomaniak, readShown } from "./infomaniak.ts"

const recording = { ...(await recordedScenarios("infomaniak")), zone: "testouille.at" }

const isRecord = (item: any): boolean => item?.source !== undefined

/** Without times, and what the account has besides the name of the domain. */
const tidyItem = (item: any) => (isRecord(item) ? { ...item, updated_at: 0 } : [item.id, item.customer_name])

testRecording(
  { name: "Infomaniak", vendor: formerInfomaniakVendor },
  {
    ...recording,
    headers,
    readListed: (body) => [body?.data].flat().filter(isRecord).map(readShown),
    createdBy: ({ method, responseBody }) => (method === "POST" ? [responseBody.data] : []),
    tidy: ({ data, ...body }) => ({
      ...body,
      data: Array.isArray(data) ? data.map(tidyItem) : isRecord(data) ? tidyItem(data) : data
    })
  }
)

const toNumbered = (item: any) => ({ ...item, id: Number(item.id) })

/** The lists as the version in use has them, whose ids are numbers. */
const exchanges = recording.exchanges.map(({ responseBody, ...exchange }) => {
  const { data, result } = Object(responseBody)
  const isList = Array.isArray(data) && exchange.url.pathname.endsWith("/record")
  return { ...exchange, responseBody: isList ? { result, data: data.map(toNumbered) } : undefined }
})

testRecordedCalls({
  adapter: infomaniak,
  recording: { zone: recording.zone, exchanges },
  answers: [["data", InfomaniakPage, 54]],
  changes: [
    "address",
    "alias",
    "text that comes and goes",
    "text beside another that goes",
    "text that another one replaces"
  ],
  tidyPath: (path) => path.replace(/^\/(1\/domain\/\d+\/dns|2\/zones\/[^/]+)\/records?/, "/records"),
  // A change names what changes only; a text is in quotes, and a target ends in a dot.
  tidyBody: ({ source, target, ...body }) => ({
    ...body,
    ...(body.type === undefined ? {} : { source }),
    ...(target === undefined ? {} : { target: unquoteText(target) ?? target.replace(/\.$/, "") })
  })
})

import { vendorData } from "./vendorData.ts"

/** What somebody once did at a vendor, from the beginning to the end. */
export interface RecordedScenario {
  readonly name: string
  readonly exchanges: ReadonlyArray<RecordedExchange>
}

/** A request that was made at a vendor, and its answer. Credentials were removed before it was stored. */
export interface RecordedExchange {
  readonly method: string
  /** With the query. */
  readonly url: URL
  /** Decoded if it is JSON, else text; `undefined` where there is none. */
  readonly requestBody: any
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Decoded if it is JSON, else text; `undefined` where there is none. */
  readonly responseBody: any
}

/** Reads `recordings/<id>.json`. Answers that were stored without their request are left out. */
export const readRecording = async (id: string): Promise<ReadonlyArray<RecordedScenario>> => {
  const { scenarios } = await Bun.file(`${vendorData}recordings/${id}.json`).json()
  return scenarios.map(
    ({ interactions, scenario }: { readonly interactions: ReadonlyArray<any>; scenario: string }) => ({
      name: scenario,
      exchanges: interactions.filter(({ url }) => typeof url === "string").map(toExchange)
    })
  )
}

const toExchange = ({ headers, method, requestBody, responseBody, status, url }: any): RecordedExchange => ({
  method,
  url: new URL(url),
  requestBody: toBody(requestBody),
  status,
  headers,
  responseBody: toBody(responseBody)
})

const toBody = (body: unknown): unknown => (body === null || body === "" ? undefined : body)

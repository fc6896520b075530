import createClient from "openapi-fetch"
import type { components, paths } from "./generated/paths.js"

/** A platform's code on the types of openapi-typescript: it compiles only if the document says what is sent. */
export const connectDomain = async (apiKey: string): Promise<string> => {
  const client = createClient<paths>({ baseUrl: "https://connect.example", headers: { "x-api-key": apiKey } })
  const created = await client.POST("/v1/connections", {
    params: { header: { "idempotency-key": "order-1", prefer: "wait=20" } },
    body: {
      intent: { domain: "example.com", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }
    }
  })
  if (created.error !== undefined) return explain(created.error)
  const { plan, state } = created.data.connection
  const read = await client.GET("/v1/connections/{connectionId}", {
    params: { path: { connectionId: created.data.connection.id } }
  })
  return `${state} ${plan?.digest} ${read.data?.connection.provider?.name}`
}

type ErrorBody = components["schemas"]["InvalidCreation"] | components["schemas"]["UnprocessableCreation"]

const explain = ({ error }: Pick<ErrorBody, "error"> | { error: { code: string; documentationUrl: string } }): string =>
  error.code === "unprocessable" ? "check the domain" : error.documentationUrl

/** The events of the stream are told apart by their name. */
export const describeEvent = (
  event:
    | components["schemas"]["TimelineEvent"]
    | components["schemas"]["RecordsEvent"]
    | components["schemas"]["ConnectionEvent"]
): string => (event.event === "connection" ? event.data.state : event.event === "timeline" ? event.data.to : "records")

// @ts-expect-error There is no such code.
export const unknownCode: ErrorBody["error"]["code"] = "the_intent_makes_no_sense"

// @ts-expect-error Only an approval is answered with this code.
export const foreignCode: ErrorBody["error"]["code"] = "plan_digest_mismatch"

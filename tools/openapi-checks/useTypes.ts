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
  if (created.error !== undefined) return explain(created.error.error)
  const { plan, state } = created.data.connection
  const read = await client.GET("/v1/connections/{connectionId}", {
    params: { path: { connectionId: created.data.connection.id } }
  })
  return `${state} ${plan?.digest} ${read.data?.connection.provider?.name}`
}

/** Every error is told by the same function. */
const explain = ({ code, documentationUrl }: components["schemas"]["Error"]): string =>
  code === "unprocessable" ? "check the domain" : documentationUrl

/** The kind of a credential says which fields it has. */
export const describeCredential = (credential: components["schemas"]["CredentialInput"]): string =>
  credential.kind === "tsig_key" ? `${credential.algorithm} ${credential.name}` : credential.kind

/** The events of the stream are told apart by their name. */
export const describeEvent = (
  event:
    | components["schemas"]["TimelineEvent"]
    | components["schemas"]["RecordsEvent"]
    | components["schemas"]["ConnectionEvent"]
): string => (event.event === "connection" ? event.data.state : event.event === "timeline" ? event.data.to : "records")

type RefusedCreation = paths["/v1/connections"]["post"]["responses"][422]["content"]["application/json"]["error"]

export const refusedCreation: RefusedCreation["code"] = "unprocessable"

// @ts-expect-error There is no such code.
export const unknownCode: components["schemas"]["ErrorCode"] = "the_intent_makes_no_sense"

// @ts-expect-error Only an approval is answered with this code.
export const foreignCode: RefusedCreation["code"] = "plan_digest_mismatch"

// @ts-expect-error A token has no name.
export const mixedCredential: components["schemas"]["CredentialInput"] = { kind: "api_token", apiToken: "t", name: "n" }

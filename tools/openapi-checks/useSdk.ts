import { approvePlan, createConnection, listProviders } from "./generated/sdk/index.js"
import { client } from "./generated/sdk/client.gen.js"

/** A platform's code on the client of hey-api: it compiles only if the operations have these names. */
export const connectAndApprove = async (apiKey: string): Promise<string> => {
  client.setConfig({ baseUrl: "https://connect.example", headers: { "x-api-key": apiKey } })
  const providers = await listProviders()
  const created = await createConnection({
    body: {
      intent: { domain: "example.com", records: [{ host: "shop", type: "CNAME", value: "shops.example.net" }] }
    }
  })
  if (created.data === undefined) return created.error.error.documentationUrl
  const { id, plan } = created.data.connection
  if (plan === undefined) return `${providers.data?.providers.length} providers are known`
  const approved = await approvePlan({ path: { connectionId: id }, body: { digest: plan.digest } })
  return approved.data?.connection.state ?? "not approved"
}

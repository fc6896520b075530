// Drives Azure's own client of DNS zones, unaltered and at Azure's own address, with calls after each other:
// `azure.js '[["listByDnsZone", "group", "example.com"], ["createOrUpdate", "group", "example.com", "www", "A", {"ttl": …}]]'`.
// Prints what the client returns as a JSON array. The fields of the service principal are in AZURE_TENANT_ID,
// AZURE_CLIENT_ID, AZURE_CLIENT_SECRET and AZURE_SUBSCRIPTION_ID, as for every client of Azure.
import { DnsManagementClient } from "@azure/arm-dns"

const { AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID } = process.env

/** The client says which scopes it needs; Azure's library of credentials is twenty times as large as that of DNS. */
const getToken = async (scopes) => {
  const response = await fetch(`https://login.microsoftonline.com/${AZURE_TENANT_ID}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: AZURE_CLIENT_ID,
      client_secret: AZURE_CLIENT_SECRET,
      scope: [scopes].flat().join(" ")
    })
  })
  const { access_token: token, error_description, expires_in } = await response.json()
  if (token === undefined) throw new Error(error_description)
  return { token, expiresOnTimestamp: Date.now() + expires_in * 1000 }
}

const { recordSets, zones } = new DnsManagementClient({ getToken }, AZURE_SUBSCRIPTION_ID, {
  retryOptions: { maxRetries: 0 }
})

/** All pages of a list. */
const collect = async (pages) => {
  const items = []
  for await (const item of pages) items.push(item)
  return items
}

const commands = {
  getZone: (...parameters) => zones.get(...parameters),
  listByDnsZone: (...parameters) => collect(recordSets.listByDnsZone(...parameters)),
  createOrUpdate: (...parameters) => recordSets.createOrUpdate(...parameters),
  delete: async (...parameters) => (await recordSets.delete(...parameters)) ?? null
}

const returned = []
for (const [command, ...parameters] of JSON.parse(process.argv[2]))
  returned.push(await commands[command](...parameters))
console.log(JSON.stringify(returned))

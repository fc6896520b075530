// Drives Netlify's own SDK, unaltered and at Netlify's own address, with calls after each other:
// `netlify.js '[["getDnsZones"], ["createDnsRecord", {"zone_id": …}]]'`. Prints what the SDK returns as a JSON array. The
// token is in NETLIFY_AUTH_TOKEN, as for Netlify's CLI.
import { NetlifyAPI } from "@netlify/api"

const client = new NetlifyAPI(process.env.NETLIFY_AUTH_TOKEN)

const returned = []
for (const [operation, parameters = {}] of JSON.parse(process.argv[2]))
  returned.push((await client[operation](parameters)) ?? null)
console.log(JSON.stringify(returned))

// Drives Netlify's own SDK, unaltered and at Netlify's own address: `netlify.js createDnsRecord '{"zone_id": …}'`.
// Prints what the SDK returns as JSON. The token is in NETLIFY_AUTH_TOKEN, as for Netlify's CLI.
import { NetlifyAPI } from "@netlify/api"

const client = new NetlifyAPI(process.env.NETLIFY_AUTH_TOKEN)

const [operation, parameters = "{}"] = process.argv.slice(2)
console.log(JSON.stringify((await client[operation](JSON.parse(parameters))) ?? null))

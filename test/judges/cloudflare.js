// Drives Cloudflare's own SDK, unaltered and at Cloudflare's own address: `cloudflare.js listZones`.
// Prints what the SDK returns as JSON. The token is in CLOUDFLARE_API_TOKEN, where the SDK itself looks for it.
import Cloudflare from "cloudflare"

const client = new Cloudflare({ maxRetries: 0 })

const commands = {
  listZones: async () => (await client.zones.list()).result
}

const [name, ...parameters] = process.argv.slice(2)
console.log(JSON.stringify(await commands[name](...parameters)))

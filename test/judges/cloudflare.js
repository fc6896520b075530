// Drives Cloudflare's own SDK, unaltered and at Cloudflare's own address, with calls after each other:
// `cloudflare.js '[["listZones"], ["listRecords", {"zone_id": …}]]'`. Prints what the SDK returns as a JSON array. The
// token is in CLOUDFLARE_API_TOKEN, where the SDK itself looks for it.
import Cloudflare from "cloudflare"

const client = new Cloudflare({ maxRetries: 0 })
const { records } = client.dns

/** All pages of a list. */
const collect = async (pages) => {
  const items = []
  for await (const item of pages) items.push(item)
  return items
}

const commands = {
  listZones: async (parameters) => (await client.zones.list(parameters)).result,
  listRecords: (parameters) => collect(records.list(parameters)),
  createRecord: (parameters) => records.create(parameters),
  updateRecord: ({ id, ...parameters }) => records.update(id, parameters),
  editRecord: ({ id, ...parameters }) => records.edit(id, parameters),
  deleteRecord: ({ id, ...parameters }) => records.delete(id, parameters),
  batch: (parameters) => records.batch(parameters)
}

const returned = []
for (const [command, parameters] of JSON.parse(process.argv[2]))
  returned.push((await commands[command](parameters)) ?? null)
console.log(JSON.stringify(returned))

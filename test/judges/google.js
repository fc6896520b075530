// Drives Google's own client of Cloud DNS, unaltered and at Google's own addresses, with calls after each other:
// `google.js '[["list", "example-com", {"name": …}], ["change", "example-com", {"add": […], "delete": […]}]]'`. Prints what the
// client returns as a JSON array. The key file is at GOOGLE_APPLICATION_CREDENTIALS, as for every client of Google.
import { DNS } from "@google-cloud/dns"

const { GOOGLE_APPLICATION_CREDENTIALS: keyFilename } = process.env
const dns = new DNS({ keyFilename, autoRetry: false })

/** Sets as Google lists them; the client has `data` in place of `rrdatas`. */
const toRecords = (zone, sets = []) =>
  sets.map(({ rrdatas: data, type, ...set }) => dns.zone(zone).record(type, { ...set, data }))

/** All pages, followed here: the client's own stream of pages at times asks for one more after the last and fails. */
const readPages = async (readPage, query) => {
  const [items, next] = await readPage({ ...query, autoPaginate: false })
  return next ? [...items, ...(await readPages(readPage, next))] : items
}

const commands = {
  zones: async (query) => (await readPages((page) => dns.getZones(page), query)).map(({ metadata }) => metadata),
  list: async (zone, query) =>
    (await readPages((page) => dns.zone(zone).getRecords(page), query)).map((record) => record.toJSON()),
  change: async (zone, { add, delete: removed }) =>
    (await dns.zone(zone).createChange({ add: toRecords(zone, add), delete: toRecords(zone, removed) }))[0].metadata
}

const returned = []
for (const [command, ...parameters] of JSON.parse(process.argv[2]))
  returned.push(await commands[command](...parameters))
console.log(JSON.stringify(returned))

import { Config, Data, Effect } from "effect"
import { runProgram } from "../src/runProgram.ts"
import { sendAsAdmin } from "../test/http/support/adminRequests.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { makeZoneEditor } from "../test/support/lab/ZoneEditor.ts"
import { type ZoneEditorQuirks, zoneEditorQuirks } from "../test/support/lab/zoneEditorQuirks.ts"
import { labService } from "../test/support/labService.ts"
import { issueKey, jsonOf, post, serviceUrl, tenancyOf } from "../test/support/testApi.ts"
import { forwardConnections } from "./forwardConnections.ts"

const usage = `bun run lab <${Object.keys(zoneEditorQuirks).join("|")}> [domain]`

/** The lab cannot start: why, in a sentence. */
class LabUnavailable extends Data.TaggedError("LabUnavailable")<{ readonly message: string }> {}

/** What a shop needs of a domain: its page, and mail that nobody takes for forged. */
const records = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "A", value: "198.51.100.80" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net ~all" },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
]

/** A connection at the service of the lab: the link to its hosted page, and what the platform does to disconnect it. */
const createConnection = (domain: string) =>
  Effect.gen(function* () {
    yield* sendAsAdmin("/v1/admin/applications", { body: { id: "shop-builder", name: "Shop Builder" } })
    const { key } = yield* issueKey(tenancyOf("shop-builder", "corner-shop"))
    const postJson = (path: string, body: object) => Effect.flatMap(post(path, key, body), jsonOf)
    const { connection } = yield* postJson("/v1/connections", { intent: { domain, records } })
    const { path } = yield* postJson(`/v1/connections/${connection.id}/share-link`, {})
    const at = yield* serviceUrl
    const headers = `-H 'x-api-key: ${key}' -H 'content-type: application/json'`
    return {
      link: `${at}${path}`,
      disconnect: `curl -X POST ${headers} -d '{}' ${at}/v1/connections/${connection.id}/disconnect`
    }
  })

/** Serves the editor, and then the service with a connection of its domain, until the program is ended. */
const serveLab = (quirks: ZoneEditorQuirks, domain: string) =>
  Effect.gen(function* () {
    const directory = yield* Config.string("LAB_DIRECTORY")
    const [servicePort, editorPort] = [
      yield* Config.integer("LAB_SERVICE_PORT"),
      yield* Config.integer("LAB_EDITOR_PORT")
    ]
    const editor = yield* makeZoneEditor(quirks, domain, { port: editorPort })
    const service = labService([], { environment: { PORT: `${servicePort}` } })
    const serve = Effect.gen(function* () {
      const { disconnect, link } = yield* createConnection(domain)
      for (const port of [servicePort, editorPort])
        yield* Effect.promise(() => forwardConnections({ path: `${directory}/${port}` }, { host: "127.0.0.1", port }))
      console.log(`${quirks.name}: ${editor.url}\nConnect: ${link}\nDisconnect: ${disconnect}`)
      return yield* Effect.never
    })
    return yield* Effect.provide(serve, service)
  })

const startLab = Effect.gen(function* () {
  const [, , provider, domain = `${provider}-shop.com`] = process.argv
  const quirks = Object.values(zoneEditorQuirks).find(({ id }) => id === provider)
  if (quirks === undefined) return yield* new LabUnavailable({ message: usage })
  const reason = yield* Effect.promise(labUnavailableReason)
  if (reason !== undefined) return yield* new LabUnavailable({ message: reason })
  return yield* Effect.provide(serveLab(quirks, domain), Lab.layer)
})

runProgram(Effect.scoped(startLab))

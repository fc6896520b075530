import { Config, Effect } from "effect"
import { ApplicationSettings } from "../src/domain/access/Application.ts"
import { ApplicationId } from "../src/domain/access/Tenancy.ts"
import { ApplicationStore } from "../src/persistence/stores/access/ApplicationStore.ts"
import { runProgram } from "../src/runProgram.ts"
import { labUnavailableReason } from "../test/support/lab/labAvailability.ts"
import { Lab } from "../test/support/lab/Lab.ts"
import { makeZoneEditor } from "../test/support/lab/ZoneEditor.ts"
import { zoneEditorQuirks } from "../test/support/lab/zoneEditorQuirks.ts"
import { labService } from "../test/support/labService.ts"
import { issueKey, jsonOf, post, serviceUrl, tenancyOf } from "../test/support/testApi.ts"
import { forwardConnections } from "./forwardConnections.ts"

const usage = `bun run lab <${Object.keys(zoneEditorQuirks).join("|")}> [domain]`

/** What a shop needs of a domain: its page, and mail that nobody takes for forged. */
const records = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "A", value: "198.51.100.80" },
  { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net ~all" },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
]

/** A connection at the service of the lab, by the code of its hosted page. */
const createLink = (domain: string) =>
  Effect.gen(function* () {
    const application = ApplicationId.make("shop-builder")
    yield* (yield* ApplicationStore).create(application, ApplicationSettings.make({ name: "Shop Builder" }))
    const { key } = yield* issueKey(tenancyOf(application, "corner-shop"))
    const postJson = (path: string, body: object) => Effect.flatMap(post(path, key, body), jsonOf)
    const { connection } = yield* postJson("/v1/connections", { intent: { domain, records } })
    const { path } = yield* postJson(`/v1/connections/${connection.id}/share-link`, {})
    return `${yield* serviceUrl}${path}`
  })

const startLab = Effect.gen(function* () {
  const [, , provider, domain = `${provider}-shop.com`] = process.argv
  const quirks = Object.values(zoneEditorQuirks).find(({ id }) => id === provider)
  const reason = quirks === undefined ? usage : yield* Effect.promise(labUnavailableReason)
  if (quirks === undefined || reason !== undefined) return yield* Effect.fail(new Error(reason))
  const directory = yield* Config.string("LAB_DIRECTORY")
  const ports = { service: yield* Config.integer("LAB_SERVICE_PORT"), editor: yield* Config.integer("LAB_EDITOR_PORT") }
  const editor = yield* makeZoneEditor(quirks, domain, { port: ports.editor })
  const service = labService([], { environment: { PORT: `${ports.service}` } })
  yield* Effect.gen(function* () {
    const link = yield* createLink(domain)
    for (const [name, port] of Object.entries(ports))
      yield* Effect.promise(() => forwardConnections({ path: `${directory}/${name}` }, { host: "127.0.0.1", port }))
    console.log(`${quirks.name}   ${editor.url}\nconnect   ${link}`)
    return yield* Effect.never
  }).pipe(Effect.provide(service))
}).pipe(Effect.provide(Lab.layer))

runProgram(Effect.scoped(startLab))

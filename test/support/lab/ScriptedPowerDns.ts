import { Effect, type Scope, Struct } from "effect"
import { type RRsetChange, rrsetReplacements } from "./RRsetChange.ts"
import type { ScriptedInternet } from "./ScriptedInternet.ts"
import type { LabRecord } from "./packet.ts"

/** The HTTP API of a provider whose name servers are scripted. */
export interface ScriptedPowerDns {
  readonly url: string
}

interface ScriptedPowerDnsOptions {
  readonly internet: ScriptedInternet
  /** The zones that this provider hosts. */
  readonly zones: ReadonlyArray<string>
  readonly key: string
}

/**
 * Serves the part of PowerDNS's HTTP API that reads and writes a zone, with its refusals, on the zones of the scripted
 * name servers. It replaces PowerDNS where that is not installed.
 */
export const makeScriptedPowerDns = (
  options: ScriptedPowerDnsOptions
): Effect.Effect<ScriptedPowerDns, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => respondTo(request, options) })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => ({ url: `http://127.0.0.1:${port}` })
  )

const respondTo = async (request: Request, { internet, key, zones }: ScriptedPowerDnsOptions): Promise<Response> => {
  if (request.headers.get("x-api-key") !== key) return new Response("Unauthorized", { status: 401 })
  const [, name = ""] = /^\/api\/v1\/servers\/localhost\/zones\/(.+)\.$/.exec(new URL(request.url).pathname) ?? []
  if (!zones.includes(name)) return new Response("Not Found", { status: 404 })
  if (request.method === "GET")
    return Response.json({ name: `${name}.`, kind: "Native", rrsets: setsOf(internet, name) })
  if (request.method !== "PATCH") return new Response("Method Not Allowed", { status: 405 })
  const body: any = await request.json()
  return applyPatch(internet, name, body.rrsets)
}

const setsOf = (internet: ScriptedInternet, zone: string) =>
  rrsetReplacements(internet.records(zone)).map((set) => ({
    ...Struct.omit(set, "changetype"),
    records: contentsOf(set).map(toJson)
  }))

const toJson = (content: string) => ({ content, disabled: false })

/** Applies all changes or none. */
const applyPatch = (internet: ScriptedInternet, zone: string, changes: ReadonlyArray<RRsetChange>): Response => {
  const error = refusalOf(internet.records(zone), zone, changes)
  if (error !== undefined) return Response.json({ error }, { status: 422 })
  for (const change of changes)
    internet.write(zone, change.name, change.type, contentsOf(change), "ttl" in change ? change.ttl : undefined)
  return new Response(null, { status: 204 })
}

const contentsOf = (change: RRsetChange): ReadonlyArray<string> =>
  "records" in change ? change.records.map(({ content }) => content) : []

/** Checks each change against the records after the changes before it. */
const refusalOf = (
  before: ReadonlyArray<Pick<LabRecord, "name" | "type">>,
  zone: string,
  changes: ReadonlyArray<RRsetChange>
): string | undefined => {
  let current = before
  for (const change of changes) {
    const contents = contentsOf(change)
    const prefix = `RRset ${change.name} IN ${change.type}`
    if (!`.${change.name}`.endsWith(`.${zone}.`)) return `${prefix}: Name is out of zone`
    current = current.filter(({ name, type }) => name !== change.name || type !== change.type)
    const others = current.filter(({ name }) => name === change.name)
    const hasCnameConflict = change.type === "CNAME" ? others.length > 0 || contents.length > 1 : others.some(isAlias)
    if (contents.length > 0 && hasCnameConflict) return `${prefix}: Conflicts with pre-existing RRset`
    if (new Set(contents).size < contents.length) return `${prefix}: Duplicate record in RRset`
    const invalid = contents.find((content) => !isCanonical(change.type, content))
    if (invalid !== undefined) return `Record ${change.name}/${change.type} '${invalid}': Not in expected format`
    current = [...current, ...contents.map(() => change)]
  }
  return undefined
}

const isAlias = ({ type }: Pick<LabRecord, "type">): boolean => type === "CNAME"

/** Texts are quoted, targets end in a dot. */
const isCanonical = (type: string, content: string): boolean => {
  if (type === "TXT") return /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/s.test(content)
  return !["CNAME", "MX", "NS", "SRV"].includes(type) || content.endsWith(".")
}

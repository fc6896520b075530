import { Effect, type Scope, Struct } from "effect"
import { type RRsetChange, rrsetReplacements } from "./RRsetChange.ts"
import type { ScriptedInternet } from "./ScriptedInternet.ts"
import type { ResourceRecord } from "./packet.ts"

/** The HTTP API of a provider whose name servers are scripted. */
export interface ScriptedPowerDns {
  readonly url: string
}

export interface ScriptedPowerDnsOptions {
  readonly internet: ScriptedInternet
  /** The zones that this provider hosts. */
  readonly zones: ReadonlyArray<string>
  readonly key: string
}

/**
 * Speaks as much of the HTTP API of PowerDNS as reading and writing a zone takes, with its refusals, over the very
 * zones that the scripted name servers serve. It stands in where no PowerDNS is installed.
 */
export const makeScriptedPowerDns = (
  options: ScriptedPowerDnsOptions
): Effect.Effect<ScriptedPowerDns, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answerTo(request, options) })),
      (server) => Effect.promise(() => server.stop(true))
    ),
    ({ port }) => ({ url: `http://127.0.0.1:${port}` })
  )

const answerTo = async (request: Request, { internet, key, zones }: ScriptedPowerDnsOptions): Promise<Response> => {
  if (request.headers.get("x-api-key") !== key) return new Response("Unauthorized", { status: 401 })
  const [, name = ""] = /^\/api\/v1\/servers\/localhost\/zones\/(.+)\.$/.exec(new URL(request.url).pathname) ?? []
  if (!zones.includes(name)) return new Response("Not Found", { status: 404 })
  if (request.method === "GET")
    return Response.json({ name: `${name}.`, kind: "Native", rrsets: setsOf(internet, name) })
  if (request.method !== "PATCH") return new Response("Method Not Allowed", { status: 405 })
  const body: any = await request.json()
  return patched(internet, name, body.rrsets)
}

const setsOf = (internet: ScriptedInternet, zone: string) =>
  rrsetReplacements(internet.records(zone)).map((set) => ({
    ...Struct.omit(set, "changetype"),
    records: contentsOf(set).map(stored)
  }))

const stored = (content: string) => ({ content, disabled: false })

/** All of it or nothing. */
const patched = (internet: ScriptedInternet, zone: string, changes: ReadonlyArray<RRsetChange>): Response => {
  const error = refusalOf(internet.records(zone), zone, changes)
  if (error !== undefined) return Response.json({ error }, { status: 422 })
  for (const change of changes)
    internet.write(zone, change.name, change.type, contentsOf(change), "ttl" in change ? change.ttl : undefined)
  return new Response(null, { status: 204 })
}

const contentsOf = (change: RRsetChange): ReadonlyArray<string> =>
  "records" in change ? change.records.map(({ content }) => content) : []

/** Each set is checked against what those before it have left. */
const refusalOf = (
  before: ReadonlyArray<Pick<ResourceRecord, "name" | "type">>,
  zone: string,
  changes: ReadonlyArray<RRsetChange>
): string | undefined => {
  let standing = before
  for (const change of changes) {
    const contents = contentsOf(change)
    const about = `RRset ${change.name} IN ${change.type}`
    if (!`.${change.name}`.endsWith(`.${zone}.`)) return `${about}: Name is out of zone`
    standing = standing.filter(({ name, type }) => name !== change.name || type !== change.type)
    const beside = standing.filter(({ name }) => name === change.name)
    const alone = change.type === "CNAME" ? beside.length > 0 || contents.length > 1 : beside.some(isAlias)
    if (contents.length > 0 && alone) return `${about}: Conflicts with pre-existing RRset`
    if (new Set(contents).size < contents.length) return `${about}: Duplicate record in RRset`
    const bad = contents.find((content) => !isCanonical(change.type, content))
    if (bad !== undefined) return `Record ${change.name}/${change.type} '${bad}': Not in expected format`
    standing = [...standing, ...contents.map(() => change)]
  }
  return undefined
}

const isAlias = ({ type }: Pick<ResourceRecord, "type">): boolean => type === "CNAME"

/** Texts are quoted, targets end in a dot. */
const isCanonical = (type: string, content: string): boolean => {
  if (type === "TXT") return /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/s.test(content)
  return !["CNAME", "MX", "NS", "SRV"].includes(type) || content.endsWith(".")
}

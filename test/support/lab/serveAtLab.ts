import { Effect, Schedule } from "effect"
import { registeredDomainOf } from "../../../src/domain/names/DomainName.ts"
import type { AdapterUnderTest } from "../../providers/adapters/AdapterUnderTest.ts"
import { Lab } from "./Lab.ts"
import { rrsetReplacements } from "./RRsetChange.ts"
import { parseZone, recordsOf } from "./Zone.ts"

/**
 * Serves the zone of a vendor's fake at the lab's PowerDNS, under the names of the vendor's name servers, and keeps
 * it as the fake has it until the scope closes. Ends when the zone is delegated; `publish` ends when the name servers
 * show what the fake has now. `beside` are further lines of the zone of the name servers.
 */
export const serveAtLab = ({
  beside = [],
  dump,
  nameServers,
  zone
}: Pick<AdapterUnderTest, "dump" | "nameServers" | "zone"> & { readonly beside?: ReadonlyArray<string> }) =>
  Effect.gen(function* () {
    const { delegate, pdns } = yield* Lab
    // The lab may have a zone of this name: of its own, or of the vendor before.
    const createZone = (name: string, lines: string) =>
      Effect.zipRight(Effect.ignore(Effect.sandbox(pdns.deleteZone(name))), pdns.createZone(name, lines))
    const hosts = Map.groupBy(nameServers, registeredDomainOf)
    for (const [domain, names] of hosts) {
      const lines = [...names.map((name) => `${name}. A ${pdns.addresses[0]}`), ...beside]
      yield* createZone(domain, ["@ NS ns1.pdnsprov.net.", ...lines].join("\n"))
      yield* delegate(domain, ["ns1.pdnsprov.net"])
    }
    const ownLines = nameServers.map((name) => `@ NS ${name}.`)
    const readLines = Effect.map(dump, (lines) => [...lines.flatMap(toZoneLine), ...ownLines].join("\n"))
    let served = yield* readLines
    yield* createZone(zone, served)
    yield* delegate(zone, nameServers)
    const lock = yield* Effect.makeSemaphore(1)
    const publish = Effect.gen(function* () {
      const lines = yield* readLines
      if (lines === served) return
      yield* pdns.patch(zone, changesBetween(zone, served, lines))
      served = lines
    }).pipe(lock.withPermits(1))
    yield* Effect.forkScoped(Effect.repeat(publish, Schedule.spaced("20 millis")))
    return { publish }
  })

/** What a line of a dump is in a zone file, with its names absolute; NS at the apex are the lab's own. */
const toZoneLine = (line: string): ReadonlyArray<string> => {
  const [name = "", ttl = "", type = "", ...words] = line.split(" ")
  if (type === "NS") return []
  const data = words.join(" ")
  const text = type === "TXT" && !data.startsWith('"') ? `"${data.replaceAll('"', '\\"')}"` : data
  const shown = ["CNAME", "MX"].includes(type) ? text.replace(/\.?$/, ".") : text
  // A dash stands for the TTL of the zone.
  return [`${name.replace(/\.?$/, ".")} ${ttl === "-" ? 86_400 : ttl} ${type} ${shown}`]
}

const changesBetween = (zone: string, before: string, after: string) => {
  const setsOf = (lines: string) =>
    rrsetReplacements(recordsOf(parseZone(zone, lines)).filter(({ type }) => type !== "SOA"))
  const desired = setsOf(after)
  const gone = setsOf(before).filter(({ name, type }) => !desired.some((set) => set.name === name && set.type === type))
  return [...gone.map(({ name, type }) => ({ name, type, changetype: "DELETE" as const })), ...desired]
}

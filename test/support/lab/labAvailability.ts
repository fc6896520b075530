import { createSocket } from "node:dgram"
import { existsSync } from "node:fs"
import { networkInterfaces } from "node:os"

/** Includes the directories of Debian's servers, which an ordinary user's PATH omits. */
const path = `${process.env["PATH"]}:/usr/sbin:/sbin`

/** The full path of a program, or its name where it is not installed. */
export const programPath = (program: string): string => Bun.which(program, { PATH: path }) ?? program

export const powerDnsSchema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"

const packages = "pdns-server pdns-backend-sqlite3 bind9 bind9-dnsutils knot unbound"
const programs = ["pdns_server", "named", "knotd", "knotc", "keymgr", "unbound", "dig", "nsupdate"]

/** Why the lab cannot run here, in a sentence; `undefined` when it can. Two checks at once would be in each other's way. */
export const labUnavailableReason = (): Promise<string | undefined> => (reason ??= findReason())

let reason: Promise<string | undefined> | undefined

const findReason = async (): Promise<string | undefined> => {
  const missing = programs.filter((program) => Bun.which(program, { PATH: path }) === null)
  if (missing.length > 0 || !existsSync(powerDnsSchema))
    return `not installed: ${missing.join(", ") || powerDnsSchema}; apt-get install -y --no-install-recommends ${packages}`
  const remedy = "run the tests by `sh test/support/lab/network-namespace.sh bun test`"
  const refusal = await bindRefusal("127.10.0.1", 53)
  if (refusal !== undefined) return `127.10.0.1:53 is not available (${refusal}); ${remedy}`
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  if (!addresses.some(({ address }) => address === "127.10.2.1")) return `no interface has 127.10.2.1; ${remedy}`
  return undefined
}

const bindRefusal = (address: string, port: number) =>
  new Promise<string | undefined>((done) => {
    const socket = createSocket("udp4").once("error", (error) => done(error.message))
    socket.bind(port, address, () => socket.close(() => done(undefined)))
  })

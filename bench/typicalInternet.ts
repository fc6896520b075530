import type { ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../test/support/lab/ScriptedTopology.ts"

/** A scripted internet that serves the zone of the typical connection. */
export const typicalInternet: InternetSpec = {
  zones: {
    "example.com": {
      nameServers: ["amy.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `
        @     300   MX   10 mx.old.example.org.
        shop  3600  A    192.0.2.10
        mail  3600  MX   10 mx.old.example.org.
        mail  3600  TXT  "v=spf1 ip4:192.0.2.0/24 ~all"`
    }
  }
}

/** The hosts that answer queries in it. */
export const internetHosts = [
  "resolver.test",
  "a.root.test",
  "a.gtld.test",
  "amy.ns.cloudflare.com",
  "bob.ns.cloudflare.com"
]

/** The port on 127.0.0.1 behind the address of each host. */
export const portsByAddress = (internet: ScriptedInternet): Readonly<Record<string, number>> =>
  Object.fromEntries(
    internetHosts.map((host) => internet.addressOf(host)).map((address) => [address, internet.dial(address).port])
  )

import { Effect, Redacted } from "effect"
import { defaultTimeouts } from "../../../../src/providers/ProviderClient.ts"
import { makeRfc2136Client, rfc2136Capabilities } from "../../../../src/providers/adapters/rfc2136/makeRfc2136Client.ts"
import type { MeasureCall } from "../../../../src/providers/measureCalls.ts"
import type { DynamicUpdateTarget } from "../../../support/lab/DynamicUpdateTarget.ts"
import { run } from "../../../support/lab/Server.ts"
import type { LabTsigKey } from "../../../support/lab/TsigKey.ts"
import { type ServerAdapterUnderTest, serverUnderTest } from "../AdapterUnderTest.ts"

/** A zone of a lab server that accepts dynamic updates. */
export const rfc2136UnderTest = (
  server: DynamicUpdateTarget & { readonly address: string; readonly key: LabTsigKey },
  zone: string,
  nameServer: string,
  measure: MeasureCall = (call) => call
): ServerAdapterUnderTest =>
  serverUnderTest({
    clientAt: ({ host, port }, timeouts = defaultTimeouts) =>
      makeRfc2136Client({
        settings: { server: host, port },
        capabilities: rfc2136Capabilities,
        measure,
        timeouts
      }),
    target: { host: server.address, port: 53 },
    credential: keyOf(server.key),
    wrongCredentials: [
      keyOf({ ...server.key, name: "other" }),
      keyOf({ ...server.key, name: "no..name" }),
      keyOf({ ...server.key, secret: btoa("another secret") }),
      keyOf({ ...server.key, secret: "not Base64!" }),
      keyOf({ ...server.key, algorithm: "hmac-sha512" })
    ],
    zone,
    nameServers: [nameServer],
    server,
    dump: dumpOf(server, zone),
    isWrite: (request) => ((request[4] ?? 0) & 0x78) === 5 << 3
  })

const keyOf = ({
  algorithm,
  name,
  secret
}: Omit<LabTsigKey, "algorithm"> & { algorithm: "hmac-sha256" | "hmac-sha512" }) => ({
  _tag: "tsig_key" as const,
  name,
  algorithm,
  secret: Redacted.make(secret)
})

const dumpOf = ({ address, key }: { readonly address: string; readonly key: LabTsigKey }, zone: string) =>
  Effect.map(
    run("dig", `@${address}`, zone, "AXFR", "-y", `${key.algorithm}:${key.name}:${key.secret}`, "+noall", "+answer"),
    (text) =>
      text
        .split("\n")
        .filter((line) => line !== "" && !/\s(SOA|TSIG|RRSIG|NSEC)\s/.test(line))
        .toSorted()
  )

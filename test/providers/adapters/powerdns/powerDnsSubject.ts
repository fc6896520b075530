import type { HttpClient } from "@effect/platform"
import { Effect, identity, Redacted } from "effect"
import {
  makePowerDnsClient,
  powerDnsCapabilities
} from "../../../../src/providers/adapters/powerdns/makePowerDnsClient.ts"
import type { LabRecord } from "../../../support/lab/packet.ts"
import type { MatrixSubject } from "../matrixRun.ts"
import { isSameSet, makeFakePowerDns, nameServer, type PowerDnsState, validKey, zone } from "./FakePowerDns.ts"

/** PowerDNS for the fault matrix; its adapter calls through the client that `changeHttp` makes of the one to the fake. */
export const powerDnsSubject = (
  changeHttp: (http: HttpClient.HttpClient) => HttpClient.HttpClient = identity
): MatrixSubject<PowerDnsState> => ({
  makeFake: makeFakePowerDns,
  adapterFor: (fake, http) => ({
    client: makePowerDnsClient({
      settings: { baseUrl: new URL(fake.baseUrl).origin, serverId: "localhost" },
      capabilities: powerDnsCapabilities,
      http: changeHttp(http)
    }),
    credential: { _tag: "api_token", apiToken: Redacted.make(validKey) },
    wrongCredentials: [],
    zone,
    nameServers: [nameServer],
    replaceSets: (records) => Effect.sync(() => fake.update((state) => replaceSets(state, records))),
    dump: Effect.sync(() =>
      fake
        .state()
        .rrsets.filter(({ type }) => type !== "NS")
        .flatMap(({ name, records, ttl, type }) => records.map(({ content }) => `${name} ${ttl} ${type} ${content}`))
    ),
    limitations: { showsWritesAtOnce: "one database holds the zone", refused: [], absent: [] }
  }),
  writes: "sets"
})

const replaceSets = ({ rrsets }: PowerDnsState, records: ReadonlyArray<LabRecord>): PowerDnsState => ({
  rrsets: [
    ...rrsets.filter((rrset) => !records.some((record) => isSameSet(record, rrset))),
    ...[...Map.groupBy(records, ({ name, type }) => `${name} ${type}`).values()].flatMap((set) =>
      set.slice(0, 1).map(({ name, ttl, type }) => ({
        name,
        type,
        ttl,
        records: set.map(({ data }) => ({ content: data, disabled: false }))
      }))
    )
  ]
})

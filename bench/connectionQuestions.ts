import { Effect, Redacted } from "effect"
import { makeApiClient } from "../prove/ApiClient.ts"
import { authorizeAndApprove, createPlannedConnection, waitForState } from "../prove/connectionSteps.ts"
import { recordsFor } from "../prove/proofZones.ts"
import type { RecordedQuestion, ScriptedInternet } from "../test/support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../test/support/lab/ScriptedTopology.ts"
import { scriptedCredential, scriptedService } from "../test/support/scriptedService.ts"
import { issueKey, serviceUrl } from "../test/support/testApi.ts"
import { createBenchDatabase, databaseUrlOf } from "./BenchDatabase.ts"
import type { Report } from "./Report.ts"

/**
 * Counts the DNS questions of a whole connection, from the request to `active`, in a zone with two name servers. It
 * desires the records of `prove speed`, of which one is a CNAME in place of an address.
 */
export const connectionQuestions: Effect.Effect<Report> = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createBenchDatabase
    const { internet, layer } = yield* scriptedService(Redacted.make(databaseUrlOf(database)), [domain], {}, others)
    internet.write(domain, "www", "A", ["192.0.2.10"])
    internet.write(domain, "@", "MX", ["10 mx1.mailprov.net."])
    internet.write(domain, "@", "TXT", ['"v=spf1 include:_spf.mailprov.net -all"'])
    const { planned, verified } = yield* Effect.provide(connect(internet), layer)

    const [forPlan, elsewhere] = split(distinct(planned))
    const [forVerification, afterwards] = split(distinct(verified))
    const atPublicResolvers = afterwards.difference(elsewhere)
    const inAll = forPlan.size + elsewhere.size + forVerification.size + atPublicResolvers.size
    const report: Report = {
      title: "DNS: the questions of a connection, from the request to active, at two name servers",
      lines: [
        `${inAll} in all`,
        `${elsewhere.size} to find the zone and what its records refer to`,
        `${forPlan.size} to the zone's servers for the plan, ${countAtAlias(forPlan)} of them at the host that becomes a CNAME`,
        `${forVerification.size} to the zone's servers and ${atPublicResolvers.size} to a public resolver for the verification`
      ],
      figures: {
        inAll,
        elsewhere: elsewhere.size,
        forPlan: forPlan.size,
        atAlias: countAtAlias(forPlan),
        forVerification: forVerification.size,
        atPublicResolvers: atPublicResolvers.size
      },
      targets: [{ kind: "gate", what: "DNS questions of a connection", value: inAll, atMost: 108 }]
    }
    return report
  })
).pipe(Effect.orDie)

const domain = "example.com"

const others: InternetSpec = {
  zones: {
    "mailprov.net": {
      nameServers: ["ns1.mailprov.net"],
      records: `mx1 A 198.51.100.25\n_spf TXT "v=spf1 ip4:198.51.100.0/24 -all"`
    },
    "hostprov.net": { nameServers: ["ns1.hostprov.net"], records: "web A 198.51.100.80" }
  }
}

/** Connects the domain with one click; returns the questions until its plan, and those after it. */
const connect = ({ queries }: ScriptedInternet) =>
  Effect.gen(function* () {
    const { key } = yield* issueKey()
    const api = makeApiClient(yield* serviceUrl, key)
    const { credential } = scriptedCredential
    const desired = { idempotencyKey: domain, domain, records: recordsFor(domain), credential }
    const connection = yield* createPlannedConnection(api, desired)
    const planned = [...queries]
    yield* authorizeAndApprove(api, connection, desired)
    yield* waitForState(api, connection.id, ["active"])
    return { planned, verified: queries.slice(planned.length) }
  })

/** The questions, `server name type`, each once: a busy machine repeats some. */
const distinct = (questions: ReadonlyArray<RecordedQuestion>): ReadonlySet<string> =>
  new Set(questions.map(({ name, server, type }) => `${server} ${name} ${type}`))

/** The questions to the servers of the zone, and all others. */
const split = (questions: ReadonlySet<string>): readonly [ReadonlySet<string>, ReadonlySet<string>] => {
  const atZone = new Set([...questions].filter((question) => zoneServer.test(question)))
  return [atZone, questions.difference(atZone)]
}

const zoneServer = /^ns\d\.acme-dns\.net /

const countAtAlias = (questions: ReadonlySet<string>): number =>
  [...questions].filter((question) => question.includes(` www.${domain} `)).length

import { expect } from "bun:test"
import { FastCheck as fc } from "effect"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { desiredNamesOf } from "../../../src/domain/connection/ConnectionRecord.ts"
import { toFqdn } from "../../../src/domain/names/DomainName.ts"
import { findDependentNames } from "../../../src/domain/names/NameSet.ts"
import { hostOfChange } from "../../../src/domain/plan/Plan.ts"
import type { ConnectionIntent, JournaledChange } from "../../../src/planning/restore/JournaledChange.ts"
import { isNameIn } from "../../support/memory/isNameIn.ts"
import { zoneOf, zonesAfterEachChange } from "../../support/planFixtures.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { addValidRecords, isValidZone } from "../arbitraries.ts"
import { declareProperties } from "../declareProperties.ts"
import {
  disconnect,
  edit,
  join,
  planRestoreIn,
  pristineZone,
  servedData,
  servedRecords,
  type SimulatedZone
} from "./SimulatedZone.ts"
import { scenario, type RestoreScenario } from "./scenarios.ts"

/** The runs of the properties take a minute and more on a busy machine. */

/** The cases of each property; a scenario makes some thirty plans. */
const numRuns = propertyRuns(500)

/** Runs a scenario: the simulation at its end, and after each disconnect. */
const playScenario = ({ intents, steps, zone }: RestoreScenario) =>
  steps.reduce<{
    readonly simulated: SimulatedZone
    readonly restored: ReadonlyArray<SimulatedZone>
    readonly next: number
  }>(
    ({ next, restored, simulated }, step) => {
      const leaving = simulated.connections[step]
      const joining = intents[next]
      if (leaving !== undefined) {
        const left = disconnect(simulated, leaving.id)
        return { simulated: left, restored: [...restored, left], next }
      }
      return joining === undefined
        ? { simulated, restored, next }
        : { simulated: join(simulated, joining), restored, next: next + 1 }
    },
    { simulated: pristineZone(zone), restored: [], next: 0 }
  )

const mine = zoneOf(
  "@ 60 TXT mine",
  "@ 60 MX 30 mine.example.com",
  "@ 60 A 192.0.2.99",
  '@ 60 CAA 0 issue "mine.example"',
  "www 60 TXT mine",
  "www 60 A 192.0.2.99",
  "www 60 MX 30 mine.example.com",
  "shop 60 TXT mine",
  "_dmarc 60 TXT mine",
  "new 60 CNAME mine.example.com"
).records

const isMine = ({ value }: ZoneRecord): boolean => mine.some((record) => record.value === value)

const declareProperty = declareProperties({
  inputs: fc.record({ generated: scenario, added: fc.shuffledSubarray([...mine]) }),
  prepare: ({ added, generated }) => ({
    generated,
    /** Records that the customer writes. */
    added,
    played: playScenario(generated),
    /** The simulation after all connections have connected, none disconnected. */
    joined: generated.intents.reduce(join, pristineZone(generated.zone))
  }),
  numRuns
})

const disconnectAll = (simulated: SimulatedZone): SimulatedZone =>
  simulated.connections.toReversed().reduce((left, { id }) => disconnect(left, id), simulated)

/**
 * Whether no plan depended on the records of another connection. It does if a record could only be planned with them,
 * an SPF policy made room for their mail, or a policy was inherited from above the host.
 */
const areIndependent = ({ intents }: RestoreScenario, simulated: SimulatedZone, alone: SimulatedZone): boolean =>
  alone.connections.length === simulated.connections.length &&
  alone.skipped.join() === simulated.skipped.join() &&
  !simulated.connections.some(inheritsPolicy) &&
  !(simulated.connections.some(rejectsOtherMail) && intents.some(hasMailServer))

/** By itself, or by the policy to which it redirects. */
const rejectsOtherMail = ({ intent: { effectiveIntent, intent } }: ConnectionIntent): boolean =>
  [...effectiveIntent.records, ...intent.records].some(({ value }) => /^v=spf1 .*(-all|redirect=\S+)$/.test(value))

const hasMailServer = ({ intent: { effectiveIntent } }: ConnectionIntent): boolean =>
  effectiveIntent.records.some(({ type }) => ["MX", "A", "AAAA", "CNAME"].includes(type))

const inheritsPolicy = ({ intent: { effectiveIntent, intent } }: ConnectionIntent): boolean =>
  intent.records.some(({ advancedDmarcOptions }) => advancedDmarcOptions?.inheritRootDmarc === true) ||
  effectiveIntent.records.some(({ host, type }) => type === "CAA" && host !== "@")

const counted = { independent: 0, all: 0 }

declareProperty(
  "after each disconnect the zone is as if only the remaining connections had ever connected, in their order",
  ({ generated, played }) => {
    for (const simulated of played.restored) {
      const alone = simulated.connections.reduce(join, pristineZone(generated.zone))
      counted.all += 1
      if (!areIndependent(generated, simulated, alone)) continue
      counted.independent += 1
      // TTLs may differ: a remaining record keeps the TTL that it took from the RRset of the disconnected one.
      expect(servedData(simulated)).toEqual(servedData(alone))
    }
  },
  () => expect(counted.independent / counted.all).toBeGreaterThan(0.7)
)

declareProperty(
  "after all connections disconnect, the zone is the original, byte for byte and with its TTLs",
  ({ generated, played }) => {
    expect(servedRecords(disconnectAll(played.simulated))).toEqual(servedRecords(pristineZone(generated.zone)))
  }
)

declareProperty(
  "a restore depends only on what was written and is desired around the hosts of the leaving connection",
  ({ played: { simulated } }) => {
    for (const leaving of simulated.connections) {
      const left = { ...simulated, connections: simulated.connections.filter(({ id }) => id !== leaving.id) }
      // Others may depend on answers of the DNS that this restore does not.
      const planIn = (known: SimulatedZone) => ({ ...planRestoreIn(known, leaving), unanswered: [] })
      expect(planIn(onlyAround(left, leaving))).toEqual(planIn(left))
    }
  }
)

const nameOf = ({ change, domain }: JournaledChange) => toFqdn(hostOfChange(change), domain)

/** The simulation without the journal and the connections that are nowhere around the hosts of a connection. */
const onlyAround = (simulated: SimulatedZone, leaving: ConnectionIntent): SimulatedZone => {
  const written = simulated.journal.filter(({ connectionId }) => connectionId === leaving.id)
  const namesAround = findDependentNames(
    [...desiredNamesOf(leaving.intent), ...written.map(nameOf)],
    simulated.zone.name
  )
  return {
    ...simulated,
    journal: simulated.journal.filter((entry) => isNameIn(nameOf(entry), namesAround)),
    connections: simulated.connections.filter(({ intent }) =>
      desiredNamesOf(intent).some((name) => isNameIn(name, namesAround))
    )
  }
}

declareProperty(
  "a disconnect keeps the zone valid after every step, and a second one changes nothing",
  ({ played: { simulated } }) => {
    for (const connection of simulated.connections) {
      const left = disconnect(simulated, connection.id)
      const changes = left.journal.slice(simulated.journal.length).map(({ change }) => change)
      if (connection.intent.domain === simulated.zone.name) {
        expect(
          zonesAfterEachChange(simulated.zone, changes).filter(({ records }) => !isValidZone(records, true))
        ).toEqual([])
      }
      expect(planRestoreIn(left, connection).changes).toEqual([])
    }
  }
)

declareProperty("records that the customer wrote since are unchanged after each disconnect", ({ added, joined }) => {
  const edited = edit(joined, (records) => addValidRecords(records, added, true))
  const before = edited.zone.records.filter(isMine)
  for (const { id } of edited.connections) {
    expect(disconnect(edited, id).zone.records).toEqual(expect.arrayContaining(before))
  }
  expect(disconnectAll(edited).zone.records).toEqual(expect.arrayContaining(before))
})

const amendments: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(v=spf1)(?= |$)/i, "$1 ip4:203.0.113.9"],
  [/^(v=DMARC1;.*?);?$/, "$1; fo=1"]
]

const amend = (record: ZoneRecord): ZoneRecord => ({
  ...record,
  value:
    record.type === "TXT"
      ? amendments.reduce((value, [old, now]) => value.replace(old, now), record.value)
      : record.value
})

const amendedHosts = ({ zone }: SimulatedZone): ReadonlySet<string> =>
  new Set(zone.records.filter(({ value }) => /ip4:203\.0\.113\.9|fo=1/.test(value)).map(({ host }) => host))

declareProperty("policy terms that the customer wrote since remain after all connections disconnect", ({ joined }) => {
  const edited = edit(joined, (records) => records.map(amend))
  expect(amendedHosts(disconnectAll(edited))).toEqual(amendedHosts(edited))
})

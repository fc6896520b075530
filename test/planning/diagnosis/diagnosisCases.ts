import { Option } from "effect"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { Diagnosis } from "../../../src/domain/plan/Diagnosis.ts"
import { makeNaming } from "../../../src/domain/plan/NamedRecord.ts"
import { combineStatuses, type ObservationStatus } from "../../../src/domain/plan/RecordObservation.ts"
import type { DiagnosisEvidence, ShownRecord } from "../../../src/planning/diagnosis/DiagnosisCase.ts"
import { withName } from "../../../src/planning/diagnosis/DiagnosisCase.ts"
import { diagnose } from "../../../src/planning/diagnosis/diagnose.ts"
import { emptyPlanContext } from "../../../src/planning/PlanContext.ts"
import { compareZone, type PartialZone } from "../../../src/planning/verification/compareZone.ts"
import { catalog, unknownProvider } from "../../../src/providers/catalog/catalog.ts"
import { makeManualFields } from "../../../src/providers/guides/makeManualFields.ts"
import { generalGuide, manualGuides } from "../../../src/providers/guides/manualGuides.ts"
import { computeAtOnce } from "../../../src/runtime/LongComputation.ts"
import { desiredRecords, zoneOf } from "../../support/planFixtures.ts"

/** What one server shows, in lines as in a zone file; a server that shows nothing may be silent. */
type ServerLines = ReadonlyArray<string> | "silent"

/** Desired records and what the servers of their zone show. */
export interface DiagnosisScenario {
  readonly desired: ReadonlyArray<string>
  /** What each server shows at the hosts of the domain. */
  readonly servers: ReadonlyArray<ServerLines>
  /** What is shown at other names: `full.name TYPE value`. */
  readonly elsewhere?: ReadonlyArray<string>
  /** Whether the values of the records stood at the names beside the domain before; unknown by default. */
  readonly wasBeside?: boolean
  /** The records that the plan removes. */
  readonly replaced?: ReadonlyArray<string>
  readonly domain?: string
  readonly zone?: string
  readonly resolvers?: ObservationStatus
  readonly answers?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly flattening?: PartialZone["flattening"]
  readonly evidence?: Partial<Pick<DiagnosisEvidence, "isJustWritten" | "isOtherProvider">>
  /** The provider whose page takes the records; by default one of which nothing is known. */
  readonly at?: string
}

/** Compares each server with the intent, and diagnoses every record: its status over all servers, and the diagnosis. */
export const diagnoseAll = (scenario: DiagnosisScenario) => {
  const {
    answers = {},
    at,
    elsewhere = [],
    evidence,
    flattening,
    replaced = [],
    resolvers,
    servers,
    wasBeside
  } = scenario
  const domain = DomainName.make(scenario.domain ?? "shop.de")
  const zone = DomainName.make(scenario.zone ?? domain)
  const desired = desiredRecords(...scenario.desired)
  const provider = catalog.find((known) => known.provider.id === at)?.provider ?? unknownProvider
  const page = { guide: manualGuides[provider.id] ?? generalGuide, provider, zone }
  const zones = servers.map((lines) => ({
    ...zoneOf(...(lines === "silent" ? [] : lines)),
    basis: "public_dns" as const,
    name: zone
  }))
  const compared = zones.map((view, at) =>
    computeAtOnce(
      compareZone(
        EffectiveIntent.make({ domain, records: desired }),
        {
          zone: view,
          unknownRRsets: servers[at] === "silent" ? desired.map(({ host, type }) => ({ host, type })) : [],
          flattening
        },
        { ...emptyPlanContext, answers: new Map(Object.entries(answers)) }
      )
    )
  )
  return desired.map((record, index) => {
    const findings = zones.flatMap((view, at) =>
      (compared[at]?.records ?? []).slice(index, index + 1).map((comparison) => ({
        ...comparison,
        atHost: view.records.filter(({ host }) => host === record.host)
      }))
    )
    const status = combineStatuses([
      ...findings.map((one) => one.status),
      ...(resolvers === undefined ? [] : [resolvers])
    ])
    const diagnosis = diagnose(
      { desired: record, status, servers: findings, wasBeside },
      {
        domain,
        zone,
        allDesired: desired,
        shown: [...zones.flatMap((view) => view.records.map(withName(domain))), ...elsewhere.map(toShown)],
        replaced: zoneOf(...replaced).records,
        isJustWritten: false,
        isOtherProvider: false,
        fieldsOf: (wanted) => makeManualFields(makeNaming(domain, zone)(wanted), page),
        ...evidence
      }
    )
    return { record, status, diagnosis: Option.getOrUndefined(diagnosis) }
  })
}

/** The diagnosis of the first desired record. */
export const diagnoseFirst = (scenario: DiagnosisScenario): Diagnosis | undefined => diagnoseAll(scenario)[0]?.diagnosis

const toShown = (line: string): ShownRecord => {
  const [name = "", type = "", ...rest] = line.split(" ")
  return type === "MX" || type === "SRV"
    ? { name, type, priority: Number(rest[0]), value: rest.slice(1).join(" ") }
    : { name, type, value: rest.join(" ") }
}

import { Effect, Either, Option } from "effect"
import type { Delegation } from "../../dns/zone/Delegation.ts"
import { ZoneReader, type ZoneReadResult } from "../../dns/zone/ZoneReader.ts"
import type { ResourceRecord } from "../../dns/wire/Message.ts"
import type { ConnectionRecord } from "../../domain/connection/ConnectionRecord.ts"
import { DomainName } from "../../domain/names/DomainName.ts"
import type { Diagnosis } from "../../domain/plan/Diagnosis.ts"
import { makeNaming } from "../../domain/plan/NamedRecord.ts"
import { isSameRecord } from "../../domain/plan/Plan.ts"
import { RecordObservation } from "../../domain/plan/RecordObservation.ts"
import { describeDiagnosis, type DiagnosedConnection } from "../../domain/plan/describeDiagnosis.ts"
import { withoutValidation } from "../../domain/values/boundedSchemas.ts"
import type { StoreUnavailable } from "../../persistence/StoreUnavailable.ts"
import { type DiagnosisEvidence, isSameAs, type ShownRecord, withName } from "../../planning/diagnosis/DiagnosisCase.ts"
import { diagnose } from "../../planning/diagnosis/diagnose.ts"
import {
  findBeside,
  listSlipNames,
  selectSlipQuestions,
  type SlipQuestion
} from "../../planning/diagnosis/hostSlips.ts"
import { unknownProvider } from "../../providers/catalog/catalog.ts"
import { Providers } from "../../providers/Providers.ts"
import { groupByProvider } from "../../providers/groupByProvider.ts"
import { hasMoved } from "../../providers/hasMoved.ts"
import { makeManualFields } from "../../providers/guides/makeManualFields.ts"
import { generalGuide, manualGuides } from "../../providers/guides/manualGuides.ts"
import { computeInSlices } from "../../runtime/computeInSlices.ts"
import { type LongComputation, visitEach } from "../../runtime/LongComputation.ts"
import type { ServerComparison } from "./combineObservations.ts"

/** The parts of a connection's history that a diagnosis needs. */
export interface DiagnosisHistory {
  /** Whether the customer enters the records now: only then are slips looked for at other names. */
  readonly isByHand: boolean
  /** Whether the records should be there by now, so that another finding is worth a line in the log. */
  readonly isAwaited: boolean
  readonly checks: number
  /** The observations of the last check. */
  readonly previous: Effect.Effect<ReadonlyArray<RecordObservation>, StoreUnavailable>
}

/** Whether the customer enters the records of a connection by hand now, or removes them so. */
export const isEnteredByHand = ({ connection: { direction, state }, progress }: ConnectionRecord): boolean =>
  state === "awaiting_manual" || direction === "restore" || (progress.isManual && state !== "active")

interface DiagnosisRequest {
  readonly connection: DiagnosedConnection
  readonly delegation: Delegation
  readonly servers: ReadonlyArray<ServerComparison>
  /** The observations of the records that `servers` compare, in the same order. */
  readonly records: ReadonlyArray<RecordObservation>
  /** The records that were read outside the domain. */
  readonly outside: ReadonlyArray<ResourceRecord>
  readonly isJustWritten: boolean
  readonly history: DiagnosisHistory
}

/** What a diagnosis reads outside the domain; nothing where the zone could not be read as a whole. */
export const listOutside = (read: Either.Either<ZoneReadResult, unknown>): ReadonlyArray<ResourceRecord> =>
  Either.match(read, { onLeft: () => [], onRight: ({ recordsOutside }) => recordsOutside })

/** Makes the function that adds diagnoses to observations: why servers do not show a record. It logs new findings. */
export const makeRecordDiagnosis = Effect.gen(function* () {
  const zones = yield* ZoneReader
  const providers = yield* Providers

  return Effect.fnUntraced(function* (request: DiagnosisRequest) {
    const { connection, delegation, history, records, servers } = request
    if (!records.some(isLacking)) return records
    const domain = DomainName.make(connection.effectiveIntent.domain)
    const location = { domain, zone: delegation.zone }
    const previous = yield* history.previous
    const shares = listShares(servers, providers.detect)
    const { provider = unknownProvider } = connection
    const page = { guide: manualGuides[provider.id] ?? generalGuide, provider, zone: delegation.zone }
    const addNames = makeNaming(domain, delegation.zone)
    const unseen = listUnseen(request, shares, history.checks)
    const questions = history.isByHand ? selectSlipQuestions(unseen.records, location, history.checks) : []
    const nameServers = unseen.servers.map(({ view }) => view.server)
    const answers = questions.length === 0 ? [] : yield* zones.readNames({ ...delegation, nameServers }, questions)
    const found = answers.flatMap((answer) => answer.records).filter(isNotFromWildcard(request))
    const wasBeside = ({ expected }: RecordObservation) =>
      wasBesideIn(previous, { expected }).wasBeside ?? findBeside(expected, location, answers)
    const besides = location.zone === domain ? [] : records.map(wasBeside)
    const evidence: DiagnosisEvidence = {
      ...location,
      allDesired: records.map(({ expected }) => expected),
      shown: [
        ...servers.flatMap(({ view }) => view.zone.records.map(withName(domain))),
        ...request.outside,
        ...found,
        ...(history.isByHand ? listRemembered(previous, location, questions) : [])
      ],
      replaced: (connection.plan?.changes ?? []).flatMap(({ before }) => before ?? []),
      isJustWritten: request.isJustWritten,
      isOtherProvider:
        connection.provider !== undefined &&
        hasMoved(connection.provider, listNameServers(delegation), providers.detect),
      fieldsOf: (record) => makeManualFields(addNames(record), page)
    }
    const diagnosed = yield* computeInSlices(diagnoseAll(request, { shares, besides }, evidence))
    // Before anybody has entered anything, what stands there is no news.
    if (history.isAwaited && previous.length > 0) yield* logNew(diagnosed, previous, connection)
    return diagnosed
  })
})

const listNameServers = ({ childNameServers, parentNameServers }: Delegation): ReadonlyArray<string> => [
  ...parentNameServers,
  ...childNameServers
]

/** The servers of each provider: usually of one. */
type Shares = ReadonlyArray<ReadonlyArray<ServerComparison>>

const listShares = (servers: ReadonlyArray<ServerComparison>, detect: (typeof Providers.Service)["detect"]): Shares =>
  groupByProvider(
    servers.map(({ view }) => view.server.name),
    detect
  ).map(({ nameServers }) => servers.filter(({ view }) => nameServers.includes(view.server.name)))

/** The servers of the providers at which a record is not complete; of all where it is at each. */
const selectIncomplete = (shares: Shares, index: number): ReadonlyArray<ServerComparison> => {
  const incomplete = shares.filter((share) => share.some(({ compared }) => compared[index]?.status !== "present"))
  return (incomplete.length === 0 ? shares : incomplete).flat()
}

/** The records that a provider does not show at all, and its servers. Of several providers they take turns. */
const listUnseen = ({ records }: DiagnosisRequest, shares: Shares, round: number) => {
  const found = records.flatMap((record, index) => {
    const servers = selectIncomplete(shares, index)
    const isUnseen = isLacking(record) && servers.every(({ compared }) => compared[index]?.status !== "present")
    return isUnseen ? [{ record: record.expected, servers }] : []
  })
  const turns = [...Map.groupBy(found, ({ servers }) => servers.map(({ view }) => view.server.name).join(" ")).values()]
  const turn = turns[round % turns.length] ?? []
  return { records: turn.map(({ record }) => record), servers: turn[0]?.servers ?? [] }
}

function* diagnoseAll(
  { records }: DiagnosisRequest,
  { besides, shares }: { readonly shares: Shares; readonly besides: ReadonlyArray<boolean | undefined> },
  evidence: DiagnosisEvidence
): LongComputation<ReadonlyArray<RecordObservation>> {
  const hosts = new Map(
    shares.flat().map(({ view }) => [view, Map.groupBy(view.zone.records, ({ host }) => host.toLowerCase())])
  )
  const diagnosed: Array<RecordObservation> = []
  yield* visitEach([...records.entries()], ([index, record]) => {
    const findings = selectIncomplete(shares, index).flatMap(({ compared, view }) =>
      compared.slice(index, index + 1).map((comparison) => ({
        ...comparison,
        atHost: hosts.get(view)?.get(record.expected.host) ?? []
      }))
    )
    const wasBeside = besides[index]
    const { expected: desired, status } = record
    const diagnosis = diagnose({ desired, status, servers: findings, wasBeside }, evidence)
    diagnosed.push(withDiagnosis(record, { diagnosis, wasBeside }))
  })
  return diagnosed
}

const withDiagnosis = (
  record: RecordObservation,
  { diagnosis, wasBeside }: { readonly diagnosis: Option.Option<Diagnosis>; readonly wasBeside: boolean | undefined }
): RecordObservation =>
  RecordObservation.make(
    {
      ...record,
      ...Option.match(diagnosis, { onNone: () => ({}), onSome: (found) => ({ diagnosis: found }) }),
      ...(wasBeside === undefined ? {} : { wasBeside })
    },
    withoutValidation
  )

const isLacking = ({ status }: RecordObservation): boolean => status === "missing" || status === "different"

/** Whether no wildcard that was read answers so for every name that does not exist. */
const isNotFromWildcard = ({ outside, servers }: DiagnosisRequest): ((answer: ShownRecord) => boolean) => {
  const wildcards = [
    ...servers.flatMap(({ view }) => view.zone.records.filter(({ host }) => host.startsWith("*"))),
    ...outside.filter(({ name }) => name.startsWith("*."))
  ]
  return (answer) => !wildcards.some((wildcard) => isSameAs(wildcard, answer))
}

/** What an earlier check noted beside the subdomain, which also a check that reads nothing hands on. */
export const wasBesideIn = (
  previous: ReadonlyArray<RecordObservation>,
  { expected }: Pick<RecordObservation, "expected">
): Pick<RecordObservation, "wasBeside"> => {
  const wasBeside = previous.find((last) => isSameRecord(last.expected, expected))?.wasBeside
  return wasBeside === undefined ? {} : { wasBeside }
}

/** The findings of the last check at the names that take their turn later. */
const listRemembered = (
  previous: ReadonlyArray<RecordObservation>,
  location: Pick<DiagnosisEvidence, "domain" | "zone">,
  questions: ReadonlyArray<SlipQuestion>
): ReadonlyArray<ShownRecord> =>
  previous.flatMap(({ diagnosis, expected }) => {
    if (diagnosis?.code !== "doubled_zone" && diagnosis?.code !== "wrong_host") return []
    const names = new Set<string>(listSlipNames(expected, location))
    questions.forEach(({ name }) => names.delete(name))
    return diagnosis.seen.filter(({ name }) => names.has(name))
  })

/** Logs the findings that the last check did not have. Waiting for a record is no finding. */
const logNew = (
  records: ReadonlyArray<RecordObservation>,
  previous: ReadonlyArray<RecordObservation>,
  connection: DiagnosedConnection
): Effect.Effect<void> => {
  const known = new Set(["", ...previous.map(findingOf)])
  return Effect.forEach(
    records.filter((record) => !known.has(findingOf(record))).slice(0, maxLogged),
    ({ diagnosis, expected }) =>
      diagnosis === undefined
        ? Effect.void
        : Effect.annotateLogs(Effect.logInfo("A record is not shown as it should be"), {
            diagnosis: diagnosis.code,
            host: expected.host,
            type: expected.type,
            fix: describeDiagnosis(diagnosis, expected, connection)
          }),
    { discard: true }
  )
}

/** Identifies a record with its finding; all right or awaited records are alike. */
const findingOf = ({ diagnosis, expected: { host, type, value } }: RecordObservation): string =>
  diagnosis === undefined || diagnosis.code === "not_yet" || diagnosis.code === "on_its_way"
    ? ""
    : `${diagnosis.code} ${host} ${type} ${value}`

const maxLogged = 10

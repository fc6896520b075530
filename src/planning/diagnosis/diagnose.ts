import { Iterable, Option } from "effect"
import { toFqdn, toZoneHost } from "../../domain/names/DomainName.ts"
import type { Diagnosis } from "../../domain/plan/Diagnosis.ts"
import type { ZoneRecord } from "../../domain/records/DnsRecord.ts"
import { findSingletonTxtKind } from "../../domain/records/txt.ts"
import { isAddressRole } from "../RecordRole.ts"
import {
  type DiagnosisCase,
  type DiagnosisEvidence,
  type DiagnosisSubject,
  isSameAs,
  isSameValue,
  type ShownRecord,
  toSeen,
  withName
} from "./DiagnosisCase.ts"
import { findAtWrongHost, findDoubledHost } from "./hostSlips.ts"
import { contentOf, findFieldToChange, sortByDifference } from "./pageFields.ts"
import { isParking } from "./parkingRecords.ts"
import {
  findDoubledTarget,
  findEscaped,
  findQuoted,
  findTruncated,
  findWrongType,
  type ValueSlip
} from "./valueSlips.ts"

/** Why servers do not show a desired record; nothing without an authoritative answer: silence is nobody's mistake. */
export const diagnose = (subject: DiagnosisSubject, evidence: DiagnosisEvidence): Option.Option<Diagnosis> => {
  const { servers, status } = subject
  const isOpen = status === "missing" || status === "different"
  if (!isOpen || servers.every((server) => server.status === "unknown")) return Option.none()
  const diagnosed = toCase(subject, evidence)
  return Option.map(
    Iterable.findFirst(
      Iterable.map(precedence, (rule) => rule(diagnosed)),
      (finding) => finding !== undefined
    ),
    (finding) => ({ ...finding, servers: { showing: diagnosed.showing, asked: servers.length } })
  )
}

type Finding = Omit<Diagnosis, "servers">
type DiagnosisRule = (diagnosed: DiagnosisCase) => Finding | undefined

const toCase = (subject: DiagnosisSubject, evidence: DiagnosisEvidence): DiagnosisCase => {
  const { desired, servers } = subject
  const { allDesired, domain, fieldsOf, replaced, zone } = evidence
  const name = toFqdn(desired.host, domain)
  const lacking = servers.filter(({ status }) => status === "missing" || status === "different")
  const desiredAtHost = allDesired.filter(({ host }) => host === desired.host)
  const isForeign = (record: ZoneRecord) => !desiredAtHost.some((other) => isSameAs(record, other))
  const isOld = ({ host, type, value }: ZoneRecord) =>
    replaced.some((old) => old.host === host && old.type === type && isSameValue(type, value, old.value))
  const foreign = lacking.flatMap(({ atHost }) => atHost).filter(isForeign)
  return {
    ...subject,
    ...evidence,
    name,
    zoneHost: contentOf({ desired, fieldsOf }, "host") ?? toZoneHost(name, zone),
    lacking,
    showing: servers.filter(({ status }) => status === "present").length,
    inPlace: lacking.flatMap(({ observed }) => observed).filter(isForeign),
    entered: foreign.filter((record) => !isOld(record))
  }
}

/** Where the servers that answer are not run by the provider at which the customer enters records, all else is idle. */
const otherZone: DiagnosisRule = ({ inPlace, isOtherProvider, showing, ...diagnosed }) =>
  isOtherProvider && showing === 0 ? { code: "other_zone", seen: seenAt(diagnosed, inPlace) } : undefined

const hidden: DiagnosisRule = ({ lacking, ...diagnosed }) => {
  const reason = lacking.find((server) => server.reason !== undefined)?.reason
  const addresses = lacking.flatMap(({ atHost }) => atHost).filter(({ type }) => isAddressRole(type))
  return reason === undefined
    ? undefined
    : { code: reason === "proxied" ? "proxied" : "flattened", seen: seenAt(diagnosed, addresses) }
}

/** A server that has both: two servers with one each may be a change on its way. */
const twoPolicies: DiagnosisRule = ({ desired, lacking, ...diagnosed }) => {
  const kind = findSingletonTxtKind(desired)
  if (kind !== "SPF" && kind !== "DMARC") return undefined
  const policies = lacking
    .map(({ atHost }) => atHost.filter((record) => findSingletonTxtKind(record) === kind))
    .find((found) => new Set(found.map(({ value }) => value)).size > 1)
  return policies === undefined
    ? undefined
    : {
        code: kind === "SPF" ? "two_spf" : "two_dmarc",
        seen: seenAt(diagnosed, policies),
        copy: desired.value,
        field: "value"
      }
}

const alsoThere: DiagnosisRule = ({ desired, inPlace, lacking, ...diagnosed }) => {
  const isBeside = lacking.some(({ atHost }) => atHost.some((record) => isSameAs(record, desired)))
  return isBeside && inPlace.length > 0 ? { code: "also_there", seen: seenAt(diagnosed, inPlace) } : undefined
}

/** The service wrote it, or all name servers that answer show it, and public resolvers remember the former records. */
const onItsWay: DiagnosisRule = ({ inPlace, isJustWritten, lacking, ...diagnosed }) =>
  isJustWritten || lacking.length === 0 ? { code: "on_its_way", seen: seenAt(diagnosed, inPlace) } : undefined

const onlySomeServers: DiagnosisRule = ({ inPlace, showing, ...diagnosed }) =>
  showing > 0 ? { code: "only_some_servers", seen: seenAt(diagnosed, inPlace) } : undefined

const valueSlip =
  (find: (diagnosed: DiagnosisCase) => ValueSlip | undefined): DiagnosisRule =>
  (diagnosed) => {
    const found = find(diagnosed)
    if (found === undefined) return undefined
    const { records, ...slip } = found
    return { ...slip, seen: seenAt(diagnosed, records) }
  }

const hostSlip =
  (
    code: "doubled_zone" | "wrong_host",
    find: (diagnosed: DiagnosisCase) => ReadonlyArray<ShownRecord>
  ): DiagnosisRule =>
  (diagnosed) => {
    const records = find(diagnosed)
    return records.length === 0 ? undefined : { code, seen: toSeen(records), copy: diagnosed.zoneHost, field: "host" }
  }

const blockedByCaa: DiagnosisRule = ({ desired, lacking, ...diagnosed }) => {
  const others = lacking.flatMap(({ atHost }) => atHost).filter(({ type }) => type === "CAA")
  return desired.type === "CAA" && others.length > 0
    ? { code: "blocked_by_caa", seen: seenAt(diagnosed, others), copy: desired.value, field: "value" }
    : undefined
}

const parking: DiagnosisRule = ({ inPlace, ...diagnosed }) => {
  const parked = inPlace.filter(isParking)
  return parked.length === 0 ? undefined : { code: "parking", seen: seenAt(diagnosed, parked) }
}

const oldValueRemains: DiagnosisRule = ({ inPlace, ...diagnosed }) => {
  const [nearest, ...others] = sortByDifference(diagnosed, inPlace)
  return nearest === undefined
    ? undefined
    : {
        code: "old_value_remains",
        seen: seenAt(diagnosed, [nearest, ...others]),
        ...findFieldToChange(diagnosed, nearest)
      }
}

const notYet: DiagnosisRule = () => ({ code: "not_yet", seen: [] })

/** The first rule with a finding decides. Faults that the customer cannot mend by typing come first. */
const precedence: ReadonlyArray<DiagnosisRule> = [
  otherZone,
  hidden,
  twoPolicies,
  alsoThere,
  onItsWay,
  onlySomeServers,
  valueSlip(findDoubledTarget),
  valueSlip(findQuoted),
  valueSlip(findEscaped),
  valueSlip(findTruncated),
  valueSlip(findWrongType),
  hostSlip("doubled_zone", findDoubledHost),
  hostSlip("wrong_host", findAtWrongHost),
  blockedByCaa,
  parking,
  oldValueRemains,
  notYet
]

const seenAt = ({ domain }: Pick<DiagnosisCase, "domain">, records: ReadonlyArray<ZoneRecord>) =>
  toSeen(records.map(withName(domain)))

import type { DomainName } from "../../domain/DomainName.ts"
import { findSingletonTxtKind } from "../../domain/DnsRecord.ts"
import type { LocatedWarning } from "../LocatedWarning.ts"
import type { LiveRecord } from "../zone/LiveZone.ts"
import type { PlanRow } from "./diffZone.ts"

/**
 * Warns where a record goes by which programs find a service, a certificate is renewed, or receivers learn a policy, and
 * says what stops.
 */
export const warnAboutServiceRecord = (row: PlanRow, name: DomainName): ReadonlyArray<LocatedWarning> => {
  const { before, hasDataLoss } = row
  const service = before === undefined || !hasDataLoss ? undefined : services.find(({ isOne }) => isOne(before))
  return service === undefined
    ? []
    : [{ warning: "service_record_replaced", rows: [row], finding: `${name}: ${service.loss}.` }]
}

interface ServiceRecordKind {
  readonly isOne: (record: LiveRecord) => boolean
  /** What the loss of the record means. */
  readonly loss: string
}

/** Whether a record is a text of this kind, or the alias to one. */
const isTextAt = (kind: string, host: RegExp) => (record: LiveRecord) =>
  findSingletonTxtKind(record) === kind || (record.type === "CNAME" && host.test(record.host))

const services: ReadonlyArray<ServiceRecordKind> = [
  { isOne: ({ type }) => type === "SRV", loss: "programs no longer find this server of the service (SRV)" },
  {
    isOne: ({ host, type }) => /^_acme-challenge(\.|$)/.test(host) && (type === "CNAME" || type === "TXT"),
    loss: "certificates that are validated by this record can no longer be renewed (ACME)"
  },
  {
    isOne: isTextAt("MTA-STS", /^_mta-sts(\.|$)/),
    loss: "senders read the policy for encrypted delivery again or no longer find it (MTA-STS)"
  },
  {
    isOne: isTextAt("TLS-RPT", /^_smtp\._tls(\.|$)/),
    loss: "reports on encrypted delivery go elsewhere or stop (TLS-RPT)"
  },
  { isOne: isTextAt("BIMI", /(^|\.)_bimi(\.|$)/), loss: "receivers show another logo or none beside mail (BIMI)" }
]

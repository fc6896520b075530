import { isDmarc } from "../domain/records/DmarcRecord.ts"
import type { ZoneRecord } from "../domain/records/DnsRecord.ts"
import { findSingletonTxtKind } from "../domain/records/txt.ts"

/** Whether a name, or a host, is that of a DKIM key or of a DMARC policy. */
export const isPolicyHost = (name: string): boolean => /(^|\.)_dmarc(\.|$)|\._domainkey(\.|$)/.test(name)

/** Whether a record is a DKIM key or an alias to a hosted one. */
export const isDkimKey = (record: HostRecord): boolean =>
  record.type === "CNAME"
    ? /(^|\.)_domainkey(\.|$)/.test(record.host)
    : findSingletonTxtKind(record) === "DKIM" && !isDmarc(record.value)

/** Whether a record is a DKIM key or a DMARC policy at any host: the alias of another may lead to it. */
export const isPolicyText = ({ type, value }: HostRecord): boolean =>
  type === "TXT" && (isDmarc(value) || isDkimKey({ host: "_domainkey", type, value }))

type HostRecord = Pick<ZoneRecord, "host" | "type" | "value">

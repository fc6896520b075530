import { isDmarc, isDmarcHost } from "./DmarcRecord.ts"
import { isSpf } from "./SpfRecord.ts"

/** A kind of TXT record of which a host may have only one. */
export type OnceOnlyKind = "SPF" | "DMARC" | "DKIM" | "MTA-STS" | "TLS-RPT" | "BIMI"

/** Tells the TXT records of which a host may have only one apart by host and version tag. */
export const onceOnlyKind = (record: {
  readonly host: string
  readonly type: string
  readonly value: string
}): OnceOnlyKind | undefined => {
  if (record.type !== "TXT") return undefined
  if (/(^|\.)_domainkey(\.|$)/.test(record.host)) return "DKIM"
  if (isSpf(record.value)) return "SPF"
  if (isDmarcHost(record.host) && isDmarc(record.value)) return "DMARC"
  return versions.find(([version]) => version.test(record.value))?.[1]
}

const versions: ReadonlyArray<readonly [RegExp, OnceOnlyKind]> = [
  [/^\s*v=STSv1\s*(;|$)/i, "MTA-STS"],
  [/^\s*v=TLSRPTv1\s*(;|$)/i, "TLS-RPT"],
  [/^\s*v=BIMI1\s*(;|$)/i, "BIMI"]
]

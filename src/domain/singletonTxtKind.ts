import { isDmarc, isDmarcHost } from "./DmarcRecord.ts"
import { isSpf } from "./SpfRecord.ts"

/** A kind of TXT record of which a host may have only one. */
export type SingletonTxtKind = "SPF" | "DMARC" | "DKIM" | "MTA-STS" | "TLS-RPT" | "BIMI"

/** The kind of a TXT record of which a host may have only one, by its host and version tag; none for other records. */
export const singletonTxtKind = (record: {
  readonly host: string
  readonly type: string
  readonly value: string
}): SingletonTxtKind | undefined => {
  if (record.type !== "TXT") return undefined
  if (isSpf(record.value)) return "SPF"
  if (isDmarcHost(record.host) && isDmarc(record.value)) return "DMARC"
  return kinds.find(({ host, text }) => host.test(record.host) && text.test(record.value))?.kind
}

/** By their standards these kinds exist at certain hosts only; other texts at these hosts are none of them. */
const kinds: ReadonlyArray<{ readonly kind: SingletonTxtKind; readonly host: RegExp; readonly text: RegExp }> = [
  // RFC 6376 section 3.6.1: the version may be missing, the key may not.
  { kind: "DKIM", host: /(^|\.)_domainkey(\.|$)/, text: /^\s*v\s*=\s*DKIM1\s*(;|$)|(^|;)\s*p\s*=/i },
  { kind: "MTA-STS", host: /^_mta-sts(\.|$)/, text: /^\s*v\s*=\s*STSv1\s*(;|$)/i },
  { kind: "TLS-RPT", host: /^_smtp\._tls(\.|$)/, text: /^\s*v\s*=\s*TLSRPTv1\s*(;|$)/i },
  { kind: "BIMI", host: /(^|\.)_bimi(\.|$)/, text: /^\s*v\s*=\s*BIMI1\s*(;|$)/i }
]

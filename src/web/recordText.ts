import type { RecordDocument } from "./ConnectionDocument.ts"
import type { Words } from "./words/en.ts"

/** Describes the purpose of a record in words that a shop owner knows. */
export const recordPurpose = ({ host, type, value }: RecordDocument, words: Words): string => {
  if (type === "TXT") return txtPurpose(host, value, words)
  const purposes: { readonly [type: string]: string } = {
    A: words.kindA,
    AAAA: words.kindAAAA,
    CNAME: words.kindCNAME,
    MX: words.kindMX,
    NS: words.kindNS,
    SRV: words.kindSRV,
    CAA: words.kindCAA
  }
  return purposes[type] ?? words.kindOther
}

const txtPurpose = (host: string, value: string, words: Words): string => {
  if (/^v=spf1( |$)/i.test(value)) return words.kindSpf
  if (/^v=DMARC1\b/i.test(value)) return words.kindDmarc
  if (/(^|\.)_domainkey(\.|$)/i.test(host)) return words.kindDkim
  return words.kindTXT
}

/** The value of a record, followed by its priority if it has one. */
export const recordValueText = ({ priority, value }: RecordDocument, words: Words): string =>
  priority === undefined ? value : `${value} (${words.priority} ${priority})`

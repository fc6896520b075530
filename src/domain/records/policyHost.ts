import { Option } from "effect"
import type { ValueIssue } from "../error/ErrorDetail.ts"

/** A policy or key, which programs look for at hosts of one form only. */
interface PlacedText {
  readonly kind: string
  readonly text: RegExp
  readonly host: RegExp
  /** Where it belongs at the domain itself, as the message shows it. */
  readonly place: string
  readonly standard: string
}

const placedTexts: ReadonlyArray<PlacedText> = [
  {
    kind: "DMARC",
    text: /^\s*v\s*=\s*DMARC1\s*(;|$)/i,
    host: /^_dmarc(\.|$)|\._report\._dmarc(\.|$)/,
    place: "_dmarc",
    standard: "RFC 9989"
  },
  {
    kind: "DKIM",
    text: /^\s*v\s*=\s*DKIM1\s*(;|$)/i,
    host: /^[^.]+(\.[^.]+)*\._domainkey(\.|$)/,
    place: "selector._domainkey",
    standard: "RFC 6376"
  },
  {
    kind: "MTA-STS",
    text: /^\s*v\s*=\s*STSv1\s*(;|$)/i,
    host: /^_mta-sts(\.|$)/,
    place: "_mta-sts",
    standard: "RFC 8461"
  },
  {
    kind: "TLS-RPT",
    text: /^\s*v\s*=\s*TLSRPTv1\s*(;|$)/i,
    host: /^_smtp\._tls(\.|$)/,
    place: "_smtp._tls",
    standard: "RFC 8460"
  }
]

/**
 * Checks that a policy or key of mail stands where programs look for it. Elsewhere it may be what an alias leads to:
 * only the domain itself, and a host that is nearly the right one, are refused.
 */
export const checkPolicyHost = (host: string, value: string): Option.Option<ValueIssue> => {
  const placed = placedTexts.find(({ text }) => text.test(value))
  if (placed === undefined || placed.host.test(host)) return Option.none()
  const meant = host === "@" ? placed.place : respell(host)
  if (!placed.host.test(meant)) return Option.none()
  return Option.some({
    code: "host_malformed",
    message: `programs look for a ${placed.kind} record at \`${placed.place}\` (${placed.standard})`,
    // Nobody knows the selector of a key.
    ...(host === "@" && placed.kind === "DKIM" ? {} : { suggestion: meant })
  })
}

/** The host with one underscore before each word of a standard, in labels of their own, and `_dmarc` in front. */
const respell = (host: string): string =>
  host
    .replace(/(?<=[a-z0-9])[-_]+(?=domainkey(\.|$))/g, "._")
    .replace(/(^|\.)_*(?=(?:dmarc|domainkey|mta-sts)(?:\.|$)|smtp\._*tls(?:\.|$))/g, "$1_")
    .replace(/^_smtp\._*tls/, "_smtp._tls")
    .replace(/^(.+)\._dmarc$/, "_dmarc.$1")

import type { Warning } from "../domain/plan/Warning.ts"
import {
  type ChangeDocument,
  type ChangeRecordDocument,
  type ConnectionDocument,
  isWebRecord,
  type WarningDetailDocument,
  warningsOf
} from "./ConnectionDocument.ts"

/** What a change is about, for somebody who has never heard of DNS. */
export type Topic = "website" | "mail" | "security" | "proof" | "other"

/** The changes and the warnings of one topic. */
export interface Tile {
  readonly topic: Topic
  readonly changes: ReadonlyArray<ChangeDocument>
  readonly warnings: ReadonlyArray<WarningDetailDocument>
}

/** The tiles of the review; the one of mail is always there, since everybody asks what happens to their mail. */
export const listTiles = (connection: ConnectionDocument): ReadonlyArray<Tile> => {
  const { changes = [] } = connection.plan ?? {}
  const warnings = warningsOf(connection)
  return topics
    .map((topic) => ({
      topic,
      changes: changes.filter((change) => topicOfChange(change) === topic),
      warnings: warnings.filter((warning) => topicOfWarning(warning, changes) === topic)
    }))
    .filter((tile) => tile.topic === "mail" || tile.changes.length + tile.warnings.length > 0)
}

const topics = ["website", "mail", "security", "proof", "other"] as const

const topicOfChange = ({ after, before }: ChangeDocument): Topic => {
  const record = after ?? before
  return record === undefined ? "other" : topicOf(record)
}

/** The topic of a record. */
export const topicOf = (record: Pick<ChangeRecordDocument, "host" | "type" | "value">): Topic => {
  const { host, type, value } = record
  if (isWebRecord(record)) return "website"
  if (type === "MX" || isMailPolicy(host, value)) return "mail"
  if (["CAA", "TLSA", "DS", "SSHFP"].includes(type) || /^_acme-challenge(\.|$)/.test(host)) return "security"
  return type === "TXT" || (type === "CNAME" && host.startsWith("_")) ? "proof" : "other"
}

const isMailPolicy = (host: string, value: string): boolean =>
  /(^|\.)(_domainkey|_dmarc|_mta-sts|_smtp\._tls)(\.|$)/i.test(host) || /^v=(spf1|DMARC1)\b/i.test(value)

/** A warning belongs to what its code speaks of, else to its first change. */
const topicOfWarning = ({ changes: [first], code }: WarningDetailDocument, changes: ReadonlyArray<ChangeDocument>) => {
  const change = first === undefined ? undefined : changes[first]
  return topicOfCode(code) ?? (change === undefined ? "other" : topicOfChange(change))
}

const topicOfCode = (code: Warning): Topic | undefined => {
  if (/^(spf|dmarc|dkim|mx|mail|null_mx|tls_policy)_/.test(code)) return "mail"
  if (code.startsWith("caa_")) return "security"
  return /^(website|address_records|cname|apex_cname|wildcard|proxied)/.test(code) ? "website" : undefined
}

/** Whether a warning is about mail to an address without a mail server of its own, which most small domains never get. */
export const isMailQuestion = ({ changes, code }: WarningDetailDocument, { plan }: ConnectionDocument): boolean =>
  code === "mail_target_changed" &&
  changes.length > 0 &&
  changes.every((place) => {
    const change = plan?.changes[place]
    return change !== undefined && topicOfChange(change) === "website"
  })

/** The senders that an SPF record gains and loses: `+ mail.platform.example`. */
export const compareSenders = ({ after, before }: ChangeDocument): string | undefined => {
  if (![after, before].every((record) => record !== undefined && /^v=spf1\b/i.test(record.value))) return undefined
  const [old, next] = [before, after].map((record) => record?.value.split(/\s+/) ?? [])
  const marked = [
    ...(next ?? []).filter((term) => old?.includes(term) === false).map((term) => `+ ${nameOfTerm(term)}`),
    ...(old ?? []).filter((term) => next?.includes(term) === false).map((term) => `− ${nameOfTerm(term)}`)
  ]
  return marked.length === 0 ? undefined : marked.join(", ")
}

const nameOfTerm = (term: string): string => term.replace(/^\+?(include|redirect|a|mx|ip4|ip6|exists)[:=]/i, "")

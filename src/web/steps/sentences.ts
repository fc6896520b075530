import { html, type TemplateResult } from "lit"
import {
  type ChangeDocument,
  type ChangeRecordDocument,
  type ConnectionDocument,
  domainOf,
  isSameRecord,
  isWebRecord,
  listStanding,
  nameOf,
  providerNamesOf,
  type WarningDetailDocument,
  wantedOf,
  warningsOf
} from "../ConnectionDocument.ts"
import { listNewChanges, type NewChange } from "../changesSince.ts"
import { listMailServices } from "../mailServices.ts"
import { compareSenders, isMailQuestion, listTiles, type Tile } from "../reviewTiles.ts"
import { formatNames, icons } from "../templates.ts"
import { toUnicodeValue } from "../toUnicodeName.ts"
import { interpolate, type ViewModel } from "../ViewModel.ts"

/** What the review begins with. */
export const introOf = ({ connection, consent, words }: ViewModel): string => {
  const { changes = [], warnings = [] } = connection.plan ?? {}
  if (connection.direction === "restore") return words.restoreIntro
  if (changes.length === 0) return words.changesNone
  if (warnings.includes(differsFromPublic)) return words.changesAgainIntro
  return listNewChanges(changes, consent).length > 0 ? words.changesSinceIntro : words.changesIntro
}

/** Nobody has changed anything since: public DNS has answered with something else than the provider has stored. */
const differsFromPublic = "provider_zone_differs_from_public_dns"

/** What is new of a tile since the customer looked before. */
export const newsOf = ({ changes }: Tile, view: ViewModel): ReadonlyArray<string> => {
  const { connection, consent } = view
  if (connection.direction === "restore") return []
  return listNewChanges(connection.plan?.changes ?? [], consent)
    .filter(({ change }) => changes.includes(change))
    .map((found) => formatNews(found, view))
}

const formatNews = ({ change: { after, before }, news }: NewChange, { connection, words }: ViewModel): string => {
  const record = after ?? before
  const name = record === undefined ? "" : nameOf(record)
  const shown = (side: ChangeRecordDocument | undefined) => (side === undefined ? words.nothing : toUnicodeValue(side))
  if (news === "planned") return interpolate(words.sincePlanned, { name, value: shown(after) })
  if (news !== "added" && connection.plan?.warnings.includes(differsFromPublic) === true)
    return interpolate(words.sinceStored, { name, value: shown(before) })
  if (before !== undefined) return interpolate(words.sinceChanged, { name, value: shown(before) })
  return interpolate(news === "removed" ? words.sinceRemoved : words.sinceAdded, { name })
}

/** One sentence: what there is today, and what there will be. */
export const sentenceOf = (tile: Tile, view: ViewModel): TemplateResult | string => {
  const { connection, platform, words } = view
  const { changes, topic, warnings } = tile
  if (changes.length === 0) {
    const needsAnswer = warnings.some(({ requiresAcknowledgement }) => requiresAcknowledgement)
    return needsAnswer || topic !== "mail" ? "" : html`<span class="good">${icons.good}</span> ${mailStaysOf(view)}`
  }
  const values = { names: formatNames(namesOf(changes), view), who: platform.name ?? words.theShop }
  if (topic === "website") return websiteSentenceOf(tile, values, view)
  if (topic === "mail") return mailSentenceOf(tile, values, view)
  if (connection.direction === "restore") return interpolate(words.entriesBack, values)
  // What is removed, or replaces something, neither proves nor allows anything new.
  const isNew = changes.every(
    ({ after, before }) => after !== undefined && (topic === "security" || before === undefined)
  )
  const texts = { security: words.securityChanged, proof: words.proofAdded, other: words.otherChanged }
  return interpolate(isNew ? texts[topic] : words.otherChanged, values)
}

const websiteSentenceOf = (tile: Tile, values: SentenceValues, view: ViewModel): string => {
  const { connection, words } = view
  const { back = [], onward = [] } = Object.groupBy(tile.changes, (change) =>
    goesBack(change, connection) ? "back" : "onward"
  )
  const added = new Set(recordsOf(onward, "after").map(nameOf))
  const returning = new Set(recordsOf(back, "after").map(nameOf)).difference(added)
  const ended = namesOf(back).difference(added).difference(returning)
  const gone = namesOf(tile.changes).difference(added).difference(returning).difference(ended)
  const replaced = listReplacedNames(tile, view)
  // Such as a name with one of its two addresses.
  const standing = new Set(listStanding(connection).filter(isWebRecord).map(nameOf))
  const begun = [...added].filter((name) => replaced.has(name) || !standing.has(name))
  const kept = added.difference(new Set(begun))
  const old = begun.filter((name) => replaced.has(name))
  const text =
    old.length === 0 ? words.websiteNew : old.length === begun.length ? words.websiteReplaced : words.websiteSome
  const say = (sentence: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
    names.length === 0
      ? []
      : [interpolate(sentence, { ...values, names: formatNames(names, view), old: formatNames(old, view) })]
  return [
    ...say(text, begun),
    ...say(words.websiteBack, [...returning]),
    ...say(words.websiteGone, [...ended]),
    ...say(words.otherChanged, [...kept, ...gone])
  ].join(" ")
}

/** Whether a change takes away what the platform wanted until now: in a disconnection, or for another intent. */
const goesBack = ({ after, before }: ChangeDocument, connection: ConnectionDocument): boolean => {
  const { direction, pendingIntent } = connection
  if (direction === "restore") return true
  if (pendingIntent === undefined) return false
  return after === undefined ? before !== undefined && isWanted(before, connection) : !isWanted(after, pendingIntent)
}

const isWanted = (record: ChangeRecordDocument, { effectiveIntent }: Pick<ConnectionDocument, "effectiveIntent">) =>
  effectiveIntent.records.some((wanted) => isSameRecord(wanted, record))

/** The names that lead somewhere today: by an entry that gives way, or by a wildcard that no longer answers there. */
const listReplacedNames = ({ changes, warnings }: Tile, { connection: { plan } }: ViewModel): ReadonlySet<string> => {
  const hidden = warnings.filter(({ code }) => code === "website_replaced").flatMap((warning) => warning.changes)
  const isReplaced = (change: ChangeDocument) =>
    change.before !== undefined || hidden.some((index) => plan?.changes[index] === change)
  return namesOf(changes.filter(isReplaced))
}

/** Who runs the domain, usually one provider; `undefined` where nobody knows. */
export const providersOf = (view: ViewModel): string | undefined =>
  formatNames(providerNamesOf(view.connection), view) || undefined

/** Where mail arrives today, by the name that the customer knows. */
const mailStaysOf = (view: ViewModel): string => sayPlace(view, view.words.mailStays, view.words.mailStaysAt)

type SentenceValues = { readonly names: string; readonly who: string }

const mailSentenceOf = (
  { changes, warnings }: Tile,
  values: SentenceValues,
  view: ViewModel
): TemplateResult | string => {
  const { connection, words } = view
  const senders = changes.flatMap((change) => compareSenders(change) ?? [])
  const moved = describeMove(changes, view)
  if (moved !== undefined) {
    const texts = { ...values, names: domainOf(connection), ...moved }
    const sending = hasSenders(changes, "after") && moved.to !== "" ? words.mailSenders : ""
    const text = moved.to === "" ? words.mailEnds : moved.from === "" ? words.mailBegins : words.mailMoves
    return interpolate(`${text} ${sending}`.trim(), texts)
  }
  if (connection.direction === "restore") return interpolate(words.entriesBack, values)
  // Who has to say whether there is mail at all is not told that it stays.
  const isAsked = warnings.some((warning) => isMailQuestion(warning, connection))
  const policies = hasSenders(changes, "after") ? words.mailSenders : words.otherChanged
  return html`${isAsked ? "" : keptMailOf(view)} ${interpolate(policies, values)}
  ${senders.map((each) => html`<code dir="ltr" part="value">${each}</code> `)}`
}

const keptMailOf = (view: ViewModel): string => sayPlace(view, view.words.mailKept, view.words.mailKeptAt)

/** A sentence with the place of mail, where the servers of the zone tell it. */
const sayPlace = (view: ViewModel, unknown: string, known: string): string => {
  const services = listMailServices(view.connection.plan?.mailServers ?? [])
  return services.length === 0 ? unknown : interpolate(known, { from: formatNames(services.slice(0, 3), view) })
}

type Side = "after" | "before"

const recordsOf = (changes: ReadonlyArray<ChangeDocument>, side: Side): ReadonlyArray<ChangeRecordDocument> =>
  changes.flatMap((change) => change[side] ?? [])

/**
 * Where mail to the domain itself arrives before and after the changes, by names that the customer knows; `undefined` if
 * that stays the same. Servers that no change touches count, too; those of other hosts do not.
 */
const describeMove = (changes: ReadonlyArray<ChangeDocument>, view: ViewModel) => {
  const ofDomain = (side: Side) =>
    recordsOf(changes, side).flatMap(({ host, type, value }) =>
      host === "@" && type === "MX" && value !== "." ? [value] : []
    )
  const removed = ofDomain("before")
  const known = new Set([...(view.connection.plan?.mailServers ?? []), ...removed])
  const kept = [...known].filter((server) => !removed.includes(server))
  const [from, to] = [listMailServices([...known]), listMailServices([...kept, ...ofDomain("after")])]
  const isSame = new Set(from).symmetricDifference(new Set(to)).size === 0
  return isSame ? undefined : { from: formatNames(from, view), to: formatNames(to, view) }
}

/** Whether entries let somebody send mail: a list with a sender, or a key that signs. */
const hasSenders = (changes: ReadonlyArray<ChangeDocument>, side: Side): boolean =>
  recordsOf(changes, side).some(({ host, value }) =>
    /(^|\.)_domainkey(\.|$)/i.test(host) ? !/(^|;)\s*p=\s*(;|$)/i.test(value) : senderTerm.test(value)
  )

const senderTerm = /^v=spf1\s(.*\s)?[+?~]?(a|exists|include|ip4|ip6|mx|ptr|redirect)(?![a-z0-9])/i

/** The changes that were made: all but those that left something as it was. */
export const listMade = ({ leftovers = [], plan }: ConnectionDocument): ReadonlyArray<ChangeDocument> =>
  (plan?.changes ?? []).filter(
    ({ after, before }) =>
      !leftovers.some(({ record }) => [after, before].some((each) => each && isSameRecord(record, each)))
  )

/** The names of what changes, as people write them. */
export const namesOf = (changes: ReadonlyArray<ChangeDocument>): ReadonlySet<string> =>
  new Set(
    changes.flatMap(({ after, before }) => {
      const record = after ?? before
      return record === undefined ? [] : [nameOf(record)]
    })
  )

/** What visitors see now that the domain is connected; empty without a website. */
export const websiteResultOf = (view: ViewModel): string => {
  const { connection, platform, words } = view
  const records = wantedOf(connection).effectiveIntent.records.filter(isWebRecord)
  const names = records.toSorted((one, other) => one.host.length - other.host.length).map(nameOf)
  if (names.length === 0) return ""
  return interpolate(words.websiteNow, { names: formatNames(names, view), who: platform.name ?? words.theShop })
}

/** What has become of mail: where it arrives now, and who may send it; of a place that is not certain, nothing. */
export const mailResultOf = (view: ViewModel): string => {
  const { connection, platform, words } = view
  const made = listMade(connection)
  const changes = (listTiles(connection).find(({ topic }) => topic === "mail")?.changes ?? []).filter((change) =>
    made.includes(change)
  )
  const senders = interpolate(sendersResultOf(changes, view), { who: platform.name ?? words.theShop })
  return `${placeResultOf(changes, view)} ${senders}`.trim()
}

const placeResultOf = (changes: ReadonlyArray<ChangeDocument>, view: ViewModel): string => {
  const { connection, words } = view
  const moved = describeMove(changes, view)
  if (moved !== undefined && moved.to !== "") return interpolate(words.mailNow, moved)
  if (moved !== undefined) return interpolate(words.mailGone, { names: domainOf(connection) })
  const warnings = warningsOf(connection)
  const question = warnings.find((warning) => isMailQuestion(warning, connection))
  if (question !== undefined) {
    const places = question.changes.flatMap((index) => connection.plan?.changes[index] ?? [])
    return interpolate(connection.direction === "restore" ? words.mailBack : words.mailUnnamed, {
      names: formatNames(namesOf(places), view)
    })
  }
  const { leftovers = [], provider } = connection
  const stray = [...(provider?.domainConnect?.alsoRemoved ?? []), ...leftovers.map(({ record }) => record)]
  const isLost = stray.some(({ type }) => type === "MX")
  const isOfPlace = ({ changes, code }: WarningDetailDocument) =>
    /^(mail|mx|null_mx)_/.test(code) && !changes.every((index) => isPolicyOf(connection.plan?.changes[index]))
  return isLost || connection.plan === undefined || warnings.some(isOfPlace) ? "" : keptMailOf(view)
}

/** Whether a change is of a policy, which says nothing of the place where mail arrives. */
const isPolicyOf = (change: ChangeDocument | undefined): boolean => (change?.after ?? change?.before)?.type === "TXT"

const sendersResultOf = (
  changes: ReadonlyArray<ChangeDocument>,
  { connection, words }: Pick<ViewModel, "connection" | "words">
): string => {
  if (connection.direction === "restore") return hasSenders(changes, "before") ? words.mailSendersGone : ""
  return hasSenders(changes, "after") ? words.mailSendersNow : ""
}

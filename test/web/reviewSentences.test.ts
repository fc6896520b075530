import { expect, test } from "bun:test"
import {
  addressOf,
  type ChangeDocument,
  type ConnectionDocument,
  listStanding
} from "../../src/web/ConnectionDocument.ts"
import { listTiles, type Topic } from "../../src/web/reviewTiles.ts"
import { mailResultOf, sentenceOf, websiteResultOf } from "../../src/web/steps/sentences.ts"
import { renderDegraded } from "../../src/web/steps/failure.ts"
import { renderLeftOut, renderLeftovers } from "../../src/web/steps/outcome.ts"
import { renderLive } from "../../src/web/steps/success.ts"
import { readDocument } from "./recordedDocuments.ts"
import { textOf, viewOf } from "./templateText.ts"

const { connection } = readDocument("review-with-mail")
const domain = connection.intent.domain
type ReviewedPlan = NonNullable<ConnectionDocument["plan"]>

const recordAt = (host: string, type: string, value: string) => ({
  host,
  name: host === "@" ? domain : `${host}.${domain}`,
  zoneHost: host,
  type,
  value,
  ttl: 300,
  optional: false
})
const create = (host: string, type: string, value: string): ChangeDocument => ({
  action: "create",
  after: recordAt(host, type, value),
  destructive: false
})
const remove = (host: string, type: string, value: string): ChangeDocument => ({
  action: "delete",
  before: recordAt(host, type, value),
  destructive: true
})

/** The recorded review with another plan, at a domain whose mail servers are these. */
const reviewOf = (
  changes: ReadonlyArray<ChangeDocument>,
  { mailServers = [], warningDetails = [] }: Partial<Pick<ReviewedPlan, "mailServers" | "warningDetails">>
) => {
  const { plan } = connection
  if (plan === undefined) throw new Error("the review has no plan")
  const planned = { ...plan, changes, mailServers, warningDetails, warnings: [] }
  return viewOf("review-with-mail", { connection: { ...connection, plan: planned } })
}

const tileText = (view: ReturnType<typeof reviewOf>, topic: Topic): string => {
  const tile = listTiles(view.connection).find((each) => each.topic === topic)
  return tile === undefined ? "" : textOf(sentenceOf(tile, view))
}

test("a mail server of another host moves no mail of the domain", () => {
  const view = reviewOf([create("send", "MX", "feedback-smtp.eu-west-1.amazonses.com")], {
    mailServers: ["aspmx.l.google.com"]
  })
  expect(tileText(view, "mail")).toStartWith("Your mail stays at Google Workspace.")
  expect(mailResultOf(view)).toStartWith("Your mail stays at Google Workspace.")
})

test("servers that stay count before and after", () => {
  const left = reviewOf([remove("@", "MX", "mx.old.example")], { mailServers: ["mx.new.example", "mx.old.example"] })
  expect(tileText(left, "mail")).toBe(
    "Today your mail arrives at mx.new.example and mx.old.example. Afterwards it arrives at mx.new.example."
  )
  expect(mailResultOf(left)).toBe("Your mail now arrives at mx.new.example.")
  const fifth = reviewOf([create("@", "MX", "alt4.aspmx.l.google.com")], { mailServers: ["aspmx.l.google.com"] })
  expect(tileText(fifth, "mail")).toStartWith("Your mail stays at Google Workspace.")
  const ended = reviewOf([remove("@", "MX", "mx.old.example")], { mailServers: ["mx.old.example"] })
  expect(tileText(ended, "mail")).toContain(`Afterwards no mail arrives at ${domain}.`)
  expect(mailResultOf(ended)).toBe(`Mail to ${domain} no longer arrives.`)
  const first = reviewOf([create("@", "MX", "mx.new.example")], {})
  expect(tileText(first, "mail")).toBe(
    `Today no mail server is named for ${domain}. Afterwards mail arrives at mx.new.example.`
  )
})

test("a name that a wildcard serves does not show nothing today", () => {
  const replaced = {
    code: "website_replaced",
    severity: "serious",
    requiresAcknowledgement: true,
    message: ""
  } as const
  const view = reviewOf([create("shop", "CNAME", "shops.example.net")], {
    warningDetails: [{ ...replaced, changes: [0] }]
  })
  expect(tileText(view, "website")).toStartWith(`Today visitors of shop.${domain} see another page.`)
  expect(tileText(reviewOf([create("shop", "CNAME", "shops.example.net")], {}), "website")).toContain("see nothing")
})

test("a name that has a wanted address already does not show nothing today", () => {
  const [wanted] = connection.effectiveIntent.records.filter(({ type }) => type === "A" || type === "CNAME")
  if (wanted === undefined) throw new Error("the review has no website")
  const view = reviewOf([create(wanted.host, "AAAA", "2001:db8::1")], {})
  expect(tileText(view, "website")).not.toContain("see nothing")
})

test("an entry that only goes proves nothing, and shows nobody the shop", () => {
  const view = reviewOf(
    [
      remove("www", "TXT", "another-service=1"),
      remove("app", "A", "192.0.2.1"),
      create("shop", "CNAME", "shops.example.net")
    ],
    {}
  )
  expect(tileText(view, "proof")).toBe(`Entries at www.${domain} change, as the technical details show.`)
  expect(tileText(view, "website")).toBe(
    `Today visitors of shop.${domain} see nothing. Afterwards they see the shop. Entries at app.${domain} change, as the technical details show.`
  )
})

test("a restore says of each name whether something comes back, and lists what stays", () => {
  const view = reviewOf([create("@", "A", "192.0.2.1"), remove("www", "CNAME", "shops.example.net")], {})
  const leftovers = [{ reason: "changed_since", record: recordAt("blog", "A", "192.0.2.9") }] as const
  const restore = { ...view, connection: { ...view.connection, direction: "restore", leftovers } as const }
  expect(tileText(restore, "website")).toBe(
    `Today visitors of ${domain} see the shop. Afterwards they see what was there before. Today visitors of www.${domain} see the shop. Afterwards they no longer do.`
  )
  expect(textOf(renderLeftovers(restore))).toContain(`blog.${domain} A (somebody has changed it since)`)
})

const mailWith = (host: string, value: string) => tileText(reviewOf([create(host, "TXT", value)], {}), "mail")

test("a list of no senders, and a revoked key, let nobody send", () => {
  for (const value of ["v=spf1 mx ~all", "v=spf1 include:a.example -all", "v=spf1 ip4:192.0.2.1 -all"])
    expect(mailWith("@", value)).toContain("may send mail for you")
  for (const value of ["v=spf1 -all", "v=spf1 ~all"])
    expect(mailWith("@", value)).not.toContain("may send mail for you")
  expect(mailWith("k1._domainkey", "v=DKIM1; p=abc")).toContain("may send mail for you")
  expect(mailWith("k1._domainkey", "v=DKIM1; p=")).not.toContain("may send mail for you")
})

test("a lost domain misses no entry, and where some were left out not everything is in place", () => {
  const { connection: live } = viewOf("active")
  const failure = {
    code: "control_lost",
    message: "",
    retryable: true,
    occurredAt: "2026-01-01T00:00:00.000Z"
  } as const
  const lost = textOf(renderDegraded(viewOf("degraded", { connection: { ...live, failure } })))
  expect(lost).toContain("Somebody else has the domain now. If it is yours, repair it")
  expect(lost).not.toContain("some entries are not there")
  const optionalFailureDetails = [
    { ...recordAt("blog", "A", "192.0.2.9"), code: "record_conflict", message: "" }
  ] as any
  const partly = textOf(renderLive(viewOf("active", { connection: { ...live, optionalFailureDetails } })))
  expect(partly).toContain(`Left out: blog.${domain} A`)
  expect(partly).not.toContain("Everything is in place.")
  const wildcard = { ...live.effectiveIntent.records[0], ...recordAt("*", "A", "192.0.2.9"), name: "*.shop.example" }
  const everyName = { ...live, effectiveIntent: { ...live.effectiveIntent, records: [wildcard] } } as any
  expect(JSON.stringify(renderLive(viewOf("active", { connection: everyName })))).not.toContain("https://*")
})

test("the review of a new intent speaks of what it wants, not of the intent that counts until then", () => {
  const view = viewOf("review-of-new-intent")
  expect(listStanding(view.connection).map(({ host }) => host)).toEqual(["store", "_verify"])
  expect(addressOf(view.connection)).toBe("store.moving-shop.com")
  expect(tileText(view, "website")).toBe(
    "Today visitors of help.moving-shop.com see nothing. Afterwards they see the shop. Today visitors of moving-shop.com and www.moving-shop.com see the shop. Afterwards they see what was there before."
  )
  const code = "record_conflict" as const
  const { pendingIntent } = view.connection
  if (pendingIntent === undefined) throw new Error("the review has no new intent")
  const optionalFailureDetails = [{ ...recordAt("blog", "A", "192.0.2.9"), code, message: "" }] as any
  const partly = { ...view.connection, pendingIntent: { ...pendingIntent, optionalFailureDetails } }
  expect(textOf(renderLeftOut({ ...view, connection: partly }))).toContain(`Left out: blog.${domain} A`)
})

test("a name that only programs look up shows nobody a website", () => {
  for (const host of ["autodiscover", "em123", "url4567.news", "mta-sts"]) {
    const view = reviewOf([create(host, "CNAME", "u1.wl.sendgrid.example")], {})
    expect(listTiles(view.connection).map(({ topic }) => topic)).not.toContain("website")
    expect(tileText(view, "other")).toContain(`${host}.${domain}`)
  }
  const records = [recordAt("em1", "CNAME", "u1.example")] as any
  const sender = { ...connection, effectiveIntent: { ...connection.effectiveIntent, records } }
  expect(websiteResultOf(viewOf("active", { connection: sender }))).toBe("")
})

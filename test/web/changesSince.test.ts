import { expect, test } from "bun:test"
import { createConsentDraft, listSeenChanges } from "../../src/web/ConsentDraft.ts"
import type { ChangeDocument, ConnectionDocument } from "../../src/web/ConnectionDocument.ts"
import { listTiles } from "../../src/web/reviewTiles.ts"
import { introOf, newsOf } from "../../src/web/steps/sentences.ts"
import { readDocument } from "./recordedDocuments.ts"
import { viewOf } from "./templateText.ts"

const { connection } = readDocument("review-with-mail")
const { plan } = connection
if (plan === undefined) throw new Error("the review has no plan")
const [first, ...others] = plan.changes
if (first?.before === undefined || first.after === undefined) throw new Error("the first change replaces nothing")
const { after, before } = first

/** The review of somebody who has looked at the recorded plan before. */
const reviewOf = (changes: ReadonlyArray<ChangeDocument>, warnings = plan.warnings) => {
  const changed: ConnectionDocument = { ...connection, plan: { ...plan, changes, warnings } }
  const consent = { ...createConsentDraft(), seen: listSeenChanges(connection) }
  const view = viewOf("review-with-mail", { connection: changed, consent })
  return [introOf(view), ...listTiles(changed).flatMap((tile) => newsOf(tile, view))]
}

const name = "www.crumb-and-co-mail.test"
const intros = {
  first: "This is what happens if you agree. Everything else stays as it is.",
  since: "Something has changed since you looked. Please look at what is marked.",
  stored: "Your provider has something else stored than we saw before. This is what happens now."
}
const differing = [...plan.warnings, "provider_zone_differs_from_public_dns"] as const

test("what somebody changed in the zone is said with the value that it has now", () => {
  expect(reviewOf([{ ...first, before: { ...before, value: "other.example" } }, ...others])).toEqual([
    intros.since,
    `Since you looked, ${name} was changed to other.example`
  ])
})

test("where the provider has something else stored than public DNS shows, nobody changed anything", () => {
  const stored = { ...first, before: { ...before, type: "A", value: "203.0.113.7" } }
  expect(reviewOf([stored, ...others], differing)).toEqual([
    intros.stored,
    `Stored at your provider for ${name}: 203.0.113.7`
  ])
})

test("a record that only public DNS shows is not stored at the provider", () => {
  const { before: _, ...created } = { ...first, action: "create" as const }
  expect(reviewOf([created, ...others], differing)).toEqual([
    intros.stored,
    `Stored at your provider for ${name}: nothing`
  ])
})

test("what was removed meanwhile is no new entry", () => {
  const { before: _, ...created } = { ...first, action: "create" as const }
  expect(reviewOf([created, ...others])).toEqual([intros.since, `Since you looked, what stood at ${name} was removed`])
})

test("a change that was planned anew names what is planned, and not what stands there as before", () => {
  expect(reviewOf([{ ...first, after: { ...after, value: "new.shops.example" } }, ...others])).toEqual([
    intros.since,
    `Since you looked, something else is planned for ${name}: new.shops.example`
  ])
})

test("a record that is replaced in another way now is news once, and one that goes without another is news", () => {
  const removed: ChangeDocument = { action: "delete", before, destructive: true }
  const added: ChangeDocument = {
    action: "create",
    after: { ...after, type: "A", value: "192.0.2.9" },
    destructive: false
  }
  const sentence = `Since you looked, something else is planned for ${name}`
  expect(reviewOf([removed, added, ...others])).toEqual([intros.since, `${sentence}: 192.0.2.9`])
  expect(reviewOf([removed, ...others])).toEqual([intros.since, `${sentence}: nothing`])
})

const added = (host: string): ChangeDocument => ({
  action: "create",
  after: { ...after, host, name: host === "@" ? "crumb-and-co-mail.test" : `${host}.crumb-and-co-mail.test` },
  destructive: false
})

test("a change at a name that had none is new, also beside another topic there; what was seen is no news", () => {
  expect(reviewOf([...plan.changes, added("blog"), added("@")])).toEqual([
    intros.since,
    "New since you looked: blog.crumb-and-co-mail.test",
    "New since you looked: crumb-and-co-mail.test"
  ])
  expect(reviewOf(plan.changes)).toEqual([intros.first])
})

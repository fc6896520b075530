import { expect, test } from "bun:test"
import { Option } from "effect"
import { walkDmarcTree } from "../../../src/planning/dmarc/walkDmarcTree.ts"
import { fakeLookup } from "../../support/fakeLookup.ts"

/** The applicable text (`-` for none, `?` for unknown), then the unanswered queries. */
const walk = (domain: string, answers: Readonly<Record<string, string | ReadonlyArray<string>>>) => {
  const lookup = fakeLookup(({ name }) =>
    Option.map(Option.fromNullable(answers[name.replace("_dmarc.", "")]), (text) => [text].flat())
  )
  const { applicable, unanswered } = walkDmarcTree(domain, lookup)
  return [
    Option.match(applicable, {
      onNone: () => "?",
      onSome: Option.match({ onNone: () => "-", onSome: ({ text }) => text })
    }),
    ...unanswered.map(({ name, type }) => `${name} ${type}`)
  ]
}

const none = "v=DMARC1; p=none"
const reject = "v=DMARC1; p=reject"
const organization = "v=DMARC1; p=quarantine; psd=n"
const suffix = "v=DMARC1; p=reject; PSD=Y"

test("all names above are queried at once", () =>
  expect(walk("a.mail.example.com", {})).toEqual([
    "?",
    "_dmarc.mail.example.com TXT",
    "_dmarc.example.com TXT",
    "_dmarc.com TXT"
  ]))

test("for a name with more than eight labels only the last seven are queried (RFC 9989 section 4.10)", () =>
  expect([
    walk("a.b.c.d.e.f.g.h.i.j.mail.example.com", {}),
    walk("b.g.h.i.j.mail.example.com", {}).slice(1, 2),
    walk("h.i.j.mail.example.com", {}).slice(1, 2),
    walk("com", {})
  ]).toEqual([
    [
      "?",
      "_dmarc.g.h.i.j.mail.example.com TXT",
      "_dmarc.h.i.j.mail.example.com TXT",
      "_dmarc.i.j.mail.example.com TXT",
      "_dmarc.j.mail.example.com TXT",
      "_dmarc.mail.example.com TXT",
      "_dmarc.example.com TXT",
      "_dmarc.com TXT"
    ],
    ["_dmarc.g.h.i.j.mail.example.com TXT"],
    ["_dmarc.i.j.mail.example.com TXT"],
    ["-"]
  ]))

test("the record at the name with the fewest labels applies (RFC 9989 section 4.10.2)", () =>
  expect([
    walk("a.mail.example.com", { "mail.example.com": none, "example.com": reject, com: [] }),
    walk("a.mail.example.com", { "mail.example.com": none, "example.com": [], com: [] }),
    walk("a.mail.example.com", { "mail.example.com": [], "example.com": [], com: [] })
  ]).toEqual([[reject], [none], ["-"]]))

test("psd=n ends the walk, and names above are neither used nor queried", () =>
  expect([
    walk("b.a.mail.example.com", {
      "a.mail.example.com": none,
      "mail.example.com": organization,
      "example.com": reject
    }),
    walk("b.a.mail.example.com", { "mail.example.com": organization, "example.com": reject, com: [] })
  ]).toEqual([[organization], ["?", "_dmarc.a.mail.example.com TXT"]]))

test("the organizational domain is the name below psd=y, and its record applies before that of the suffix", () =>
  expect([
    walk("mail.giant.bank.example", { "giant.bank.example": none, "bank.example": suffix }),
    walk("mail.mega.bank.example", { "mega.bank.example": [], "bank.example": suffix, example: reject }),
    walk("a.mail.mega.bank.example", {
      "mail.mega.bank.example": none,
      "mega.bank.example": [],
      "bank.example": suffix
    }),
    walk("mega.bank.example", { "bank.example": suffix })
  ]).toEqual([[none], [suffix], [suffix], [suffix]]))

test("an unknown answer of a top-level domain does not matter", () =>
  expect([
    walk("mail.example.com", { "example.com": none }),
    walk("a.mail.example.com", { "mail.example.com": none, "example.com": [] }),
    walk("mail.example.co.uk", { "example.co.uk": none, uk: [] }),
    walk("mail.example.com", { "example.com": none, com: suffix })
  ]).toEqual([[none, "_dmarc.com TXT"], [none, "_dmarc.com TXT"], ["?", "_dmarc.co.uk TXT"], [none]]))

test("texts that are not DMARC records are ignored, and so are names with several DMARC records", () =>
  expect([
    walk("mail.example.com", { "example.com": ["hello", "v=dmarc1; p=none", reject, "p=none; v=DMARC1"], com: [] }),
    walk("mail.example.com", { "example.com": [reject, reject], com: [] }),
    walk("a.mail.example.com", { "mail.example.com": [organization, organization], "example.com": none, com: [] }),
    walk("mail.example.com", { "example.com": "v=DMARC1; p=block", com: [] })
  ]).toEqual([[reject], ["-"], [none], ["v=DMARC1; p=block"]]))

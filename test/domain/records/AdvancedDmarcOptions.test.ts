import { describe, expect, test } from "bun:test"
import { checkDmarcOptions } from "../../../src/domain/records/AdvancedDmarcOptions.ts"
import type { ErrorDetail } from "../../../src/domain/error/ErrorDetail.ts"
import type { IntentRecord } from "../../../src/domain/connection/Intent.ts"

type Options = IntentRecord["advancedDmarcOptions"]

const desired: IntentRecord = { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none", ttl: 300, optional: false }

const issuesOf = (advancedDmarcOptions: Options, { host, type }: Pick<IntentRecord, "host" | "type"> = desired) =>
  checkDmarcOptions({ ...desired, host, type, ...(advancedDmarcOptions && { advancedDmarcOptions }) }, 2)

const formatIssues = (options: Options) =>
  issuesOf(options).map(
    ({ code, pointer }) => `${pointer.replace("/intent/records/2/advancedDmarcOptions/", "")} ${code}`
  )

const invalid = (...pointers: ReadonlyArray<string>) => pointers.map((pointer) => `${pointer} dmarc_tag_name_invalid`)

test("valid options are accepted", () =>
  expect([
    issuesOf(undefined),
    issuesOf(undefined, { host: "www", type: "A" }),
    issuesOf({}),
    issuesOf({}, { host: "_dmarc.mail", type: "TXT" }),
    issuesOf({
      inheritRootDmarc: true,
      overrideTags: { p: "reject", SP: "None", rua: "mailto:a@example.com, mailto:b@example.com!5m", x_y2: "any" },
      removeTags: ["PCT", "unknown", "pct"],
      addTagsIfNotExist: { p: "none", np: "reject", fo: "1:d:s", adkim: "r", aspf: "s", psd: "n", t: "y" }
    }),
    issuesOf({ overrideTags: { pct: "100" }, addTagsIfNotExist: { PCT: "0" } })
  ]).toEqual([[], [], [], [], [], []]))

describe("options are refused", () => {
  test("elsewhere than on a TXT record at a _dmarc host", () => {
    const elsewhere: ErrorDetail = {
      pointer: "/intent/records/2/advancedDmarcOptions",
      code: "dmarc_options_elsewhere",
      message: "advancedDmarcOptions belong on a TXT record whose host is `_dmarc` or begins with `_dmarc.`"
    }
    expect(
      (
        [
          ["@", "TXT"],
          ["_dmarc", "CNAME"],
          ["_dmarcx", "TXT"],
          ["a._dmarc", "TXT"],
          ["mail._dmarc.x", "TXT"]
        ] as const
      ).map(([host, type]) => issuesOf({ overrideTags: { v: "x" } }, { host, type }))
    ).toEqual([[elsewhere], [elsewhere], [elsewhere], [elsewhere], [elsewhere]])
  })

  test("that remove v or p, or set v to any value", () =>
    expect(
      formatIssues({ overrideTags: { v: "DMARC1" }, removeTags: ["sp", "P", "v"], addTagsIfNotExist: { V: "DMARC2" } })
    ).toEqual([
      "overrideTags/v dmarc_version_fixed",
      "removeTags/1 dmarc_tag_required",
      "removeTags/2 dmarc_tag_required",
      "addTagsIfNotExist/V dmarc_version_fixed"
    ]))

  test("that remove a tag that they also set", () =>
    expect(
      formatIssues({ overrideTags: { pct: "5" }, removeTags: ["PCT", "ri", "Fo"], addTagsIfNotExist: { fo: "1" } })
    ).toEqual(["removeTags/0 dmarc_tag_contradicted", "removeTags/2 dmarc_tag_contradicted"]))

  test("that give one tag in two spellings", () =>
    expect(
      formatIssues({
        overrideTags: { p: "none", rua: "mailto:a@example.com", P: "none" },
        addTagsIfNotExist: { SP: "none", sp: "no" }
      })
    ).toEqual(["overrideTags/P dmarc_tag_repeated", "addTagsIfNotExist/sp dmarc_tag_repeated"]))

  test("with invalid tag names, with RFC 6901 pointers", () => {
    expect([
      formatIssues({ overrideTags: { "": "x", "a b": "x", "1a": "x", "a/b~c": "x", "\u212a": "x", __proto__x: "x" } }),
      formatIssues({ removeTags: ["", "p;", "\u212a", "fo"] })
    ]).toEqual([
      invalid(...["", "a b", "1a", "a~1b~0c", "\u212a", "__proto__x"].map((name) => `overrideTags/${name}`)),
      invalid("removeTags/0", "removeTags/1", "removeTags/2")
    ])
  })

  test("with values that are invalid for any tag", () => {
    const values = ["", " \t", "a;b", "a\u0000", "a\nb", "ü", "\ud800", "a\u007f"]
    expect(values.map((x) => formatIssues({ addTagsIfNotExist: { x } }))).toEqual(
      values.map(() => ["addTagsIfNotExist/x dmarc_tag_value_invalid"])
    )
  })

  test("with values that are invalid for their tag", () => {
    const values = [
      { p: "block" },
      { sp: "" },
      { np: "Rejected" },
      { p: " reject" },
      { pct: "101" },
      { pct: "-1" },
      { pct: "1e1" },
      { adkim: "strict" },
      { aspf: "x" },
      { rua: "a@example.com" },
      { ruf: "mailto:" },
      { rua: "mailto:a@example.com,," },
      { fo: "0:" },
      { psd: "yes" },
      { t: "u" }
    ]
    expect(values.map((overrideTags) => formatIssues({ overrideTags }))).toEqual(
      values.map((tags) => [`overrideTags/${Object.keys(tags)[0]} dmarc_tag_value_invalid`])
    )
  })

  test("with a message that names the rule", () =>
    expect(issuesOf({ overrideTags: { SP: "block" }, removeTags: ["V"] })).toEqual([
      {
        pointer: "/intent/records/2/advancedDmarcOptions/overrideTags/SP",
        code: "dmarc_tag_value_invalid",
        message: "the tag SP must be none, quarantine or reject (RFC 9989 section 4.7)"
      },
      {
        pointer: "/intent/records/2/advancedDmarcOptions/removeTags/0",
        code: "dmarc_tag_required",
        message: "v cannot be removed"
      }
    ]))
})

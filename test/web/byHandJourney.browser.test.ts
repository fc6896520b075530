import { expect } from "bun:test"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Lab } from "../support/lab/Lab.ts"
import type { ZoneEditor } from "../support/lab/ZoneEditor.ts"
import { type ZoneEditorQuirks, zoneEditorQuirks } from "../support/lab/zoneEditorQuirks.ts"
import { labService } from "../support/labService.ts"
import { describeServiceInBrowser } from "./Chromium.ts"
import { connectByHand, doTask, type EntryTask, listedOf } from "./personAtEditor.ts"
import { changeRecord, deleteRecord, type TypedField } from "./zoneEditorDriver.ts"

/** A mistake that people make at a provider, and how they correct it. */
interface Slip {
  readonly name: string
  readonly quirks: ZoneEditorQuirks
  readonly record: { readonly host: string; readonly type: string; readonly value: string }
  /** How the service names it. */
  readonly code: string
  readonly mistake: (task: EntryTask, zone: string) => Parameters<typeof doTask>[3]
  readonly correct: (page: Page, editor: ZoneEditor, task: EntryTask) => Promise<unknown>
  /** What the name servers answer with at the end. */
  readonly served: string
}

const { godaddy, ionos, namecheap, ovh, strato } = zoneEditorQuirks

const spf = "v=spf1 include:_spf.mailprov.net ~all"

/** The fields with another text in one of them. */
const typing = (fields: ReadonlyArray<TypedField>, names: ReadonlyArray<string>, change: (typed: string) => string) =>
  fields.map((typed) => (names.includes(typed.field) ? { ...typed, value: change(typed.value) } : typed))

const valueOf = ({ fields }: EntryTask): string =>
  fields.find(({ field }) => ["value", "target"].includes(field))?.value ?? ""

const slips: ReadonlyArray<Slip> = [
  {
    name: "the full host, to which GoDaddy appends the zone",
    quirks: godaddy,
    record: { host: "www", type: "CNAME", value: "web.hostprov.net" },
    code: "doubled_zone",
    mistake: ({ fields }, zone) => ({ fields: typing(fields, ["host"], (host) => `${host}.${zone}`) }),
    correct: async (page, editor, task) => {
      await deleteRecord(page, editor, { type: "CNAME", host: `www.${editor.zone}` })
      await doTask(page, editor, { ...task, removes: [] })
    },
    served: "www.godaddy-shop.com. CNAME web.hostprov.net."
  },
  {
    name: "a target without a dot, to which OVHcloud appends the zone",
    quirks: ovh,
    record: { host: "www", type: "CNAME", value: "web.hostprov.net" },
    code: "target_doubled",
    mistake: ({ fields }) => ({ fields: typing(fields, ["value", "target"], (target) => target.replace(/\.$/, "")) }),
    correct: (page, editor, task) => changeRecord(page, editor, listedOf(task.record), valueOf(task)),
    served: "www.ovh-shop.com. CNAME web.hostprov.net."
  },
  {
    name: "the DMARC policy at the domain itself, at IONOS",
    quirks: ionos,
    record: { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" },
    code: "wrong_host",
    mistake: ({ fields }) => ({ fields: typing(fields, ["host"], () => "") }),
    correct: async (page, editor, task) => {
      await deleteRecord(page, editor, { type: "TXT", host: "@", value: "v=DMARC1" })
      await doTask(page, editor, task)
    },
    served: '_dmarc.ionos-shop.com. TXT "v=DMARC1; p=none"'
  },
  {
    name: "the list of mail senders in quotation marks, which STRATO keeps",
    quirks: strato,
    record: { host: "@", type: "TXT", value: spf },
    code: "quoted",
    mistake: ({ fields }) => ({ fields: typing(fields, ["value"], (value) => `"${value}"`) }),
    correct: (page, editor, task) => changeRecord(page, editor, listedOf(task.record), valueOf(task)),
    served: `strato-shop.com. TXT "${spf}"`
  },
  {
    name: "a second address beside the old one, at Namecheap",
    quirks: namecheap,
    record: { host: "@", type: "A", value: "198.51.100.80" },
    code: "also_there",
    mistake: () => ({ forgetsRemovals: true }),
    correct: (page, editor) => deleteRecord(page, editor, { type: "A", host: "@", value: "162.255.119.10" }),
    served: "namecheap-shop.com. A 198.51.100.80"
  }
]

/** What a shop needs: its page at the domain and at `www`, and mail that nobody takes for forged. */
const shopRecords = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "@", type: "A", value: "198.51.100.80" },
  { host: "@", type: "TXT", value: spf },
  { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }
]

describeServiceInBrowser("a customer who enters records by hand", labService([]), (live) => {
  for (const { code, correct, mistake, name, quirks, record, served } of slips) {
    live(`enters ${name}, corrects it, and is connected`, () =>
      Effect.gen(function* () {
        const { pdns } = yield* Lab
        const { check, editor, page, tasks, waitForState } = yield* connectByHand(quirks, [record])
        const isWrong = ({ fields, record: { type, zoneHost } }: EntryTask) =>
          type === record.type && zoneHost === record.host && fields.length > 0
        const wrong = tasks.find(isWrong)
        if (wrong === undefined) throw new Error(`no task for ${record.type}: ${JSON.stringify(tasks)}`)
        const slip = mistake(wrong, editor.zone)
        yield* Effect.promise(async () => {
          for (const task of tasks) {
            const isForgotten = slip?.forgetsRemovals === true && task.fields.length === 0
            if (!isForgotten) await doTask(page, editor, task, isWrong(task) ? slip : {})
          }
        })
        const seen = yield* check
        expect(seen.state).toBe("awaiting_manual")
        expect(seen.records[0].diagnosis?.code).toBe(code)

        yield* Effect.promise(() => correct(page, editor, wrong))
        yield* editor.publish
        yield* check
        yield* waitForState("active")
        const lines = (yield* pdns.dump(editor.zone)).map((line) => line.replace(/ [+] \d+/, ""))
        const [owner, type] = served.split(" ")
        const atHost = lines.filter((line) => line.startsWith(`${owner} ${type} `))
        expect(type === "TXT" ? atHost.filter((line) => line === served) : atHost).toEqual([served])
      })
    )
  }

  for (const quirks of Object.values(zoneEditorQuirks)) {
    live(`enters all that a shop needs as told at ${quirks.name}, and is connected`, () =>
      Effect.gen(function* () {
        const { check, editor, page, tasks, waitForState } = yield* connectByHand(quirks, shopRecords)
        yield* Effect.promise(async () => {
          for (const task of tasks) await doTask(page, editor, task)
        })
        yield* check
        yield* waitForState("active")
      })
    )
  }
})

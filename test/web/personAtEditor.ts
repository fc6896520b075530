import { Effect } from "effect"
import type { Page } from "playwright-core"
import { createTestConnection } from "../support/TestConnection.ts"
import { makeZoneEditor, type ZoneEditor } from "../support/lab/ZoneEditor.ts"
import type { ZoneEditorQuirks } from "../support/lab/zoneEditorQuirks.ts"
import { get, issueKey, jsonOf, post } from "../support/testApi.ts"
import { eventually } from "../webhooks/Receiver.ts"
import { openPage } from "./Chromium.ts"
import {
  chooseMailSetting,
  createSubdomain,
  deleteRecord,
  enterFields,
  type ListedRecord,
  type TypedField
} from "./zoneEditorDriver.ts"

/** One thing to do at the provider, as the service tells it. */
export interface EntryTask {
  readonly record: TaskRecord
  /** The fields of the form, for a record to enter; none for one to remove. */
  readonly fields: ReadonlyArray<TypedField>
  /** The records that have to go first. */
  readonly removes: ReadonlyArray<TaskRecord>
  readonly hints: ReadonlyArray<string>
}

interface TaskRecord {
  readonly zoneHost: string
  readonly type: string
  readonly value: string
  readonly priority?: number
}

/** A connection of a domain at a provider that the customer makes by hand, and the page of the provider. */
export const connectByHand = (quirks: ZoneEditorQuirks, records: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const zone = `${quirks.id}-shop.com`
    const editor = yield* makeZoneEditor(quirks, zone, { delaySeconds: 0 })
    const { key } = yield* issueKey()
    const connection = yield* createTestConnection(key, { domain: zone, records })
    const { plan, state } = connection.created
    // The plan by hand, which may have a challenge that a credential would not need.
    if (state === "awaiting_authorization")
      yield* post(`/v1/connections/${connection.id}/authorization`, key, { method: "manual" }, { prefer: "wait=20" })
    const readRecords = Effect.flatMap(get(`/v1/connections/${connection.id}/records`, key), jsonOf)
    const page = yield* openPage({ viewport: { width: 390, height: 800 } })
    return {
      editor,
      page,
      waitForState: connection.waitForState,
      tasks: tasksOf(editor, yield* readRecords, plan),
      /** Checks what the name servers answer with after all that was saved, and returns it with the state. */
      check: Effect.gen(function* () {
        yield* editor.publish
        const { records: before } = yield* readRecords
        yield* connection.command("recheck")
        const isNew = (body: any) => body.records[0].checkedAt !== before[0].checkedAt
        const observed = yield* eventually(Effect.filterOrFail(readRecords, isNew))
        return { ...observed, state: (yield* connection.read).state }
      })
    }
  })

/** Does a task as it is told; `mistake` changes what is typed, and lets the person forget what has to go. */
export const doTask = async (
  page: Page,
  editor: ZoneEditor,
  task: EntryTask,
  mistake: { readonly fields?: ReadonlyArray<TypedField>; readonly forgetsRemovals?: boolean } = {}
): Promise<void> => {
  const { type, zoneHost } = task.record
  const isBelowZone = zoneHost !== "@" && type !== "TXT"
  if (task.hints.includes("create_subdomain_first") && isBelowZone) await createSubdomain(page, editor, zoneHost)
  if (task.hints.includes("choose_custom_mail") && type === "MX") await chooseMailSetting(page, editor, "Custom MX")
  if (mistake.forgetsRemovals !== true)
    for (const record of task.removes) await deleteRecord(page, editor, listedOf(record))
  if (task.fields.length === 0) return
  const refusal = await enterFields(page, editor, type, mistake.fields ?? task.fields)
  if (refusal !== undefined) throw new Error(`${editor.quirks.name} refused ${type}: ${refusal}`)
}

export const listedOf = ({ type, zoneHost }: TaskRecord): ListedRecord => ({ type, host: zoneHost })

/** The tasks of the guides; where there are none, those that a person derives from the plan. */
const tasksOf = (editor: ZoneEditor, { guides }: any, plan: any): ReadonlyArray<EntryTask> =>
  guides === undefined
    ? plan.changes.map((change: any) => deriveTask(editor, change))
    : guides.flatMap(({ hints, tasks }: any) =>
        tasks.map(({ action, fields, hints: more, record, removes }: any) => ({
          record,
          fields: action === "remove" ? [] : fields,
          removes: action === "remove" ? [record] : removes,
          hints: [...hints, ...more].map(({ code }) => code)
        }))
      )

/** What somebody who knows the provider's page enters for a change. */
const deriveTask = ({ quirks }: ZoneEditor, { after, before }: any): EntryTask => {
  const record: TaskRecord = after ?? before
  const host = record.zoneHost === "@" && quirks.apex === "empty" ? "" : record.zoneHost
  const isCname = record.type === "CNAME"
  const value = isCname && quirks.targetWithoutDot !== "accepted" ? `${record.value}.` : record.value
  const fields = [
    { field: "host", value: host },
    { field: "value", value },
    ...(record.priority === undefined ? [] : [{ field: "priority", value: `${record.priority}` }])
  ]
  return {
    record,
    fields: after === undefined ? [] : fields,
    removes: before === undefined ? [] : [before],
    hints: isCname && quirks.needsSubdomain ? ["create_subdomain_first"] : []
  }
}

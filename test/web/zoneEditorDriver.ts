import type { Page } from "playwright-core"
import { formOf } from "../support/lab/editedRecords.ts"
import type { ZoneEditor } from "../support/lab/ZoneEditor.ts"

/** A field of the page and what a person types into it, or chooses; without a label it is found by what it holds. */
export interface TypedField {
  readonly field: string
  readonly label?: string
  readonly value: string
}

/** A record as a person reads it somewhere and types it; `host` and `value` are typed as they are. */
export interface TypedRecord {
  /** The type, by its name in DNS or on the page. */
  readonly type: string
  readonly host: string
  readonly value: string
  readonly priority?: string
}

/** A record of the list, by its type in DNS and its host; `@` is the domain itself. */
export interface ListedRecord {
  readonly type: string
  readonly host: string
  readonly value?: string
}

/** Lets the provider's site be the editor: a link to it opens the editor, one with the domain its records. */
export const leadSiteToEditor = async (page: Page, { quirks, url: start }: ZoneEditor): Promise<void> => {
  const isOfSite = ({ hostname }: URL) => hostname === quirks.site || hostname.endsWith(`.${quirks.site}`)
  await page.context().route(isOfSite, (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({ status: 302, headers: { location: new URL(pathname, start).href } })
  })
}

/** Goes from the first page to the records, as the menu leads there. */
export const walkToRecords = async (page: Page, { quirks, url, zone }: ZoneEditor): Promise<void> => {
  await page.goto(url)
  for (const entry of quirks.path) {
    const name = entry.replace("{zone}", zone)
    await load(page, () => page.getByRole("main").getByRole("link", { name, exact: true }).click())
  }
}

/** Enters a new record and saves it. Returns what the page says if it refuses it. */
export const enterRecord = (page: Page, editor: ZoneEditor, record: TypedRecord): Promise<string | undefined> =>
  enterFields(page, editor, record.type, fieldsOf(editor, record))

/** Enters a new record by the fields of the form, whatever their order. */
export const enterFields = async (
  page: Page,
  editor: ZoneEditor,
  type: string,
  fields: ReadonlyArray<TypedField>
): Promise<string | undefined> => {
  await openForm(page, editor, type)
  await fillFields(page, editor, fields)
  return saveForm(page, editor)
}

/** Opens the form for a new record of a type. */
export const openForm = async (page: Page, editor: ZoneEditor, type: string): Promise<void> => {
  const { mailSettings, typeChoice, words } = editor.quirks
  const { name } = formOf(editor.quirks, type)
  await page.goto(editor.recordsUrl)
  const isOfMail = type === "MX" && Object.keys(mailSettings).length > 0
  const place = isOfMail ? page.getByRole("region", { name: words.mail }) : page.getByRole("main")
  await load(page, () => place.getByRole("link", { name: words.add, exact: true }).first().click())
  if (typeChoice === "tiles") await load(page, () => page.getByRole("link", { name, exact: true }).click())
  else if ((await page.getByLabel("Type", { exact: true }).inputValue()) !== name)
    await load(page, () => page.getByLabel("Type", { exact: true }).selectOption(name))
}

/** Changes the value of a listed record. */
export const changeRecord = async (page: Page, editor: ZoneEditor, listed: ListedRecord, value: string) => {
  await page.goto(editor.recordsUrl)
  await load(page, () => rowOf(page, editor, listed).getByRole("link", { name: editor.quirks.words.edit }).click())
  await page.locator('form [name="value"]').fill(value)
  return saveForm(page, editor)
}

/** Deletes a listed record and saves that. */
export const deleteRecord = async (page: Page, editor: ZoneEditor, listed: ListedRecord): Promise<void> => {
  await page.goto(editor.recordsUrl)
  await load(page, () => rowOf(page, editor, listed).getByRole("link", { name: editor.quirks.words.remove }).click())
  await answerQuestion(page, editor)
  await saveDraft(page, editor)
}

/** Creates a subdomain, where records need one. */
export const createSubdomain = async (page: Page, editor: ZoneEditor, host: string): Promise<void> => {
  const { addSubdomain, subdomain, subdomains } = editor.quirks.words
  await page.goto(editor.recordsUrl)
  await load(page, () => page.getByRole("link", { name: subdomains }).click())
  await page.getByLabel(subdomain, { exact: true }).fill(host)
  await load(page, () => page.getByRole("button", { name: addSubdomain }).click())
}

/** Chooses what happens to mail, where the page has a setting of its own for it. */
export const chooseMailSetting = async (page: Page, editor: ZoneEditor, setting: string): Promise<void> => {
  await page.goto(editor.recordsUrl)
  await load(page, () => page.getByRole("combobox", { name: editor.quirks.words.mail }).selectOption(setting))
  await saveDraft(page, editor)
}

/** Saves the form, with all that the page asks until it is saved. Returns what it says if it refuses. */
const saveForm = async (page: Page, editor: ZoneEditor): Promise<string | undefined> => {
  const { save } = editor.quirks.words
  for (const box of await page.getByRole("checkbox").all()) await box.check()
  await load(page, () => page.getByRole("button", { name: save, exact: true }).click())
  const refusal = page.getByRole("alert")
  if (await refusal.isVisible()) return refusal.innerText()
  await answerQuestion(page, editor)
  await saveDraft(page, editor)
  return undefined
}

/** Answers what the page asks before it saves. The code of a second factor is in the message beside its field. */
const answerQuestion = async (page: Page, { quirks: { words } }: ZoneEditor): Promise<void> => {
  const confirm = page.getByRole("button", { name: words.confirm, exact: true })
  if (!(await confirm.isVisible())) return
  const code = page.getByLabel(words.code, { exact: true })
  if (await code.isVisible()) await code.fill(await readCode(page))
  await load(page, () => confirm.click())
}

/** The code that was sent to the person's phone. */
export const readCode = async (page: Page): Promise<string> =>
  /\d{6}/.exec(await page.getByRole("complementary").innerText())?.[0] ?? ""

const saveDraft = async (page: Page, { quirks: { hasDraft, words } }: ZoneEditor): Promise<void> => {
  if (hasDraft) await load(page, () => page.getByRole("button", { name: words.saveAll }).click())
}

/** Fills fields by their labels; a list gets the choice of that name. */
const fillFields = async (page: Page, editor: ZoneEditor, fields: ReadonlyArray<TypedField>): Promise<void> => {
  for (const { field, label = "", value } of fields.filter((typed) => typed.field !== "type")) {
    const named = page.locator(`form [name="${inputNames[field] ?? field}"]`)
    const input = label === "" ? named : page.getByLabel(label, { exact: true })
    if (field === "host" && label === "" && (await named.count()) === 0)
      await page.locator('form [name="domain"]').selectOption({ label: fullNameOf(editor, value) })
    else if ((await input.locator("option").count()) > 0) await input.selectOption({ label: value })
    else await input.fill(value)
  }
}

/** How a list of the zone and its subdomains shows a host. */
const fullNameOf = ({ zone }: ZoneEditor, host: string): string =>
  host === "" || host === "@" ? zone : `${host}.${zone}`

/** The names of inputs that hold something under another name. */
const inputNames: Readonly<Record<string, string>> = { target: "value" }

const fieldsOf = (editor: ZoneEditor, { host, priority, type, value }: TypedRecord): ReadonlyArray<TypedField> => {
  const texts: Readonly<Record<string, string | undefined>> = {
    host,
    domain: fullNameOf(editor, host),
    value,
    priority
  }
  return formOf(editor.quirks, type).fields.flatMap(([field, label]) => {
    const text = texts[field]
    return text === undefined ? [] : [{ field, label, value: text }]
  })
}

const rowOf = (page: Page, { quirks, zone }: ZoneEditor, { host, type, value = "" }: ListedRecord) => {
  const shown = quirks.apex === "empty" ? (host === "@" ? zone : `${host}.${zone}`) : host
  const cell = (name: string) => page.getByRole("cell", { name, exact: true })
  return page
    .getByRole("row", { name: value })
    .filter({ has: cell(formOf(quirks, type).name) })
    .filter({ has: cell(shown) })
    .first()
}

/** Does something that loads another page, and waits for it. */
const load = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), act()])
}

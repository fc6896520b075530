import { Effect, type Scope } from "effect"
import {
  type EditedRecord,
  type EditedZone,
  type FieldTexts,
  findEditorFault,
  parseRecord,
  servedLines,
  withEditedRecord
} from "./editedRecords.ts"
import type { Lab } from "./Lab.ts"
import { serveAtLab } from "./serveAtLab.ts"
import type { EditorForm, ZoneEditorQuirks } from "./zoneEditorQuirks.ts"
import {
  renderConfirmation,
  renderElsewhere,
  renderForm,
  renderMenu,
  renderRecords,
  renderSubdomains,
  renderTypeChoice
} from "./zoneEditorPages.ts"

/** A web page on which a person edits a zone of the lab, with the quirks of a provider. */
export interface ZoneEditor {
  readonly quirks: ZoneEditorQuirks
  readonly zone: string
  /** The page on which a person starts. */
  readonly url: string
  /** The page of the records. */
  readonly recordsUrl: string
  /** Ends when the name servers answer with all that was saved, without the provider's delay. */
  readonly publish: Effect.Effect<void>
}

interface ZoneEditorOptions {
  readonly port?: number
  /** How long saved changes take until they are served, in seconds; by default as long as at the provider. */
  readonly delaySeconds?: number
}

/** Delegates a zone to the provider's name servers, with the records that it has at the beginning, and opens its page. */
export const makeZoneEditor = (
  quirks: ZoneEditorQuirks,
  zone: string,
  { delaySeconds = quirks.delaySeconds, port = 0 }: ZoneEditorOptions = {}
): Effect.Effect<ZoneEditor, never, Lab | Scope.Scope> =>
  Effect.gen(function* () {
    const session = new EditorSession(quirks, zone, delaySeconds * 1_000)
    const { publish } = yield* serveAtLab({
      zone,
      nameServers: quirks.nameServers,
      beside: quirks.besideNameServers ?? [],
      dump: Effect.sync(() => session.linesAt(Date.now()))
    })
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => serve(session, port)),
      (running) => Effect.promise(() => running.stop(true))
    )
    const url = `http://127.0.0.1:${server.port}/`
    return {
      quirks,
      zone,
      url,
      recordsUrl: `${url}records`,
      publish: Effect.zipRight(
        Effect.sync(() => session.endDelay()),
        publish
      )
    }
  })

/** The lines that the name servers answer with from a time on. */
interface Publication {
  readonly visibleAt: number
  readonly lines: ReadonlyArray<string>
}

/** The state of the page: what is shown, and what is served by and by. */
class EditorSession {
  edited: EditedZone
  #publications: Array<Publication>
  #nextId: number
  #code = 417_263
  readonly #delayMillis: number

  constructor(quirks: ZoneEditorQuirks, zone: string, delayMillis: number) {
    const records = quirks.initialRecords.map((line, id) => parseRecord(quirks, line, id))
    const mailSetting = Object.keys(quirks.mailSettings)[0] ?? ""
    this.edited = { quirks, zone, records, mailSetting, subdomains: [] }
    this.#publications = [{ visibleAt: 0, lines: servedLines(this.edited) }]
    this.#nextId = records.length
    this.#delayMillis = delayMillis
  }

  linesAt(now: number): ReadonlyArray<string> {
    return this.#publications.findLast(({ visibleAt }) => visibleAt <= now)?.lines ?? []
  }

  /** Lets the name servers answer with what was saved last. */
  endDelay(): void {
    this.#publications = this.#publications.slice(-1).map(({ lines }) => ({ visibleAt: 0, lines }))
  }

  /** Changes what is shown; what is no draft is saved. */
  change(changed: Partial<EditedZone>): void {
    this.edited = { ...this.edited, ...changed }
    if (!this.edited.quirks.hasDraft) this.save()
  }

  save(): void {
    this.#publications.push({ visibleAt: Date.now() + this.#delayMillis, lines: servedLines(this.edited) })
  }

  newId(): number {
    return this.#nextId++
  }

  /** The code that the person gets; a new one after each use. */
  get code(): string {
    return `${this.#code}`
  }

  useCode(): void {
    this.#code = 100_000 + ((this.#code * 7 + 13) % 900_000)
  }

  find(id: string | undefined): EditedRecord | undefined {
    return this.edited.records.find((record) => `${record.id}` === id)
  }
}

const serve = (session: EditorSession, port: number) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port,
    routes: {
      "/": () => renderMenu(session.edited, 0),
      "/menu/:step": ({ params }) => renderMenu(session.edited, Number(params.step)),
      "/elsewhere": () => renderElsewhere(session.edited),
      "/records": {
        GET: ({ url }) => renderRecords(session.edited, url.includes("saved")),
        POST: (request) => saveRecord(session, request)
      },
      "/records/new": ({ url }) => showNewRecord(session, new URL(url).searchParams),
      "/records/:id": {
        GET: ({ params }) => showRecord(session, params.id),
        POST: (request) => saveRecord(session, request, session.find(request.params.id))
      },
      "/records/:id/delete": {
        GET: ({ params }) => confirmRemoval(session, params.id),
        POST: (request) => removeRecord(session, request, request.params.id)
      },
      "/save-all": { POST: () => saveAll(session) },
      "/mail": { POST: (request) => changeMail(session, request) },
      "/subdomains": {
        GET: () => renderSubdomains(session.edited),
        POST: (request) => addSubdomain(session, request)
      },
      // Of the links that others have to the provider's site, those with the domain lead to its records.
      "/*": ({ url }) => redirect(url.includes(session.edited.zone) ? "/records" : "/")
    }
  })

const redirect = (location: string) => new Response(null, { status: 303, headers: { location } })

type Entered = Readonly<Record<string, string>>

const readForm = async (request: Request): Promise<Entered> => {
  const form = await request.formData()
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value).trim()]))
}

const formNamed = ({ edited: { quirks } }: EditorSession, name: string | null | undefined): EditorForm | undefined =>
  quirks.forms.find((form) => form.name === name)

const fieldsOf = ({ fields }: EditorForm, entered: Entered): FieldTexts =>
  Object.fromEntries(fields.filter(([field]) => field !== "type").map(([field]) => [field, entered[field] ?? ""]))

const showNewRecord = (session: EditorSession, parameters: URLSearchParams): Response => {
  const { edited } = session
  const [first] = edited.quirks.forms
  const form = formNamed(session, parameters.get("type")) ?? (edited.quirks.typeChoice === "list" ? first : undefined)
  if (form === undefined) return renderTypeChoice(edited)
  return renderForm(edited, { action: "/records", form, fields: Object.fromEntries(parameters) })
}

const showRecord = (session: EditorSession, id: string): Response => {
  const record = session.find(id)
  if (record === undefined) return redirect("/records")
  return renderForm(session.edited, { action: `/records/${id}`, ...record })
}

/** Takes a new record, or a changed one, after all that the provider asks before. */
const saveRecord = async (session: EditorSession, request: Request, existing?: EditedRecord): Promise<Response> => {
  const { edited } = session
  const { quirks } = edited
  const entered = await readForm(request)
  const form = existing?.form ?? formNamed(session, entered["type"])
  if (form === undefined) return redirect("/records/new")
  const action = existing === undefined ? "/records" : `/records/${existing.id}`
  const fields = fieldsOf(form, entered)
  const isAccepted = entered["accepted"] === "yes"
  const record = { id: existing?.id ?? session.newId(), form, fields, isOff: false }
  const error = findEditorFault(edited, record, isAccepted)
  if (error !== undefined) return renderForm(edited, { action, form, fields, error })
  const confirmed = { action, entered: { type: form.name, ...fields, ...(isAccepted ? { accepted: "yes" } : {}) } }
  const question = askToConfirm(session, entered, confirmed, quirks.words.summary)
  if (question !== undefined) return question
  session.change({ records: withEditedRecord(edited, record) })
  return redirect(quirks.hasDraft ? "/records" : "/records?saved")
}

/** The page that has to be answered before something is done; `undefined` once it is, or if there is none. */
const askToConfirm = (
  session: EditorSession,
  { code, confirmed }: Entered,
  request: Parameters<typeof renderConfirmation>[1],
  title: string
): Response | undefined => {
  const { edited } = session
  const { confirmation, words } = edited.quirks
  if (confirmation === "none" || (confirmation === "summary" && confirmed === "yes")) return undefined
  if (confirmation === "summary") return renderConfirmation(edited, request, title)
  if (code === session.code) {
    session.useCode()
    return undefined
  }
  const error = code === undefined ? undefined : words.errors.code
  return renderConfirmation(edited, request, words.codeTitle, { code: session.code, error })
}

const confirmRemoval = (session: EditorSession, id: string): Response => {
  const { quirks } = session.edited
  const request = { action: `/records/${id}/delete`, entered: {} }
  const secondFactor = quirks.confirmation === "second_factor" ? { code: session.code } : undefined
  return renderConfirmation(session.edited, request, quirks.words.removeTitle, secondFactor)
}

const removeRecord = async (session: EditorSession, request: Request, id: string): Promise<Response> => {
  const { quirks, records } = session.edited
  const again = { action: `/records/${id}/delete`, entered: {} }
  const question = askToConfirm(session, await readForm(request), again, quirks.words.removeTitle)
  if (question !== undefined) return question
  session.change({ records: records.filter((record) => `${record.id}` !== id) })
  return redirect(quirks.hasDraft ? "/records" : "/records?saved")
}

const saveAll = (session: EditorSession): Response => {
  session.save()
  return redirect("/records?saved")
}

const changeMail = async (session: EditorSession, request: Request): Promise<Response> => {
  session.change({ mailSetting: (await readForm(request))["setting"] ?? "" })
  return redirect("/records")
}

const addSubdomain = async (session: EditorSession, request: Request): Promise<Response> => {
  const { edited } = session
  const host = ((await readForm(request))["subdomain"] ?? "").toLowerCase()
  if (!/^[\w-]{1,63}(\.[\w-]{1,63})*$/.test(host)) return renderSubdomains(edited, edited.quirks.words.errors.host)
  if (!edited.subdomains.includes(host)) session.change({ subdomains: [...edited.subdomains, host] })
  return redirect("/subdomains")
}

import { type EditedRecord, type EditedZone, type FieldTexts, hostOf } from "./editedRecords.ts"
import type { EditorField, EditorForm } from "./zoneEditorQuirks.ts"

/** The form for a record, as it is shown: what was typed, and why it was refused. */
export interface ShownForm {
  /** Where it is sent. */
  readonly action: string
  readonly form: EditorForm
  readonly fields: FieldTexts
  readonly error?: string | undefined
}

/** A page of the editor: the provider's name above, the menu, a heading, and the rest. */
const renderPage = ({ quirks, zone }: EditedZone, title: string, body: string): Response => {
  const { language, more } = quirks.words
  const menu = [quirks.path[0] ?? "", ...more].map((name, index) => link(index === 0 ? "/" : "/elsewhere", name))
  return new Response(
    `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} – ${text(quirks.name)}</title>
<style>${style}</style>
</head>
<body>
<header><strong>${text(quirks.name)}</strong><nav>${menu.join("")}</nav></header>
<main>
<p>${text(zone)}</p>
<h1>${text(title)}</h1>
${body}
</main>
</body>
</html>`,
    { headers: { "content-type": "text/html; charset=utf-8" } }
  )
}

/** A step on the way to the records: the next menu entry among others. */
export const renderMenu = (edited: EditedZone, step: number): Response => {
  const { name, needsSubdomain, path, words } = edited.quirks
  const entries = path.map((entry) => entry.replace("{zone}", edited.zone))
  const isLast = step === path.length - 1
  const next = link(isLast ? "/records" : `/menu/${step + 1}`, entries[step] ?? "")
  const others = isLast && needsSubdomain ? [link("/subdomains", words.subdomains)] : []
  const items = [next, ...others, ...words.more.map((entry) => link("/elsewhere", entry))]
  return renderPage(edited, entries[step - 1] ?? name, list(items))
}

/** A page that has nothing to do with records. */
export const renderElsewhere = (edited: EditedZone): Response =>
  renderPage(edited, edited.quirks.name, `<p>${text(edited.quirks.words.elsewhere)}</p>`)

/** The records, with what a person can do with each; a notice after something was saved. */
export const renderRecords = (edited: EditedZone, isSaved: boolean): Response => {
  const { quirks, records } = edited
  const { hasDraft, mailSettings, needsSubdomain, words } = quirks
  const hasMail = Object.keys(mailSettings).length > 0
  const ofMail = records.filter(({ form }) => hasMail && form.type === "MX")
  const add = `<p>${link("/records/new", words.add, "button")}</p>`
  const subdomains = needsSubdomain ? `<p>${link("/subdomains", words.subdomains)}</p>` : ""
  const notice = isSaved ? `<p role="status">${text(words.saved)}</p>` : ""
  const saveAll = hasDraft ? post("/save-all", submit(words.saveAll)) : ""
  const rest = records.filter((record) => !ofMail.includes(record))
  return renderPage(
    edited,
    words.records,
    [notice, add, subdomains, renderTable(edited, rest), hasMail ? renderMail(edited, ofMail) : "", saveAll].join("\n")
  )
}

/** The MX records stand in a section of their own, and only after the right setting is chosen. */
const renderMail = (edited: EditedZone, records: ReadonlyArray<EditedRecord>): string => {
  const { mailSettings, words } = edited.quirks
  const settings = Object.keys(mailSettings)
  const hasOwnMx = edited.mailSetting === settings.at(-1)
  const choice = select("setting", words.mail, settings, edited.mailSetting, ' onchange="this.form.submit()"')
  const own = `${renderTable(edited, records)}<p>${link("/records/new?type=MX+Record", words.add, "button")}</p>`
  return `<section aria-label="${text(words.mail)}"><h2>${text(words.mail)}</h2>${post("/mail", choice)}${hasOwnMx ? own : ""}</section>`
}

const renderTable = (edited: EditedZone, records: ReadonlyArray<EditedRecord>): string => {
  const { words } = edited.quirks
  const rows = records.map((record) => {
    const { fields, form, id, isOff } = record
    const cells = [
      form.name,
      showHost(edited, record),
      [fields.priority, fields.value].filter(Boolean).join(" "),
      fields.ttl ?? ""
    ]
    const state = isOff ? ` <em>(${text(words.inactive)})</em>` : ""
    const actions = `${link(`/records/${id}`, words.edit)} ${link(`/records/${id}/delete`, words.remove)}`
    return `<tr>${cells.map((cell) => `<td>${text(cell)}</td>`).join("")}<td>${actions}${state}</td></tr>`
  })
  const heads = [words.type, words.host, words.value, "TTL"].map((head) => `<th scope="col">${text(head)}</th>`)
  return `<table><thead><tr>${heads.join("")}<td></td></tr></thead><tbody>${rows.join("\n")}</tbody></table>`
}

/** The host as the page shows it: with the zone where the field of the zone itself is empty. */
const showHost = (edited: EditedZone, record: EditedRecord): string => {
  const host = hostOf(edited, record)
  if (edited.quirks.apex !== "empty") return host === "" ? "@" : host
  return host === "" ? edited.zone : `${host}.${edited.zone}`
}

/** The page on which a person chooses the type before the form is shown. */
export const renderTypeChoice = (edited: EditedZone): Response =>
  renderPage(
    edited,
    edited.quirks.words.chooseType,
    list(edited.quirks.forms.map(({ name }) => link(`/records/new?type=${encodeURIComponent(name)}`, name)))
  )

/** The form for a record; without an action of its own it is that of a new one. */
export const renderForm = (edited: EditedZone, shown: ShownForm): Response => {
  const { quirks } = edited
  const { cnameBesideOthers, words } = quirks
  const fields = shown.form.fields.map(([field, label]) => renderField(edited, shown, field, label))
  const accept =
    shown.form.type === "CNAME" && cnameBesideOthers === "replaces"
      ? `<label class="check"><input type="checkbox" name="accepted" value="yes"> ${text(words.acceptCname)}</label>`
      : ""
  const type = shown.form.fields.some(([field]) => field === "type") ? "" : hidden("type", shown.form.name)
  const body = [alert(shown.error), type, ...fields, accept, submit(words.save), link("/records", words.cancel)]
  return renderPage(edited, shown.form.name, post(shown.action, body.join("\n")))
}

const renderField = (edited: EditedZone, shown: ShownForm, field: EditorField, label: string): string => {
  const { quirks, subdomains, zone } = edited
  const value = shown.fields[field] ?? ""
  if (field === "type") return renderType(edited, shown, label)
  if (field === "ttl") return select(field, label, Object.keys(quirks.ttls), value)
  if (field === "domain") {
    const options = ["", ...subdomains].map((host) => [host, host === "" ? zone : `${host}.${zone}`] as const)
    return select(field, label, options, value)
  }
  // The one box that has no name on the page of Namecheap.
  if (label === "") return `<input name="${field}" value="${text(value)}" placeholder="10" autocomplete="off">`
  // Every page appends the zone; those whose field of the zone itself is empty say so behind it, in small letters.
  const suffix = field === "host" && quirks.apex !== "@" ? ` <small>.${text(zone)}</small>` : ""
  return `<label for="${field}">${text(label)}</label><span><input id="${field}" name="${field}" value="${text(value)}" autocomplete="off">${suffix}</span>`
}

/** A list of types shows the form of another one at once; an existing record keeps its type. */
const renderType = ({ quirks }: EditedZone, { action, form }: ShownForm, label: string): string => {
  const ofMail = Object.keys(quirks.mailSettings).length > 0
  const names = quirks.forms.filter(({ type }) => (ofMail ? (type === "MX") === (form.type === "MX") : true))
  const change = ` onchange="this.form.method='get';this.form.action='/records/new';this.form.submit()"`
  return action === "/records"
    ? select(
        "type",
        label,
        names.map(({ name }) => name),
        form.name,
        change
      )
    : select("type", label, [form.name], form.name)
}

/** Asks before something is done: for a look at what was entered, or for the code of a second factor. */
export const renderConfirmation = (
  edited: EditedZone,
  request: { readonly action: string; readonly entered: FieldTexts & { readonly accepted?: string } },
  title: string,
  secondFactor?: { readonly code: string; readonly error?: string | undefined }
): Response => {
  const { words } = edited.quirks
  const entered = Object.entries(request.entered)
  const summary = entered.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join("")
  const code =
    secondFactor === undefined
      ? `<dl>${summary}</dl>`
      : `<aside><strong>${text(words.phone)}</strong><br>${text(edited.quirks.name)}: ${secondFactor.code}</aside>
         <label for="code">${text(words.code)}</label><input id="code" name="code" inputmode="numeric" autocomplete="off">`
  const inputs = entered.map(([name, value]) => hidden(name, value))
  const body = [alert(secondFactor?.error), ...inputs, hidden("confirmed", "yes"), code, submit(words.confirm)]
  return renderPage(edited, title, post(request.action, [...body, link("/records", words.cancel)].join("\n")))
}

/** The subdomains, and the form for a new one. */
export const renderSubdomains = (edited: EditedZone, error?: string): Response => {
  const { quirks, subdomains, zone } = edited
  const { words } = quirks
  const field = `<label for="subdomain">${text(words.subdomain)}</label><span><input id="subdomain" name="subdomain" autocomplete="off"> <small>.${text(zone)}</small></span>`
  const form = post("/subdomains", [alert(error), field, submit(words.addSubdomain)].join("\n"))
  const back = link("/records", words.records)
  return renderPage(
    edited,
    words.subdomains,
    `${list(subdomains.map((host) => text(`${host}.${zone}`)))}${form}<p>${back}</p>`
  )
}

const text = (value: string): string => Bun.escapeHTML(value)

const link = (href: string, name: string, kind = ""): string =>
  `<a href="${text(href)}"${kind === "" ? "" : ` class="${kind}"`}>${text(name)}</a>`

const list = (items: ReadonlyArray<string>): string => `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`

const post = (action: string, body: string): string => `<form method="post" action="${action}">${body}</form>`

const submit = (name: string): string => `<button type="submit">${text(name)}</button>`

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${text(value)}">`

const alert = (error: string | undefined): string => (error === undefined ? "" : `<p role="alert">${text(error)}</p>`)

type SelectOption = string | readonly [value: string, name: string]

const select = (
  name: string,
  label: string,
  options: ReadonlyArray<SelectOption>,
  chosen: string,
  more = ""
): string => {
  const items = options.map((option) => {
    const [value, shown] = typeof option === "string" ? [option, option] : option
    return `<option value="${text(value)}"${value === chosen ? " selected" : ""}>${text(shown)}</option>`
  })
  return `<label for="${name}">${text(label)}</label><select id="${name}" name="${name}"${more}>${items.join("")}</select>`
}

const style = `
body { margin: 0; font: 16px/1.5 sans-serif; color: #222; background: #fff }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; padding: 12px 16px; background: #eee }
nav { display: flex; flex-wrap: wrap; gap: 16px }
h1 { font-size: 26px; overflow-wrap: anywhere }
main { max-width: 900px; padding: 0 16px 48px }
table { width: 100%; border-collapse: collapse }
th, td { padding: 8px 8px 8px 0; border-bottom: 1px solid #ccc; text-align: start; vertical-align: top; overflow-wrap: anywhere }
li { padding: 6px 0 }
form { display: grid; gap: 6px; max-width: 480px; justify-items: start; margin: 16px 0 }
span { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; width: 100% }
input:not([type=checkbox]), select { box-sizing: border-box; width: 100%; max-width: 320px; padding: 8px; font: inherit }
button, .button { padding: 10px 16px; font: inherit; color: #fff; background: #146; border: 0; text-decoration: none; display: inline-block }
[role=alert] { color: #a00 }
[role=status] { background: #efe; padding: 8px }
aside { border: 1px solid #888; border-radius: 8px; padding: 12px; background: #f8f8f8 }
@media (max-width: 600px) { thead { display: none } tr { display: block; border-bottom: 1px solid #ccc; padding: 8px 0 } td { display: block; border: 0; padding: 2px 0 } }
`

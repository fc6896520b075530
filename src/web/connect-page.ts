import { DomainConnection } from "./domain-connection.ts"
import { languageOf } from "./words/languageOf.ts"

/** What this tab has of the last link that was opened in it: the code, and what the service gave for it. */
interface Opened {
  readonly code: string
  readonly session?: Session
}

interface Session {
  readonly connectionId: string
  readonly accessToken: string
}

const { tag, words } = languageOf(navigator.language)

let current = new AbortController()

const begin = (): void => {
  document.documentElement.lang = tag
  document.title = words.pageTitle
  document.querySelector("h1")?.replaceChildren(words.pageTitle)
  const opened = linked() ?? kept()
  if (opened === undefined) show(said(words.linkUsed))
  else if (opened.session === undefined) void open(opened.code)
  else show(componentFor(opened.session))
}

/** The link in the address. Its code is good once: it need not stand there, in the history or in a picture of the screen. */
const linked = (): Opened | undefined => {
  const code = location.hash.slice(1)
  history.replaceState(null, "", location.pathname)
  if (code === "") return undefined
  const before = kept()
  if (before?.code === code) return before
  keep({ code })
  return { code }
}

/** Asks until the service has answered for sure, since the code is good for one answer only. */
const open = async (code: string): Promise<void> => {
  current.abort()
  const { signal } = (current = new AbortController())
  const again = button(words.tryAgain)
  let trouble = ""
  show(said(words.loading))
  for (let attempt = 0; ; attempt += 1) {
    const answer = await redeemed(code, signal)
    if (signal.aborted) return
    if (typeof answer === "object") {
      keep({ code, session: answer })
      return show(componentFor(answer))
    }
    if (answer === "linkUsed") {
      forget()
      return show(said(words.linkUsed))
    }
    // Said anew only where it is new: the button keeps the focus.
    if (trouble !== answer) show(said(words[answer]), again)
    trouble = answer
    await pause(again, 1_000 * Math.min(2 ** attempt, 30))
  }
}

/** The session, or the text that says why there is none: only `linkUsed` is for good. */
const redeemed = async (
  code: string,
  signal: AbortSignal
): Promise<Session | "linkUsed" | "problemOffline" | "problemBusy" | "problemUnknown"> => {
  try {
    const answer = await fetch("/v1/share-links/redeem", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)])
    })
    if (answer.ok) return await answer.json()
    if (answer.status === 400 || answer.status === 401) return "linkUsed"
    if (answer.status === 429) return "problemBusy"
    return answer.status >= 500 ? "problemOffline" : "problemUnknown"
  } catch {
    return "problemOffline"
  }
}

const pause = (again: HTMLElement, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    again.addEventListener("click", () => resolve(), { once: true })
    addEventListener("online", () => resolve(), { once: true })
    setTimeout(resolve, milliseconds)
  })

const componentFor = ({ accessToken, connectionId }: Session): HTMLElement => {
  const element = new DomainConnection()
  Object.assign(element, {
    connectionId,
    token: accessToken,
    baseUrl: location.origin,
    words: { problemSession: words.linkUsed }
  })
  element.addEventListener("token-expired", forget)
  element.addEventListener("closed", () => show(said(words.pageClosed)))
  return element
}

const show = (...shown: ReadonlyArray<HTMLElement>): void => {
  document.querySelector("#content")?.replaceChildren(...shown)
}

const said = (text: string): HTMLElement => {
  const paragraph = document.createElement("p")
  paragraph.setAttribute("role", "status")
  paragraph.textContent = text
  return paragraph
}

const button = (text: string): HTMLElement => {
  const element = document.createElement("button")
  element.type = "button"
  element.textContent = text
  return element
}

const kept = (): Opened | undefined => JSON.parse(storage()?.getItem("link") ?? "null") ?? undefined

const keep = (opened: Opened): void => storage()?.setItem("link", JSON.stringify(opened))

const forget = (): void => storage()?.removeItem("link")

/** None where the browser is told to keep nothing: the page then works until it is reloaded. */
const storage = (): Storage | undefined => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

// A link pasted over this page changes the address and loads nothing.
addEventListener("hashchange", begin)
begin()

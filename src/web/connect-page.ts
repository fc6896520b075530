import { DomainConnection } from "./connect.ts"
import { parseSharedLink } from "./shareLink.ts"
import { withSessionStorage } from "./browserStorage.ts"
import { loadChoice } from "./LanguageChoice.ts"
import { directionOf, languageOf } from "./words/languageOf.ts"
import { loadLanguage, withoutTexts } from "./words/loadWords.ts"

/** The last link that was opened in this tab, and the session that the service returned for it. */
interface OpenedLink {
  readonly code: string
  readonly sender: string
  readonly session?: Session
}

interface Session {
  readonly connectionId: string
  readonly accessToken: string
  readonly role: "customer" | "helper"
}

const sayUnreachable = (): void => {
  const isEmpty = document.querySelector("#content")?.childElementCount === 0
  if (isEmpty) show(createStatusText(withoutTexts))
}

let language = loadLanguage(loadChoice() ?? languageOf(navigator.language), sayUnreachable)

let current = new AbortController()

/** Says in the language what stands around the component. */
const speak = async (): Promise<void> => {
  const requested = language
  const { tag, words } = await requested
  if (requested !== language) return
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
  document.title = words.pageTitle
  document.querySelector("h1")?.replaceChildren(words.pageTitle)
}

const start = async (): Promise<void> => {
  const opened = takeLinkFromAddress() ?? loadLink()
  if (opened === undefined) show(createStatusText((await language).words.linkUsed))
  else if (opened.session === undefined) await open(opened)
  else show(createComponent(opened, opened.session))
}

/**
 * Reads the link from the address and removes its code from the address bar and the history, with what a provider
 * has added. What names the logo of the platform stays: by it the page may load the logo, also after a reload.
 */
const takeLinkFromAddress = (): OpenedLink | undefined => {
  const { code, sender } = parseSharedLink(location.hash)
  const address = new URL(location.pathname, location.href)
  for (const [name, value] of new URLSearchParams(location.search))
    if (name === "logo" || name === "signature") address.searchParams.append(name, value)
  history.replaceState(null, "", address)
  if (code === "") return undefined
  const before = loadLink()
  if (before?.code === code) return before
  saveLink({ code, sender })
  return { code, sender }
}

/** Redeems the code, and retries until the service gives a definite answer. */
const open = async (link: OpenedLink): Promise<void> => {
  current.abort()
  const { signal } = (current = new AbortController())
  // The first request does not wait for the texts.
  let answering = redeem(link.code, signal)
  const { words } = await language
  if (signal.aborted) return
  const retryButton = createButton(words.tryAgain)
  let displayed = ""
  show(createStatusText(words.loading))
  for (let attempt = 0; ; attempt += 1) {
    const answer = await answering
    if (signal.aborted) return
    if (typeof answer === "object") {
      saveLink({ ...link, session: answer })
      return show(createComponent(link, answer))
    }
    if (answer === "linkUsed") {
      deleteLink()
      return show(createStatusText(words.linkUsed))
    }
    // Rendered only when the text changes, so that the button keeps the focus.
    if (displayed !== answer) show(createStatusText(words[answer]), retryButton)
    displayed = answer
    await pause(retryButton, 1_000 * Math.min(2 ** attempt, 30))
    answering = redeem(link.code, signal)
  }
}

/** Redeems a code for a session, or resolves to the key of the text that says why not; only `linkUsed` is final. */
const redeem = async (
  code: string,
  signal: AbortSignal
): Promise<Session | "linkUsed" | "problemOffline" | "problemBusy" | "problemUnknown"> => {
  try {
    const response = await fetch(location.pathname.replace(/connect$/, "v1/share-links/redeem"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)])
    })
    if (response.ok) return await response.json()
    if (response.status === 400 || response.status === 401) return "linkUsed"
    if (response.status === 429) return "problemBusy"
    return response.status >= 500 ? "problemOffline" : "problemUnknown"
  } catch {
    return "problemOffline"
  }
}

const pause = (retryButton: HTMLElement, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    retryButton.addEventListener("click", () => resolve(), { once: true })
    addEventListener("online", () => resolve(), { once: true })
    setTimeout(resolve, milliseconds)
  })

const createComponent = (link: OpenedLink, { accessToken, connectionId, role }: Session): HTMLElement => {
  const element = new DomainConnection()
  Object.assign(element, {
    connectionId,
    token: accessToken,
    baseUrl: location.origin,
    sender: role === "helper" ? link.sender : undefined
  })
  // The component begins to read the connection before the texts are there.
  void language.then(({ words }) => (element.words = { problemSession: words.linkUsed }))
  element.addEventListener("token-expired", () => void renew(link, element))
  element.addEventListener("language", ({ detail }) => {
    language = loadLanguage(languageOf(detail.language), sayUnreachable)
    void speak()
  })
  element.addEventListener("closed", () => void language.then(({ words }) => show(createStatusText(words.pageClosed))))
  return element
}

/** Opens the link again for another token; the element repeats its event until it has one. */
const renew = async (link: OpenedLink, element: HTMLElement & { token: string }): Promise<void> => {
  const answer = await redeem(link.code, new AbortController().signal)
  if (answer === "linkUsed") return deleteLink()
  if (typeof answer !== "object") return
  saveLink({ ...link, session: answer })
  element.token = answer.accessToken
}

const show = (...elements: ReadonlyArray<HTMLElement>): void => {
  document.querySelector("#content")?.replaceChildren(...elements)
}

const createStatusText = (text: string): HTMLElement => {
  const paragraph = document.createElement("p")
  paragraph.setAttribute("role", "status")
  paragraph.textContent = text
  return paragraph
}

const createButton = (text: string): HTMLElement => {
  const element = document.createElement("button")
  element.type = "button"
  element.textContent = text
  return element
}

// Where the browser blocks storage, the page works until it is reloaded.
const loadLink = (): OpenedLink | undefined =>
  JSON.parse(withSessionStorage((storage) => storage.getItem("link")) ?? "null") ?? undefined

const saveLink = (opened: OpenedLink): void =>
  withSessionStorage((storage) => storage.setItem("link", JSON.stringify(opened)))

const deleteLink = (): void => withSessionStorage((storage) => storage.removeItem("link"))

// A link pasted into this page changes only the hash and does not load the page.
addEventListener("hashchange", () => void start())
void speak()
void start()

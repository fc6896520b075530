import { DomainConnection } from "./connect.ts"
import { languageOf } from "./words/languageOf.ts"

/** The last link that was opened in this tab: its code, and the session that the service returned for it. */
interface OpenedLink {
  readonly code: string
  readonly session?: Session
}

interface Session {
  readonly connectionId: string
  readonly accessToken: string
}

const { tag, words } = languageOf(navigator.language)

let current = new AbortController()

const start = (): void => {
  document.documentElement.lang = tag
  document.title = words.pageTitle
  document.querySelector("h1")?.replaceChildren(words.pageTitle)
  const opened = takeLinkFromAddress() ?? loadLink()
  if (opened === undefined) show(createStatusText(words.linkUsed))
  else if (opened.session === undefined) void open(opened.code)
  else show(createComponent(opened.session))
}

/**
 * Reads the link from the address and removes its one-time code from the address bar and the history, with what a provider
 * has added. What names the logo of the platform stays: by it the page may load the logo, also after a reload.
 */
const takeLinkFromAddress = (): OpenedLink | undefined => {
  const code = location.hash.slice(1)
  const address = new URL(location.pathname, location.href)
  for (const [name, value] of new URLSearchParams(location.search))
    if (name === "logo" || name === "signature") address.searchParams.append(name, value)
  history.replaceState(null, "", address)
  if (code === "") return undefined
  const before = loadLink()
  if (before?.code === code) return before
  saveLink({ code })
  return { code }
}

/** Redeems the code, and retries until the service gives a definite answer: the code is valid only once. */
const open = async (code: string): Promise<void> => {
  current.abort()
  const { signal } = (current = new AbortController())
  const retryButton = createButton(words.tryAgain)
  let displayed = ""
  show(createStatusText(words.loading))
  for (let attempt = 0; ; attempt += 1) {
    const answer = await redeem(code, signal)
    if (signal.aborted) return
    if (typeof answer === "object") {
      saveLink({ code, session: answer })
      return show(createComponent(answer))
    }
    if (answer === "linkUsed") {
      deleteLink()
      return show(createStatusText(words.linkUsed))
    }
    // Rendered only when the text changes, so that the button keeps the focus.
    if (displayed !== answer) show(createStatusText(words[answer]), retryButton)
    displayed = answer
    await pause(retryButton, 1_000 * Math.min(2 ** attempt, 30))
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

const createComponent = ({ accessToken, connectionId }: Session): HTMLElement => {
  const element = new DomainConnection()
  Object.assign(element, {
    connectionId,
    token: accessToken,
    baseUrl: location.origin,
    words: { problemSession: words.linkUsed }
  })
  element.addEventListener("token-expired", deleteLink)
  element.addEventListener("closed", () => show(createStatusText(words.pageClosed)))
  return element
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

const loadLink = (): OpenedLink | undefined => JSON.parse(getStorage()?.getItem("link") ?? "null") ?? undefined

const saveLink = (opened: OpenedLink): void => getStorage()?.setItem("link", JSON.stringify(opened))

const deleteLink = (): void => getStorage()?.removeItem("link")

/** `undefined` where the browser blocks storage: the page then works until it is reloaded. */
const getStorage = (): Storage | undefined => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

// A link pasted into this page changes only the hash and does not load the page.
addEventListener("hashchange", start)
start()

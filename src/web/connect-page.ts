import { DomainConnection } from "./domain-connection.ts"
import { languageOf } from "./words/languageOf.ts"

/** What a link opened: kept for this tab, so that a reload goes on. */
interface Session {
  readonly connectionId: string
  readonly accessToken: string
}

const { tag, words } = languageOf(navigator.language)

const begin = async (): Promise<void> => {
  const code = location.hash.slice(1)
  // The code is good once: it need not stand in the address, the history or a picture of the screen.
  history.replaceState(null, "", location.pathname)
  const session = code === "" ? kept() : await redeemed(code)
  const main = document.querySelector("main")
  document.documentElement.lang = tag
  document.title = words.pageTitle
  document.querySelector("h1")?.replaceChildren(words.pageTitle)
  if (session === undefined) main?.append(said(words.linkUsed))
  else main?.append(componentFor(session))
}

const kept = (): Session | undefined => {
  const text = sessionStorage.getItem("session")
  return text === null ? undefined : JSON.parse(text)
}

const redeemed = async (code: string): Promise<Session | undefined> => {
  const answer = await fetch("/v1/share-links/redeem", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code })
  })
  if (!answer.ok) return kept()
  const session = await answer.json()
  sessionStorage.setItem("session", JSON.stringify(session))
  return session
}

const componentFor = ({ accessToken, connectionId }: Session): HTMLElement => {
  const element = new DomainConnection()
  Object.assign(element, {
    connectionId,
    token: accessToken,
    baseUrl: location.origin,
    words: { problemSession: words.linkUsed }
  })
  element.addEventListener("token-expired", () => sessionStorage.removeItem("session"))
  element.addEventListener("closed", () => element.replaceWith(said(words.pageClosed)))
  return element
}

const said = (text: string): HTMLElement => {
  const paragraph = document.createElement("p")
  paragraph.setAttribute("role", "status")
  paragraph.textContent = text
  return paragraph
}

void begin()

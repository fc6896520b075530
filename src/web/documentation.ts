import MiniSearch from "minisearch"

/** An entry of the index that the service writes: a page, or a part of one. */
interface IndexEntry {
  readonly kind: string
  readonly title: string
  readonly url: string
  readonly text: string
  readonly page: string
}

const root = new URL("..", import.meta.url)

const shownResults = 12

/** What people look for most, first. */
const weights: Readonly<Record<string, number>> = { Operation: 1.6, Error: 1.5, Failure: 1.4, Warning: 1.4, Page: 1.5 }

let index: Promise<MiniSearch<IndexEntry & { readonly id: number }>> | undefined

const loadIndex = () => (index ??= readIndex())

const readIndex = async () => {
  const response = await fetch(new URL("search.json", import.meta.url))
  const entries: ReadonlyArray<IndexEntry> = await response.json()
  const search = new MiniSearch<IndexEntry & { readonly id: number }>({
    fields: ["title", "text", "page"],
    storeFields: ["kind", "title", "url", "text", "page"],
    searchOptions: {
      boost: { title: 4, page: 1.5 },
      combineWith: "AND",
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boostDocument: (_, __, stored) => weights[String(stored?.["kind"])] ?? 1
    }
  })
  search.addAll(entries.map((entry, id) => ({ ...entry, id })))
  return search
}

const renderResult = (entry: Pick<IndexEntry, "kind" | "title" | "url" | "text" | "page">): HTMLAnchorElement => {
  const link = document.createElement("a")
  link.href = new URL(entry.url.slice(1), root).href
  const kind = document.createElement("span")
  kind.className = "kind"
  kind.textContent = entry.kind
  const excerpt = document.createElement("span")
  excerpt.className = "excerpt"
  excerpt.textContent = entry.page === "" ? entry.text : `${entry.page} · ${entry.text}`
  link.append(kind, entry.title, excerpt)
  return link
}

const renderNothing = (query: string): HTMLElement => {
  const sentence = document.createElement("p")
  sentence.textContent = `Nothing is called “${query}”.`
  return sentence
}

/** What bears the name that is searched for, then what has all words of it, then what has some. */
const findEntries = (entries: MiniSearch, query: string) => {
  const complete = entries.search(query)
  const partial = complete.length < shownResults ? entries.search(query, { combineWith: "OR" }) : []
  const ids = new Set(complete.map(({ id }) => id))
  const found = [...complete, ...partial.filter(({ id }) => !ids.has(id))]
  const isNamed = ({ title }: { readonly [field: string]: unknown }) =>
    String(title).toLowerCase() === query.toLowerCase()
  return [...found.filter(isNamed), ...found.filter((entry) => !isNamed(entry))].slice(0, shownResults)
}

/** Shows the search, and answers while the reader types; the arrow keys walk through the results. */
const startSearch = (search: HTMLElement, input: HTMLInputElement, results: HTMLElement): void => {
  const close = () => {
    results.hidden = true
  }
  const answer = async () => {
    const query = input.value.trim()
    if (query === "") return close()
    const found = findEntries(await loadIndex(), query)
    if (query !== input.value.trim()) return
    results.replaceChildren(
      ...(found.length === 0 ? [renderNothing(query)] : found.map((entry) => renderResult(toEntry(entry))))
    )
    results.hidden = false
  }
  search.hidden = false
  input.addEventListener("focus", () => void loadIndex())
  input.addEventListener("input", () => void answer())
  results.addEventListener("click", close)
  search.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && search.contains(relatedTarget))) close()
  })
  search.addEventListener("keydown", (event) => {
    const links = [...results.querySelectorAll("a")]
    const position = links.findIndex((link) => link === document.activeElement)
    if (event.key === "Escape") {
      close()
      input.focus()
    } else if (event.key === "Enter" && document.activeElement === input) links[0]?.click()
    else if (event.key === "ArrowDown") links[Math.min(position + 1, links.length - 1)]?.focus()
    else if (event.key === "ArrowUp") (links[position - 1] ?? input).focus()
    else return
    event.preventDefault()
  })
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

const toEntry = (stored: { readonly [field: string]: unknown }): IndexEntry => ({
  kind: String(stored["kind"]),
  title: String(stored["title"]),
  url: String(stored["url"]),
  text: String(stored["text"]),
  page: String(stored["page"])
})

/** Gives an example a button that copies it. */
const addCopyButton = (example: HTMLElement): void => {
  const code = example.querySelector("pre")
  if (code === null) return
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent ?? "")
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 2_000)
  })
  example.append(button)
}

const search = document.querySelector<HTMLElement>(".search")
const input = search?.querySelector("input")
const results = search?.querySelector<HTMLElement>(".results")
if (search && input && results) startSearch(search, input, results)

document.querySelectorAll<HTMLElement>(".example").forEach(addCopyButton)

// The sheet of pages covers the part of this page to which its link leads.
const navigation = document.querySelector<HTMLElement>("#navigation")
navigation?.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLAnchorElement && navigation.matches(":popover-open")) navigation.hidePopover()
})

document.querySelector("#navigation [aria-current]")?.scrollIntoView({ block: "nearest" })

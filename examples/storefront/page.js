const element = document.querySelector("domain-connection")
const news = document.querySelector("#news")
const warnings = document.querySelector("#warnings")
const again = document.querySelector("#again")
const add = document.querySelector("#add")
const disconnect = document.querySelector("#disconnect")

// If this fails, the element asks again by itself; the button is for customers who do not want to wait.
const fetchToken = async () => {
  const response = await fetch("/token", { method: "POST" }).catch(() => undefined)
  if (!response?.ok)
    return offer("Connecting a domain does not work at the moment. Your shop stays as it is.", "Try again")
  withdraw()
  const { isHeldByAnother, ...properties } = await response.json()
  if (isHeldByAnother) news.textContent = "Another shop uses this domain. To connect it, prove that it is yours."
  Object.assign(element, properties)
}

const offer = (text, button) => {
  news.textContent = text
  again.textContent = button
  again.hidden = false
}

const withdraw = () => {
  if (!again.hidden) news.textContent = ""
  again.hidden = true
}

again.addEventListener("click", async () => {
  withdraw()
  await fetchToken()
  news.before(element)
})

// Only the shop's server may change the records or disconnect; it says whether that is possible now.
const showStatus = async () => {
  const { canAddHost, canDisconnect, records, warnings: texts } = await (await fetch("/status")).json()
  news.textContent = `Your shop is online at your own domain. Keep these records: ${records.join(", ")}`
  warnings.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })))
  add.hidden = !canAddHost
  disconnect.hidden = !canDisconnect
}

// The component shows what changes, and the customer allows it there.
add.addEventListener("submit", async (event) => {
  event.preventDefault()
  const response = await fetch("/hosts", { method: "POST", body: new FormData(add) })
  add.hidden = response.ok
  if (!response.ok) return (news.textContent = "This host cannot be added.")
  news.textContent = ""
  await fetchToken()
  news.before(element)
})

disconnect.addEventListener("click", async () => {
  await fetch("/disconnect", { method: "POST" })
  add.hidden = disconnect.hidden = true
  warnings.replaceChildren()
  news.textContent = "Your domain is being disconnected."
})

element.addEventListener("token-expired", fetchToken)
element.addEventListener("connected", showStatus)
// What is missing stands in the component; nothing above it may say that all is well.
element.addEventListener("degraded", () => (news.textContent = "Your own domain needs a look: see above."))
element.addEventListener("disconnected", () => (news.textContent = "Your shop is at its old address again."))
element.addEventListener("failed", () => (news.textContent = "Your shop stays at its old address for now."))
element.addEventListener("closed", ({ detail }) => {
  element.remove()
  if (detail.state !== "active") offer("Your shop stays at its old address for now.", "Connect your own domain")
})

await fetchToken()

const element = document.querySelector("domain-connection")
const news = document.querySelector("#news")
const warnings = document.querySelector("#warnings")
const again = document.querySelector("#again")
const disconnect = document.querySelector("#disconnect")

// If this fails, the element asks again by itself; the button is for customers who do not want to wait.
const fetchToken = async () => {
  const response = await fetch("/token", { method: "POST" }).catch(() => undefined)
  if (!response?.ok)
    return offer("Connecting a domain does not work at the moment. Your shop stays as it is.", "Try again")
  withdraw()
  Object.assign(element, await response.json())
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

// Only the shop's server may disconnect; it says whether that is possible now.
const showStatus = async () => {
  const { canDisconnect, records, warnings: texts } = await (await fetch("/status")).json()
  news.textContent = `Your shop is online at your own domain. Keep these records: ${records.join(", ")}`
  warnings.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })))
  disconnect.hidden = !canDisconnect
}

disconnect.addEventListener("click", async () => {
  await fetch("/disconnect", { method: "POST" })
  disconnect.hidden = true
  warnings.replaceChildren()
  news.textContent = "Your domain is being disconnected."
})

element.addEventListener("token-expired", fetchToken)
element.addEventListener("connected", showStatus)
element.addEventListener("failed", () => (news.textContent = "Your shop stays at its old address for now."))
element.addEventListener("closed", ({ detail }) => {
  element.remove()
  if (detail.state !== "active") offer("Your shop stays at its old address for now.", "Connect your own domain")
})

await fetchToken()

const element = document.querySelector("domain-connection")
const news = document.querySelector("#news")
const again = document.querySelector("#again")

const fetchToken = async () => {
  const answer = await fetch("/token", { method: "POST" }).catch(() => undefined)
  if (answer?.ok) return Object.assign(element, await answer.json())
  offer("Connecting a domain does not work at the moment. Your shop stays as it is.", "Try again")
}

const offer = (text, button) => {
  news.textContent = text
  again.textContent = button
  again.hidden = false
}

again.addEventListener("click", async () => {
  again.hidden = true
  news.textContent = ""
  await fetchToken()
  news.before(element)
})

element.addEventListener("token-expired", fetchToken)
element.addEventListener("connected", () => (news.textContent = "Your shop is online at your own domain."))
element.addEventListener("failed", () => (news.textContent = "Your shop stays at its old address for now."))
element.addEventListener("closed", ({ detail }) => {
  element.remove()
  if (detail.state !== "active") offer("Your shop stays at its old address for now.", "Connect your own domain")
})

await fetchToken()

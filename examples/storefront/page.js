const element = document.querySelector("domain-connection")
const news = document.querySelector("#news")

// Where this fails, the element asks again.
const fetchToken = async () => {
  const answer = await fetch("/token", { method: "POST" })
  if (answer.ok) Object.assign(element, await answer.json())
}

element.addEventListener("token-expired", fetchToken)
element.addEventListener("connected", () => (news.textContent = "Your shop is online at your own domain."))
element.addEventListener("failed", ({ detail }) => (news.textContent = `Not yet: ${detail.failure.code}.`))
element.addEventListener("closed", () => element.remove())

await fetchToken()

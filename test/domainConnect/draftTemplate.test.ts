import { expect, test } from "bun:test"
import { draftTemplate } from "../../src/domainConnect/draftTemplate.ts"

const draftText = (data: string, variables: Readonly<Record<string, string>>) => draft(data, variables).data

const draft = (data: string, variables: Readonly<Record<string, string>> = {}) =>
  draftTemplate([{ type: "TXT", name: "shop.example", data }], {
    providerId: "platform.example",
    providerName: "Platform",
    serviceId: "website",
    serviceName: "Website",
    syncPubKeyDomain: "platform.example",
    syncRedirectDomain: "platform.example",
    fqdn: "shop.example",
    variables
  }).records[0]

test("a draft has its variables where their values were, the longest value first", () => {
  expect(draftText("shop=7 token=7f", { shop: "7", token: "7f" })).toBe("shop=%shop% token=%token%")
  expect(draftText("shop=7", { shop: "7", token: "" })).toBe("shop=%shop%")
  expect(draftText("shop=7", {})).toBe("shop=7")
})

test("a draft has no variable in the name of another one", () => {
  expect(draftText("for customer-9 of shop", { shop_customer: "customer-9", place: "shop" })).toBe(
    "for %shop_customer% of %place%"
  )
  expect(draftText("a.b axb", { dotted: "a.b" })).toBe("%dotted% axb")
})

test("a draft includes the policy that SPF redirects to", () => {
  expect(draft("v=spf1 include:a.test redirect=b.test").spfRules).toBe("include:a.test include:b.test")
  expect(draft("v=spf1 include:a.test ~all").spfRules).toBe("include:a.test")
})

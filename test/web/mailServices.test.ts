import { expect, test } from "bun:test"
import { listMailServices } from "../../src/web/mailServices.ts"

test("a mail service is named once for all of its servers, as its customers know it", () => {
  const google = ["aspmx.l.google.com", "alt1.aspmx.l.google.com", "aspmx2.googlemail.com."]
  expect(listMailServices(google)).toEqual(["Google Workspace"])
  expect(listMailServices(["smtp.google.com"])).toEqual(["Google Workspace"])
  expect(listMailServices(["shop-de.mail.protection.outlook.com"])).toEqual(["Microsoft 365"])
  expect(listMailServices(["mx00.ionos.de", "mx01.kundenserver.de"])).toEqual(["IONOS"])
})

test("an unknown mail server goes by its own name, also one whose name only ends alike", () => {
  expect(listMailServices(["mail.shop.example", "mx.notgoogle.com"])).toEqual(["mail.shop.example", "mx.notgoogle.com"])
})

import { describe, expect, test } from "bun:test"
import { Either, Redacted } from "effect"
import { findCredentialFaults, parseServiceAccount } from "../../src/domain/provider/Credential.ts"
import { azureServicePrincipal, googleServiceAccount } from "./serviceAccounts.ts"

const parse = (value: unknown) => parseServiceAccount(Redacted.make(JSON.stringify(value)))

const errorOf = (value: unknown) => Either.match(parse(value), { onLeft: (error) => error, onRight: () => "accepted" })

const faultsOf = (fields: object) =>
  findCredentialFaults({ ...azureServicePrincipal, ...fields }).map(({ field }) => field)

describe("the JSON of a service account", () => {
  test("is Google's, without the URLs that it names", () =>
    expect(parse(googleServiceAccount)).toEqual(
      Either.right({
        type: "service_account",
        project_id: googleServiceAccount.project_id,
        client_email: googleServiceAccount.client_email,
        private_key: Redacted.make(googleServiceAccount.private_key)
      })
    ))

  for (const field of ["project_id", "client_email", "private_key"] as const)
    test(`of Google is refused without ${field}`, () => {
      const { [field]: _, ...rest } = googleServiceAccount
      expect(errorOf(rest)).toBe(`is the key file of a Google service account, but lacks ${field}`)
    })

  test("of a Google user account is refused", () =>
    expect(errorOf({ ...googleServiceAccount, type: "authorized_user" })).toBe(
      "is the key file of a Google service account, but has a wrong type"
    ))

  test.each(["", 4_711, { a: "s3cret" }, null])(
    "is refused with the secret %j, which no error repeats",
    (private_key) =>
      expect(errorOf({ ...googleServiceAccount, private_key })).toBe(
        "is the key file of a Google service account, but has a wrong private_key"
      )
  )

  test.each(["../../x", "a/b", "a?b=c", "a b", "", ".", "..", "evil.example#"])(
    "is refused with the identifier %j, which would change a URL",
    (identifier) =>
      expect(errorOf({ ...googleServiceAccount, project_id: identifier })).toBe(
        "is the key file of a Google service account, but has a wrong project_id"
      )
  )

  test.each([["{"], ["null"], ['"private_key"'], ["[]"], ["{}"], [JSON.stringify(azureServicePrincipal)]])(
    "is refused if it is none: %s",
    (json) =>
      expect(parseServiceAccount(Redacted.make(json))).toEqual(
        Either.left("must be the key file of a Google service account")
      )
  )
})

describe("the fields of an Azure service principal", () => {
  test("are ids and the name of a resource group", () => expect(faultsOf({})).toEqual([]))

  test.each(["tenantId", "clientId", "subscriptionId", "resourceGroup"] as const)(
    "are refused with a %s that would change a URL",
    (field) => {
      for (const wrong of ["../../x", "a/b", "a?b=c", "a b", "", ".", "..", "evil.example#"])
        expect([wrong, faultsOf({ [field]: wrong })]).toEqual([wrong, [field]])
    }
  )
})

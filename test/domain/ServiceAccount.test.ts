import { describe, expect, test } from "bun:test"
import { Either, Redacted } from "effect"
import { parseServiceAccount } from "../../src/domain/provider/Credential.ts"
import { azureServicePrincipal, googleServiceAccount } from "./serviceAccounts.ts"

const parse = (value: unknown) => parseServiceAccount(Redacted.make(JSON.stringify(value)))

const errorOf = (value: unknown) => Either.match(parse(value), { onLeft: (error) => error, onRight: () => "accepted" })

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

  test("is Azure's, without the URLs that it names", () =>
    expect(parse(azureServicePrincipal)).toEqual(
      Either.right({
        tenantId: azureServicePrincipal.tenantId,
        clientId: azureServicePrincipal.clientId,
        clientSecret: Redacted.make(azureServicePrincipal.clientSecret),
        subscriptionId: azureServicePrincipal.subscriptionId
      })
    ))

  for (const field of ["tenantId", "clientId", "clientSecret", "subscriptionId"] as const)
    test(`of Azure is refused without ${field}`, () => {
      const { [field]: _, ...rest } = azureServicePrincipal
      expect(errorOf(rest)).toBe(`is the JSON of an Azure service principal, but lacks ${field}`)
    })

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
    (clientSecret) =>
      expect(errorOf({ ...azureServicePrincipal, clientSecret })).toBe(
        "is the JSON of an Azure service principal, but has a wrong clientSecret"
      )
  )

  test.each(["../../x", "a/b", "a?b=c", "a b", "", ".", "..", "evil.example#"])(
    "is refused with the identifier %j, which would change a URL",
    (identifier) => {
      expect(errorOf({ ...azureServicePrincipal, tenantId: identifier, subscriptionId: identifier })).toBe(
        "is the JSON of an Azure service principal, but has a wrong tenantId, subscriptionId"
      )
      expect(errorOf({ ...googleServiceAccount, project_id: identifier })).toBe(
        "is the key file of a Google service account, but has a wrong project_id"
      )
    }
  )

  test.each([["{"], ["null"], ['"clientSecret"'], ["[]"], ["{}"], ['{"appId":"x","password":"s3cret","tenant":"y"}']])(
    "is refused if it is of neither: %s",
    (json) =>
      expect(parseServiceAccount(Redacted.make(json))).toEqual(
        Either.left(
          "must be the key file of a Google service account, or the JSON that `az ad sp create-for-rbac --json-auth` prints"
        )
      )
  )
})

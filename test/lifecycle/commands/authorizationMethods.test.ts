import { expect, test } from "bun:test"
import { Either } from "effect"
import { Provider } from "../../../src/domain/provider/Provider.ts"
import { requireMethodOffered } from "../../../src/lifecycle/commands/authorizationMethods.ts"
import { sampleProvider } from "../../persistence/connectionFixtures.ts"
import { connectionRecordIn } from "../state/connectionRecords.ts"

const directCredentialIn = (...from: Parameters<typeof connectionRecordIn>) =>
  requireMethodOffered(connectionRecordIn(...from).connection, "direct_credential")

test("only a method that the provider offers can be chosen, once the provider is known", () => {
  expect(directCredentialIn("awaiting_authorization")).toEqual(Either.void)
  const provider = Provider.make({ ...sampleProvider, availableAuthorizationMethods: ["manual"] })
  const refusal = directCredentialIn("awaiting_manual", { connection: { provider } })
  expect(
    Either.mapLeft(
      refusal,
      (error) =>
        error._tag === "AuthorizationRefused" && { code: error.code, message: error.message, details: error.details }
    )
  ).toEqual(
    Either.left({
      code: "authorization_method_unavailable",
      message: "the provider of this domain offers only manual",
      details: [
        { pointer: "/method", code: "authorization_method_unavailable", message: "is not offered by this provider" }
      ]
    })
  )
  expect(Either.isLeft(directCredentialIn("requested"))).toBe(true)
})

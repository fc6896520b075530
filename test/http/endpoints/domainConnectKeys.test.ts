import { expect } from "bun:test"
import { Array, Effect, Option } from "effect"
import { parsePublicKey } from "../../../src/domainConnect/signature.ts"
import { withLayer } from "../../support/effectTest.ts"
import { apiInMemory, issueKey, jsonOf, tenancyOf } from "../../support/testApi.ts"
import { sendAsAdmin } from "../support/adminRequests.ts"

const keys = "/v1/admin/applications/signing/domain-connect-keys"

const put = (path: string) => sendAsAdmin(`${keys}/${path}`, { method: "PUT" })

const sendToFull = (label: string, method: string) =>
  sendAsAdmin(`/v1/admin/applications/full/domain-connect-keys/keys.platform.example/${label}`, { method })

const labels = Effect.map(Effect.flatMap(sendAsAdmin(keys), jsonOf), ({ domainConnectKeys }) =>
  domainConnectKeys.map(({ label }: { readonly label: string }) => label)
)

withLayer("the keys of Domain Connect of an application", apiInMemory(), (live) => {
  live("are made once for a name, shown by the records that publish them, and rotated by another label", () =>
    Effect.gen(function* () {
      yield* issueKey(tenancyOf("signing", "tenant"))
      const response = yield* put("keys.platform.example/k1")
      const { domainConnectKey } = yield* jsonOf(response)
      expect([response.status, Object.keys(domainConnectKey)]).toEqual([200, ["domain", "label", "records"]])
      expect(Option.isSome(parsePublicKey(domainConnectKey.records))).toBe(true)
      expect((yield* jsonOf(yield* put("keys.platform.example/k1"))).domainConnectKey).toEqual(domainConnectKey)
      yield* put("keys.platform.example/k2")
      expect(yield* labels).toEqual(["k2", "k1"])
      const remove = sendAsAdmin(`${keys}/keys.platform.example/k1`, { method: "DELETE" })
      expect([(yield* remove).status, (yield* remove).status]).toEqual([204, 204])
      expect(yield* labels).toEqual(["k2"])
    })
  )

  live("are limited for each application: one more is refused, until one is deleted", () =>
    Effect.gen(function* () {
      yield* issueKey(tenancyOf("full", "tenant"))
      yield* Effect.forEach(Array.range(1, 10), (n) => sendToFull(`k${n}`, "PUT"))
      const response = yield* sendToFull("k11", "PUT")
      const { error } = yield* jsonOf(response)
      expect([response.status, error.code, error.details]).toEqual([
        429,
        "quota_exceeded",
        [{ pointer: "", code: "domain_connect_keys_per_application", message: "10 of 10 are used" }]
      ])
      expect((yield* sendToFull("k10", "PUT")).status).toBe(200)
      yield* sendToFull("k1", "DELETE")
      expect((yield* sendToFull("k11", "PUT")).status).toBe(200)
    })
  )

  live("need an application, a domain in lower case and a label of DNS", () =>
    Effect.gen(function* () {
      yield* issueKey(tenancyOf("signing", "tenant"))
      for (const path of ["keys.platform.example/K1", "Keys.platform.example/k1", "localhost/k1"])
        expect([path, (yield* put(path)).status]).toEqual([path, 400])
      const missing = yield* sendAsAdmin(
        "/v1/admin/applications/missing/domain-connect-keys/keys.platform.example/k1",
        { method: "PUT" }
      )
      expect(missing.status).toBe(404)
    })
  )
})

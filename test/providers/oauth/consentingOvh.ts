import type { VendorDescription } from "../../support/vendors/DescribedVendor.ts"
import { ovhVendor } from "../adapters/ovh/ovh.ts"
import { authenticateOvh, type ConsumerKey, ovhBase } from "../adapters/ovh/signedOvhCalls.ts"

/** A key that an application has asked for. */
interface RequestedKey extends ConsumerKey {
  readonly redirection: string
  readonly expiration?: string | null
}

/** OVHcloud with its page of consent, and what the customer does there. */
export const makeConsentingOvh = () => {
  const keys = new Map<string, RequestedKey>()
  let sender = ""
  const judge = authenticateOvh((key) => keys.get(key))
  const vendor: typeof ovhVendor = {
    ...ovhVendor,
    authenticate: (headers, call, request) => {
      sender = headers.get("x-ovh-consumer") ?? ""
      return judge(headers, call, request)
    },
    operations: {
      ...ovhVendor.operations,
      "POST /auth/credential": ({ body }: { readonly body: any }) => {
        const consumerKey = `consumer-${keys.size + 1}`
        keys.set(consumerKey, { rules: body.accessRules, status: "pendingValidation", redirection: body.redirection })
        const validationUrl = `${new URL(ovhBase).origin}/auth/?credentialToken=${consumerKey}-token`
        return { status: 200, body: { consumerKey, validationUrl, state: "pendingValidation" } }
      },
      "GET /auth/currentCredential": () => {
        const { expiration = null, rules, status } = keys.get(sender) ?? { rules: [], status: "refused" }
        return { status: 200, body: { credentialId: 1, status, rules, expiration, ovhSupport: false } }
      },
      "POST /auth/logout": () => {
        keys.delete(sender)
        return { status: 200, text: "null" }
      }
    }
  } satisfies VendorDescription<{ readonly value: string }>
  const change = (key: string, changes: Partial<RequestedKey>) => {
    const known = keys.get(key)
    if (known === undefined) throw new Error(`nobody has asked for ${key}`)
    keys.set(key, { ...known, ...changes })
    return known.redirection
  }
  return {
    vendor,
    keys: (): ReadonlyMap<string, RequestedKey> => keys,
    /** The customer allows a key; returns where the page sends the browser. */
    allow: (key: string, changes: Partial<RequestedKey> = {}) => change(key, { status: "validated", ...changes })
  }
}

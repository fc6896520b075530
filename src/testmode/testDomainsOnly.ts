import { Layer } from "effect"
import type { ValueIssue } from "../domain/ErrorDetail.ts"
import { AllowedDomains } from "../lifecycle/plan/AllowedDomains.ts"
import { findTestZone } from "./TestZoneName.ts"

/** Only the domains of test mode can be connected with its keys. */
export const testDomainsOnly = Layer.succeed(AllowedDomains, {
  findIssue: (domain): ValueIssue | undefined => (findTestZone(domain) === undefined ? testDomainRequired : undefined)
})

const testDomainRequired: ValueIssue = {
  code: "test_domain_required",
  message:
    "an API key of test mode connects the domains of test mode only, such as one-click.test or shop-7-one-click.test",
  suggestion: "one-click.test"
}

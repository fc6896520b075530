import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { everyKind, faultMatrix } from "../faultMatrix.ts"
import { clientOf, makeFake, route53UnderTest } from "./route53UnderTest.ts"

describeIfPossible("at Route 53", missingVendorData, () =>
  faultMatrix(
    "Route 53",
    {
      makeFake: (options) => makeFake([], options),
      adapterFor: (fake, http) => route53UnderTest(fake, clientOf(fake, { http })),
      writes: "sets that are as they were read",
      recordsOfTwoPages: 310
    },
    everyKind
  )
)

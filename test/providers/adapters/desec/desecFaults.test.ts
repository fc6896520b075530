import { faultMatrix } from "../faultMatrix.ts"
import { desecDomain, makeFakeDesec } from "./FakeDesec.ts"
import { desecUnderTest, zone } from "./desecUnderTest.ts"

faultMatrix("deSEC", {
  makeFake: (options) => makeFakeDesec({ domains: { [zone]: desecDomain() } }, options),
  adapterFor: (fake, http) => desecUnderTest(fake, { http }),
  writes: "sets",
  recordsOfTwoPages: 600
})

import { storesInMemory } from "../../support/testApi.ts"
import { fairSchedulingContract } from "./fairSchedulingContract.ts"

fairSchedulingContract("a process on stores in memory", storesInMemory)

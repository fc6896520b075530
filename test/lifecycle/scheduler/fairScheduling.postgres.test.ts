import { Layer } from "effect"
import { allStores, freshPool } from "../../persistence/freshDatabase.ts"
import { fairSchedulingContract } from "./fairSchedulingContract.ts"

fairSchedulingContract("a process on PostgreSQL", allStores.pipe(Layer.provide(freshPool)))

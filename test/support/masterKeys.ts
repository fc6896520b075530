import { BunFileSystem } from "@effect/platform-bun"
import { Layer, Option } from "effect"
import { Credentials } from "../../src/security/Credentials.ts"
import { parseMasterKeys } from "../../src/security/MasterKey.ts"
import { MasterKeys } from "../../src/security/MasterKeys.ts"

/** The master keys of these versions, newest first, as they stand in the environment. */
export const masterKey = (...versions: ReadonlyArray<number>) =>
  versions.map((version) => `${version}:${Buffer.alloc(32, version).toString("base64")}`).join(",")

/** Sealing with the master keys of a text, over any stores. */
export const sealingLayer = (masterKeys: string) =>
  Credentials.layer.pipe(
    Layer.provideMerge(
      MasterKeys.layer({
        configured: Option.some(Option.getOrThrow(parseMasterKeys(masterKeys))),
        dataDirectory: "/nowhere"
      })
    ),
    Layer.provide(BunFileSystem.layer)
  )

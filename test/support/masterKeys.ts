import { BunFileSystem } from "@effect/platform-bun"
import { Layer, Option } from "effect"
import { Credentials } from "../../src/security/Credentials.ts"
import { parseMasterKeys } from "../../src/security/MasterKey.ts"
import { MasterKeys } from "../../src/security/MasterKeys.ts"

/** The value of MASTER_KEY with these versions, newest first. */
export const masterKey = (...versions: ReadonlyArray<number>) =>
  versions.map((version) => `${version}:${Buffer.alloc(32, version).toString("base64")}`).join(",")

/** Encryption of credentials with these master keys, over any stores. */
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

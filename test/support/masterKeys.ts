import { BunFileSystem } from "@effect/platform-bun"
import { Duration, Layer, Option } from "effect"
import { Credentials } from "../../src/security/Credentials.ts"
import { MasterKeys, parseMasterKeys } from "../../src/security/MasterKeys.ts"
import { RequestFingerprints } from "../../src/security/RequestFingerprints.ts"
import { securityLayer } from "../../src/security/layer.ts"

/** The value of MASTER_KEY with these versions, newest first. */
export const masterKey = (...versions: ReadonlyArray<number>) =>
  versions.map((version) => `${version}:${Buffer.alloc(32, version).toString("base64")}`).join(",")

/** The room `security` with these master keys, over any stores. */
export const securityWith = (masterKeys: string) =>
  securityLayer({
    masterKeys: parseMasterKeys(masterKeys),
    dataDirectory: "/nowhere",
    browserTokenLifetime: Duration.minutes(15)
  }).pipe(Layer.provide(BunFileSystem.layer))

/** Encryption of credentials, and fingerprints of requests, with these master keys, over any stores. */
export const sealingLayer = (masterKeys: string) =>
  Layer.merge(Credentials.layer, RequestFingerprints.layer).pipe(
    Layer.provideMerge(
      MasterKeys.layer({
        configured: Option.some(Option.getOrThrow(parseMasterKeys(masterKeys))),
        dataDirectory: "/nowhere"
      })
    ),
    Layer.provide(BunFileSystem.layer)
  )

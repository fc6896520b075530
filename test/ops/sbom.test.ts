import { expect } from "bun:test"
import { Schema } from "effect"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { testIfPossible } from "../support/describeIfPossible.ts"

const Bill = Schema.Struct({
  bomFormat: Schema.Literal("CycloneDX"),
  components: Schema.Array(
    Schema.Struct({ name: Schema.String, version: Schema.String, licenses: Schema.NonEmptyArray(Schema.Unknown) })
  )
})

testIfPossible(
  "the bill of materials has each package of the image with its version and licence, and none of development",
  Bun.which("npm") === null ? "npm is not installed" : undefined,
  () => {
    const { exitCode, stderr, stdout } = Bun.spawnSync(["sh", "-c", packageJson.scripts.sbom], {
      cwd: join(import.meta.dir, "../..")
    })
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
    const { components } = Schema.decodeUnknownSync(Schema.parseJson(Bill))(stdout.toString())
    const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
    expect(idsOf(packageJson.dependencies).filter((id) => !named.has(id))).toEqual([])
    expect(
      idsOf({ ...packageJson.devDependencies, ...packageJson.optionalDependencies }).filter((id) => named.has(id))
    ).toEqual([])
  }
)

const idsOf = (packages: Readonly<Record<string, string>>) =>
  Object.entries(packages).map(([name, version]) => `${name}@${version}`)

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { settings } from "../../src/settings/Config.ts"
import { findUnknownSettings } from "../../src/settings/listSettings.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { masterKey } from "../support/masterKeys.ts"
import { runCli } from "./commandLine.ts"

const secrets = {
  DATABASE_URL: "postgresql://me:hidden@db.example/service?sslpassword=hidden&sslmode=require",
  MASTER_KEY: masterKey(1),
  OUTBOUND_PROXY: "http://hidden:hidden@proxy.example:3128",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://hidden@collector.example/?key=hidden"
}

concurrentTest("config prints every setting as it applies, and names those that are misspelled", () =>
  Effect.gen(function* () {
    const { code, out } = yield* runCli({ PORT: "9000", MASTERKEY: "hidden", LOG_LEVEL: "" }, "config", "--json")
    const found = JSON.parse(out)
    expect([code, found.unknown]).toEqual([0, [{ name: "MASTERKEY", suggestion: "MASTER_KEY" }]])
    expect(found.settings.map(({ name }: { name: string }) => name)).toEqual(settings.map(({ name }) => name))
    expect(found.settings).toContainEqual({ name: "PORT", value: "9000", isDefault: false })
    expect(found.settings).toContainEqual({ name: "LOG_LEVEL", value: "info", isDefault: true })
    expect(out).not.toContain("hidden")
  })
)

concurrentTest("config masks each secret, and prints what is not one", () =>
  Effect.gen(function* () {
    const { err, out } = yield* runCli({ ...secrets, DNS_PUBLIC_RESOLVERS: "" }, "config")
    expect(err).toBe("")
    expect(out.split("\n")).toEqual(
      expect.arrayContaining([
        "PORT: 8080 (default)",
        "DATABASE_URL: postgresql://me:***@db.example/service?sslpassword=***&sslmode=require",
        "MASTER_KEY: ***",
        "OUTBOUND_PROXY: http://***:***@proxy.example:3128/",
        "OTEL_EXPORTER_OTLP_ENDPOINT: https://***@collector.example/?key=***",
        "DNS_PUBLIC_RESOLVERS: "
      ])
    )
    for (const secret of ["hidden", Buffer.alloc(32, 1).toString("base64")]) expect(out).not.toContain(secret)
  })
)

concurrentTest("config masks the whole of a URL that cannot be read", () =>
  Effect.gen(function* () {
    for (const text of [
      "host=db.example password=hidden",
      "postgresql:me:hidden@db.example/service",
      "me:hidden@db.example/service",
      "jdbc:postgresql://me:hidden@db.example/service"
    ]) {
      const { out } = yield* runCli({ DATABASE_URL: text, OUTBOUND_PROXY: text }, "config")
      expect(out).toContain("DATABASE_URL: ***\n")
      expect(out).toContain("OUTBOUND_PROXY: ***\n")
    }
  })
)

test("a name in other letters, with a typing error or our prefix is no setting, and that of another program is not named", () => {
  expect(
    findUnknownSettings([
      "DATABSE_URL",
      "public_url",
      "DCS_PORT",
      "DOMAIN_CONNECTION_SERVICE_HOST",
      "PUBLIC_URL",
      "HOSTNAME",
      "PATH",
      "HOME",
      "TERM",
      "NO_COLOR",
      "HTTPS_PROXY",
      "OTEL_SERVICE_NAME"
    ])
  ).toEqual([
    { name: "DATABSE_URL", suggestion: "DATABASE_URL" },
    { name: "DCS_PORT", suggestion: "PORT" },
    { name: "DOMAIN_CONNECTION_SERVICE_HOST", suggestion: "HOST" },
    { name: "public_url", suggestion: "PUBLIC_URL" }
  ])
})

import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { freshDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { startProgram } from "../cli/commandLine.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { live } from "../support/effectTest.ts"
import { startCompiledService } from "../support/serviceProcess.ts"

const main = `${import.meta.dir}/../../src/main.ts`

live("the start names the data directory, and says whether it had data before", () =>
  Effect.gen(function* () {
    const settings = { DATA_DIR: `${temporaryDirectory()}/data` }
    const first = yield* startCompiledService(settings)
    expect(first.output()).toContain(`Database: embedded, in ${settings.DATA_DIR}, which this start created\n`)
    yield* first.end("SIGTERM")
    const second = yield* startCompiledService(settings)
    expect(second.output()).toContain(
      `Database: embedded, in ${settings.DATA_DIR}, with the data of earlier starts (DATA_DIR chooses another directory)\n`
    )
    expect(second.output()).toContain(
      `DATA_DIR='${settings.DATA_DIR}' node_modules/.bin/bun run src/cli.ts keys create`
    )
  })
)

live("the hint to create a key repeats DATABASE_URL without its password", () =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const url = Redacted.value(urlOf(database))
    const service = yield* startCompiledService({ DATABASE_URL: url, DATA_DIR: temporaryDirectory() })
    const { database: name, password, socketDirectory, username } = database
    const address = `@localhost/${name}?host=`
    expect(service.output()).toContain(
      `Database: postgresql://${username}${address}${socketDirectory} (DATABASE_URL)\n`
    )
    expect(service.output()).toContain(
      `DATABASE_URL='postgresql://${username}:PASSWORD${address}${encodeURIComponent(socketDirectory)}' node_modules/.bin/bun run src/cli.ts keys create`
    )
    expect(service.output()).not.toContain(Redacted.value(password))
  })
)

live("in the container of the Dockerfile the service does not start without PUBLIC_URL, and says so", () =>
  Effect.gen(function* () {
    const directory = `${temporaryDirectory()}/data`
    const service = yield* startProgram(main, [], { CONTAINER: "true", DATA_DIR: directory, PORT: "0" })
    expect(yield* service.result).toEqual({
      code: 1,
      out: "",
      err: "PUBLIC_URL must be set in a container: the https URL under which customers' browsers reach the service\n"
    })
  })
)

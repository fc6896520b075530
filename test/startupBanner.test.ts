import { expect, test } from "bun:test"
import { Option, Redacted } from "effect"
import { formatKeyCommand } from "../src/startupBanner.ts"

const variableFor = (url: string): string => variableIn(formatKeyCommand(Option.some(Redacted.make(url)), "/unused"))

const variableIn = (command: string): string => command.split(" node_modules/.bin/bun ")[0] ?? ""

test("the hint to create a key repeats the whole DATABASE_URL, without its passwords", () => {
  expect(variableFor("postgresql://app:secret@db.example:5433/connections?sslmode=require&connect_timeout=10")).toBe(
    "DATABASE_URL='postgresql://app:PASSWORD@db.example:5433/connections?sslmode=require&connect_timeout=10'"
  )
  expect(variableFor("postgres://app@localhost/connections?host=/run/postgresql")).toBe(
    "DATABASE_URL='postgres://app@localhost/connections?host=/run/postgresql'"
  )
  expect(variableFor("postgres://localhost/connections?user=app&password=secret&sslpassword=secret")).toBe(
    "DATABASE_URL='postgres://localhost/connections?user=app&password=PASSWORD&sslpassword=PASSWORD'"
  )
})

test("the hint is quoted so that a shell reads it as it is", async () => {
  const url = "postgres://o'brien@localhost/connections?options=-c%20a=$(id)&application_name=a'b"
  const shown = await Bun.$`sh -c ${`${variableFor(url)}; printf %s "$DATABASE_URL"`}`.text()
  expect(shown).toBe(new URL(url).href)
  const directory = variableIn(formatKeyCommand(Option.none(), "/srv/it's data"))
  expect(await Bun.$`sh -c ${`${directory}; printf %s "$DATA_DIR"`}`.text()).toBe("/srv/it's data")
})

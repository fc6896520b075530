import { expect, test } from "bun:test"
import { splitSessionSettings } from "../../../src/persistence/postgres/sessionSettings.ts"

const url = "postgresql://user:secret@host:6432/database"

type SplitSettings = ReturnType<typeof splitSessionSettings>["settings"]

const common: SplitSettings = [
  ["application_name", "domain-connection-service"],
  ["client_encoding", "UTF8"]
]
const lockTimeout: SplitSettings = [["lock_timeout", "2s"]]

const split = (parameters: Readonly<Record<string, string>>) =>
  splitSessionSettings(`${url}?${new URLSearchParams(parameters)}`)

test("a URL without settings stays, and its sessions have ours", () => {
  expect(splitSessionSettings(url)).toEqual({ url, settings: [...common, ...lockTimeout] })
})

test("settings in options are taken out in each of their forms, the last of one name counts, and ours before all", () => {
  const options = String.raw`-c search_path=a,\ b --work-mem=1MB -cWORK_MEM=2MB -c lock_timeout=9s`
  expect(split({ options })).toEqual({
    url,
    settings: [...common, ["search_path", "a, b"], ["work_mem", "2MB"], ...lockTimeout]
  })
})

test("parameters that the driver sends as settings are taken out too", () => {
  expect(split({ statement_timeout: "7000", sslmode: "require", application_name: "ours" })).toEqual({
    url: `${url}?sslmode=require&application_name=ours`,
    settings: [["application_name", "ours"], ["client_encoding", "UTF8"], ["statement_timeout", "7000"], ...lockTimeout]
  })
})

test("options that are no settings stay, as the name of a hosted database does", () => {
  expect(split({ options: String.raw`endpoint=ep-1 -c work_mem=1MB a\ b` })).toEqual({
    url: `${url}?options=endpoint%3Dep-1+a%5C+b`,
    settings: [...common, ["work_mem", "1MB"], ...lockTimeout]
  })
})

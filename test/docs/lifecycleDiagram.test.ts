import { describe, expect, test } from "bun:test"
import { ConnectionState } from "../../src/domain/Connection.ts"
import { transitionTable } from "../../src/lifecycle/state/transitionTable.ts"
import { lifecycleDiagram, lifecycleDiagramBlock, renderLifecycleDiagramBlock } from "../../tools/lifecycleDiagram.ts"

test("the README shows the table of the code: after a change of it, run bun run diagram", async () => {
  const readme = await Bun.file(new URL("../../README.md", import.meta.url)).text()
  expect(readme.match(lifecycleDiagramBlock)?.[0]).toBe(renderLifecycleDiagramBlock())
})

describe("the diagram", () => {
  const lines = lifecycleDiagram().split("\n")
  const arrows = lines.flatMap((line) => {
    const [, from = "", to = ""] = /^ {2}(\S+) --> (\w+):/.exec(line) ?? []
    return from === "" || from === "[*]" ? [] : [`${from} ${to}`]
  })
  const notes = new Map(
    [...lifecycleDiagram().matchAll(/note right of (\w+)\n([^]*?)\n {2}end note/g)].map(([, state = "", text = ""]) => [
      state,
      text
    ])
  )

  test("draws a way between two states once, and none from a state to itself", () => {
    expect(arrows).toEqual([...new Set(arrows)])
    expect(arrows.filter((arrow) => /^(\w+) \1$/.test(arrow))).toEqual([])
  })

  test("tells every way of the table, by an arrow or in a note, and no other", () => {
    const told = [...arrows, ...[...notes].flatMap(([state, text]) => waysIn(state, text))]
    expect([...new Set(told)].toSorted()).toEqual([...new Set(table)].toSorted())
  })

  test("names every state", () => {
    const words = new Set(lifecycleDiagram().split(/\W+/))
    expect(ConnectionState.literals.filter((state) => !words.has(state))).toEqual([])
  })

  test("keeps what its language gives a meaning out of its words", () =>
    expect(lines.filter((line) => /[;#{}"]|:.*:/.test(line))).toEqual([]))
})

const isState = (word: string): boolean => ConnectionState.literals.some((state) => state === word)

/** The ways in a note: to its state, but from it where it tells of a retry. */
const waysIn = (state: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) =>
    line
      .split(/\W+/)
      .filter(isState)
      .map((other) => (line.includes("retry") ? `${state} ${other}` : `${other} ${state}`))
  )

const table = Object.values(transitionTable).flatMap((leads) =>
  ConnectionState.literals.flatMap((from) =>
    (leads[from] ?? []).filter((to) => to !== from).map((to) => `${from} ${to}`)
  )
)

import { describe, expect, test } from "bun:test"
import { ConnectionState } from "../../src/domain/connection/Connection.ts"
import { transitionTable } from "../../src/lifecycle/state/transitionTable.ts"
import { drawLifecycleDiagram } from "../../tools/lifecycleDiagram.ts"

describe("the diagram", () => {
  const lines = drawLifecycleDiagram().split("\n")
  const arrows = lines.flatMap((line) => {
    const [, from = "", to = ""] = /^ {2}(\S+) --> (\w+):/.exec(line) ?? []
    return from === "" || from === "[*]" ? [] : [`${from} ${to}`]
  })
  const notes = new Map(
    [...drawLifecycleDiagram().matchAll(/note right of (\w+)\n([^]*?)\n {2}end note/g)].map(
      ([, state = "", text = ""]) => [state, text]
    )
  )

  test("draws a transition between two states once, and none from a state to itself", () => {
    expect(arrows).toEqual([...new Set(arrows)])
    expect(arrows.filter((arrow) => /^(\w+) \1$/.test(arrow))).toEqual([])
  })

  test("shows every transition of the table, by an arrow or in a note, and no other", () => {
    const shown = [...arrows, ...[...notes].flatMap(([state, text]) => transitionsInNote(state, text))]
    expect([...new Set(shown)].toSorted()).toEqual([...new Set(table)].toSorted())
  })

  test("names every state", () => {
    const words = new Set(drawLifecycleDiagram().split(/\W+/))
    expect(ConnectionState.literals.filter((state) => !words.has(state))).toEqual([])
  })

  test("has no character in its labels that Mermaid gives a meaning", () =>
    expect(lines.filter((line) => /[;#{}"]|:.*:/.test(line))).toEqual([]))
})

const isState = (word: string): boolean => ConnectionState.literals.some((state) => state === word)

/** The transitions in a note: to its state, but from its state in the line about a retry. */
const transitionsInNote = (state: string, text: string): ReadonlyArray<string> =>
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

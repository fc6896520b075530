import { errorsPath } from "../../PublicUrl.ts"
import { detailRows, errorRows, failureRows, warningRows } from "../../contract/codeTables.ts"
import { type ApiDocument, examplesOf, listOperations } from "./ApiDocument.ts"
import type { DocumentationPage, PartKind } from "./DocumentationPage.ts"
import { formatValue } from "./formatValue.ts"
import { renderExample, renderProse } from "../html.ts"
import { findCommonCodes } from "./renderOperation.ts"

/** The page to which errors link: the form of an error, the statuses, and every code with its meaning. */
export const errorsPage = (document: ApiDocument): DocumentationPage => ({
  path: errorsPath,
  title: "Errors",
  summary: "Every code of an error, a failure and a warning: what it means, and what to do.",
  section: "Start",
  layout: "prose",
  parts: sections.flatMap(({ kind, rows }) =>
    rows.map(({ anchor, code, meaning }) => ({ anchor, title: code, kind, text: meaning }))
  ),
  render: () => `<h1>Errors, failures and warnings</h1>
<p class="lead">${renderProse("Every error has one form. Its `code` never changes; its `message` is for people, and may.")}</p>
${renderErrorExample(document)}
<ul class="jumps">${sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join("")}</ul>
<h2 id="statuses">Statuses</h2>
<p>Most operations may answer with ${linkToCodes([...findCommonCodes(document)])}. Each operation names what it has beside these.</p>
<dl class="statuses">${listStatuses()
    .map(([status, codes]) => `<dt><code>${status}</code></dt><dd>${linkToCodes(codes)}</dd>`)
    .join("")}</dl>
${sections.map(renderSection).join("\n")}`
})

interface CodeSection {
  readonly id: string
  readonly title: string
  readonly kind: PartKind
  readonly introduction: string
  readonly rows: typeof errorRows
}

const sections: ReadonlyArray<CodeSection> = [
  {
    id: "errors",
    title: "Errors",
    kind: "Error",
    introduction: "Of an answer: the status and the `code` of its `error`.",
    rows: errorRows
  },
  {
    id: "details",
    title: "Details",
    kind: "Detail",
    introduction: "The `code` of an entry of `details`: what is wrong at its `pointer`.",
    rows: detailRows
  },
  {
    id: "failures",
    title: "Failures",
    kind: "Failure",
    introduction:
      "The `code` of the `failure` of a connection: whether a retry can help, and the state in which it resumes.",
    rows: failureRows
  },
  {
    id: "warnings",
    title: "Warnings",
    kind: "Warning",
    introduction: "Of a plan, with the severity; `warningDetails` of the plan may give a lower one.",
    rows: warningRows
  }
]

const renderSection = ({ id, introduction, rows, title }: CodeSection): string =>
  `<section><h2 id="${id}">${title}</h2>
<p>${renderProse(introduction)}</p>
<div class="codes-list">${rows
    .map(
      ({ anchor, code, meaning, notes }) =>
        `<div class="code" id="${anchor}"><p><a href="#${anchor}"><code>${code}</code></a> ${notes
          .map((note) => `<span class="note">${renderProse(note)}</span>`)
          .join(" ")}</p><p>${renderProse(meaning)}</p></div>`
    )
    .join("")}</div></section>`

const listStatuses = (): ReadonlyArray<readonly [status: string, codes: ReadonlyArray<string>]> => {
  const statuses = [...new Set(errorRows.flatMap(({ notes }) => notes))]
  return statuses
    .toSorted((one, other) => Number(one) - Number(other))
    .map((status) => [status, errorRows.flatMap(({ code, notes }) => (notes.includes(status) ? [code] : []))])
}

const linkToCodes = (codes: ReadonlyArray<string>): string =>
  codes.map((code) => `<a href="#${code}"><code>${code}</code></a>`).join(", ")

const renderErrorExample = (document: ApiDocument): string => {
  const example = listOperations(document).flatMap(({ operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      status === "400" ? examplesOf(document, content) : []
    )
  )[0]
  return example === undefined ? "" : renderExample("Answer <code>400</code>", formatValue(example, "json"), "json")
}

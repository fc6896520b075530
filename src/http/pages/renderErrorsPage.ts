import { detailMeanings, errorMeanings } from "../contract/errorMeanings.ts"
import { errorCodes } from "../contract/errorResponses.ts"
import { renderProse } from "./renderApiReference.ts"

/** Renders the page to which errors link: every code with its meaning, at an anchor of its own. */
export const renderErrorsPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Domain Connection Service: errors</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav aria-label="Contents"><h2>Errors</h2><ul>
<li><a href="#errors">Errors</a></li><li><a href="#details">Details</a></li><li><a href="../docs">API reference</a></li>
</ul></nav>
<main>
<h1>Errors</h1>
<p>${renderProse("The `code` of an error never changes; its `message` may.")}</p>
<section id="errors"><h2>Errors</h2>
<table><tbody>${Object.entries(errorCodes)
  .flatMap(([status, codes]) => codes.map((code) => renderRow(code, errorMeanings[code], status)))
  .join("")}</tbody></table></section>
<section id="details"><h2>Details</h2>
<p>${renderProse("The `code` of an entry of `details`: what is wrong at its `pointer`.")}</p>
<table><tbody>${Object.entries(detailMeanings)
  .map(([code, meaning]) => renderRow(code, meaning))
  .join("")}</tbody></table></section>
</main>
</body>
</html>
`

const renderRow = (code: string, meaning: string, status?: string): string =>
  `<tr id="${code}"><th scope="row"><code>${code}</code></th>` +
  `${status === undefined ? "" : `<td>${status}</td>`}<td>${renderProse(meaning)}</td></tr>`

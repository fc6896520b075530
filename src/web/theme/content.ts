import { css } from "lit"

/** The table of changes, records to enter, and notices. */
export const content = css`
  table {
    width: 100%;
    border-collapse: collapse;
    text-align: start;
  }
  th,
  td {
    padding-block: 0.75em;
    padding-inline: 0 0.75em;
    vertical-align: top;
    text-align: start;
    font-weight: 400;
  }
  th:first-child {
    width: 34%;
  }
  thead th {
    padding-bottom: 0.45em;
    color: var(--muted);
    font-size: 0.8125em;
  }
  tbody {
    border-top: 1px solid var(--line);
  }
  .name th {
    padding-bottom: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .delete td:nth-child(2) code {
    color: var(--muted);
    text-decoration: line-through;
  }
  .label {
    display: none;
  }
  em {
    color: var(--muted);
    font-style: normal;
    overflow-wrap: anywhere;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 0.35em;
    width: fit-content;
    padding: 0.1em 0.6em;
    border-radius: 99px;
    background: color-mix(in srgb, currentColor 11%, var(--surface));
    font-size: 0.8125em;
    font-weight: 600;
    white-space: nowrap;
  }
  tr .badge {
    display: flex;
    margin-top: 0.45em;
  }
  .good {
    color: var(--good);
  }
  .bad {
    color: var(--bad);
  }
  .wait {
    color: var(--wait);
  }
  .plain {
    color: var(--muted);
  }
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    min-block-size: var(--target);
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  .more {
    color: var(--accent);
    font-size: 0.8125em;
    text-decoration: underline;
  }
  [open] > summary {
    display: none;
  }
  .notice {
    margin: 1.5em 0 0;
    padding: 1.25em 1.5em;
    border: 0;
    border-radius: var(--radius);
    background: var(--raised);
  }
  .way .notice {
    margin: 1em 0 1.25em;
    padding: 1em 1.25em;
  }
  .notice ul {
    margin-top: 0.55em;
    padding-inline-start: 1.2em;
    color: var(--muted);
    font-size: 0.9375em;
  }
  .notice li + li {
    margin-top: 0.375em;
  }
  .blocking {
    border-inline-start: 4px solid var(--wait);
  }
  .blocking legend {
    display: flex;
    align-items: center;
    gap: 0.5em;
    float: inline-start;
    width: 100%;
    padding: 0;
    color: var(--wait);
    font-weight: 600;
  }
  .blocking legend + p {
    clear: both;
    color: var(--muted);
  }
  .records {
    display: grid;
    gap: 1em;
    list-style: none;
  }
  .record {
    padding: 1.25em 1.5em;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: 0.5em 1em;
    margin-bottom: 0.75em;
  }
  .platform {
    align-items: center;
    min-height: 2em;
    margin-bottom: 1.25em;
  }
  b {
    overflow-wrap: anywhere;
  }
  img {
    width: 9em;
    max-width: 100%;
    height: 2em;
    object-fit: contain;
    object-position: center;
  }
  .top small {
    display: block;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(4.5em, auto) 1fr;
    gap: 0.5em 1em;
    align-items: center;
  }
  dt {
    align-self: start;
    color: var(--muted);
    font-size: 0.875em;
    line-height: 2.3em;
  }
  dd code {
    padding-block: 0.35em;
  }
  dd {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: 0.25em 0.75em;
    min-width: 0;
  }
  .hint {
    grid-column: 2;
    margin-top: -0.45em;
    color: var(--muted);
    font-size: 0.8125em;
    overflow-wrap: anywhere;
  }
  .checks {
    margin-top: 0.5em;
    list-style: none;
  }
  .checks li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25em 1em;
    padding: 0.75em 0;
    border-top: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .checks small {
    display: block;
  }
  .qr {
    max-inline-size: 15em;
    margin: 1.5em auto 0;
    text-align: center;
    font-size: 0.875em;
  }
  .asks {
    margin: 0 0 1.5em;
  }
  .languages {
    display: flex;
    gap: 0.5em;
    align-items: center;
    justify-content: end;
    margin-top: 1.5em;
    color: var(--muted);
    font-size: 0.875em;
  }
  .languages select {
    min-block-size: var(--target);
    padding-inline: 0.5em;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.6);
    background: var(--surface);
    color: var(--text);
    font: inherit;
  }
  .sign {
    display: inline-grid;
    place-items: center;
    width: 2em;
    height: 2em;
    margin-bottom: 0.625em;
    border-radius: 50%;
    background: color-mix(in srgb, currentColor 12%, var(--surface));
    font-size: 2em;
  }
  .problem {
    display: flex;
    gap: 0.625em;
    margin-bottom: 1.5em;
    padding: 0.875em 1.125em;
    border-radius: var(--radius);
    background: color-mix(in srgb, var(--bad) 9%, var(--surface));
    color: var(--bad);
    font-weight: 500;
  }
  .problem .icon {
    margin-top: 0.25em;
  }
`

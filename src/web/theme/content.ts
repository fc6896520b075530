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
    padding: 0.75rem 0.75rem 0.75rem 0;
    vertical-align: top;
    text-align: start;
    font-weight: 400;
  }
  th:first-child {
    width: 34%;
  }
  thead th {
    padding-bottom: 0.375rem;
    color: var(--muted);
    font-size: 0.8125rem;
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
  .delete td:last-child em {
    color: var(--bad);
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 0.3rem;
    width: fit-content;
    padding: 0.0625rem 0.5rem 0.0625rem 0.375rem;
    border-radius: 99px;
    background: color-mix(in srgb, currentColor 11%, var(--surface));
    font-size: 0.8125rem;
    font-weight: 600;
    white-space: nowrap;
  }
  tr .badge {
    display: flex;
    margin-top: 0.375rem;
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
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  .more {
    color: var(--accent);
    font-size: 0.8125rem;
    text-decoration: underline;
    white-space: nowrap;
  }
  [open] > summary {
    display: none;
  }
  .notice {
    margin: 1.5rem 0 0;
    padding: 1.25rem 1.5rem;
    border: 0;
    border-radius: var(--radius);
    background: var(--raised);
  }
  .notice ul {
    margin-top: 0.5rem;
    padding-inline-start: 1.125rem;
    color: var(--muted);
    font-size: 0.9375rem;
  }
  .notice li + li {
    margin-top: 0.375rem;
  }
  .blocking {
    border-inline-start: 4px solid var(--wait);
  }
  .blocking legend {
    display: flex;
    align-items: center;
    gap: 0.5rem;
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
    gap: 1rem;
    list-style: none;
  }
  .record {
    padding: 1.25rem 1.5rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    margin-bottom: 0.75rem;
  }
  .platform {
    align-items: center;
    min-height: 2rem;
    margin-bottom: 1.25rem;
  }
  b {
    overflow-wrap: anywhere;
  }
  img {
    width: 9rem;
    height: 2rem;
    object-fit: contain;
    object-position: right;
  }
  .top small {
    display: block;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(4.5rem, auto) 1fr;
    gap: 0.5rem 1rem;
    align-items: center;
  }
  dt {
    align-self: start;
    color: var(--muted);
    font-size: 0.875rem;
    line-height: 2rem;
  }
  dd code {
    padding-block: 0.3125rem;
  }
  dd {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: 0.25rem 0.75rem;
    min-width: 0;
  }
  .hint {
    grid-column: 2;
    margin-top: -0.375rem;
    color: var(--muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .checks {
    margin-top: 0.5rem;
    list-style: none;
  }
  .checks li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 1rem;
    padding: 0.75rem 0;
    border-top: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .checks small {
    display: block;
  }
  .sign {
    display: inline-grid;
    place-items: center;
    width: 4rem;
    height: 4rem;
    margin-bottom: 1.25rem;
    border-radius: 50%;
    background: color-mix(in srgb, currentColor 12%, var(--surface));
    font-size: 2rem;
  }
  .problem {
    display: flex;
    gap: 0.625rem;
    margin-bottom: 1.5rem;
    padding: 0.875rem 1.125rem;
    border-radius: var(--radius);
    background: color-mix(in srgb, var(--bad) 9%, var(--surface));
    color: var(--bad);
    font-weight: 500;
  }
  .problem .icon {
    margin-top: 0.25em;
  }
`

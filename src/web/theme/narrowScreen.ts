import { css } from "lit"

/** On a phone, or in a narrow column of the page, tables are laid out as blocks. */
export const narrowScreen = css`
  @container (max-width: 34rem) {
    .card {
      padding: 1.5rem 1.25rem;
    }
    h2 {
      font-size: 1.375rem;
    }
    .actions {
      flex-direction: column;
    }
    .main,
    .side {
      width: 100%;
    }
    .way,
    .record,
    .notice {
      padding: 1.125rem;
    }
    thead {
      position: absolute;
      clip-path: inset(50%);
    }
    table,
    tbody,
    tr,
    th,
    td,
    th:first-child {
      display: block;
      width: auto;
    }
    tbody {
      padding: 0.75rem 0;
    }
    th,
    td {
      padding: 0.25rem 0;
    }
    td {
      display: grid;
      grid-template-columns: 5rem 1fr;
      gap: 0.5rem;
    }
    .label {
      display: block;
      color: var(--muted);
      font-size: 0.8125rem;
    }
    dl {
      grid-template-columns: 1fr;
      gap: 0.125rem;
    }
    dt:not(:first-child) {
      margin-top: 0.625rem;
    }
    tr:not(.name) {
      padding-top: 0.75rem;
    }
    dt {
      line-height: 1.5;
    }
    .hint {
      grid-column: 1;
      margin: 0;
    }
  }
`

import { css } from "lit"

/** The frame above every step, the tiles of the review, and the tasks of a setup by hand. */
export const steps = css`
  .problem {
    scroll-margin: 1em;
  }
  .slip {
    scroll-margin-block: 1em 11em;
  }
  .about {
    margin-bottom: 1em;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  ol.bar {
    flex-wrap: wrap;
    margin: 0 0 1.5em;
    padding: 0;
    list-style: none;
  }
  .bar li {
    flex: 1 1 auto;
    padding-top: 0.375em;
    border-top: 6px solid var(--edge);
    color: var(--muted);
    font-size: 0.8125em;
  }
  .bar .past {
    border-top-color: var(--accent);
  }
  .bar [aria-current] {
    color: var(--text);
    font-weight: 650;
  }
  .tiles,
  .tasks,
  .stages {
    padding: 0;
    list-style: none;
  }
  .tiles {
    display: grid;
    gap: 0.75em;
    margin-bottom: 0.75em;
  }
  .tile {
    padding: 1.125em 1.25em;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow-wrap: anywhere;
  }
  .tile > p {
    margin-top: 0.25em;
  }
  .tile .good .icon {
    vertical-align: -0.125em;
  }
  p.told {
    margin-top: 0.5em;
    color: var(--muted);
    font-size: 0.9375em;
  }
  .since .badge {
    border-radius: var(--radius);
    white-space: normal;
  }
  .question {
    margin: 0.75em 0 0;
    padding: 0;
    border: 0;
  }
  .question legend {
    padding: 0;
    font-weight: 600;
  }
  .check {
    align-items: center;
    min-height: var(--target);
    margin-top: 0.25em;
    cursor: pointer;
  }
  .check input {
    margin: 0;
  }
  .check input[aria-invalid="true"] {
    outline: 3px solid var(--bad);
    outline-offset: 2px;
  }
  p.wrong {
    display: flex;
    gap: 0.5em;
    align-items: start;
    font-weight: 500;
  }
  .wrong .icon {
    margin-top: 0.25em;
  }
  .fold > summary,
  .fold[open] > summary {
    display: flex;
    flex-wrap: nowrap;
    gap: 0.5em;
    align-items: center;
    justify-content: space-between;
    min-height: var(--target);
    font-weight: 600;
  }
  .fold > summary::after {
    width: 0.5em;
    height: 0.5em;
    flex: none;
    border: solid currentColor;
    border-width: 0 2px 2px 0;
    rotate: 45deg;
    content: "";
  }
  .fold[open] > summary::after {
    rotate: 225deg;
  }
  .way.fold {
    padding-block: 0.5em;
  }
  .way.fold[open] {
    padding-bottom: 1.5em;
  }
  .quiet + .fold {
    margin-top: 0.75em;
  }
  .best {
    border-color: var(--accent);
  }
  .way .actions {
    margin-top: 1em;
  }
  .doing {
    margin-bottom: 1.5em;
    padding-inline-start: 1.5em;
  }
  .doing li {
    padding-block: 0.375em;
    overflow-wrap: anywhere;
  }
  .path {
    font-weight: 600;
  }
  h2 + :is(.record, .slip),
  .quiet + section {
    margin-top: 1.25em;
  }
  .record + .record,
  .slip + .record {
    margin-top: 0.75em;
  }
  .record h3 {
    margin-bottom: 0.5em;
  }
  .old {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.25em 0.75em;
    color: var(--muted);
  }
  .slip {
    margin-bottom: 0.75em;
    padding: 1.125em 1.25em;
    border-inline-start: 4px solid var(--wait);
    border-radius: var(--radius);
    background: var(--raised);
    overflow-wrap: anywhere;
  }
  .copyable {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 0.75em;
    align-items: center;
    margin-top: 0.25em;
  }
  .found {
    display: flex;
    gap: 0.5em;
    align-items: center;
    margin-top: 0.75em;
    font-weight: 600;
  }
  .slip b {
    color: var(--wait);
  }
  .slip b svg {
    margin-inline-end: 0.375em;
    vertical-align: -0.125em;
  }
  .hint {
    align-items: center;
    margin: 0;
  }
  .hint span {
    min-width: 0;
  }
  .copy {
    min-width: var(--target);
    min-height: var(--target);
  }
  dt {
    line-height: var(--target);
  }
  dd {
    align-items: center;
  }
  .hint code {
    font-size: 1em;
  }
  .tasks {
    margin-top: 1.5em;
    border-top: 1px solid var(--line);
  }
  .task {
    display: flex;
    gap: 0.75em;
    align-items: center;
    width: 100%;
    min-height: var(--target);
    padding: 0.25em 0;
    border: 0;
    border-bottom: 1px solid var(--line);
    background: none;
    color: var(--text);
    text-align: start;
    overflow-wrap: anywhere;
  }
  .task[aria-current] {
    font-weight: 650;
  }
  .number {
    display: inline-grid;
    place-items: center;
    width: 1.75em;
    height: 1.75em;
    flex: none;
    border: 2px solid var(--edge);
    border-radius: 50%;
    font-size: 0.875em;
  }
  .task.good .number {
    border-color: var(--good);
    color: var(--good);
  }
  .footer {
    position: sticky;
    bottom: 0;
    z-index: 1;
    margin-top: 1.5em;
    padding-block: 0.75em;
    background: var(--surface);
    border-top: 1px solid var(--line);
  }
  .footer .actions {
    margin-top: 0.5em;
  }
  /* What takes the focus comes to rest above the footer. */
  :is(a, button, input, summary) {
    scroll-margin-block: 1em 13em;
  }
  .answer {
    font-weight: 600;
  }
  .more-ways {
    display: flex;
    margin-top: 1em;
    flex-wrap: wrap;
    gap: 0 1.5em;
  }
  .link {
    display: inline-flex;
    text-align: start;
    gap: 0.375em;
    align-items: center;
    min-height: var(--target);
  }
  .stages {
    margin: 0 auto 1em;
    width: fit-content;
  }
  .stages li {
    display: flex;
    gap: 0.625em;
    align-items: center;
    padding-block: 0.25em;
  }
  .visit {
    margin-top: 0.5em;
    font-size: 1.25em;
    font-weight: 600;
  }
  @container (max-width: 34em) {
    .tile {
      padding: 1em;
    }
    .bar li {
      font-size: 0.75em;
    }
    dt {
      line-height: 1.5;
    }
    .footer .actions {
      flex-flow: row;
    }
    .footer .main,
    .footer .side {
      width: auto;
      padding-inline: 0.75em;
    }
    .footer .main {
      flex: 1 1 auto;
    }
  }
`

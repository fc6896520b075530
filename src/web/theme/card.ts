import { css } from "lit"

/** The card, its headings and texts. */
export const card = css`
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  .card {
    padding: 2.5rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 1.5);
    background: var(--surface);
    box-shadow: var(--dc-shadow, 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 6%));
  }
  .way + .way {
    margin-top: 1rem;
  }
  .step {
    margin: 0 0 1.25rem;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .bar {
    display: flex;
    gap: 0.375rem;
    margin-bottom: 0.625rem;
  }
  .bar i {
    flex: 1;
    height: 4px;
    border-radius: 2px;
    background: var(--line);
  }
  .bar i.past {
    background: var(--accent);
  }
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h2 {
    font-size: 1.625rem;
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.015em;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }
  h2:focus {
    outline: none;
  }
  h3 {
    font-size: 1rem;
    font-weight: 600;
  }
  .lead {
    margin: 0.5rem 0 1.75rem;
    color: var(--muted);
    text-wrap: pretty;
    overflow-wrap: anywhere;
  }
  small {
    color: var(--muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .lead + p:not(.quiet) {
    margin: -0.75rem 0 1.5rem;
  }
  .quiet {
    margin-top: 1.25rem;
    color: var(--muted);
    font-size: 0.875rem;
  }
  .centre {
    text-align: center;
  }
  .centre .lead {
    max-width: 30rem;
    margin-inline: auto;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  code {
    font: 0.875rem/1.5 var(--dc-font-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace);
    overflow-wrap: anywhere;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.2em;
  }
  .icon {
    width: 1em;
    height: 1em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  a .icon {
    margin-inline-start: 0.25em;
    vertical-align: -0.1em;
  }
`

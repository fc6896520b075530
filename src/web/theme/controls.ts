import { css } from "lit"

/** Buttons, fields, and the authorization methods. */
export const controls = css`
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    margin-top: 2rem;
  }
  .centre + .actions {
    justify-content: center;
  }
  button {
    font: inherit;
    cursor: pointer;
  }
  .main,
  .side {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    min-height: 2.875rem;
    padding: 0.5rem 1.375rem;
    border: 1px solid transparent;
    border-radius: var(--radius);
    font-weight: 600;
    line-height: 1.3;
    transition:
      background 120ms,
      border-color 120ms;
  }
  .main {
    background: var(--accent);
    color: var(--on-accent);
  }
  .main:hover {
    background: color-mix(in srgb, var(--accent) 88%, var(--text));
  }
  .side {
    border-color: var(--line);
    background: var(--surface);
    color: var(--text);
  }
  .side:hover,
  .copy:hover {
    border-color: var(--edge);
  }
  .copy {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-height: 2rem;
    padding: 0.125rem 0.625rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) * 0.6);
    background: var(--surface);
    color: var(--text);
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .link {
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  :is(button, a, input, select, textarea, summary):focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, var(--surface));
    outline-offset: 2px;
  }
  .field {
    margin: 1rem 0;
  }
  .field label {
    display: block;
    margin-bottom: 0.375rem;
    font-weight: 600;
    font-size: 0.9375rem;
  }
  .field :is(input, select, textarea) {
    width: 100%;
    min-height: 2.875rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) * 0.75);
    background: var(--surface);
    color: var(--text);
    font: inherit;
  }
  .field [aria-invalid="true"] {
    border-color: var(--bad);
  }
  .wrong {
    margin-top: 0.375rem;
    color: var(--bad);
    font-size: 0.875rem;
  }
  .check {
    display: flex;
    gap: 0.75rem;
    margin-top: 0.875rem;
  }
  .check input {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0.125rem 0 0;
    accent-color: var(--accent);
  }
  .way {
    padding: 1.5rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .way > p {
    margin: 0.25rem 0 1rem;
    color: var(--muted);
  }
`

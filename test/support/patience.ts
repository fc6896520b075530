/**
 * The milliseconds after which a test hangs. A test of behaviour does not depend on the machine's speed: the commands
 * that run tests have the same limit, and a test has a longer one only where it computes for minutes.
 */
export const patience = 600_000

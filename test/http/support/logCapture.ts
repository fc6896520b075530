import { Layer, Logger, LogLevel } from "effect"

/** The lines that the service under test writes to its log; provide `layer` to it. */
export const captureLog = () => {
  const lines: Array<string> = []
  const keep = Logger.map(Logger.logfmtLogger, (line) => {
    lines.push(line)
  })
  return {
    lines,
    layer: Layer.merge(Logger.replace(Logger.defaultLogger, keep), Logger.minimumLogLevel(LogLevel.Info))
  }
}

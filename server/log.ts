export type Facts = Record<string, string | number | boolean | null | undefined>

/** Logs one event per line. No password, PIN, token, code or full serial is ever logged (rule 17.4). */
export interface Log {
  info(event: string, facts?: Facts): void
  warn(event: string, facts?: Facts): void
  error(event: string, facts?: Facts): void
}

/** Writes JSON lines to `write`. A client's text in a fact cannot start a line or control a terminal. */
export function jsonLog(write: (line: string) => void, now: () => Date): Log {
  const at = (level: string) => (event: string, facts?: Facts) =>
    write(`${escaped(JSON.stringify({ at: now().toISOString(), level, event, ...facts }))}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

const WARNED = new WeakMap<Log, Set<string>>()

/** Warns only once about a wrong set-up that every call would report again. */
export function warnOnce(log: Log, event: string, facts?: Facts): void {
  const warned = WARNED.get(log) ?? new Set()
  if (warned.has(event)) return
  WARNED.set(log, warned.add(event))
  log.warn(event, facts)
}

/** JSON does not escape these characters, but terminals and line readers react to them. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g
const escaped = (json: string) =>
  json.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Collects the lines of one turn of the event loop and writes them after it: an answer does not wait for its own line. `flush` writes the rest
 * when the process ends.
 */
export function bufferedLines(write: (text: string) => void): { write: (line: string) => void; flush: () => void } {
  let waiting: string[] = []
  const flush = () => {
    const text = waiting.join('')
    waiting = []
    if (text !== '') write(text)
  }
  return {
    write: (line) => {
      if (waiting.push(line) === 1) setImmediate(flush)
    },
    flush,
  }
}

/** Makes untrusted text safe for a terminal: its control characters cannot move the cursor or colour the screen. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- the expression removes control characters
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

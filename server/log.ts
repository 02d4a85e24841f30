export type Facts = Record<string, string | number | boolean | null | undefined>

/** One event a line. No password, PIN, token, code or full serial ever goes in (rule 17.4). */
export interface Log {
  info(event: string, facts?: Facts): void
  warn(event: string, facts?: Facts): void
  error(event: string, facts?: Facts): void
}

/** JSON lines to `write`. What a caller wrote into a fact starts no line and moves no terminal. */
export function jsonLog(write: (line: string) => void, now: () => Date): Log {
  const at = (level: string) => (event: string, facts?: Facts) =>
    write(`${escaped(JSON.stringify({ at: now().toISOString(), level, event, ...facts }))}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

/** JSON leaves these as they are; terminals and readers of lines do not. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g
const escaped = (json: string) =>
  json.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Lines to `write`, those of one turn of the event loop together and after it: an answer does not wait for its own line. What is
 * left when the process ends is `flush`ed.
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

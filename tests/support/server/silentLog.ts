import type { Facts, Log } from '../../../server/log.ts'

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface RecordedLog extends Log {
  events: { level: string; event: string; facts: Facts }[]
}

/** Makes a log that keeps its events, for tests that check them. */
export function recordedLog(): RecordedLog {
  const events: RecordedLog['events'] = []
  const at =
    (level: string) =>
    (event: string, facts: Facts = {}) =>
      void events.push({ level, event, facts })
  return { events, info: at('info'), warn: at('warn'), error: at('error') }
}

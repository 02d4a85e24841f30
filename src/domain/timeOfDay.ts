/**
 * What a person typed for a time of day as `HH:MM`: `8`, `830`, `8.30`, `08:30` and, as the clock of a shop is often read,
 * `9:30 pm`. Whatever is no time comes back as it was typed, for the schema to refuse.
 */
export function parseTimeOfDay(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED.exec(typed.trim().toLowerCase()) ?? []
  if (hours === undefined) return typed.trim()
  return `${inDay(hours, half).padStart(2, '0')}:${minutes}`
}

const TYPED = /^(\d{1,2})(?:[:.h\s]?(\d{2}))?\s*(am|pm)?$/

function inDay(hours: string, half: string | undefined): string {
  if (half === undefined || Number(hours) > 12) return hours
  return String((Number(hours) % 12) + (half === 'pm' ? 12 : 0))
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** `84 KB`, `3.1 MB`: thousands, as file managers count; one decimal from a megabyte on. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return `${(bytes / 1000 ** power).toFixed(power > 1 ? 1 : 0)} ${UNITS[power]}`
}

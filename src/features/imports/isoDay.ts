const SINGAPORE_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](20\d\d)$/

/** A day as spreadsheets in Singapore write it, `23/11/2026`, as the portal has it; anything else as it was. */
export function isoDay(cell: string): string {
  const [, day, month, year] = SINGAPORE_DAY.exec(cell) ?? []
  return day && month && year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** `42 seconds`, `2 minutes 5 seconds`, `2 minutes`. */
export function waitText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes === 0) return counted(rest, 'second')
  return rest === 0 ? counted(minutes, 'minute') : `${counted(minutes, 'minute')} ${counted(rest, 'second')}`
}

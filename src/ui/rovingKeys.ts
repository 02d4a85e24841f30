const STEPS: Record<'horizontal' | 'vertical', Record<string, 1 | -1>> = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
}

/** Returns the index to which a key moves among `count` items; after the last comes the first. Undefined for other keys. */
export function nextIndex(
  key: string,
  from: number,
  count: number,
  axis: 'horizontal' | 'vertical',
): number | undefined {
  if (count === 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = STEPS[axis][key]
  return step && (from + step + count) % count
}

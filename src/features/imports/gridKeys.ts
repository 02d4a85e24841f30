/** Where the keyboard is in the grid; the last column is that of the acts. */
export interface GridPlace {
  row: number
  column: number
}

export interface GridSize {
  rows: number
  columns: number
  /** Rows that a page key goes over. */
  page: number
}

type Key = { key: string; ctrlKey: boolean; metaKey: boolean }

/** Where a key leads from `place`; undefined for one that leads nowhere. */
export function nextPlace({ key, ctrlKey, metaKey }: Key, place: GridPlace, size: GridSize): GridPlace | undefined {
  const whole = ctrlKey || metaKey
  switch (key) {
    case 'ArrowUp':
      return within(place, size, whole ? -size.rows : -1, 0)
    case 'ArrowDown':
      return within(place, size, whole ? size.rows : 1, 0)
    case 'ArrowLeft':
      return within(place, size, 0, -1)
    case 'ArrowRight':
      return within(place, size, 0, 1)
    case 'PageUp':
      return within(place, size, -size.page, 0)
    case 'PageDown':
      return within(place, size, size.page, 0)
    case 'Home':
      return within(place, size, whole ? -size.rows : 0, -size.columns)
    case 'End':
      return within(place, size, whole ? size.rows : 0, size.columns)
    default:
      return undefined
  }
}

/** `rows` further down and `columns` to the right, and never out of the grid. */
export const within = (from: GridPlace, size: GridSize, rows: number, columns: number): GridPlace => ({
  row: clamp(from.row + rows, size.rows),
  column: clamp(from.column + columns, size.columns),
})

const clamp = (index: number, count: number) => Math.max(0, Math.min(index, count - 1))

import { createContext, use } from 'react'
import { Menu } from './overlay/Menu.tsx'
import type { MenuItem } from './overlay/MenuPopup.tsx'

/**
 * What can be done with a row as things stand now. The table passes its rows over while their words stay the same; of their menus
 * the one that is open reads this and is drawn again, so that it says at once when the line has gone.
 */
export const RowMenus = createContext<(row: never) => readonly MenuItem[]>(() => [])

interface RowMenuProps<Row> {
  row: Row
  id: string
  name: string | undefined
}

export function RowMenu<Row>({ row, id, name }: RowMenuProps<Row>) {
  return <Menu of={id} label={name ? `Actions for ${name}` : 'Actions'} items={() => use(RowMenus)(row as never)} />
}

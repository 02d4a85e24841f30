import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** Acts on the server, refused before the tap while there is no line, with the reason (DESIGN §6). */
export const needsConnection = (offline: boolean, items: readonly MenuItem[]): MenuItem[] =>
  offline ? items.map((item) => ({ ...item, disabled: true, hint: 'Needs a connection' })) : [...items]

import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import sharp from 'sharp'
import { ICONS } from '../../src/ui/icons.tsx'

const SHORTCUTS = { redeem: 'ticket', vouchers: 'list', reports: 'chart', branches: 'store' } as const satisfies Record<
  string,
  keyof typeof ICONS
>
const SIZE = 96

/** Draws the portal's own icons, white on its blue, like the app's icon. */
export async function drawShortcutIcons(directory: string): Promise<void> {
  for (const [name, icon] of Object.entries(SHORTCUTS)) {
    await sharp(Buffer.from(drawingOf(icon)))
      .png({ palette: true })
      .toFile(join(directory, `${name}-${SIZE}.png`))
  }
}

const drawingOf = (icon: keyof typeof ICONS) => `
<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 48 48">
  <rect width="48" height="48" rx="10" fill="#1a4a9c"/>
  <g transform="translate(10 10) scale(1.1667)" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">
    ${renderToStaticMarkup(ICONS[icon])}
  </g>
</svg>`

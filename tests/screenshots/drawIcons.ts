import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { constant } from '../../tailwind.config.ts'

const { mark, stub } = constant

/** On a grid of 24, like src/ui/icons.tsx, with one part in the colour of the stub. */
const SHORTCUTS = {
  redeem: `<path d="M3 6h11a2 2 0 0 0 4 0h3v12h-3a2 2 0 0 0-4 0H3Z"/><path fill="${stub}" stroke="none" d="M17.9 7h2.2v10h-2.2a3 3 0 0 0-.9-.8V7.800a3 3 0 0 0 .9-.8Z"/><path stroke="${stub}" d="m6.5 12 2.5 2.5 4-4.5"/>`,
  vouchers: `<path d="M8 6h12M8 12h12M8 18h12"/><path stroke="${stub}" stroke-width="3" d="M4 6v.01M4 12v.01M4 18v.01"/>`,
  reports: `<path d="M4 4v16h16"/><path stroke="${stub}" stroke-width="2.6" d="M8.5 16v-4M13 16V8M17.5 16v-6"/>`,
  branches: `<path fill="${stub}" d="M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0Z"/><path d="M4 12v8h16v-8M10 20v-5h4v5"/>`,
}

/** Draws the icons of the app from `favicon.svg`, and those of its shortcuts, into the folder `directory`. */
export async function drawIcons(directory: string): Promise<void> {
  const favicon = await readFile(join(directory, 'favicon.svg'), 'utf8')
  const pieces = favicon.slice(favicon.indexOf('<path'), favicon.indexOf('</svg>'))
  const draw = (svg: string, size: number, name: string) =>
    sharp(Buffer.from(svg), { density: 2 * size })
      .resize(size)
      .png({ palette: true, effort: 10 })
      .toFile(join(directory, `${name}.png`))
  await draw(favicon, 192, 'icons/icon-192')
  await draw(favicon, 512, 'icons/icon-512')
  // The system cuts these to a shape of its own.
  await draw(svg(32, ground(32) + scaled(0.8, pieces)), 512, 'icons/maskable-512')
  await draw(svg(32, ground(32) + scaled(0.92, pieces)), 180, 'icons/apple-touch-icon')
  await draw(svg(32, scaled(1.06, pieces.replaceAll(stub, '#fff'))), 512, 'icons/monochrome-512')
  for (const [name, lines] of Object.entries(SHORTCUTS)) {
    await draw(svg(24, ground(24, 'rx="5.25"') + scaled(0.62, lines, 12)), 96, `shortcuts/${name}-96`)
  }
}

const svg = (grid: number, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${grid} ${grid}" width="${grid}" height="${grid}">${inside}</svg>`

const ground = (grid: number, corners = '') => `<rect width="${grid}" height="${grid}" fill="${mark}" ${corners}/>`

const scaled = (by: number, inside: string, middle = 16) =>
  `<g transform="translate(${middle} ${middle}) scale(${by}) translate(-${middle} -${middle})" fill="none" stroke-linecap="round" stroke-linejoin="round" ${middle === 12 ? 'stroke="#fff" stroke-width="1.9"' : ''}>${inside}</g>`

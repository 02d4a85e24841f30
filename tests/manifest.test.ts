import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import sharp from 'sharp'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { gate, pageInsteadOf, SOURCE_PARAMETER, type Visitor } from '../src/domain/gate.ts'

const PUBLIC = resolve(import.meta.dirname, '../public')

const path = v.pipe(v.string(), v.startsWith('/'))
const words = (most: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(most))
const file = { src: path, sizes: v.pipe(v.string(), v.regex(/^(any|\d+x\d+)$/)), type: v.string() }
const display = v.picklist(['fullscreen', 'standalone', 'minimal-ui', 'browser'])

/** The members of the specification and its incubations, without any other: browsers ignore a misspelt one silently. */
const Manifest = v.strictObject({
  id: path,
  name: words(30),
  short_name: words(12),
  description: words(300),
  lang: v.literal('en-SG'),
  dir: v.picklist(['ltr', 'rtl', 'auto']),
  start_url: path,
  scope: path,
  display,
  display_override: v.array(display),
  orientation: v.literal('any'),
  theme_color: v.pipe(v.string(), v.hexColor()),
  background_color: v.pipe(v.string(), v.hexColor()),
  // https://github.com/w3c/manifest/wiki/Categories
  categories: v.array(v.picklist(['business', 'finance', 'productivity', 'shopping', 'utilities'])),
  launch_handler: v.strictObject({ client_mode: v.picklist(['auto', 'focus-existing', 'navigate-existing']) }),
  icons: v.array(v.strictObject({ ...file, purpose: v.picklist(['any', 'maskable', 'monochrome']) })),
  shortcuts: v.array(
    v.strictObject({
      name: words(30),
      short_name: v.optional(words(12)),
      description: words(60),
      url: path,
      icons: v.array(v.strictObject(file)),
    }),
  ),
  // Chromium shows no longer label, and eight at most for each form.
  screenshots: v.array(v.strictObject({ ...file, form_factor: v.picklist(['wide', 'narrow']), label: words(100) })),
})

const manifest = v.parse(Manifest, JSON.parse(readFileSync(`${PUBLIC}/manifest.webmanifest`, 'utf8')))

const person = (type: Visitor['type']): Visitor => ({ type, status: 'Active' })

describe('the manifest of the app', () => {
  const pictures = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)]
  it.each(pictures.map(({ src, sizes, type }) => [src, sizes, type]))(
    'has the picture %s',
    async (src, sizes, type) => {
      const { width, height, format } = await sharp(`${PUBLIC}${src}`).metadata()
      expect(type).toBe(format === 'svg' ? 'image/svg+xml' : `image/${format}`)
      expect([`${width}x${height}`, 'any']).toContain(sizes)
    },
  )

  it('has screenshots that Chromium shows: 320 to 3840 pixels, the long side at most 2.3 times the short one', () => {
    for (const { sizes } of manifest.screenshots) {
      const [short = 0, long = 0] = sizes
        .split('x')
        .map(Number)
        .toSorted((a, b) => a - b)
      expect(short).toBeGreaterThanOrEqual(320)
      expect(long).toBeLessThanOrEqual(3_840)
      expect(long / short).toBeLessThanOrEqual(2.3)
    }
  })

  it('offers a cashier the counter first', () => {
    expect(manifest.shortcuts[0]!.name).toBe('Redeem a voucher')
  })

  it.each(['POS User', 'HRP Merchant', 'Branch Merchant', 'Additional Merchant'] as const)(
    'leads a %s from each shortcut to its screen, or home',
    (type) => {
      for (const { url } of manifest.shortcuts) {
        const { pathname, searchParams } = new URL(url, 'https://portal.example')
        expect(searchParams.has(SOURCE_PARAMETER)).toBe(true)
        const shown = gate(pathname, person(type)) === undefined ? pathname : pageInsteadOf(pathname, person(type))
        expect(gate(shown, person(type))).toBeUndefined()
      }
    },
  )
})

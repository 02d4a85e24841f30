import type { Config } from 'tailwindcss'
import plugin from 'tailwindcss/plugin'

/**
 * Every design token of the portal: first the primitives, then the names that screens use. The base layer has the names as custom
 * properties, so that an attribute on <html> is enough to change the theme.
 */

/** 500 is the deep blue of the spec; the neutrals carry a trace of its hue. */
const primitives = {
  primary: scale(
    ['#f1f5fd', '#e0e9fa', '#c2d4f4', '#96b5eb', '#5a86d8', '#1a4a9c'],
    ['#164085', '#13366f', '#102c5b', '#0d2247', '#091631'],
  ),
  neutral: {
    0: '#ffffff',
    ...scale(
      ['#f6f7f9', '#eef0f3', '#e0e3e9', '#c9ced7', '#9ba3b1', '#7b8494'],
      ['#596273', '#414958', '#2b323e', '#1b212b', '#11151c'],
    ),
  },
  teal: scale(
    ['#effaf7', '#d5f1ea', '#ace2d6', '#78cdbc', '#40ae9b', '#1b8f7e'],
    ['#127a6b', '#0f685b', '#0d544a', '#0b453d', '#052923'],
  ),
  red: scale(
    ['#fdf3f2', '#fbe2e0', '#f5c5c2', '#eb9e9b', '#d96c6a', '#b94a4c'],
    ['#a63d41', '#8c3136', '#74272c', '#5f2126', '#360f12'],
  ),
  amber: scale(
    ['#fef9ea', '#fdf0c8', '#fae08d', '#f3c94f', '#dfa91e', '#b98409'],
    ['#936507', '#784f0a', '#633f0d', '#53350f', '#2f1c04'],
  ),
  /** The greens that the spec asks for, where teal does not fit: the pale badge, and the counter. */
  green: { 100: '#dcf3e1', 200: '#c3e6cb', 800: '#0b5a34' },
}

type Step = 50 | 100 | 200 | 300 | 400 | 500 | 600 | 700 | 800 | 900 | 950

function scale(light: string[], dark: string[]): Record<Step, string> {
  const steps: Step[] = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]
  return Object.fromEntries([...light, ...dark].map((value, index) => [steps[index], value])) as Record<Step, string>
}

const { primary, neutral, teal, red, amber, green } = primitives

export const light = {
  canvas: neutral[50],
  surface: neutral[0],
  'surface-sunken': neutral[50],
  'surface-hover': neutral[100],
  'surface-raised': neutral[0],
  'surface-inverse': neutral[900],
  text: neutral[900],
  'text-muted': neutral[600],
  'text-muted-counter': neutral[700],
  'text-disabled': neutral[500],
  'text-on-fill': neutral[0],
  'text-inverse': neutral[0],
  link: primary[500],
  'link-inverse': primary[200],
  border: neutral[200],
  'border-strong': neutral[300],
  'border-control': neutral[500],
  focus: primary[500],
  scrim: 'rgb(17 21 28 / 0.48)',
  fill: primary[500],
  'fill-counter': primary[500],
  'fill-hover': primary[600],
  'fill-active': primary[700],
  selected: primary[100],
  'selected-text': primary[700],
  'success-text': teal[700],
  'warn-text': amber[700],
  'danger-text': red[700],
  'warn-surface': amber[50],
  'warn-border': amber[300],
  'danger-surface': red[50],
  'danger-border': red[300],
  'danger-control': red[600],
  'stub-surface': '#fff4e8',
  'stub-border': '#efc59b',
  'stub-text': '#8f4410',
  'info-surface': primary[50],
  'info-border': primary[200],
  'badge-success': green[100],
  'badge-success-text': teal[800],
  'badge-warn': amber[100],
  'badge-warn-text': amber[800],
  'badge-danger': red[100],
  'badge-danger-text': red[800],
  'chart-now': primary[500],
  'chart-soft': primary[200],
  'chart-before': neutral[500],
  'chart-grid': neutral[200],
}

export const dark: Record<keyof typeof light, string> = {
  canvas: '#0d1117',
  surface: '#141922',
  'surface-sunken': '#10151d',
  'surface-hover': '#1d2430',
  'surface-raised': '#1b222d',
  'surface-inverse': neutral[100],
  text: '#e8ebf0',
  'text-muted': '#a5aebc',
  'text-muted-counter': '#b9c1cd',
  'text-disabled': '#768091',
  'text-on-fill': neutral[0],
  'text-inverse': neutral[900],
  link: primary[300],
  'link-inverse': primary[500],
  border: '#262e3a',
  'border-strong': '#36404e',
  'border-control': '#6b7585',
  focus: primary[300],
  scrim: 'rgb(4 6 9 / 0.64)',
  fill: '#2c62be',
  'fill-counter': '#2455a3',
  'fill-hover': '#3a70cb',
  'fill-active': '#2857a8',
  selected: '#1a2a48',
  'selected-text': '#b9cff4',
  'success-text': teal[300],
  'warn-text': amber[300],
  'danger-text': red[300],
  'warn-surface': '#2a2210',
  'warn-border': '#5d4712',
  'danger-surface': '#2d1a1c',
  'danger-border': '#6b3236',
  'danger-control': red[400],
  'stub-surface': '#2b1e12',
  'stub-border': '#6a4521',
  'stub-text': '#f8b57e',
  'info-surface': '#162138',
  'info-border': '#2b4271',
  'badge-success': green[200],
  'badge-success-text': teal[900],
  'badge-warn': amber[200],
  'badge-warn-text': amber[900],
  'badge-danger': red[200],
  'badge-danger-text': red[900],
  'chart-now': primary[400],
  'chart-soft': '#2c4675',
  'chart-before': '#8a94a4',
  'chart-grid': '#262e3a',
}

/** The same colours in both themes: a cashier learns one colour per word. The ticket is always white paper. */
export const constant = {
  mark: primary[500],
  'mark-body': neutral[0],
  // Mandarin: the stub of the mark and of the drawings, and practice. Never a verdict, a status or a button.
  stub: '#f6994a',
  approve: teal[600],
  'approve-hover': teal[700],
  reject: red[600],
  'reject-hover': red[700],
  'verdict-redeemed': green[800],
  'verdict-uploading': primary[600],
  'verdict-risk': amber[300],
  'verdict-risk-hover': amber[400],
  'verdict-refused': '#8a1f27',
  'verdict-unknown': '#474f5d',
  'verdict-text': '#ffffff',
  'verdict-ink': neutral[900],
  'verdict-ink-muted': neutral[700],
  'qr-ground': neutral[0],
  'qr-ink': neutral[950],
  'camera-field': neutral[950],
  'camera-bar': neutral[900],
  'camera-hover': neutral[800],
  'camera-edge': neutral[400],
  'camera-bars': neutral[600],
}

/**
 * Font sizes with their line heights, in rem, so that the person's own setting wins. Line heights of small text have no unit:
 * they grow when a browser's minimum font size enlarges the letters.
 */
const type: Record<string, [size: string, lead: string]> = {
  xs: ['0.75rem', '1.3334'],
  sm: ['0.875rem', '1.4286'],
  base: ['1rem', '1.5'],
  lg: ['1.0625rem', '1.1765'], // badges
  xl: ['1.25rem', '1.4'],
  '2xl': ['1.5rem', '2rem'], // page title
  '3xl': ['2rem', '2.5rem'], // key figures
  '4xl': ['2.75rem', '3rem'], // verdict on a phone
  '5xl': ['4rem', '4.25rem'], // verdict on a tablet
}

/** Converts a width or height of a window to `em`: with larger letters a window has room for less. */
const em = (px: number) => `${px / 16}em`

const families = {
  // The first comes with the portal (src/start/typeface.ts), the others stand in until it has loaded.
  font: '"Atkinson Hyperlegible Next", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Inter, "Liberation Sans", Arial, sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
}

/** A 4 px grid. */
const space = Object.fromEntries([1, 2, 3, 4, 5, 6, 8, 10, 12, 16].map((step) => [step, `${step * 0.25}rem`]))

const measures = {
  control: '2.25rem', // 36 px with a mouse; 44 px on touch, see below
  sidebar: '15rem',
  header: '3.5rem',
  'page-max': '77.5rem',
  'form-max': '40rem',
  notch: '0.625rem', // radius of the ticket's notch
}
const radii = { 1: '0.25rem', 2: '0.5rem', 3: '0.75rem', pill: '9999px' }
const weights = { body: '400', label: '500', strong: '600' }
const motion = { fast: '100ms', base: '180ms', tear: '240ms' }
const still = { fast: '0ms', base: '0ms', tear: '0ms' }
const ease = 'cubic-bezier(0.2, 0, 0, 1)'

/** How layers above the page appear: a scrim fades, a box rises, a sheet slides. And an amount rolls into its total. */
const entrances = {
  fade: { from: { opacity: '0' } },
  rise: { from: { opacity: '0', translate: '0 4px' } },
  slide: { from: { translate: '-100% 0' } },
  roll: { from: { opacity: '0', translate: '0 100%' } },
}

/** The shadows of menus and toasts (1) and of dialogs (2). */
const shadows = {
  light: {
    1: '0 1px 2px rgb(17 21 28 / 0.08), 0 4px 12px rgb(17 21 28 / 0.10)',
    2: '0 2px 4px rgb(17 21 28 / 0.10), 0 16px 40px rgb(17 21 28 / 0.22)',
  },
  dark: {
    1: '0 1px 2px rgb(0 0 0 / 0.4), 0 4px 12px rgb(0 0 0 / 0.4)',
    2: '0 2px 4px rgb(0 0 0 / 0.4), 0 16px 40px rgb(0 0 0 / 0.6)',
  },
}

type Values = Record<string | number, string | undefined>

const custom = (values: Values, prefix = '') =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${prefix}${name}`, value ?? '']))
const read = (values: Values, prefix = '') =>
  Object.fromEntries(Object.keys(values).map((name) => [name, `var(--${prefix}${name})`]))

const sizes = Object.fromEntries(Object.entries(type).map(([name, [size]]) => [name, size]))
const leads = Object.fromEntries(Object.entries(type).map(([name, [, lead]]) => [name, lead]))
const lightTheme = { 'color-scheme': 'light', ...custom(light), ...custom(shadows.light, 'shadow-') }
const darkTheme = { 'color-scheme': 'dark', ...custom(dark), ...custom(shadows.dark, 'shadow-') }

const customProperties = plugin((api) =>
  api.addBase({
    ':root': {
      ...custom(families),
      ...custom(sizes, 'text-'),
      ...custom(leads, 'lead-'),
      ...custom(weights, 'weight-'),
      ...custom(space, 'space-'),
      ...custom(measures),
      ...custom(radii, 'radius-'),
      ...custom(motion, 'motion-'),
      '--ease': ease,
      ...custom(constant),
    },
    ':root, [data-theme="light"]': lightTheme,
    // The dark theme is never printed: paper is white.
    '@media screen': { '[data-theme="dark"]': darkTheme },
    [`@media (pointer: coarse), (max-width: ${em(640)})`]: { ':root': { '--control': '2.75rem' } },
    '@media (prefers-reduced-motion: reduce)': { ':root': custom(still, 'motion-') },
    ...Object.fromEntries(Object.entries(entrances).map(([name, frames]) => [`@keyframes ${name}`, frames])),
  }),
)

export default {
  content: [],
  theme: {
    extend: {
      colors: { ...read(light), ...read(constant), muted: 'var(--text-muted)', on: 'var(--text-on-fill)' },
      spacing: { 0: '0px', 0.5: '0.125rem', ...space, ...read(measures) },
      fontFamily: { sans: 'var(--font)', mono: 'var(--mono)' },
      fontSize: Object.fromEntries(
        Object.keys(type).map((name) => [name, [`var(--text-${name})`, `var(--lead-${name})`]]),
      ),
      fontWeight: read(weights, 'weight-'),
      borderRadius: read(radii, 'radius-'),
      // The arrow of a select. A picture cannot read custom properties.
      backgroundImage: {
        arrow: `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%237b8494' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='m6 9 6 6 6-6'/%3E%3C/svg%3E")`,
      },
      boxShadow: read(shadows.light, 'shadow-'),
      transitionDuration: read(motion, 'motion-'),
      transitionTimingFunction: { DEFAULT: 'var(--ease)' },
      animation: Object.fromEntries(
        Object.keys(entrances).map((name) => [name, `${name} var(--motion-base) var(--ease)`]),
      ),
      maxWidth: { page: 'var(--page-max)', form: 'var(--form-max)' },
      // Of two that match, the narrower comes later and wins.
      screens: {
        high: { raw: `(min-height: ${em(481)})` }, // more than a few lines
        low: { raw: `(min-width: ${em(901)}) and (max-height: ${em(680)})` }, // a tablet on its side
        narrow: { max: em(900) },
        // Not on paper, which some browsers give the width of the phone's window.
        phone: { raw: `screen and (max-width: ${em(640)})` },
        small: { raw: `(max-width: ${em(640)}), (max-height: ${em(480)})` }, // a phone, upright or on its side
        tall: { raw: `(max-width: ${em(640)}) and (min-height: ${em(780)})` }, // a phone with room
        tiny: { max: em(374) },
        desk: em(1024),
        wide: em(1181),
      },
    },
  },
  plugins: [customProperties],
} satisfies Config

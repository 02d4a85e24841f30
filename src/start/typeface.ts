import file from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2'

const typeface = new FontFace('Atkinson Hyperlegible Next', `url(${file})`, { weight: '200 800' })

/**
 * Loads the typeface. Called once the first scripts have run, so that on a bad connection it delays none of them; the worker keeps
 * the file for the next start.
 */
export const loadTypeface = (): void => void typeface.load().catch(() => undefined)

/**
 * Sets the page in the typeface if it has loaded. Called when a screen appears: letters that changed in an open screen would move
 * a field or a button away from a finger.
 */
export function showTypeface(): void {
  if (typeface.status === 'loaded') document.fonts.add(typeface)
}

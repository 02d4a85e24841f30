import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Beasties from 'beasties'
import { minify } from 'vite'

const BOOT_TAG = '<script src="/boot.js"></script>'
/** Said of what is drawn only later: boot.js chooses the theme, folds the sidebar away and marks the page that is open. */
const LATER = [/data-theme/, /\.folded/, /aria-current/, /\[hidden\]/]

/**
 * The page with all that its first paint needs in itself: the choice of what to show, and the rules of what is shown. Each in a
 * file would be another way there and back before anything can be seen. The whole style sheet comes with the app.
 */
export async function inlineFirstPaint(page: string, directory: string): Promise<string> {
  if (!page.includes(BOOT_TAG)) throw new Error(`index.html has no ${BOOT_TAG}`)
  const boot = await minify('boot.js', await readFile(join(directory, 'boot.js'), 'utf8'))
  const withBoot = page.replace(BOOT_TAG, () => `<script>${boot.code.replaceAll('</', String.raw`<\/`)}</script>`)
  const styles = new Beasties({
    path: directory,
    publicPath: '/',
    preload: 'body',
    reduceInlineStyles: false,
    noscriptFallback: false,
    allowRules: LATER,
    logLevel: 'warn',
  })
  return styles.process(withBoot)
}

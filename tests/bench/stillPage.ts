import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './accounts/loginJavaScript.ts'

/** What `boot.js` and the app do with it: what is not this visitor's goes, the rest is shown and can be pressed. */
const DONE_BY_SCRIPTS: [what: RegExp, instead: string][] = [
  [/<link rel="expect"[^>]*>/, ''],
  [/<template id="app">.*?<\/template>/s, ''],
  [/<script>.*?<\/script>/s, ''],
  [/<div class="notice warn">.*?<\/bdi><\/div><\/div>/s, ''],
  [/<div data-view="pos">.*(?=<\/div>\s*<div id="root")/s, ''],
  // Shown, and for good: no app takes its place.
  [/<div id="first" hidden/, '<div id="still"'],
]

/**
 * The login of a build as it is drawn, and nothing that runs: what painting its design takes, however little an app does before it.
 * Answers the folder; throws when the page is not what it was.
 */
export function scriptlessLogin(product: string): string {
  let page = readFileSync(join(product, 'login.html'), 'utf8')
  for (const [what, instead] of DONE_BY_SCRIPTS) {
    if (!what.test(page)) throw new Error(`login.html has nothing like ${what}`)
    page = page.replace(what, instead)
  }
  const folder = join(ROOT, 'test-results/bench/still')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), page)
  return folder
}

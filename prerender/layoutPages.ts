import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { LAYOUT_FILES } from '../src/domain/paths.ts'
import { deferAppFiles } from './afterFirstPaint.ts'
import { prerenderViews } from './drawnViews.ts'
import { filesOfRoute } from './filesOfRoute.ts'
import { inlineFirstPaint } from './inlined.ts'

/**
 * Writes login.html and app.html beside index.html: each with its first screen drawn, and with the scripts that it needs from
 * the start (DESIGN §9).
 */
export function layoutPages(): Plugin {
  return {
    name: 'layout-pages',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const bare = await readFile(join(dir, LAYOUT_FILES.empty), 'utf8')
      const views = await prerenderViews()
      const pages = { auth: withPreloads(bare, bundle, 'login.tsx'), default: withPreloads(bare, bundle, '_app.tsx') }
      const write = async (file: string, page: string) =>
        writeFile(join(dir, file), deferAppFiles(await inlineFirstPaint(page, dir)))
      await write(LAYOUT_FILES.auth, withFirst(pages.auth, views.auth))
      await write(LAYOUT_FILES.default, withFirst(pages.default, views.default))
    },
  }
}

const ROOT = '<div id="root"></div>'

/** boot.js shows who may see it what is drawn; the app renders out of sight until main.tsx lets it take that place. */
function withFirst(page: string, view: string): string {
  if (!page.includes(ROOT)) throw new Error(`index.html has no ${ROOT}`)
  return page.replace(ROOT, () => `<div id="first" hidden>${view}</div>\n    <div id="root" hidden></div>`)
}

/** Without it the browser would learn of a route's files one import at a time, each a way there and back. */
function withPreloads(page: string, bundle: Rolldown.OutputBundle, route: string): string {
  const links = filesOfRoute(bundle, route)
    .filter((file) => !page.includes(file))
    .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
  return page.replace('  </head>', () => `${links.join('')}  </head>`)
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { LAYOUT_FILES } from '../src/domain/layoutOf.ts'
import { filesOfRoute } from './filesOfRoute.ts'

/** Writes login.html and app.html beside index.html, each with the scripts that its screens need from the start. */
export function layoutPages(): Plugin {
  return {
    name: 'layout-pages',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const bare = await readFile(join(dir, LAYOUT_FILES.empty), 'utf8')
      await writeFile(join(dir, LAYOUT_FILES.auth), withPreloads(bare, bundle, 'login.tsx'))
      await writeFile(join(dir, LAYOUT_FILES.default), withPreloads(bare, bundle, '_app.tsx'))
    },
  }
}

/** Without it the browser would learn of a route's files one import at a time, each a way there and back. */
function withPreloads(page: string, bundle: Rolldown.OutputBundle, route: string): string {
  const links = filesOfRoute(bundle, route)
    .filter((file) => !page.includes(file))
    .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
  return page.replace('  </head>', `${links.join('')}  </head>`)
}

import { join } from 'node:path'
import { Script } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { pageWindow, type Page, type PageWindow } from './pageWindow.ts'
import type * as portalPage from './portalPage.ts'

export type PageCode = typeof portalPage

type Evaluate = (window: PageWindow) => PageCode

let evaluate: Evaluate | undefined

/** Builds the code of a page, once for all tabs. Call it before any tab is opened. */
export async function buildPage(): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: {
      __API_ORIGINS__: '[]',
      __BUILD_ID__: '"simulated"',
      __DRILL__: 'false',
      'process.env.NODE_ENV': '"production"',
      // Dexie replaces the window's Promise during its transactions.
      Promise: 'window.Promise',
    },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry: join(import.meta.dirname, 'portalPage.ts'), formats: ['iife'], name: 'portalPage' },
      rolldownOptions: { treeshake: { moduleSideEffects: (id) => !id.includes('/react/') } },
    },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  evaluate = compile(output[0].code)
}

/** Compiles in this realm, so that an array is an array everywhere; but each tab has its own window and module state. */
function compile(code: string): Evaluate {
  const names = Object.keys(pageWindow(NO_PAGE)).join(', ')
  const script = `(({ ${names} }) => {\n${code}\nreturn portalPage\n})`
  return new Script(script, { filename: 'portalPage.js' }).runInThisContext() as Evaluate
}

const NO_PAGE = { chance: {}, browser: {} } as Page

/** Opens a new page: its code, and the window that it runs in. */
export function openPage(page: Page): { window: PageWindow; code: PageCode } {
  if (!evaluate) throw new Error('the page is not built')
  const window = pageWindow(page)
  return { window, code: evaluate(window) }
}

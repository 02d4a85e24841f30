import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import react from '@vitejs/plugin-react'
import Beasties from 'beasties'
import { build, type Plugin, type Rolldown } from 'vite'
import { LAYOUT_FILES } from '../src/domain/paths.ts'
import { heldInTemplates, inertMarkup } from './inertMarkup.ts'
import type { Views } from './views.tsx'

/** Puts the script that runs before the first paint into every page, also under `vite dev`. */
export const bootInPages = (target: string[]): Plugin => ({
  name: 'boot-in-pages',
  transformIndexHtml: { order: 'pre', handler: (page) => withBoot(page, target) },
})

const BOOT_TAG = '<script src="/src/start/boot.ts"></script>'

async function withBoot(page: string, target: string[]): Promise<string> {
  if (!page.includes(BOOT_TAG)) throw new Error(`index.html has no ${BOOT_TAG}`)
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target,
      modulePreload: false,
      rolldownOptions: { input: resolve(import.meta.dirname, '../src/start/boot.ts'), output: { format: 'iife' } },
    },
  })
  const { code } = (built as Rolldown.RolldownOutput).output[0]
  return page.replace(BOOT_TAG, () => `<script>${code.trim().replaceAll('</', String.raw`<\/`)}</script>`)
}

/**
 * Writes login.html and app.html beside index.html: each with its first screen drawn, and with the scripts that it needs from
 * the start (rule 18.2); app.html also names those of each screen in the frame.
 */
export function layoutPages(): Plugin {
  return {
    name: 'layout-pages',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const bare = await readFile(join(dir, LAYOUT_FILES.empty), 'utf8')
      const views = await prerenderViews()
      const app = withPreloads(bare, bundle, '_app.tsx')
      const login = withFirst(withPreloads(bare, bundle, 'login.tsx'), views.auth)
      const frame = withFirst(withScreens(app, bundle), views.default)
      const write = async (file: string, page: string) => writeFile(join(dir, file), deferAppFiles(page))
      await write(LAYOUT_FILES.auth, heldInTemplates(await inlineFirstPaint(login, dir)))
      await write(LAYOUT_FILES.default, await inlineFirstPaint(frame, dir))
      await write(LAYOUT_FILES.empty, bare)
    },
  }
}

const ROOT = '<div id="root"></div>'

/**
 * Puts a drawn screen into a page. boot.ts shows it to those who may see it; the app renders out of sight until main.tsx lets it
 * replace the screen.
 */
function withFirst(page: string, view: string): string {
  if (!page.includes(ROOT)) throw new Error(`index.html has no ${ROOT}`)
  return page.replace(ROOT, () => `<div id="first" hidden>${view}</div>\n    <div id="root" hidden></div>`)
}

/** Without these links the browser would find a route's files one import at a time, with a round trip for each. */
const withPreloads = (page: string, bundle: Rolldown.OutputBundle, route: string): string =>
  withLinks(
    page,
    filesOfRoute(bundle, route)
      .filter((file) => !page.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  )

const withLinks = (page: string, links: string[]) => page.replace('  </head>', () => `${links.join('')}  </head>`)

const SCREEN = /\/src\/routes\/_app\/([\w.$-]+)\.tsx\?tsr-split=component/

/**
 * Adds such links for each screen in the frame, with the paths that need the file: boot.ts removes the links that the open screen
 * does not need.
 */
function withScreens(page: string, bundle: Rolldown.OutputBundle): string {
  const paths = new Map<string, Set<string>>()
  for (const chunk of Object.values(bundle)) {
    const [, route] = (chunk.type === 'chunk' && SCREEN.exec(chunk.facadeModuleId ?? '')) || []
    if (route === undefined) continue
    for (const file of filesOfRoute(bundle, `_app/${route}.tsx`)) {
      if (!page.includes(file)) paths.set(file, (paths.get(file) ?? new Set()).add(pathOf(route)))
    }
  }
  if (paths.size === 0) throw new Error('the build has no screen in the frame')
  const links = [...paths].map(
    ([file, itsPaths]) => `<link rel="modulepreload" crossorigin href="/${file}" data-of="${[...itsPaths].join(' ')}">`,
  )
  return withLinks(page, links)
}

/** The path of a route's file name: `/vouchers`, or `/branches/$/$` where it has parameters. A `_` at the end is not part of the address. */
const pathOf = (route: string) =>
  `/${route
    .replace(/\.index$/, '')
    .split('.')
    .map((part) => (part.startsWith('$') ? '$' : part.replace(/_$/, '')))
    .join('/')}`

const APP_FILES = /\s*<(?:link rel="(?:modulepreload|stylesheet)"[^>]*>|script type="module"[^>]*><\/script>)/g

const ENTRY = /<script type="module" crossorigin src="([^"]*)">/

const BEFORE_BOOT = /(?=<script>)/

/**
 * Moves the files of the app into a template that boot.ts opens. Without the template the browser would fetch them early, and a
 * device that has them in its cache would read and run them all before the first frame. `expect` keeps the browser from painting
 * the empty page when it pauses in the middle of the HTML.
 * @throws Error when the page has no entry, or nothing that opens the template.
 */
function deferAppFiles(page: string): string {
  const [, entry] = ENTRY.exec(page) ?? []
  if (entry === undefined || !BEFORE_BOOT.test(page))
    throw new Error('the page has no entry, or no script of its own before it')
  const files = (page.match(APP_FILES) ?? []).map((tag) => tag.trim())
  const entryAhead = `<link rel="modulepreload" crossorigin href="${entry}">`
  const held = `<template id="app">${[entryAhead, ...files].join('')}</template>`
  const expected = '<link rel="expect" href="#root" blocking="render">'
  return page.replaceAll(APP_FILES, '').replace(BEFORE_BOOT, () => `${expected}\n    ${held}\n    `)
}

/**
 * The scripts of a route file's component and everything they import, in the order in which they are needed.
 * @throws Error when the build has no such route.
 */
function filesOfRoute(bundle: Rolldown.OutputBundle, route: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entry = chunks.find(({ facadeModuleId }) =>
    facadeModuleId?.includes(`/src/routes/${route}?tsr-split=component`),
  )
  if (!entry) throw new Error(`the build has no chunk of the route ${route}`)
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const name of chunk.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported) add(imported)
    }
  }
  add(entry)
  return [...files]
}

/** Selectors of states that boot.ts sets later: the theme, the folded sidebar and the mark of the open page. */
const LATER = [/data-theme/, /\.folded/, /aria-current/, /\[hidden\]/]

/** Puts the rules of the first paint into the page. A separate file would need another round trip before the paint. */
function inlineFirstPaint(page: string, directory: string): Promise<string> {
  const styles = new Beasties({
    path: directory,
    publicPath: '/',
    preload: 'body',
    reduceInlineStyles: false,
    noscriptFallback: false,
    allowRules: LATER,
    logLevel: 'warn',
  })
  return styles.process(page)
}

const STAND_IN = resolve(import.meta.dirname, 'routerStandIn.tsx')

/** The markup of the first screens, drawn by the screens' own components. */
async function prerenderViews(): Promise<Views> {
  const outDir = await mkdtemp(join(tmpdir(), 'first-screens-'))
  try {
    await buildViews(outDir)
    const drawn = await draw(join(outDir, 'views.mjs'))
    return { auth: inertMarkup(drawn.auth), default: inertMarkup(drawn.default) }
  } finally {
    await rm(outDir, { recursive: true })
  }
}

const buildViews = (outDir: string) =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"', __API_ORIGINS__: '[]' },
    resolve: { alias: { '@tanstack/react-router': STAND_IN } },
    ssr: { noExternal: true },
    build: {
      ssr: resolve(import.meta.dirname, 'views.tsx'),
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'views.mjs', chunkFileNames: '[name].mjs' } },
    },
  })

/** State modules listen for other tabs as soon as they are loaded. In a thread, these listeners end with the thread. */
const DRAW = `
  const { parentPort, workerData } = require('node:worker_threads')
  globalThis.addEventListener = () => undefined
  import(workerData).then(({ drawViews }) => parentPort.postMessage(drawViews()))
`

async function draw(module: string): Promise<Views> {
  const thread = new Worker(DRAW, { eval: true, workerData: pathToFileURL(module).href, execArgv: [] })
  try {
    const [views] = (await once(thread, 'message')) as [Views]
    return views
  } finally {
    await thread.terminate()
  }
}
